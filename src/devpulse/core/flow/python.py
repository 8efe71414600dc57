"""Python's syntax, lowered to operations."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.operations import (
    Abandon,
    Argument,
    Assign,
    Binary,
    Break,
    Call,
    Choice,
    Collect,
    Compare,
    Constant,
    Function,
    Import,
    Iterate,
    Leave,
    Logic,
    Member,
    Name,
    Not,
    Operation,
    Plan,
    Require,
    Same,
    Template,
)
from devpulse.core.flow.python_answers import answers_of
from devpulse.core.flow.python_functions import lambda_parameters, parameters_of, request_field
from devpulse.core.flow.python_handed import handed_call, wrapped_call
from devpulse.core.flow.python_handlers import is_number_of
from devpulse.core.flow.python_names import callee_text, key_of
from devpulse.core.flow.python_plans import PLANS
from devpulse.core.flow.syntax_nodes import breaks_loop, field_of, line_of, node_text
from devpulse.core.flow.values import Level

_COMPREHENSIONS = frozenset(
    {"list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension"}
)
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\'": "'", '\\"': '"', "\\\\": "\\", "\\\n": ""}
_ADDS = frozenset({"append", "add", "extend", "insert", "appendleft"})
_NUMERIC_FORMAT = re.compile(r":[^{}]*[bcdoxXneEfFgG%]$")
_ITEMWISE = re.compile(r"^(?:int|float|str|repr|len|bool|ord)$|quote|escape")
"""Functions that do to each item what they do to one text: ``map(shlex.quote, words)``."""

_VALIDATES = re.compile(r"^validators\.(?:(domain|hostname|ip_address|ipv[46])|mac_address|uuid|slug)$")
"""The library's questions whose answer says that a text has no character that does harm; the first names a host."""

_NO_TEXT = frozenset({"strptime", "fromisoformat", "fromtimestamp"})
_HOSTS = frozenset({"ip_address", "ip_network", "ip_interface", "IPv4Address", "IPv6Address"})
_NUMBERS = frozenset({"int", "float", "bool"})
_AFTER_LAST = {"split": ("-1",), "rsplit": ("-1", "1"), "rpartition": ("-1", "2")}
_FETCHES = re.compile(r"^(?:requests|httpx|urllib3)\.(?:get|post|put|patch|delete|head|options|request)$")
"""Clients whose answer is that of another server, whatever it was asked."""

_TARGET_LISTS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"})


def _string(node: Node) -> Operation:
    parts: list[str | Node] = []
    raw = "r" in node_text(node.children[0] if node.children else None).lower().split("'")[0].split('"')[0]
    for child in node.named_children:
        if child.type == "string_content":
            parts.append(_unescape(node_text(child), raw=raw))
        elif child.type == "interpolation":
            specifier = next((c for c in child.named_children if c.type == "format_specifier"), None)
            numeric = specifier is not None and _NUMERIC_FORMAT.search(node_text(specifier)) is not None
            parts.append("0" if numeric else child)
    if all(isinstance(part, str) for part in parts):
        return Constant("".join(part for part in parts if isinstance(part, str)))
    return Template(tuple(parts))


def _unescape(text: str, *, raw: bool) -> str:
    if raw or "\\" not in text:
        return text
    return re.sub(r"\\(?:\n|.)", lambda match: _ESCAPES.get(match.group(), match.group()), text)


def _call(node: Node) -> Operation:
    function, arguments = field_of(node, "function"), node.child_by_field_name("arguments")
    receiver = function.child_by_field_name("object") if function.type == "attribute" else None
    listed: list[Argument] = []
    nodes = (
        []
        if arguments is None
        else [arguments]
        if arguments.type == "generator_expression"
        else arguments.named_children
    )
    for child in nodes:
        if child.type == "keyword_argument":
            listed.append(Argument(field_of(child, "value"), node_text(child.child_by_field_name("name"))))
        elif child.type != "comment":
            listed.append(Argument(child, spread=child.type in ("list_splat", "dictionary_splat")))
    callee = callee_text(function)
    handed = handed_call(callee, listed) or wrapped_call(function, listed)
    if handed is not None:
        return handed
    mapped = key_of(listed[0].node) if callee == "map" and len(listed) == 2 else None
    if mapped is not None and _ITEMWISE.search(mapped):
        return Call(mapped, None, (listed[1],))
    asked = _VALIDATES.match(callee)
    if callee.rpartition(".")[2] in _HOSTS or (asked is not None and asked[1]):
        return Call(callee, None, tuple(listed[:1]), like="host_text")
    if asked is not None:
        return Call(callee, None, tuple(listed[:1]), like="isalnum")
    like = "urlopen" if _FETCHES.match(callee) else "int" if _is_number(callee, listed) else ""
    return Call(callee, receiver, tuple(listed), like=like, fills=_filled(function, receiver))


