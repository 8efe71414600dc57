"""Orders of the signed-in customer."""

from flask import Blueprint, Response, jsonify, request, session

from shop.auth import login_required
from shop.db import connection
from shop.filters import sort_column

orders = Blueprint("orders", __name__)
ORDERS = "orders"
ARCHIVE = "archived_orders"


@orders.get("/orders")
@login_required
def list_orders() -> Response:
    """All orders in the order asked for."""
    column = sort_column(request.args.get("sort", ""))
    rows = connection().execute(
        f"SELECT id, placed_at, total, state FROM {ORDERS} WHERE customer_id = %s ORDER BY {column} DESC",
        (session["customer_id"],),
    ).fetchall()
    return jsonify(rows)


@orders.get("/orders/archive")
@login_required
def list_archive() -> Response:
    """Archived orders, a page at a time."""
    page = int(request.args.get("page", "1"))
    rows = connection().execute(
        f"SELECT id, placed_at, total FROM {ARCHIVE} WHERE customer_id = %s LIMIT 50 OFFSET %s",
        (session["customer_id"], (page - 1) * 50),
    ).fetchall()
    return jsonify(rows)


@orders.post("/orders/<int:order_id>/cancel")
@login_required
def cancel(order_id: int) -> Response:
    """Cancels an order of the customer that has not been sent."""
    connection().execute(
        f"UPDATE {ORDERS} SET state = 'cancelled' WHERE id = %s AND customer_id = %s AND state = 'paid'",
        (order_id, session["customer_id"]),
    )
    return jsonify(cancelled=order_id)
