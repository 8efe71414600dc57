"""Routes and guards of Go: ``net/http``, gorilla/mux, gin, echo and chi."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, parts_of, short_text, walk
from devpulse.core.knowledge import access_words
from devpulse.core.rules.access import Endpoint, Guard
from devpulse.core.rules.access_control.actions import changes
from devpulse.core.rules.access_control.bodies import body_guards, mentions
from devpulse.core.rules.access_control.checking import AccessCheck
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse

MAX_CHAIN = 20
MAX_CLIMB = 60
_WORDS = access_words("go")
_VERBS = {
    "GET": "GET", "POST": "POST", "PUT": "PUT", "PATCH": "PATCH", "DELETE": "DELETE",
    "Get": "GET", "Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE", "Head": "GET",
}  # fmt: skip
_HANDLES = frozenset({"Handle", "HandleFunc", "Any"})
_PATTERN = re.compile(r"^(?:(GET|POST|PUT|PATCH|DELETE|HEAD) )?(/.*|)$")
_ROUTES = re.compile(r"\.(?:GET|POST|PUT|PATCH|DELETE|Any|Post|Put|Patch|Delete|Handle|HandleFunc)\(\s*\"")
_NAME = re.compile(r"[A-Za-z_]\w*")
_FUNCTIONS = frozenset({"function_declaration", "method_declaration"})
_GROUPS = frozenset({"Group", "Route", "With", "Subrouter", "PathPrefix"})


@dataclass(slots=True)
class _Router:
    """A variable that routes are registered on, within one function or function literal."""

    guards: list[Guard] = field(default_factory=list)
    parent: str = ""


def read(source: Source, resolver: Resolver) -> list[Endpoint]:  # noqa: ARG001  (the fixed signature)
    """Every route and function with its guards."""
    root = parse("go", source.text).root_node
    bodies = {
        node_text(node.child_by_field_name("name")): node for node in root.named_children if node.type in _FUNCTIONS
    }
    calls = [node for node in walk(root) if node.type == "call_expression"]
    routers = _routers(calls)
    found = [_function(node) for node in bodies.values()]
    for call in calls:
        route = _route(call, routers, bodies)
        if route is not None:
            found.append(route)
    return found


def _function(node: Node) -> Endpoint:
    body = node.child_by_field_name("body")
    guards = tuple(body_guards(_statements(body), _WORDS))
    name = f"{short_text(node.child_by_field_name('receiver'))} {node_text(node.child_by_field_name('name'))}"
    line = line_of(node)
    mentioned = len(guards) + mentions(node_text(body), _WORDS)
    return Endpoint(name, "", frozenset(), line, line, guards, mentions=mentioned)


def _statements(body: Node | None) -> Node | None:
    return next((child for child in parts_of(body) if child.type == "statement_list"), body)


def _routers(calls: list[Node]) -> dict[str, _Router]:
    """What guards the routes of each variable: ``Use``, the group it was made by, the router around a closure."""
    routers: dict[str, _Router] = {}
    for call in calls:
        owner, word = _callee(call)
        if word in ("Use", "Pre"):
            router = routers.setdefault(_scoped(owner, call), _Router())
            router.guards += _guards(parts_of(call.child_by_field_name("arguments")))
        if word not in _GROUPS:
            continue
        given = parts_of(call.child_by_field_name("arguments"))
        literal = next((part for part in given if part.type == "func_literal"), None)
        # ``m.Group("/admin", func() { m.Get(…) }, reqAdmin)``: the variable is the same inside.
        variable = _parameter(literal) or owner if literal is not None else _target(call)
        if variable:
            inside = literal.child_by_field_name("body") if literal is not None else call
            router = routers.setdefault(_scoped(variable, inside or call), _Router())
            router.parent = _scoped(owner.partition(".With(")[0], call)
            router.guards += _guards(part for part in given if part.type != "func_literal")
            router.guards += _chained(call)
    return routers


def _callee(call: Node) -> tuple[str, str]:
    function = call.child_by_field_name("function")
    if function is None or function.type != "selector_expression":
        return "", ""
    operand = short_text(function.child_by_field_name("operand"), 120)
    return operand, node_text(function.child_by_field_name("field"))


def _scoped(owner: str, node: Node) -> str:
    """A variable by the function or function literal around: ``r`` of a closure is another one than outside."""
    around: Node | None = node
    for _ in range(MAX_CLIMB):
        if around is None or around.type in ("func_literal", *_FUNCTIONS):
            break
        around = around.parent
    return f"{owner}@{around.start_byte if around is not None else 0}"


def _target(call: Node) -> str:
    """The variable that a group is put into."""
    node = call.parent
    for _ in range(MAX_CHAIN):
        if node is None or node.type in ("short_var_declaration", "assignment_statement", "var_spec"):
            break
        node = node.parent if node.type in ("expression_list", "selector_expression", "call_expression") else None
    left = node.child_by_field_name("left") or node.child_by_field_name("name") if node is not None else None
    return node_text(left)


def _parameter(literal: Node) -> str:
    found = _NAME.search(node_text(literal.child_by_field_name("parameters")))
    return found.group() if found else ""


def _guards(parts: Iterator[Node] | list[Node]) -> list[Guard]:
    """The middleware among arguments, by the name of what is handed over or called."""
    found = []
    for part in parts:
        name = _mark(part)
        if name:
            login = _WORDS.logins.fullmatch(name) is not None
            found.append(Guard(short_text(part, 120), line_of(part), end_line_of(part), personal=not login))
    return found


def _mark(part: Node) -> str:
    """The name of an access check; of ``s.requireAuth(s.save)`` the outer one."""
    text = short_text(part, 120)
    if part.type == "call_expression":
        text = short_text(part.child_by_field_name("function"), 120)
    if part.type not in ("call_expression", "identifier", "selector_expression"):
        return ""
    return next(
        (
            name
            for name in reversed(text.split("."))
            if _WORDS.marks.fullmatch(name) and not _WORDS.open.fullmatch(name)
        ),
        "",
    )


def _chained(call: Node) -> list[Guard]:
    """``r.With(auth).Post(…)``."""
    found: list[Guard] = []
    node: Node | None = call
    for _ in range(MAX_CHAIN):
        function = node.child_by_field_name("function") if node is not None else None
        node = function.child_by_field_name("operand") if function is not None else None
        if node is None or node.type != "call_expression":
            return found
        if _callee(node)[1] == "With":
            found += _guards(parts_of(node.child_by_field_name("arguments")))
    return found


def _route(call: Node, routers: dict[str, _Router], bodies: dict[str, Node]) -> Endpoint | None:
    owner, word = _callee(call)
    given = parts_of(call.child_by_field_name("arguments"))
    if (word not in _VERBS and word not in _HANDLES) or len(given) < 2 or "string" not in given[0].type:
        return None
    pattern = _PATTERN.match(node_text(given[0]).strip('"`'))
    if pattern is None or not _is_statement(call):
        return None
    base = _root_of(owner)
    guards = _own_guards(given[1:], word) + _chained(call) + _router_guards(_scoped(base, call), routers)
    handler = bodies.get(next(reversed(_NAME.findall(short_text(given[-1], 120))), ""), given[-1])
    literal = handler.type == "func_literal"
    text = node_text(handler) if handler.type in _FUNCTIONS or literal else ""
    if handler.type in _FUNCTIONS or literal:
        guards += body_guards(_statements(handler.child_by_field_name("body")), _WORDS)
    unknown = handler.type == "call_expression" and _is_wrapped(given[-1])
    line = line_of(call)
    mentioned = mentions(text, _WORDS)
    path = pattern.group(2)
    return Endpoint(
        name=f"{base} {word} {path}",
        route=path,
        methods=_methods(word, pattern.group(1), call, path, handler),
        start_line=line,
        end_line=line,
        guards=tuple(guards),
        group=_scoped(base, call),
        excused=mentioned > 0 or unknown or any(_WORDS.open.fullmatch(name) for name in _names(given[1:])),
        single=re.search(r"/[:{]\w", path) is not None,
        mentions=mentioned + len(guards),
    )


def _is_statement(call: Node) -> bool:
    """Whether nobody takes the answer: that of a client is taken, a registered route has none."""
    node = call.parent
    for _ in range(MAX_CHAIN):
        if node is None or node.type not in ("selector_expression", "call_expression"):
            break
        node = node.parent
    return node is None or node.type in ("expression_statement", "ERROR")


def _own_guards(given: list[Node], word: str) -> list[Guard]:
    """Middleware beside the handler; as the handler itself only what wraps one."""
    wraps = [part for part in given if part.type == "call_expression"] if word in _HANDLES else []
    others = [part for part in given if part not in wraps]
    found = _guards(others[:-1] if not wraps else others)
    first = given[0]
    if len(given) > 1 and first is not given[-1] and given[-1].type != "func_literal":
        found += _guards([given[-1]])  # echo names the handler first
    if len(given) == 1 or wraps:
        found += _guards(part for part in wraps or given if part.type == "call_expression")
    return list(dict.fromkeys(found))


def _is_wrapped(node: Node) -> bool:
    """Whether a handler stands in a call whose name says nothing."""
    return bool(parts_of(node.child_by_field_name("arguments")))


def _names(parts: list[Node]) -> Iterator[str]:
    for part in parts:
        yield short_text(part, 120).partition("(")[0].rpartition(".")[2]


def _root_of(owner: str) -> str:
    return owner.partition("(")[0].rpartition(".")[0] if "(" in owner else owner


def _router_guards(key: str, routers: dict[str, _Router]) -> list[Guard]:
    found: list[Guard] = []
    for _ in range(MAX_CHAIN):
        router = routers.get(key)
        if router is None:
            return found
        found += router.guards
        if router.parent == key:
            return found
        key = router.parent
    return found


def _methods(word: str, stated: str | None, call: Node, path: str, handler: Node) -> frozenset[str]:
    """The methods of a route; by the name of its path or handler where none is said."""
    if word in _VERBS:
        return frozenset({_VERBS[word]})
    if stated:
        return frozenset({stated})
    after = call.parent.parent if call.parent is not None else None
    if after is not None and after.type == "call_expression" and _callee(after)[1] == "Methods":
        listed = re.findall(
            r"(GET|POST|PUT|PATCH|DELETE)|Method(\w+)", short_text(after.child_by_field_name("arguments"))
        )
        return frozenset((one or other).upper() for one, other in listed) or frozenset({"GET"})
    names = [path.rstrip("/").rpartition("/")[2], node_text(handler.child_by_field_name("name"))]
    names.append(next(reversed(_NAME.findall(short_text(handler, 120))), "") if handler.type != "func_literal" else "")
    return frozenset({"POST" if any(map(changes, names)) else "GET"})


RULE = Rule(
    id="go-broken-access-control",
    category="broken-access-control",
    languages=frozenset({"go"}),
    check=AccessCheck(read, _ROUTES),
)