def _is_number(callee: str, listed: list[Argument]) -> bool:
    """Whether a call gives a number or a date, or raises an error."""
    last = callee.rpartition(".")[2]
    if last in _NO_TEXT:
        return True
    return last == "get" and any(item.keyword == "type" and node_text(item.node) in _NUMBERS for item in listed)


def _filled(function: Node, receiver: Node | None) -> Node | None:
    """The table whose entry a call adds to: ``rows[key].append(item)``, ``rows.setdefault(key, []).append(item)``."""
    if receiver is None or receiver.type not in ("call", "subscript"):
        return None
    if node_text(function.child_by_field_name("attribute")) not in _ADDS:
        return None
    if receiver.type == "subscript":
        return receiver.child_by_field_name("value")
    inner = receiver.child_by_field_name("function")
    if inner is None or node_text(inner.child_by_field_name("attribute")) != "setdefault":
        return None
    return inner.child_by_field_name("object")


def _comparison(node: Node) -> Operation | None:
    operands = node.named_children
    operator = "".join(" " + node_text(child) for child in node.children_by_field_name("operators")).strip()
    return Compare(operator, operands[0], operands[-1]) if len(operands) == 2 else None


def _collection(node: Node) -> Operation:
    items: list[tuple[str | None, Node]] = []
    for child in node.named_children:
        if child.type == "pair":
            key = child.child_by_field_name("key")
            items.append((_constant_key(key), field_of(child, "value")))
        elif child.type != "comment":
            items.append((None, child))
    unlisted = any(child.type in ("list_splat", "dictionary_splat") for child in node.named_children)
    return Collect(tuple(items), open=unlisted or (node.type == "dictionary" and any(key is None for key, _ in items)))


def _constant_key(node: Node | None) -> str | None:
    if node is None or node.type != "string":
        return None
    operation = _string(node)
    return operation.text if isinstance(operation, Constant) else None


def _comprehension(node: Node) -> Operation:
    body = field_of(node, "body")
    return Collect(((None, field_of(body, "value") if body.type == "pair" else body),), open=True)


def _subscript(node: Node) -> Operation:
    index = node.child_by_field_name("subscript")
    name = _constant_key(index)
    if name is None and _is_ending(field_of(node, "value"), node_text(index)):
        return Call("os.path.basename", None, (Argument(field_of(node, "value")),))
    return Member(field_of(node, "value"), name, computed=index if name is None else None)


def _is_ending(node: Node, index: str) -> bool:
    """Whether an item is what follows the last dot of a text: ``name.rsplit(".", 1)[1]``."""
    places = (
        _AFTER_LAST.get(node_text(node.child_by_field_name("function")).rpartition(".")[2])
        if node.type == "call"
        else None
    )
    if places is None or index not in places:
        return False
    arguments = field_of(node, "arguments").named_children
    return bool(arguments) and _constant_key(arguments[0]) == "."


def _attribute(node: Node) -> Operation:
    owner, name = field_of(node, "object"), node_text(node.child_by_field_name("attribute"))
    if name.endswith("id") and is_number_of(key_of(owner) or "", name):
        return Constant(None)
    return Member(owner, name)


def _conditional(node: Node) -> Operation | None:
    operands = node.named_children
    return Choice((operands[0], operands[2]), operands[1]) if len(operands) == 3 else None


def _assignment(node: Node) -> Operation | None:
    value = node.child_by_field_name("right")
    return Assign(field_of(node, "left"), value) if value is not None else None


def _augmented(node: Node) -> Operation:
    return Assign(
        field_of(node, "left"), field_of(node, "right"), node_text(node.child_by_field_name("operator")).rstrip("=")
    )


def _alias(node: Node) -> Operation | None:
    parts = node.named_children
    return Assign(parts[1].named_children[0], parts[0]) if len(parts) == 2 and parts[1].named_children else None


def _first(node: Node) -> Operation | None:
    parts = [child for child in node.named_children if child.type != "comment"]
    return Same(parts[0]) if parts else None


def _import(node: Node) -> Operation:
    names = [
        node_text(child.child_by_field_name("alias") if child.type == "aliased_import" else child).split(".")[0]
        for child in node.children_by_field_name("name")
    ]
    return Import(tuple(names))


def _literal_number(node: Node) -> Operation:
    return Constant(node_text(node) if node.type in ("integer", "true", "false") else None)


