"""Functions of Javascript and Typescript: their parameters, and what a request object offers."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.constants import literal
from devpulse.core.flow.javascript_handlers import is_entry_point, level_of_field, level_of_name, levels_of
from devpulse.core.flow.javascript_likes import ELEMENT
from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.syntax_nodes import line_of, node_text
from devpulse.core.flow.values import CLEAN, Level, Value, text

_REQUEST_ROOTS = re.compile(
    r"^(?:this\.)?(?:req|request|ctx|context|ctx\.request|context\.request|event|c\.req|ctx\.req|Astro\.request)$"
)
_FIELDS = frozenset(
    [
        "query",
        "params",
        "body",
        "headers",
        "cookies",
        "url",
        "path",
        "originalUrl",
        "hostname",
        "files",
        "file",
        "querystring",
        "rawBody",
        "param",
        "queryStringParameters",
        "pathParameters",
        "formData",
        "signedCookies",
        "Records",
    ]
)
_OF_THE_PAGE = frozenset(
    {"location.search", "location.hash", "document.referrer", "document.location.search", "document.location.hash"}
)
"""What whoever wrote the link chooses of a page in the browser."""

_MESSAGES = re.compile(r"^(?:e|ev|evt|event|message|msg)$")
"""A message to a window, which any page can send."""

_CHAT = re.compile(r"^(?:ctx\.)?(?:message|msg)$|^ctx$")
_OWNERS = frozenset({"argv", "yargs.argv"})
_BY_NAME = frozenset({"entryName", "getString", "on"})
_WRITTEN = frozenset({"content", "text", "match"})
"""What somebody wrote to a bot."""

_ROUTES = ("$route", "router", "currentRoute", "useRoute()", "useRouter()")
_OF_ROUTE = frozenset({"query", "params", "hash", "asPath"})
"""What routers of the browser give of the address."""

_SNAPSHOT = re.compile(r"(?i)route\.snapshot$")
_OF_SNAPSHOT = frozenset({"queryParams", "params", "queryParamMap", "paramMap", "fragment"})
"""What the route of a page of Angular gives of the address, at once or to who subscribes to it."""

_BY_BOTH = frozenset(
    {("", "useSearchParams"), ("route", "query"), ("route", "hash"), ("Astro", "params"), ("$page", "params")}
)
"""The same by the names that are usual for a router, or that a framework gives."""

_SHOWN = frozenset({"textContent", "innerText"})
"""What an element of the page shows, by whomever it was written."""

_METHODS = frozenset({"param", "get", "header", "json", "text", "formData"})
_HARMLESS_TYPES = re.compile(r"^:\s*(?:number|boolean|bigint|Date|UUID)\b(?!\s*\|)")
_OBJECTS = frozenset(
    [
        "req",
        "request",
        "res",
        "response",
        "reply",
        "next",
        "ctx",
        "context",
        "db",
        "pool",
        "client",
        "conn",
        "connection",
        "knex",
        "sequelize",
        "prisma",
        "logger",
        "app",
        "err",
        "error",
        "e",
        "session",
        "event",
        "self",
        "this",
        "trx",
        "tx",
        "repository",
        "cb",
        "callback",
        "done",
        "resolve",
        "reject",
    ]
)
_ANSWERS = frozenset({"cb", "callback", "ack", "fn", "done", "next", "resolve"})
"""Parameters of handlers that are called to answer."""

_OBJECT_TYPES = re.compile(
    r"Request\b|Response\b|Client|Pool\b|Connection|Repository|Service|Knex|Logger|NextFunction|Prisma"
)
_FROM_REQUEST = re.compile(r"@(?:Query|Param|Body|Headers|UploadedFile)\b")


def request_field(owner: str, name: str) -> Level | None:  # noqa: PLR0911  (one return for each case)
    """The level of ``owner.name``, also where ``name`` is a method that reads input."""
    if name == "body" and owner.endswith("ctx"):
        return None  # Koa's answer; what was sent is ``ctx.request.body``
    if _REQUEST_ROOTS.match(owner) and (name in _FIELDS or (name in _METHODS and owner.endswith(("req", "request")))):
        return Level.REQUEST
    if owner == "process" and name in ("argv", "env"):
        return Level.LOCAL_INPUT if name == "argv" else Level.UNKNOWN
    if owner == ELEMENT or name in _SHOWN:
        return Level.UNKNOWN
    if f"{owner}.{name}".removeprefix("window.") in _OF_THE_PAGE:
        return Level.REQUEST
    if name == "data" and _MESSAGES.match(owner):
        return Level.LOCAL_INPUT
    of_route = name in _OF_ROUTE and owner.endswith(_ROUTES)
    if of_route or (owner, name) in _BY_BOTH or (name in _OF_SNAPSHOT and _SNAPSHOT.search(owner)):
        return Level.REQUEST
    if name in _BY_NAME or owner in _OWNERS or _CHAT.match(owner):
        return _of_name(owner, name)
    if owner == "searchParams" or (owner.endswith(".searchParams") and name in ("get", "getAll")):
        return Level.REQUEST if name in ("get", "getAll") else None
    return None


def _of_name(owner: str, name: str) -> Level | None:
    """The level of what is known by its own name, or by that of its owner: members of archives, words at a terminal."""
    if name == "entryName":  # of adm-zip
        return Level.ARCHIVE
    if name == "on":  # the parts of what is sent, which it gives one by one
        return Level.REQUEST if owner in ("req", "request", "ctx.req") else None
    if name == "getString":
        return Level.REQUEST if owner == "interaction.options" else None
    return Level.LOCAL_INPUT if owner in _OWNERS or name in _WRITTEN else None


def parameters_of(function: Node) -> tuple[Parameter, ...]:
    """The parameters with their levels; those taken apart from a request object are requests."""
    single = function.child_by_field_name("parameter")
    listed = function.child_by_field_name("parameters")
    nodes = [single] if single is not None else listed.named_children if listed is not None else []
    sent, names = levels_of(function), frozenset(node_text(node) for node in nodes)
    found: list[Parameter] = []
    for index, node in enumerate(nodes):
        level = sent.get(index) or level_of_name(node_text(node), names)
        if node_text(node) == "event" and level is None and is_entry_point(function):
            level = Level.PARAMETER
        found.extend(_parameters(node, level, function))
    return tuple(found)


def _parameters(node: Node, level: Level | None, function: Node) -> list[Parameter]:
    """What a parameter binds; ``level`` is told by what the function is registered for."""
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node
    kind = node_text(node.child_by_field_name("type"))
    if pattern.type == "object_pattern":
        return _fields(pattern, level, function)
    rest = ""
    if pattern.type == "rest_pattern" and pattern.named_children:
        pattern, rest = pattern.named_children[0], "*"
    name = node_text(pattern)
    if pattern.type != "identifier" or not name:
        return []
    if _FROM_REQUEST.search(node_text(node)) and not _HARMLESS_TYPES.match(kind):
        return [Parameter(name, Level.REQUEST, line_of(node), name)]
    told = level is not None and name not in _ANSWERS and not _HARMLESS_TYPES.match(kind)
    harmless = name in _OBJECTS or _HARMLESS_TYPES.match(kind) or _OBJECT_TYPES.search(kind)
    level = level if told else None if harmless else Level.PARAMETER
    return [Parameter(name, level, line_of(node), name, kind=rest, default=_default(node))]


def _fields(pattern: Node, level: Level | None, function: Node) -> list[Parameter]:
    """What is taken out of one argument: ``{ name, mode = "r", path: file, more: { inner } }``."""
    taken = [taken for child in pattern.named_children for taken in _taken(child)]
    last = len(taken) - 1
    return [
        Parameter(
            node_text(name),
            level or level_of_field(function, key) or _field_level(key),
            line_of(name),
            key,
            field=key,
            more=place != last,
            default=default,
        )
        for place, (name, key, default) in enumerate(taken)
    ]


def _taken(child: Node, key: str = "") -> list[tuple[Node, str, Value]]:
    """The names that a part of a pattern binds, each with the field it is taken from and its default."""
    waiting, found = [(child, key, CLEAN)], list[tuple[Node, str, Value]]()
    while waiting:
        node, key, default = waiting.pop()
        value = node.child_by_field_name("value")
        left = node.child_by_field_name("left")
        if node.type in ("shorthand_property_identifier_pattern", "identifier"):
            found.append((node, key or node_text(node), default))
        elif node.type == "pair_pattern" and value is not None:
            waiting.append((value, key or node_text(node.child_by_field_name("key")).strip("'\""), CLEAN))
        elif node.type in ("object_assignment_pattern", "assignment_pattern") and left is not None:
            waiting.append((left, key, _default(node)))
        elif node.type == "object_pattern":
            waiting.extend((inner, key, CLEAN) for inner in reversed(node.named_children))
    return found


def _default(node: Node) -> Value:
    """A constant default; without one the parameter is undefined."""
    value = node.child_by_field_name("right") or node.child_by_field_name("value")
    if value is None:
        return CLEAN
    if value.type == "string":
        return text(node_text(value)[1:-1])
    return literal(value.type, node_text(value)) or CLEAN


def _field_level(name: str) -> Level:
    """``({ query, params }, res) =>`` takes a request apart; other names are ordinary options."""
    return Level.REQUEST if name in ("query", "params", "body", "headers", "cookies") else Level.PARAMETER
