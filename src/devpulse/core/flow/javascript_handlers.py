"""Functions that are registered for what others send: what their parameters hold, told by what registers them."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import field_of, node_text
from devpulse.core.flow.values import Level

_LIFECYCLE = frozenset(
    {"connection", "connect", "open", "close", "error", "disconnect", "disconnecting", "end", "finish", "drain"}
)
_SOCKETS = re.compile(r"^(?:socket|sock|ws|conn|connection|peer|client)$")
_SENT: dict[str, dict[int, Level]] = {
    "onCall": {0: Level.REQUEST},
    "question": {0: Level.LOCAL_INPUT},
    "onText": {1: Level.LOCAL_INPUT},
    "consume": {0: Level.LOCAL_INPUT},
}
"""Methods that a function is given to, with the parameters of it that hold what was sent: Firebase's calls, questions
at the terminal, the match of a chat message, messages of a queue."""

_ADDRESS = re.compile(
    r"(?i)route\s{0,20}\.\s{0,20}(?:queryParam(?:s|Map)|param(?:s|Map)|fragment)\s{0,20}(?:\.\s{0,20}pipe\(|$)"
)
"""What the route of a page of Angular tells of its address to who subscribes."""

_MAX_OWNER = 80

_PROCEDURES = frozenset({"query", "mutation", "subscription"})
"""Methods of tRPC whose function takes ``input`` out of its parameter."""

_KEYED = {"eachMessage": "message"}
"""Options of KafkaJS under which a function is kept, with what is sent among the fields of its parameter."""

_CHATS = frozenset({"message", "msg", "interaction"})
_WORDS = frozenset({"args", "match"})
"""What commands of chat bots call the words behind a command."""

_MAX_CLIMB = 40
"""Nodes above a socket among which the function is looked for that is given it; deeper nested code is left out."""

_EVENT_VALUES = range(4)
"""Parameters of a socket's handler that hold what was sent; those behind them are taken for the program's own."""

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function_declaration", "method_definition"})


def levels_of(function: Node) -> dict[int, Level]:
    """How much to distrust the parameters of a function that is given to a call; nothing for any other."""
    arguments = function.parent
    call = arguments.parent if arguments is not None and arguments.type == "arguments" else None
    if call is None or call.type != "call_expression":
        return {}
    return levels_at(call)


def levels_at(call: Node) -> dict[int, Level]:
    """The same, by the call that registers it."""
    callee = field_of(call, "function")
    if callee.type != "member_expression":
        return {}
    method = node_text(callee.child_by_field_name("property"))
    if method in ("on", "once"):
        return _of_event(call, callee)
    if method == "subscribe":
        owner = node_text(callee.child_by_field_name("object"))[:_MAX_OWNER]
        return {0: Level.REQUEST} if _ADDRESS.search(owner) else {}
    return _SENT.get(method, {})


def _of_event(call: Node, callee: Node) -> dict[int, Level]:
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    event = node_text(given[0]).strip("'\"`") if given and given[0].type == "string" else ""
    owner = field_of(callee, "object")
    if not event or event in _LIFECYCLE or owner.type != "identifier" or not _SOCKETS.match(node_text(owner)[:20]):
        return {}
    return dict.fromkeys(_EVENT_VALUES, Level.REQUEST) if _is_given(owner) else {}


def _is_given(name: Node) -> bool:
    """Whether a socket is a parameter of a function around, as a server is given one for each visitor."""
    written, around = node_text(name), name.parent
    for _ in range(_MAX_CLIMB):
        if around is None:
            return False
        if around.type in _FUNCTIONS:
            single, listed = around.child_by_field_name("parameter"), around.child_by_field_name("parameters")
            nodes = [single] if single is not None else listed.named_children if listed is not None else []
            if any(node_text(node.child_by_field_name("pattern") or node) == written for node in nodes):
                return True
        around = around.parent
    return False


def level_of_name(name: str, others: frozenset[str]) -> Level | None:
    """The level of a parameter that its own name and those beside it tell: the words of a command in a chat."""
    return Level.LOCAL_INPUT if name in _WORDS and not _CHATS.isdisjoint(others) else None


def level_of_field(function: Node, field: str) -> Level | None:
    """The level of what is taken out of the only parameter, by what the function is given to or kept as.

    ``searchParams`` are given to a page of Next, which a module exports.
    """
    around = function.parent
    if field == "searchParams" and around is not None and around.type == "export_statement":
        return Level.REQUEST
    if field == "input" and around is not None and around.type == "arguments" and around.parent is not None:
        callee = field_of(around.parent, "function")
        name = callee.child_by_field_name("property") if callee.type == "member_expression" else None
        return Level.REQUEST if name is not None and node_text(name) in _PROCEDURES else None
    if around is not None and around.type == "pair":
        key = node_text(around.child_by_field_name("key"))
        return Level.LOCAL_INPUT if _KEYED.get(key) == field else None
    return None


_MAX_DECORATORS = 12
_ROUTED = re.compile(r"@(?:Get|Post|Put|Patch|Delete|All)\(")
"""Decorators of NestJS that make a method a route."""


def is_entry_point(function: Node) -> bool:
    """Whether a function is one that a cloud calls with an event."""
    around = function.parent
    if around is None:
        return False
    field = {"assignment_expression": "left", "variable_declarator": "name"}.get(around.type)
    holder = around.child_by_field_name(field) if field is not None else function.child_by_field_name("name")
    return holder is not None and node_text(holder).rpartition(".")[2] in ("handler", "lambdaHandler")


def answers_of(function: Node, name: str) -> str:
    """As what call the returns of a function count that a framework sends to a browser; empty for any other."""
    if name == "getServerSideProps":
        return "getServerSideProps.return"
    if is_entry_point(function) and b"statusCode" in (function.text or b""):
        return "statusCode.return"
    before = function.prev_named_sibling if function.type == "method_definition" else None
    for _ in range(_MAX_DECORATORS):
        if before is None or before.type != "decorator":
            break
        if _ROUTED.match(node_text(before)[:80]):
            return "Controller.return"
        before = before.prev_named_sibling
    return ""
