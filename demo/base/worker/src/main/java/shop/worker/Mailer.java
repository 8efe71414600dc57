package shop.worker;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Marks queued mails as sent. */
public final class Mailer {
    private final Connection connection;

    public Mailer(Connection connection) {
        this.connection = connection;
    }

    public void markSent(long mailId) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE mails SET sent = true WHERE id = ?")) {
            update.setLong(1, mailId);
            update.executeUpdate();
        }
    }
}
