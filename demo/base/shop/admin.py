"""What staff can do."""

from flask import Blueprint, Response, jsonify, request

from shop.auth import login_required, role_required
from shop.db import connection

admin = Blueprint("admin", __name__, url_prefix="/admin")


@admin.get("/customers")
@login_required
@role_required("staff")
def list_customers() -> Response:
    """All customers by name."""
    return jsonify(connection().execute("SELECT id, name, email FROM customers ORDER BY name").fetchall())


@admin.post("/customers/<int:customer_id>/note")
@login_required
@role_required("staff")
def add_note(customer_id: int) -> Response:
    """Adds a note to a customer."""
    connection().execute(
        "INSERT INTO notes (customer_id, body) VALUES (%s, %s)", (customer_id, request.form["body"])
    )
    return jsonify(saved=True)


@admin.post("/customers/<int:customer_id>/delete")
@login_required
@role_required("owner")
def delete_customer(customer_id: int) -> Response:
    """Deletes a customer with all orders."""
    connection().execute("DELETE FROM customers WHERE id = %s", (customer_id,))
    return jsonify(deleted=customer_id)
