"""Controllers of Laravel and Symfony: their actions, and the guards of the class, of attributes and of bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, parts_of, short_text
from devpulse.core.knowledge import access_words
from devpulse.core.rules.access import Endpoint, Guard, Load
from devpulse.core.rules.access_control.actions import changes, is_single, methods_of
from devpulse.core.rules.access_control.bodies import body_guards, mentions

_WORDS = access_words("php")
_ATTRIBUTE = re.compile(r"#?\[?\s*\\?(?:[\w\\]*\\)?(\w+)")
_IN_COMMENT = re.compile(r"@(IsGranted|Security)\([^)\n]*\)")
_ROUTE = re.compile(r"(?:@|\b)(?:Route|Get|Post|Put|Patch|Delete)\(")
_METHODS = re.compile(r"methods\s*[:=]\s*[\[{(]?([^\])}]*)")
_VERB = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE)\b")
_MIDDLEWARE = re.compile(r"->middleware\(([^;]*?)\)\s*((?:->(?:only|except)\([^;]*\))?);")
_CLOSURE = re.compile(r"->middleware\(\s*(?:static\s+)?(?:function|fn)\b")
_WORD = re.compile(r"['\"]([^'\"]+)['\"]")
_FORM_REQUEST = re.compile(r"\b(?!Request\b|ServerRequest|HttpRequest)\w+Request\s+\$")
_BARE_LOAD = re.compile(
    r"\b([A-Z]\w*)::(?:query\(\)\s*->\s*)?find(?:OrFail)?\(\s*\$(?:id|\w+Id|\w+_id|request->\w+)\s*\)"
)
_TIED_LOAD = re.compile(
    r"(?:auth\(\)\s*->\s*user\(\)|Auth::user\(\)|->user\(\)|\$user)\s*->\s*(\w+)\(\)\s*->\s*find(?:OrFail)?\("
)


@dataclass(frozen=True, slots=True)
class Middleware:
    """``$this->middleware("auth")->only("store")`` of a constructor."""

    guard: Guard
    only: frozenset[str] | None
    excepted: frozenset[str]


@dataclass(frozen=True, slots=True)
class ControllerClass:
    """A class with what guards all or some of its methods."""

    name: str
    is_controller: bool
    endpoint: Endpoint
    middleware: tuple[Middleware, ...]


def controller_of(node: Node) -> ControllerClass:
    """What is known of a class before its methods are read."""
    name, line = node_text(node.child_by_field_name("name")), line_of(node)
    base = next((node_text(child) for child in node.named_children if child.type == "base_clause"), "")
    marks = tuple(_marks(node))
    endpoint = Endpoint(f"class {name}", "", frozenset(), line, line, marks, group=name)
    is_controller = name.endswith("Controller") or base.endswith("Controller")
    return ControllerClass(name, is_controller, endpoint, tuple(_middleware(node)) if is_controller else ())


def method_endpoint(node: Node, owner: ControllerClass, checking: re.Pattern[str]) -> Endpoint:
    """An action of a controller; methods that are not public are none."""
    name, body = node_text(node.child_by_field_name("name")), node.child_by_field_name("body")
    text, parameters = node_text(body), node_text(node.child_by_field_name("parameters"))
    head = node_text(node)[: max(len(node_text(node)) - len(text), 0)]
    about = _comment(node) + head
    guards = [*_marks(node), *body_guards(body, _WORDS)]
    guards += [
        one.guard for one in owner.middleware if name not in one.excepted and (one.only is None or name in one.only)
    ]
    if owner.endpoint.guards:
        guards.append(Guard(owner.endpoint.name, line_of(node), line_of(node)))
    action = re.search(r"\b(?:private|protected|static)\b", head.partition("function")[0]) is None
    named = line_of(node.child_by_field_name("name") or node)
    mentioned = mentions(text, _WORDS)
    return Endpoint(
        name=f"{owner.name}.{name}",
        route="",
        methods=_methods(name, about) if action and not name.startswith("__") and body is not None else frozenset(),
        start_line=named,
        end_line=named,
        guards=tuple(guards),
        group=owner.name,
        excused=mentioned > 0
        or checking.search(text) is not None
        or _FORM_REQUEST.search(parameters) is not None
        or _WORDS.open.search(about) is not None,
        single=is_single(name) or "$id" in parameters,
        mentions=mentioned + len(guards),
        loads=tuple(_loads(text, line_of(body) if body is not None else named)),
    )


def _marks(node: Node) -> Iterator[Guard]:
    """``#[IsGranted("ROLE_ADMIN")]``, also in the comment above."""
    for group in parts_of(node.child_by_field_name("attributes")):
        found = _ATTRIBUTE.match(node_text(group))
        if found and _WORDS.marks.fullmatch(found.group(1)) and not _WORDS.open.search(node_text(group)):
            yield Guard(short_text(group, 160), line_of(group), end_line_of(group))
    comment = node.prev_named_sibling
    if comment is not None and comment.type == "comment":
        for found in _IN_COMMENT.finditer(node_text(comment)):
            line = line_of(comment) + node_text(comment).count("\n", 0, found.start())
            if not _WORDS.open.search(found.group()):
                yield Guard(found.group(), line, line)


def _comment(node: Node) -> str:
    before = node.prev_named_sibling
    return node_text(before) if before is not None and before.type == "comment" else ""


def _middleware(node: Node) -> Iterator[Middleware]:
    for method in parts_of(node.child_by_field_name("body")):
        if method.type != "method_declaration" or node_text(method.child_by_field_name("name")) != "__construct":
            continue
        text = node_text(method)
        line = line_of(method)
        if _CLOSURE.search(text) and mentions(text, _WORDS):
            yield Middleware(Guard("a closure of the constructor", line, line), None, frozenset())
        for found in _MIDDLEWARE.finditer(text):
            line = line_of(method) + text.count("\n", 0, found.start())
            listed = frozenset(_WORD.findall(found.group(2)))
            limited = found.group(2).lstrip("->")
            for word in _WORD.findall(found.group(1)):
                if _WORDS.marks.fullmatch(word):
                    login = _WORDS.logins.fullmatch(word) is not None
                    guard = Guard(word, line, line + found.group().count("\n"), personal=not login)
                    only = listed if limited.startswith("only") else None
                    yield Middleware(guard, only, listed if limited.startswith("except") else frozenset())


def _methods(name: str, about: str) -> frozenset[str]:
    """The methods of an action: as its route says, else by its name."""
    if _ROUTE.search(about):
        listed = _METHODS.search(about)
        verbs = _VERB.findall(listed.group(1)) if listed else []
        if verbs:
            return frozenset(verbs)
        return frozenset({"POST" if changes(name.removesuffix("Action")) and not name.startswith("edit") else "GET"})
    return methods_of(name.removesuffix("Action"))


def _loads(text: str, line: int) -> Iterator[Load]:
    for pattern, tied in ((_BARE_LOAD, False), (_TIED_LOAD, True)):
        for found in pattern.finditer(text):
            at = line + text.count("\n", 0, found.start())
            yield Load(found.group(1).lower().removesuffix("s"), at, at, tied)
