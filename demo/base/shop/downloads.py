"""Invoices and shipping labels as files."""

from pathlib import Path

from flask import Blueprint, Response, abort, send_file

from shop.auth import login_required

downloads = Blueprint("downloads", __name__)
INVOICES = Path("/srv/shop/invoices")


@downloads.get("/downloads/invoices/<path:name>")
@login_required
def invoice(name: str) -> Response:
    """One invoice as PDF."""
    path = (INVOICES / name).resolve()
    if not path.is_relative_to(INVOICES):
        abort(404)
    return send_file(path, mimetype="application/pdf")
