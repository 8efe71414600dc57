"""Products as the storefront shows them. Public."""

from flask import Blueprint, Response, jsonify, request

from shop.db import connection
from shop.filters import tidy_term

products = Blueprint("products", __name__)


@products.get("/products")
def by_category() -> Response:
    """Products of one category."""
    category = request.args.get("category", "")
    rows = connection().execute(
        "SELECT id, name, price FROM products WHERE category = %s AND hidden = false", (category,)
    ).fetchall()
    return jsonify(rows)


@products.get("/products/search")
def search() -> Response:
    """Products whose name contains a term, whatever its case."""
    term = tidy_term(request.args.get("q", ""))
    rows = connection().execute(f"SELECT id, name, price FROM products WHERE name ILIKE '%{term}%'").fetchall()
    return jsonify(rows)
