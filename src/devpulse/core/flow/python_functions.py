"""Python functions: which parameters come from a request, and what a request object offers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tree_sitter import Node

from devpulse.core.flow.constants import literal
from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.python_handlers import fields_of_server, read_off, sent_to
from devpulse.core.flow.syntax_nodes import line_of, node_text
from devpulse.core.flow.values import CLEAN, Level, Value, text
from devpulse.core.languages.python_routes import route_decorator

_HARMLESS_TYPES = re.compile(
    r"^(?:(?:(?:typing|t)\.)?(?:Optional|Annotated|Union)\[)*(?:(?:typing|t)\.)?(?:int|float|bool|complex|Decimal|UUID\d?"
    r"|uuid\.UUID|date|datetime|datetime\.\w+|timedelta|Literal|conint|confloat|(?:Positive|NonNegative)(?:Int|Float)"
    r"|IPv[46]Address|IPvAnyAddress)\b(?!\s*[|,]\s*str\b)"
)
_ENUMERATION = re.compile(
    r"^(?:(?:Optional|Annotated)\[)*[A-Z]\w*?(?:Enum|Order|OrderBy|Sort|SortBy|Type|Kind|Direction|Status|Mode|Format|Level"
    r"|Choices?|Column|Unit|Period|Interval|Language|Locale)\b"
)
"""Classes that, by their names, list the values a parameter may have: ``order.value`` is one of them."""

_REMOTE_CALLED = re.compile(r"@(?:frappe\.)?whitelist\b|@(?:cherrypy\.|tg\.)?expose\b")
"""Decorators of functions that a browser calls by their names, with what it likes."""

_OBJECT_TYPES = re.compile(
    r"Session|Connection|Request\b|Response|Depends|Cursor|Engine|Logger|BackgroundTasks|Settings|Service"
)
_OBJECTS = frozenset(
    [
        "self",
        "cls",
        "db",
        "database",
        "conn",
        "connection",
        "cursor",
        "cur",
        "session",
        "engine",
        "client",
        "pool",
        "request",
        "req",
        "response",
        "res",
        "ctx",
        "context",
        "logger",
        "log",
        "app",
        "settings",
        "config",
    ]
)
_REQUEST_ROOTS = frozenset(
    {"request", "self.request", "flask.request", "req", "info.context", "bottle.request", "web.request"}
)
_FIELDS = frozenset(
    [
        "args",
        "form",
        "json",
        "files",
        "values",
        "cookies",
        "headers",
        "data",
        "GET",
        "POST",
        "FILES",
        "COOKIES",
        "META",
        "query_params",
        "path_params",
        "body",
        "query",
        "forms",
        "params",
        "match_info",
        "view_args",
        "query_string",
        "path",
        "full_path",
        "url",
        "base_url",
        "referrer",
        "REQUEST",
        "arguments",
        "stream",
        "media",
        "bounded_stream",
        "matchdict",
        "rel_url",
    ]
)
_METHODS = frozenset(
    [
        "get_json",
        "get_data",
        "get",
        "getlist",
        "get_argument",
        "get_query_argument",
        "get_arguments",
        "get_body_argument",
        "post",
        "body",
        "json",
        "form",
        "read",
        "getvalue",
        "getfirst",
        "get_param",
        "multipart",
        "get_media",
    ]
)
_OTHER = {
    "cgi.FieldStorage": Level.REQUEST,
    "sys.argv": Level.LOCAL_INPUT,
    "os.environ": Level.UNKNOWN,
    "self.path_kwargs": Level.REQUEST,
    "self.kwargs": Level.REQUEST,
    "self.request.uri": Level.REQUEST,
    "web.input": Level.REQUEST,
    "web.data": Level.REQUEST,
    "web.cookies": Level.REQUEST,
    "frappe.form_dict": Level.REQUEST,
    "self.rfile": Level.REQUEST,
    "traceback.format_exc": Level.UNKNOWN,
}
_TORNADO = frozenset({"get_argument", "get_query_argument", "get_body_argument", "get_arguments", "get_cookie"})
_HANDS_ON = re.compile(
    r"(?i)^(?:get|read|fetch)?_?(?!\w*(?:safe|clean|valid|user|session|current))(?:\w+_)?(?:form|query|param\w*|args?|argument\w*|"
    r"header\w*|cookie\w*|body|json|data|input|value|field|post|get|path|url)(?:_\w+)?$"
)
"""Methods of the program's own objects around a request that hand on what was sent."""

