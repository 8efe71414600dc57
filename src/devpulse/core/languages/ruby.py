"""Ruby: modules, classes, methods, accessors, constants, aliases, Sinatra and Rails routes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from tree_sitter import Language, Node

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.damage import repair
from devpulse.core.languages.ruby_calls import called, class_body, lambda_body, modifies_definition
from devpulse.core.languages.ruby_imports import IMPORTS
from devpulse.core.languages.ruby_lines import definitions, kind_of_line, scan
from devpulse.core.languages.walk import Definition, Scope, joined, make_symbol, node_text, walk
from devpulse.core.symbols import Symbol

_LEAVES = frozenset(
    {"string", "heredoc_body", "heredoc_beginning", "regex", "symbol_array", "string_array", "subshell"}
    | {"scope_resolution", "delimited_symbol", "superclass", "method_parameters", "block_parameters"}
)
_BODIES = frozenset({"body_statement", "block_body"})
_TYPES = frozenset({"class", "module"})
_NAMED = _TYPES | {"alias", "method", "singleton_method"}
_RECEIVERS = frozenset({"constant", "scope_resolution", "identifier"})
_KEYWORDS = frozenset({b"def", b"end", b"class", b"module", b"private"})
"""Words that error recovery takes for a method, or for the receiver of the method behind them."""

_HEADERS = frozenset({"name", "parameters", "superclass"})
_MAGIC = re.compile(rb"#[ -]*(?:frozen[_-]string[_-]literal|(?:en)?coding|warn[_-]indent|typed|rubocop)\b")
"""Comments that speak to the interpreter or a tool."""

_NAME_LIMIT = 200


@cache
def _grammar() -> Language:
    import tree_sitter_ruby  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_ruby.language())


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a Ruby file, in source order."""
    found: list[Symbol] = []
    damaged: set[int] = set()

    def visit(node: Node, leading: Sequence[Node], scope: Scope) -> Scope | None:
        kind = node.type
        if kind in _LEAVES:
            return None
        if kind in _BODIES:
            # The comment above the first statement of a body stands outside the body.
            return Scope(scope.names, scope.holder, leading=tuple(leading))
        above = [comment for comment in leading if not _MAGIC.match(source, comment.start_byte)] or scope.leading
        definitions = _definitions(node, above, scope, source)
        if node.has_error:
            damaged.update(range(len(found), len(found) + len(definitions)))
        found.extend(_symbols(path, source, definitions))
        if definitions:
            return _within(definitions[0], scope)
        if kind == "call" and modifies_definition(node):
            return scope.wrapped_in(node, above)
        if kind == "singleton_class":
            return Scope(scope.names, "class")
        keeps = kind == "argument_list" and scope.wrapper is not None
        return scope if keeps else Scope(scope.names, scope.holder)

    walk(root, visit)
    symbols = repair(found, damaged, source, definitions(), kind_of_line, path) if root.has_error else found
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line)))


def _symbols(path: str, source: bytes, definitions: Sequence[Definition]) -> list[Symbol]:
    """The symbols of one node: they differ in their names only."""
    if not definitions:
        return []
    first = make_symbol(path, source, definitions[0])
    others = (replace(first, name=other.name, qualified_name=_qualified(other)) for other in definitions[1:])
    return [first, *others]


def _qualified(definition: Definition) -> str:
    return ".".join(definition.qualified or joined(definition.scope.names, (definition.name,)))


def _within(definition: Definition, scope: Scope) -> Scope:
    kind = definition.kind
    if kind in {"constant", "route", "alias", "property"}:
        return Scope(scope.names, scope.holder)
    names = definition.qualified or joined(scope.names, (definition.name,))
    return Scope(names, "class" if kind in _TYPES else "function")


def _definitions(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[Definition]:
    kind = node.type
    if kind in {"assignment", "operator_assignment"}:
        return _constants(node, leading, scope, source)
    if kind == "call":
        made = called(node, source)
        return [Definition(text, made.kind, node, scope, leading, made.body) for text in made.names] if made else []
    name = node.child_by_field_name("name") if kind in _NAMED else None
    if name is None or name.end_byte - name.start_byte > _NAME_LIMIT or (node.has_error and name.text in _KEYWORDS):
        return []
    if kind in _TYPES:
        names = _constant_path(name, source)
        qualified = joined(() if names[0] == "" else scope.names, tuple(part for part in names if part))
        return [Definition(qualified[-1], kind, node, scope, leading, _after_header(node), qualified=qualified)]
    if kind == "alias":
        text = node_text(source, name).lstrip(":")
        return [] if text.startswith("$") else [Definition(text, kind, node, scope, leading, None)]
    return [_method(node, name, leading, scope, source)]


def _method(node: Node, name: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> Definition:
    text = node_text(source, name)
    qualified = joined(scope.names, (text,))
    receiver = node.child_by_field_name("object")
    in_class = scope.holder == "class"
    if receiver is not None and receiver.type in _RECEIVERS and receiver.text not in _KEYWORDS:
        owner = tuple(part for part in _constant_path(receiver, source) if part)
        in_class = receiver.type != "identifier"
        if owner != scope.names[-len(owner) :]:
            qualified = joined(scope.names, (*owner, text))
    kind = "method" if in_class else "function"
    return Definition(text, kind, node, scope, leading, _after_header(node), qualified=qualified)


def _constants(node: Node, leading: Sequence[Node], scope: Scope, source: bytes) -> list[Definition]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return []
    # The value is the body: it may be long, and a secret in it must not travel with every search row.
    sign = next((child for child in node.children if not child.is_named), None)
    if left.type == "left_assignment_list":
        parts = [child for child in left.named_children if child.type == "constant"]
        return [Definition(node_text(source, part), "constant", node, scope, leading, sign) for part in parts]
    if left.type not in {"constant", "scope_resolution"} or left.end_byte - left.start_byte > _NAME_LIMIT:
        return []
    qualified = joined(scope.names, tuple(part for part in _constant_path(left, source) if part))
    kind, body = "constant", sign
    if (maker := class_body(right, source)) is not None:
        kind, body = "class", maker.child_by_field_name("block")
    elif (block := lambda_body(right, source)) is not None:
        kind, body = "function", block
    return [Definition(qualified[-1], kind, node, scope, leading, body, qualified=qualified)]


def _constant_path(node: Node, source: bytes) -> tuple[str, ...]:
    """The parts of ``A::B``; the first is empty for ``::A``."""
    return tuple("".join(part.split()) for part in node_text(source, node).split("::"))


def _after_header(node: Node) -> Node | None:
    """What follows the name, parameters or superclass: where the signature ends."""
    children = node.children
    last = max(
        (at for at in range(len(children)) if node.field_name_for_child(at) in _HEADERS),
        default=len(children),
    )
    return children[last + 1] if last + 1 < len(children) else None


SUPPORT = LanguageSupport(
    name="ruby",
    extensions=(".rb", ".rake", ".gemspec", ".ru"),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    scan_is_complete=True,
    imports=IMPORTS,
)
