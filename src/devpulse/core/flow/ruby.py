"""The syntax of Ruby, lowered to operations."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.operations import (
    Abandon,
    Argument,
    Assign,
    Binary,
    Call,
    Choice,
    Collect,
    Compare,
    Constant,
    Function,
    Iterate,
    Leave,
    Logic,
    Member,
    Name,
    Not,
    Operation,
    Plan,
    Same,
    Template,
)
from devpulse.core.flow.ruby_calls import (
    BLOCKS,
    argument_nodes,
    arguments_of,
    block_body,
    block_of,
    call_of,
    is_route,
    match_of,
)
from devpulse.core.flow.ruby_functions import parameters_of, request_field
from devpulse.core.flow.ruby_plans import HOLDERS, PLANS, results_of
from devpulse.core.flow.ruby_texts import body_of_heredoc, constant_text, key_of, pattern_parts, text_parts
from devpulse.core.flow.syntax_nodes import field_of, line_of, node_text
from devpulse.core.flow.values import Level

_TEXTS = frozenset({"string", "delimited_symbol", "bare_string", "bare_symbol", "regex", "chained_string"})
_SKIPPED = frozenset(
    {
        "comment", "method_parameters", "block_parameters", "lambda_parameters", "superclass", "heredoc_body", "alias",
        "exceptions", "exception_variable", "heredoc_end", "undef", "empty_statement", "hash_key_symbol",
    }
)  # fmt: skip
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "<=>", "===", "eql?", "equal?"})
_TARGET_LISTS = frozenset(
    {
        "left_assignment_list", "destructured_left_assignment", "rest_assignment", "block_parameters",
        "destructured_parameter", "splat_parameter", "hash_splat_parameter", "optional_parameter", "keyword_parameter",
    }
)  # fmt: skip
_NAMED_VERB = re.compile(r"%[{<]\w")
_MAX_CHAIN = 50


def _text(node: Node) -> Operation:
    parts = pattern_parts(node) if node.type == "regex" else text_parts(node)
    return _of_parts(parts)


def _of_parts(parts: list[str | Node]) -> Operation:
    if all(isinstance(part, str) for part in parts):
        return Constant("".join(part for part in parts if isinstance(part, str)))
    return Template(tuple(parts))


def _heredoc(node: Node) -> Operation:
    return _of_parts(text_parts(body_of_heredoc(node)))


def _symbol(node: Node) -> Operation:
    return Constant(constant_text(node))


def _identifier(node: Node) -> Operation:
    name = node_text(node)
    return Abandon() if name in ("raise", "fail") else Name(name, callable=True)


def _element(node: Node) -> Operation | None:
    parts = [child for child in node.named_children if child.type != "comment"]
    if not parts:
        return None
    name = constant_text(parts[1]) if len(parts) == 2 else None
    if name is None and len(parts) == 2 and parts[1].type == "string" and node_text(parts[0]).endswith("DB"):
        return Call("dataset_of", parts[0], (Argument(parts[1]),))  # Sequel's
    return Member(parts[0], name, computed=parts[1] if len(parts) == 2 and name is None else None)


def _binary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    left, right = field_of(node, "left"), field_of(node, "right")
    if operator in ("&&", "and", "||", "or"):
        return Logic(operator in ("&&", "and"), left, right)
    if operator in _COMPARISONS:
        return Compare(operator, left, right)
    if operator == "=~":
        return match_of("=~", left, right)
    if operator == "!~":
        return Not(field_of(node, "operator"))
    if operator == "<<":
        return Assign(_grown(left), right, "+")
    named = operator == "%" and _NAMED_VERB.search(constant_text(left) or "") is not None
    return Binary("," if named else operator, left, right)


def _grown(node: Node) -> Node:
    """What is appended to: ``a << b << c`` appends both to ``a``."""
    for _ in range(_MAX_CHAIN):
        if node.type != "binary" or field_of(node, "operator").type != "<<":
            break
        node = field_of(node, "left")
    return node


def _mismatch(operator: Node) -> Operation | None:
    around = operator.parent
    if around is None or around.type != "binary":
        return None
    return match_of("=~", field_of(around, "left"), field_of(around, "right"))


def _unary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    return Not(field_of(node, "operand")) if operator in ("!", "not") else Constant(None)


def _hash(node: Node) -> Operation:
    items: list[tuple[str | None, Node]] = []
    for child in node.named_children:
        if child.type == "pair":
            key, value = field_of(child, "key"), child.child_by_field_name("value")
            items.append((constant_text(key), value or key))
        elif child.type != "comment":
            items.append((None, child))
    return Collect(tuple(items))


def _list(node: Node) -> Operation:
    return Collect(tuple((None, child) for child in node.named_children if child.type != "comment"))


def _assignment(node: Node) -> Operation | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return None
    operator = node_text(node.child_by_field_name("operator")).removesuffix("=")
    return Assign(left, right, "+" if operator == "<<" else operator)


def _choice(node: Node) -> Operation:
    names = ("consequence", "body", "alternative")
    options = [child for name in names if (child := node.child_by_field_name(name)) is not None]
    if len(options) == 2 and not node.type.startswith("unless"):
        return Choice((options[0], options[1]), node.child_by_field_name("condition"))
    return Choice(tuple(options))


def _case(node: Node) -> Operation:
    bodies = [child if child.type == "else" else child.child_by_field_name("body") for child in node.named_children[1:]]
    return Choice(tuple(body for body in bodies if body is not None))


def _leave(node: Node) -> Operation:
    given = argument_nodes(node)
    if len(given) < 2:
        return Leave(given[0] if given else None)
    return Leave(next(child for child in node.named_children if child.type == "argument_list"))


def _body(node: Node) -> Operation | None:
    results = results_of(node)
    return Same(results[0]) if len(results) == 1 else Choice(results) if results else None


def _first(node: Node) -> Operation | None:
    return Same(node.named_children[0]) if node.named_children else None


def _given(start: Node) -> Operation:
    """What a block is given, which its first token stands for: a route's parameters, or an archive."""
    call = start.parent.parent if start.parent is not None else None
    return Name("params") if call is None or is_route(call) else Call("Zip::File.open", None, (), like="ZipFile")


