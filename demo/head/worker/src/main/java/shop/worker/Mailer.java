package shop.worker;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Marks queued mails as sent. */
public final class Mailer {
    private static final String TABLE = "mails";
    private final Connection connection;

    public Mailer(Connection connection) {
        this.connection = connection;
    }

    /** How many mails wait for an address. */
    public int waiting(String address) throws SQLException {
        String query = "SELECT count(*) FROM " + TABLE + " WHERE address = ? AND NOT sent";
        try (PreparedStatement select = connection.prepareStatement(query)) {
            select.setString(1, address);
            ResultSet rows = select.executeQuery();
            rows.next();
            return rows.getInt(1);
        }
    }

    public void markSent(long mailId) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE mails SET sent = true WHERE id = ?")) {
            update.setLong(1, mailId);
            update.executeUpdate();
        }
    }
}
