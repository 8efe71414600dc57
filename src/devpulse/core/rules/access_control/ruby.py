"""Actions and guards of Rails controllers: filters, policies, and checks in their bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, parts_of, walk
from devpulse.core.knowledge import access_words
from devpulse.core.rules.access import Endpoint, Guard, Load
from devpulse.core.rules.access_control.actions import is_single, methods_of
from devpulse.core.rules.access_control.bodies import body_guards, mentions
from devpulse.core.rules.access_control.checking import AccessCheck
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse

MAX_PARENTS = 3
MAX_HELPERS = 20
_WORDS = access_words("ruby")
_ROUTES = re.compile(r"\bclass\s+[\w:]*Controller\b|<\s*[\w:]*Controller\b")
_FILTERS = re.compile(r"(?:prepend_|append_)?before_(?:action|filter)")
_SKIPS = re.compile(r"skip_(?:before_(?:action|filter)|\w*authori\w+)|allow_unauthenticated_access")
_HARMLESS = re.compile(r"(?:set|load|find|fetch|get|build|prepare|track|log|assign|init\w*|store|parse)_")
_SINGLE = re.compile(r"params(?:\[:id\]|\.(?:fetch|require|expect)\(:id\))")
_VARIABLE = re.compile(r"(?<!@)@[a-z]\w*")
_ASSIGNED = re.compile(r"(?<!@)(@[a-z]\w*+)(?:\s*+,\s*+@\w++){0,20}+\s*+(?:\|\||&&)?=(?![=~])")
_BARE_LOAD = re.compile(
    r"\b([A-Z]\w*)\.(?:find|find_by!?|find_by_id!?)\(?\s*(?:id:\s*)?params(?:\[:\w*id\]|\.(?:require|fetch|expect)\(:\w*id\))"
)
_TIED_LOAD = re.compile(r"\b(?:current_\w+|Current\.\w+)\.(\w+)\.(?:\w+\.)?find(?:_by!?)?\(?\s*(?:id:\s*)?params\b")


@dataclass(frozen=True, slots=True)
class _Filter:
    """A filter of a class for some of its actions. ``skips``: it takes another one away."""

    name: str
    node: Node
    only: frozenset[str] | None
    excepted: frozenset[str]
    skips: bool

    def covers(self, action: str) -> bool:
        return action not in self.excepted and (self.only is None or action in self.only)

    def guard(self) -> Guard:
        login = _WORDS.logins.fullmatch(self.name) is not None
        return Guard(self.name, line_of(self.node), end_line_of(self.node), personal=not login)


@dataclass(frozen=True, slots=True)
class _Controller:
    name: str
    line: int
    parent: str
    filters: list[_Filter] = field(default_factory=list)
    actions: list[Node] = field(default_factory=list)
    others: dict[str, Node] = field(default_factory=dict)


def read(source: Source, resolver: Resolver) -> list[Endpoint]:
    """Every public method of the controllers, with the filters of its class and those it inherits."""
    found: list[Endpoint] = []
    for controller in _controllers(source.text):
        inherited = list(_inherited(controller, source, resolver))
        whole = [one.guard() for one in controller.filters if _is_guard(one) and one.only is None]
        found.append(
            Endpoint(f"class {controller.name}", "", frozenset(), controller.line, controller.line, tuple(whole))
        )
        found += [_endpoint(action, controller, inherited) for action in controller.actions]
    return found


def _controllers(text: str) -> Iterator[_Controller]:
    for node in walk(parse("ruby", text)):
        if node.type != "class":
            continue
        name = node_text(node.child_by_field_name("name"))
        parent = node_text(node.child_by_field_name("superclass")).lstrip("< ")
        if name.endswith("Controller") or parent.endswith("Controller"):
            yield _controller(node, name, parent)


def _controller(node: Node, name: str, parent: str) -> _Controller:
    controller = _Controller(name, line_of(node), parent)
    public = True
    for statement in parts_of(node.child_by_field_name("body")):
        if statement.type == "method":
            method = node_text(statement.child_by_field_name("name"))
            if public and not method.endswith(("?", "!", "=")):
                controller.actions.append(statement)
            controller.others[method] = statement
        elif statement.type == "identifier" and node_text(statement) in ("private", "protected", "public"):
            public = node_text(statement) == "public"
        elif statement.type in ("call", "identifier"):
            controller.filters.extend(_filters(statement))
    return controller


def _filters(call: Node) -> Iterator[_Filter]:
    """``before_action :require_login, only: %i[create]``, ``load_and_authorize_resource``."""
    word = node_text(call.child_by_field_name("method")) or node_text(call)
    given = parts_of(call.child_by_field_name("arguments"))
    options = {node_text(pair.child_by_field_name("key")).strip(":"): pair for pair in given if pair.type == "pair"}
    only = _symbols(options["only"].child_by_field_name("value")) if "only" in options else None
    excepted = _symbols(options["except"].child_by_field_name("value")) if "except" in options else frozenset()
    skips = _SKIPS.fullmatch(word) is not None
    if _FILTERS.fullmatch(word) or skips:
        names = [name for part in given if part.type != "pair" for name in sorted(_symbols(part))]
        block = call.child_by_field_name("block")
        for name in names or ([node_text(block)] if block is not None else [word]):
            yield _Filter(name, call, only, excepted, skips)
    elif _WORDS.marks.fullmatch(word):
        yield _Filter(word, call, only, excepted, skips=False)


def _symbols(node: Node | None) -> frozenset[str]:
    return frozenset(re.findall(r"[A-Za-z_]\w*[!?]?", node_text(node).removeprefix("%i").removeprefix("%w")))


def _is_guard(one: _Filter) -> bool:
    if one.skips:
        return False
    return _WORDS.marks.fullmatch(one.name) is not None or (
        one.name.startswith(("{", "do")) and (mentions(one.name, _WORDS) > 0)
    )


def _inherited(controller: _Controller, source: Source, resolver: Resolver) -> Iterator[_Filter]:
    """The filters of the classes it is derived from, as far as they can be read."""
    parent, seen = controller.parent, {controller.name}
    for _ in range(MAX_PARENTS):
        if not parent or parent in seen:
            return
        seen.add(parent)
        text = _class_text(parent.rpartition("::")[2], source, resolver)
        found = next(_controllers(text), None) if text else None
        if found is None:
            return
        yield from found.filters
        parent = found.parent


def _class_text(name: str, source: Source, resolver: Resolver) -> str:
    rows = resolver.definitions(name, near=source.path, limit=1).rows
    return (resolver.source(rows[0]) or "") if rows else ""


def _endpoint(node: Node, controller: _Controller, inherited: list[_Filter]) -> Endpoint:
    name = node_text(node.child_by_field_name("name"))
    covering = [one for one in (*inherited, *controller.filters) if one.covers(name)]
    skipped = {one.name for one in covering if one.skips}
    filters = [one for one in covering if not one.skips and one.name not in skipped]
    bodies = [node, *(controller.others[one.name] for one in filters if one.name in controller.others)]
    called = re.findall(r"\b[a-z_]\w*[!?]?", node_text(node))
    helpers = [word for word in dict.fromkeys(called) if word in controller.others and word != name]
    bodies += [controller.others[word] for word in helpers[:MAX_HELPERS]]
    text = "\n".join(node_text(body) for body in dict.fromkeys(bodies))
    guards = [one.guard() for one in filters if _is_guard(one)]
    guards += body_guards(node.child_by_field_name("body"), _WORDS)
    unknown = any(
        one.name not in controller.others and not _HARMLESS.match(one.name) and not _is_guard(one) for one in filters
    )
    line = line_of(node)
    mentioned = mentions(text, _WORDS)
    return Endpoint(
        name=f"{controller.name}.{name}",
        route="",
        methods=methods_of(name),
        start_line=line,
        end_line=line,
        guards=tuple(guards),
        group=controller.name,
        excused=mentioned > 0 or bool(skipped) or unknown or _is_loaded_elsewhere(text),
        single=is_single(name) or _SINGLE.search(text) is not None,
        mentions=mentioned + len(guards),
        loads=tuple(load for body in dict.fromkeys(bodies) for load in _loads(body)),
    )


def _is_loaded_elsewhere(text: str) -> bool:
    """Whether a filter that cannot be seen, of a parent, loads what the action works on, and may check it."""
    return bool(set(_VARIABLE.findall(text)) - set(_ASSIGNED.findall(text)))


def _loads(body: Node) -> Iterator[Load]:
    text = node_text(body)
    for pattern, tied in ((_BARE_LOAD, False), (_TIED_LOAD, True)):
        for match in pattern.finditer(text):
            line = line_of(body) + text.count("\n", 0, match.start())
            yield Load(_singular(match.group(1)), line, line, tied)


def _singular(name: str) -> str:
    plain = name.replace("_", "").lower()
    return plain.removesuffix("ies") + "y" if plain.endswith("ies") else plain.removesuffix("s")


RULE = Rule(
    id="ruby-broken-access-control",
    category="broken-access-control",
    languages=frozenset({"ruby"}),
    check=AccessCheck(read, _ROUTES),
)