_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head"})
_HANDLER = re.compile(r"(?:RequestHandler|MethodView|Resource|HTTPEndpoint|APIView|Handler|View)\b")
_REQUESTS = ("request", "req")
_SERVED = re.compile(r"""^$|^["']?(?:\w+\.)*(?:(?:Http|WSGI|ASGI|Web|Auth\w*|Django|\w*Api)?Request)\b(?!\w)""")
"""Annotations of a request that is answered, not of one that is made: ``PreparedRequest`` is sent by a client."""

_BODY_MODEL = re.compile(r"^(?:\w+\.)?(?!(?:Test|Asgi|ASGI|Wsgi|WSGI|Http|HTTP|Web)?Request$)[A-Z]\w+$")
"""The class of what a route's body is read into: ``request: RenameRequest`` is no request of HTTP."""

_NUMBERED = re.compile(r"(?i)^(?:\w+_)?(?:id|pk|num|number|page|count|index)$")
"""Parts of a path that are numbers more often than not."""

_CONVERTER = re.compile(r"<(?:int|float|uuid):(\w+)>")


def request_field(owner: str, name: str) -> Level | None:
    """The level of ``owner.name``, also where ``name`` is a method that reads input."""
    if owner in _REQUEST_ROOTS and (name in _FIELDS or name in _METHODS):
        return Level.REQUEST
    if owner == "wrapped request":
        return Level.REQUEST if _HANDS_ON.match(name) else None
    if owner == "self" and name in _TORNADO:
        return Level.REQUEST
    return _OTHER.get(f"{owner}.{name}") or read_off(owner, name)


def parameters_of(function: Node) -> tuple[Parameter, ...]:
    """The parameters with their levels: those a framework fills from the URL or body are requests."""
    decorators = decorators_of(function)
    numeric = frozenset(name for text in decorators for name in _CONVERTER.findall(text))
    found, kinds = _listed(function, numeric, routed=_is_routed(decorators))
    values = [
        Parameter(f"{item.name}.value", None, item.line, kind="keyword")
        for item, kind in zip(found, kinds, strict=True)
        if _ENUMERATION.match(kind)
    ]
    bases = _bases_of(function) if found and found[0].name == "self" else ""
    return (*_levelled(function, decorators, kinds, found), *values, *fields_of_server(bases, line_of(function)))


def _is_routed(decorators: list[str]) -> bool:
    return any(route_decorator(text) or _REMOTE_CALLED.match(text) for text in decorators)


def _listed(function: Node, numeric: frozenset[str], *, routed: bool) -> tuple[list[Parameter], list[str]]:
    """The parameters as they are written, and their annotations."""
    listed = function.child_by_field_name("parameters")
    found: list[Parameter] = []
    kinds: list[str] = []
    keyword = ""
    for node in listed.named_children if listed is not None else []:
        if node.type == "keyword_separator":
            keyword = "keyword"
            continue
        name, kind, default = _parts(node)
        if name:
            body = routed and name in _REQUESTS and _BODY_MODEL.match(kind) is not None and not _SERVED.match(kind)
            level = Level.PARAMETER if body else _level(name, kind, default, numeric)
            gathers = _gathers(node)
            found.append(Parameter(name, level, line_of(node), name, kind=gathers or keyword, default=_default(node)))
            kinds.append(kind)
            keyword = "keyword" if gathers == "*" else keyword
    return found, kinds


def _levelled(function: Node, decorators: list[str], kinds: list[str], found: list[Parameter]) -> Sequence[Parameter]:
    """The parameters, those marked that are sent by somebody."""
    routed = _is_routed(decorators)
    fixed = any(map(_is_fixed_route, decorators)) and all(parameter.name != "request" for parameter in found)
    path = [Parameter("request.path", None, line_of(function), kind="keyword")] if fixed else []
    view = len(found) + len(path) > 1 and bool(found) and found[0].name == "request" and not routed
    view = view and _SERVED.match(kinds[0]) is not None
    if routed or view or _finds_child(function, found):
        return [*map(_as_request, found), *path]
    if len(found) > 1 and _handles_requests(function, found):
        return [item if item.kind or _NUMBERED.match(item.name) else _as_request(item) for item in found]
    called = sent_to(node_text(function.child_by_field_name("name")), decorators, kinds, found)
    return [*(called or found), *path]


