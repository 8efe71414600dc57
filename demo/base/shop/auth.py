"""Who may do what."""

from collections.abc import Callable
from functools import wraps

from flask import abort, session


def login_required(view: Callable) -> Callable:
    """Answers 401 unless somebody is signed in."""

    @wraps(view)
    def guarded(*args, **kwargs):
        if "customer_id" not in session:
            abort(401)
        return view(*args, **kwargs)

    return guarded


def role_required(role: str) -> Callable:
    """Answers 403 unless the signed-in member of staff has the role."""

    def decorate(view: Callable) -> Callable:
        @wraps(view)
        def guarded(*args, **kwargs):
            if role not in session.get("roles", ()):
                abort(403)
            return view(*args, **kwargs)

        return guarded

    return decorate
