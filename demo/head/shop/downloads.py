"""Invoices and shipping labels as files."""

from pathlib import Path

from flask import Blueprint, Response, abort, request, send_file

from shop.auth import login_required

downloads = Blueprint("downloads", __name__)
INVOICES = Path("/srv/shop/invoices")
LABELS = Path("/srv/shop/labels")


@downloads.get("/downloads/invoices/<path:name>")
@login_required
def invoice(name: str) -> Response:
    """One invoice as PDF, offered for saving."""
    path = (INVOICES / name).resolve()
    if not path.is_relative_to(INVOICES):
        abort(404)
    return send_file(path, mimetype="application/pdf", as_attachment=True)


@downloads.get("/downloads/labels")
@login_required
def label() -> Response:
    """A shipping label: a whole batch, or a single one."""
    name = request.args["name"]
    if request.args.get("batch") == "yes":
        path = (LABELS / "batches" / name).resolve()
        if not path.is_relative_to(LABELS):
            abort(404)
    else:
        path = LABELS / name
    return send_file(path, mimetype="image/png")