def _handles_requests(function: Node, parameters: list[Parameter]) -> bool:
    """Whether a method answers a verb of HTTP: what it is given beside the request comes out of the path."""
    if node_text(function.child_by_field_name("name")) not in _VERBS or parameters[0].name != "self":
        return False
    if parameters[1].name == "request":
        return len(parameters) > 2
    return _HANDLER.search(_bases_of(function)) is not None


def _bases_of(method: Node) -> str:
    """The bases of the class that has a method, in brackets; empty when there are none."""
    around: Node | None = method.parent
    if around is not None and around.type == "decorated_definition":
        around = around.parent
    owner = around.parent if around is not None else None
    bases = (
        owner.child_by_field_name("superclasses") if owner is not None and owner.type == "class_definition" else None
    )
    return node_text(bases)


def _finds_child(function: Node, parameters: list[Parameter]) -> bool:
    """Whether a method of Twisted finds the resource for the next part of a path, which it is given."""
    name = node_text(function.child_by_field_name("name"))
    return name in ("getChild", "getChildWithDefault") and any(item.name in _REQUESTS for item in parameters)


def _is_fixed_route(written: str) -> bool:
    """Whether a route has one path only, which is what the request then says."""
    route = route_decorator(written)
    return route is not None and route.word == "route" and route.path.startswith("/") and "<" not in route.path


def _as_request(parameter: Parameter) -> Parameter:
    if parameter.level is not Level.PARAMETER:
        return parameter
    return replace(parameter, level=Level.REQUEST)


def lambda_parameters(function: Node) -> tuple[Parameter, ...]:
    """The parameters of a lambda, of which nothing is known."""
    listed = function.child_by_field_name("parameters")
    names = [(_parts(node)[0], node) for node in (listed.named_children if listed is not None else [])]
    return tuple(
        Parameter(name, Level.UNKNOWN, line_of(node), kind=_gathers(node), default=_default(node))
        for name, node in names
        if name
    )


def _gathers(node: Node) -> str:
    """Whether a parameter takes all that is left: ``*args``, ``**options``."""
    inner = node.named_children[0] if node.type.startswith("typed") and node.named_children else node
    return {"list_splat_pattern": "*", "dictionary_splat_pattern": "**"}.get(inner.type, "")


def _default(node: Node) -> Value:
    """A constant default."""
    value = node.child_by_field_name("value")
    if value is None:
        return CLEAN
    if value.type == "string":
        inner = [child for child in value.named_children if child.type == "string_content"]
        return (
            text(node_text(inner[0]) if inner else "")
            if len(value.named_children) <= 3 and "{" not in node_text(value)
            else CLEAN
        )
    return literal(value.type, node_text(value)) or CLEAN


def decorators_of(function: Node) -> list[str]:
    """The decorators of a function as they are written."""
    around = function.parent
    if around is None or around.type != "decorated_definition":
        return []
    return [node_text(child) for child in around.named_children if child.type == "decorator"]


def _parts(node: Node) -> tuple[str, str, str]:
    """Name, annotation and default of a parameter."""
    kind, default = node_text(node.child_by_field_name("type")), node_text(node.child_by_field_name("value"))
    name: Node | None = node.child_by_field_name("name") or node
    while name is not None and name.type != "identifier":
        name = name.named_children[0] if name.named_children else None
    return node_text(name), kind, default


def _level(name: str, kind: str, default: str, numeric: frozenset[str]) -> Level | None:
    if name in _OBJECTS or name in numeric or _HARMLESS_TYPES.match(kind) or _OBJECT_TYPES.search(kind):
        return None
    if default.startswith(("Depends", "Security")) or re.fullmatch(r"-?\d+(?:\.\d+)?|True|False", default):
        return None
    return Level.PARAMETER
