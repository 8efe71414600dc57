"""Python decorators that make a function a web entry point: Flask, FastAPI, Sanic, Bottle, Pyramid, Django."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ROUTE = re.compile(
    r"""@\s*(?:
        (?:[\w.]+\.)?(?P<any>route|websocket|api_route)\s*\(\s*(?:\w+\s*=\s*)?[rfRF]?["'](?P<path>[^"']*)
      | (?:[\w.]+\.)?(?P<verb>get|post|put|patch|delete|head|options)\s*\(\s*(?:\w+\s*=\s*)?
        [rfRF]?(?:["'](?P<below>[/{][^"']*)|""|'')
      | (?:\w+\.)*(?P<listed>api_view|action|require_http_methods|view_config)\s*\(
      | (?:\w+\.)*(?P<bare>require_GET|require_POST|require_safe)\b
    )""",
    re.VERBOSE,
)


_VIEW = re.compile(r"\(\s*(?:self\s*,\s*)?request\b")


@dataclass(frozen=True, slots=True)
class RouteDecorator:
    """``word`` is the decorator's last name; ``path`` the route, empty when the decorator names none."""

    word: str
    path: str


def mentions_route(text: str) -> bool:
    """Whether a file has a decorator that registers a route, or a function whose first parameter is a request."""
    return _ROUTE.search(text) is not None or _VIEW.search(text) is not None


def route_decorator(text: str) -> RouteDecorator | None:
    """Read a decorator from its text; ``None`` when it registers no route.

    A verb needs a path, or ``@mock.patch("a.b")`` would be one.
    """
    match = _ROUTE.match(text)
    if match is None:
        return None
    groups = match.groupdict()
    word = groups["any"] or groups["verb"] or groups["listed"] or groups["bare"]
    return RouteDecorator(word, groups["path"] or groups["below"] or "")
