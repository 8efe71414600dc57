package main

import (
	"context"
	"database/sql"
	"log"
	"os"

	_ "github.com/lib/pq"
)

func main() {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	if _, err := db.ExecContext(ctx, "DELETE FROM reservations WHERE expires_at < now()"); err != nil {
		log.Fatal(err)
	}
	if err := restock(ctx, db, os.Getenv("WAREHOUSE")); err != nil {
		log.Fatal(err)
	}
}

// restock orders what has run out in one warehouse.
func restock(ctx context.Context, db *sql.DB, warehouse string) error {
	_, err := db.ExecContext(ctx,
		"INSERT INTO purchase_orders (product_id, amount) SELECT id, 20 FROM stock WHERE warehouse = $1 AND amount = 0",
		warehouse)
	return err
}
