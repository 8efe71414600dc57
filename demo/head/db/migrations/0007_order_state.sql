ALTER TABLE orders ADD COLUMN state text NOT NULL DEFAULT 'paid'
    CHECK (state IN ('paid', 'sent', 'cancelled'));

CREATE INDEX orders_state ON orders (state);

ALTER TABLE customers ADD COLUMN reset_digest text;