_LOWERING: dict[str, Callable[[Node], Operation | None]] = {
    "identifier": _identifier,
    **dict.fromkeys(
        ("instance_variable", "class_variable", "global_variable", "self"), lambda node: Name(node_text(node))
    ),
    "constant": lambda node: Name(node_text(node)) if node_text(node).isupper() else None,
    "hash_key_symbol": lambda node: Name(node_text(node), callable=True),  # ``f(a:)`` is ``f(a: a)``
    **dict.fromkeys(_TEXTS, _text),
    "heredoc_beginning": _heredoc,
    "simple_symbol": _symbol,
    **dict.fromkeys(("integer", "float", "true", "false", "nil", "character"), lambda node: Constant(node_text(node))),
    "subshell": lambda node: Call("backtick", None, (Argument(node.children[-1]),)),
    "`": lambda node: _of_parts(text_parts(node.parent)),
    "call": call_of,
    "super": lambda _node: Call("super", None, ()),
    "yield": lambda node: Call("yield", None, arguments_of(node)),
    "element_reference": _element,
    "binary": _binary,
    "!~": _mismatch,
    "unary": _unary,
    "hash": _hash,
    **dict.fromkeys(("array", "string_array", "symbol_array", "right_assignment_list", "argument_list"), _list),
    **dict.fromkeys(("assignment", "operator_assignment"), _assignment),
    **dict.fromkeys(("if", "elsif", "unless", "if_modifier", "unless_modifier", "conditional"), _choice),
    **dict.fromkeys(("case", "case_match"), _case),
    "rescue_modifier": lambda node: Choice((field_of(node, "body"), field_of(node, "handler"))),
    "for": lambda node: Iterate(field_of(node, "pattern"), field_of(node, "value")),
    **dict.fromkeys(("do", "{"), lambda node: _body(node) if node.is_named else _given(node)),
    "return": _leave,
    **dict.fromkeys(HOLDERS - {"do"}, _body),
    **dict.fromkeys(("splat_argument", "hash_splat_argument", "in", "pattern"), _first),
}


def _call_children(node: Node) -> list[Node]:
    block, receiver = node.child_by_field_name("block"), node.child_by_field_name("receiver")
    return [part for part in (receiver, *argument_nodes(node), block) if part is not None]


def _assigned_children(node: Node) -> list[Node]:
    """A name that is assigned to is not read; the index of an element is."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    inner = left.named_children if left is not None and left.type == "element_reference" else []
    return [*inner, *([right] if right is not None else [])]


def _binary_children(node: Node) -> list[Node]:
    mismatch = [child for child in node.children if child.type == "!~"]
    return [*node.named_children, *mismatch]


_CHILDREN: dict[str, Callable[[Node], list[Node]]] = {
    "call": _call_children,
    **dict.fromkeys(("assignment", "operator_assignment"), _assigned_children),
    "binary": _binary_children,
    "heredoc_beginning": lambda node: [part for part in text_parts(body_of_heredoc(node)) if not isinstance(part, str)],
    "pair": lambda node: [node.child_by_field_name("value") or field_of(node, "key")],
    "subshell": lambda node: [*(part for part in text_parts(node) if not isinstance(part, str)), node.children[-1]],
}
"""Where not simply all parts are evaluated in their order; a token may stand for what several parts make."""


class RubyAdapter:
    """Ruby."""

    def operation(self, node: Node) -> Operation | None:
        """The operation of a node."""
        lower = _LOWERING.get(node.type)
        return lower(node) if lower is not None else None

    def children(self, node: Node) -> list[Node]:
        """The nodes evaluated before this one."""
        special = _CHILDREN.get(node.type)
        if special is not None:
            return special(node)
        return [child for child in node.named_children if child.type not in _SKIPPED]

    def plan(self, node: Node) -> Plan | None:
        """How a branching statement runs."""
        make = PLANS.get(node.type)
        return make(node) if make is not None and node.is_named else None

    def function(self, node: Node) -> Function | None:
        """The function that a node defines; a block that its call keeps for later is one."""
        if node.type not in ("method", "singleton_method", "lambda") and node.type not in BLOCKS:
            return None
        body = node.child_by_field_name("body")
        if body is None:
            return None
        name = node_text(node.child_by_field_name("name"))
        inner = body.child_by_field_name("body") if body.type in BLOCKS else body
        return Function(name, parameters_of(node), inner or body, implicit=True)

    def callbacks(self, node: Node) -> list[tuple[Node, Node | None]]:
        """Blocks that a call keeps are given nothing that is known here."""
        block = node.child_by_field_name("block") if node.type == "call" else None
        return [(block, None)] if block is not None else []

    def targets(self, node: Node) -> list[tuple[Node, str | None]]:
        """The names a target binds."""
        found: list[tuple[Node, str | None]] = []
        waiting = [node]
        while waiting:
            target = waiting.pop()
            if target.type in _TARGET_LISTS:
                name = target.child_by_field_name("name")
                waiting.extend([name] if name is not None else reversed(target.named_children))
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
        """The first line of a node; of a route the one of what it answers."""
        body = block_body(block_of(node)) if node.type == "call" and is_route(node) else None
        return line_of(body.named_children[-1] if body is not None and body.named_children else node)
