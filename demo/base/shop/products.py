"""Products as the storefront shows them. Public."""

from flask import Blueprint, Response, jsonify, request

from shop.db import connection

products = Blueprint("products", __name__)


@products.get("/products")
def by_category() -> Response:
    """Products of one category."""
    category = request.args.get("category", "")
    rows = connection().execute(f"SELECT id, name, price FROM products WHERE category = '{category}'").fetchall()
    return jsonify(rows)


@products.get("/products/search")
def search() -> Response:
    """Products whose name contains a term."""
    term = request.args.get("q", "")
    rows = connection().execute(f"SELECT id, name FROM products WHERE name LIKE '%{term}%'").fetchall()
    return jsonify(rows)
