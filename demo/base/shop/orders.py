"""Orders of the signed-in customer."""

from flask import Blueprint, Response, jsonify, session

from shop.auth import login_required
from shop.db import connection

orders = Blueprint("orders", __name__)


@orders.get("/orders")
@login_required
def list_orders() -> Response:
    """All orders, newest first."""
    rows = connection().execute(
        "SELECT id, placed_at, total FROM orders WHERE customer_id = %s ORDER BY placed_at DESC",
        (session["customer_id"],),
    ).fetchall()
    return jsonify(rows)