_LOWERING: dict[str, Callable[[Node], Operation | None]] = {
    "identifier": lambda node: Name(node_text(node)),
    "string": _string,
    "concatenated_string": lambda node: Template(tuple(c for c in node.named_children if c.type == "string")),
    **dict.fromkeys(("integer", "float", "true", "false", "none"), _literal_number),
    "attribute": _attribute,
    "subscript": _subscript,
    "call": _call,
    "binary_operator": lambda node: Binary(
        node_text(node.child_by_field_name("operator")), field_of(node, "left"), field_of(node, "right")
    ),
    "boolean_operator": lambda node: Logic(
        node_text(node.child_by_field_name("operator")) == "and", field_of(node, "left"), field_of(node, "right")
    ),
    "unary_operator": lambda _node: Constant(None),
    "not_operator": lambda node: Not(field_of(node, "argument")),
    "comparison_operator": _comparison,
    "conditional_expression": _conditional,
    **dict.fromkeys(("tuple", "list", "set", "dictionary", "expression_list"), _collection),
    **dict.fromkeys(_COMPREHENSIONS, _comprehension),
    "for_in_clause": lambda node: Iterate(field_of(node, "left"), field_of(node, "right")),
    "for_statement": lambda node: Iterate(field_of(node, "left"), field_of(node, "right")),
    "assignment": _assignment,
    "augmented_assignment": _augmented,
    "named_expression": lambda node: Assign(field_of(node, "name"), field_of(node, "value")),
    "as_pattern": _alias,
    "return_statement": lambda node: Leave(node.named_children[0] if node.named_children else None),
    "raise_statement": lambda _node: Abandon(),
    **dict.fromkeys(("break_statement", "continue_statement"), lambda node: Break() if breaks_loop(node) else None),
    "assert_statement": lambda node: Require(node.named_children[0]) if node.named_children else None,
    **dict.fromkeys(
        ("parenthesized_expression", "await", "list_splat", "dictionary_splat", "interpolation", "with_item", "yield"),
        _first,
    ),
    **dict.fromkeys(("import_statement", "import_from_statement"), _import),
}


def _clauses_first(node: Node) -> list[Node]:
    """The parts of a comprehension; the clauses bind what the body uses."""
    return sorted(node.named_children, key=lambda child: child.type != "for_in_clause")


_CHILDREN: dict[str, Callable[[Node], list[Node]]] = {
    **dict.fromkeys(_COMPREHENSIONS, _clauses_first),
    "attribute": lambda node: node.named_children[:1],
    "keyword_argument": lambda node: node.named_children[-1:],
    "string": lambda node: [child for child in node.named_children if child.type == "interpolation"],
    **dict.fromkeys(("import_statement", "import_from_statement", "future_import_statement"), lambda _node: []),
}
"""What is evaluated before a node where that is not all of it: names that are no variables have no value."""


class PythonAdapter:
    """Python."""

    def operation(self, node: Node) -> Operation | None:
        """The operation of a node."""
        lower = _LOWERING.get(node.type)
        return lower(node) if lower is not None else None

    def children(self, node: Node) -> list[Node]:
        """The nodes evaluated before this one."""
        some = _CHILDREN.get(node.type)
        return node.named_children if some is None else some(node)

    def plan(self, node: Node) -> Plan | None:
        """How a branching statement runs."""
        make = PLANS.get(node.type)
        return make(node) if make is not None else None

    def function(self, node: Node) -> Function | None:
        """The function that a node defines."""
        if node.type == "function_definition":
            name = node_text(node.child_by_field_name("name"))
            parameters = parameters_of(node)
            return Function(name, parameters, field_of(node, "body"), answers=answers_of(node, parameters))
        if node.type == "lambda":
            return Function("", lambda_parameters(node), field_of(node, "body"))
        return None

    def callbacks(self, node: Node) -> list[tuple[Node, Node | None]]:  # noqa: ARG002  (a lambda has no parameters here)
        """Functions given to a call, with the collection they run over."""
        return []

    def targets(self, node: Node) -> list[tuple[Node, str | None]]:
        """The names a target binds."""
        found: list[tuple[Node, str | None]] = []
        waiting = [node]
        while waiting:
            target = waiting.pop()
            if target.type in _TARGET_LISTS or target.type in ("list_splat_pattern", "parenthesized_expression"):
                waiting.extend(reversed(target.named_children))
            else:
                found.append((target, None))
        return found

    def request_field(self, owner: str, name: str) -> Level | None:
        """The level of a member of a request object."""
        return request_field(owner, name)

    def key(self, node: Node) -> str | None:
        """The dotted text of a name or member chain."""
        return key_of(node)

    def line(self, node: Node) -> int:
        """The first line of a node."""
        return line_of(node)
