"""Python functions that give back a page or a part of one: by their decorators, their parameters, or what they do."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.python_functions import decorators_of
from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.languages.python_routes import route_decorator

_ANSWERS_PAGE = re.compile(
    r"response_class\s*=\s*(?:[\w.]+\.)?HTMLResponse\b|media_type\s*=\s*(?:MediaType\.HTML\b|[\"']text/html)"
)
_ANSWERS_OTHER = re.compile(r"(?:response_class|response_model|mimetype|content_type|media_type|renderer)\s*=")
_EXPOSED = re.compile(r"^@(?:cherrypy\.)?expose\b")
_ANSWERS_ERROR = re.compile(r"^@[\w.]+\.(?:app_)?errorhandler\(")
_WEB_PY = re.compile(rb"\bweb\.(?:input|data|cookies)\(")
_TEMPLATE_TAG = re.compile(r"^@register\.tag\b(?!\()")
_TEMPLATE_FILTER = re.compile(r"^@\w+\.(?:(?:app_)?template_)?filter\b|^@(?:\w+\.)?(?:global_function|contextfilter)\b")
_REGISTERED = (
    (_TEMPLATE_TAG, "register.return"),
    (_ANSWERS_PAGE, "HTMLResponse.return"),
    (_EXPOSED, "expose.return"),
    (_ANSWERS_ERROR, "errorhandler.return"),
)
_TAGS = re.compile(rb"[\"'>]\s*<[a-z]")
_GIVES_HTML = re.compile(r"(?i)^(?:(?:as|to|get|render|make|build)_?)?html(?:_?(?:value|text|content|output))?$|_html$")
_GLOBAL_REQUEST = re.compile(
    rb"\brequest\.(?:args|form|values|GET|POST|query|forms|cookies|headers|view_args|params)\b"
)
"""The request as a name of the module, as Flask and Bottle have it: their functions give back pages, not JSON."""

_ASKS = re.compile(
    rb"\breq(?:uest)?\.(?:args|form|values|GET|POST|REQUEST|params|query_params)\b|get_(?:query_)?argument\("
)


def answers_of(function: Node, parameters: tuple[Parameter, ...]) -> str:
    """As what call the returns of a function count that gives back pages or parts of them; empty for any other."""
    for written in decorators_of(function):
        told = next((answer for pattern, answer in _REGISTERED if pattern.search(written)), None)
        if told is not None:
            return told
        route = route_decorator(written)
        if route is None or _ANSWERS_OTHER.search(written):
            continue
        if route.word == "route":
            return "route.return"
        body = function.child_by_field_name("body")
        is_global = all(parameter.name != "request" for parameter in parameters) and "{" not in route.path
        if is_global and body is not None and _GLOBAL_REQUEST.search(body.text or b""):
            return "flask.return" if "." in written.partition("(")[0] else "bottle.return"
    if [parameter.name for parameter in parameters[:2]] == ["event", "context"] and b"statusCode" in (
        function.text or b""
    ):
        return "statusCode.return"
    return _answer_of_text(function)


def _answer_of_text(function: Node) -> str:
    """The same by what a function does with its text."""
    body = function.child_by_field_name("body")
    written = (body.text if body is not None else b"") or b""
    if node_text(function.child_by_field_name("name")) in ("GET", "POST") and _WEB_PY.search(written):
        return "web.return"
    if b"format_exc" in written:
        return "format_exc.return"
    if not _TAGS.search(written):
        named = _GIVES_HTML.search(node_text(function.child_by_field_name("name"))) is not None
        return "def.return" if named and b"escape" not in written else ""
    if b"escape(" in written:
        return "escape.return"
    if _ASKS.search(written):
        return "" if _is_inner(function) else "request.return"
    return _of_tags(function)


def _of_tags(function: Node) -> str:
    """The same of a function that writes tags, and neither escapes anything nor reads a request."""
    written = decorators_of(function)
    if any(route_decorator(text) is not None for text in written):
        return ""  # an answer of another type, or it was told before
    return "filter.return" if any(map(_TEMPLATE_FILTER.match, written)) else "def.return"


def _is_inner(function: Node) -> bool:
    """Whether a function stands in another one, which says what becomes of its answer."""
    around = function.parent
    while around is not None and around.type != "function_definition":
        around = around.parent
    return around is not None
