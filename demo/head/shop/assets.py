"""Product pictures: uploads, named views and cache tags."""

import hashlib
from pathlib import Path

from flask import Blueprint, Response, abort, jsonify, make_response, request, send_file
from werkzeug.utils import secure_filename

from shop.auth import login_required

assets = Blueprint("assets", __name__)
UPLOADS = Path("/srv/shop/uploads")
TEMPLATES = Path("/srv/shop/templates")
VIEWS = {"front": "front.png", "side": "side.png", "top": "top.png"}


@assets.post("/assets")
@login_required
def upload() -> Response:
    """Keeps an uploaded picture under a harmless name."""
    picture = request.files["picture"]
    name = secure_filename(picture.filename)
    picture.save(UPLOADS / name)
    return jsonify(name=name)


@assets.get("/assets/views")
@login_required
def view() -> Response:
    """One of the three drawings."""
    name = request.args.get("view", "front")
    if name not in VIEWS:
        abort(404)
    return send_file(TEMPLATES / VIEWS[name])


@assets.get("/assets/manifest")
@login_required
def manifest() -> Response:
    """The list of pictures, with a cache tag."""
    body = "\n".join(sorted(path.name for path in UPLOADS.iterdir()))
    response = make_response(body)
    response.headers["ETag"] = hashlib.md5(body.encode()).hexdigest()
    return response
