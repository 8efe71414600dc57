"""The old order export, replaced by the report service."""

from flask import Blueprint, Response, request

from shop.auth import login_required
from shop.db import connection

legacy_export = Blueprint("legacy_export", __name__)


@legacy_export.get("/export")
@login_required
def export() -> Response:
    """All orders of one state as plain text."""
    state = request.args.get("state", "paid")
    rows = connection().execute(f"SELECT id, total FROM orders WHERE state = '{state}'").fetchall()
    return Response("\n".join(f"{row['id']};{row['total']}" for row in rows), mimetype="text/plain")
