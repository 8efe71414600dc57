"""Go's syntax, lowered to operations."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.go_functions import (
    CHANGING,
    HARMLESS,
    NAMED_OUTPUTS,
    OUTPUTS,
    PACKAGES,
    SHIFTED,
    like_of,
    parameters_of,
    request_field,
)
from devpulse.core.flow.go_plans import PLANS
from devpulse.core.flow.operations import (
    Argument,
    Assign,
    Binary,
    Break,
    Call,
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
    Same,
)
from devpulse.core.flow.syntax_nodes import MAX_KEY, breaks_loop, field_of, line_of, node_text, parts_of
from devpulse.core.flow.values import Level

_FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal"})
_UNEVALUATED = frozenset({"package_clause", "type_declaration", "label_name"})
_COMPARISONS = frozenset(["==", "!=", "<", ">", "<=", ">="])
_NOT_BOUND = frozenset({"_", "err", "ok"})
_TEXTS = frozenset({"string", "strings.Builder", "bytes.Buffer"})
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\'": "'", '\\"': '"', "\\\\": "\\"}


def _string(node: Node) -> Operation:
    text = node_text(node)[1:-1]
    if node.type == "raw_string_literal" or "\\" not in text:
        return Constant(text)
    return Constant(re.sub(r"\\.", lambda match: _ESCAPES.get(match.group(), match.group()), text))


def key_of(node: Node) -> str | None:
    """``a.b.c`` for a name or a chain of fields; a pointer and what it points to are the same."""
    if node.end_byte - node.start_byte > MAX_KEY:
        return None
    while node.type == "unary_expression" and node_text(node.child_by_field_name("operator")) in ("&", "*"):
        node = field_of(node, "operand")
    if node.type not in ("identifier", "selector_expression"):
        return None
    text = node_text(node)
    return text if re.fullmatch(r"\w[\w.]*", text) else None


def _call(node: Node) -> Operation:
    function, given = field_of(node, "function"), parts_of(node.child_by_field_name("arguments"))
    if function.type == "index_expression":  # type arguments
        function = field_of(function, "operand")
    if function.type == "identifier" and node_text(function) == "string" and given:
        return Same(given[0])
    owner = function.child_by_field_name("operand") if function.type == "selector_expression" else None
    callee = key_of(function) or (f".{node_text(function.child_by_field_name('field'))}" if owner is not None else "")
    if owner is not None and owner.type == "identifier" and node_text(owner) in PACKAGES and _is_exported(callee):
        owner = None
    like, position = SHIFTED.get(callee, ("", 0))
    subject = given[position] if like and position < len(given) else None
    like = like if subject is not None else like_of(callee, len(given))
    return Call(
        callee,
        owner,
        tuple(map(Argument, given)),
        like=like,
        subject=subject,
        changes=like in CHANGING,
        outputs=_outputs(callee, given),
    )


def _conversion(node: Node) -> Operation:
    """``[]byte(x)``; the grammar takes ``run[int](x)`` for one too."""
    kind, operand = field_of(node, "type"), field_of(node, "operand")
    if kind.type != "generic_type":
        return Same(operand)
    return Call(node_text(field_of(kind, "type"))[:MAX_KEY], None, (Argument(operand),))


def _is_exported(callee: str) -> bool:
    return callee.rpartition(".")[2][:1].isupper()


def _outputs(callee: str, given: list[Node]) -> tuple[Node, ...]:
    """The addresses that are given to a call which writes to them, or its last argument."""
    last = callee.rpartition(".")[2]
    if last not in OUTPUTS and last != "Parse" and callee not in NAMED_OUTPUTS:
        return ()
    addresses = [
        item
        for item in given
        if item.type == "unary_expression" and node_text(item.child_by_field_name("operator")) == "&"
    ]
    if last == "Parse" and callee not in NAMED_OUTPUTS:  # GoFrame's, as ``r.Parse(&query)``; others take a text
        return tuple(addresses) if len(given) == 1 else ()
    return tuple(addresses or given[-1:])


def _binary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    left, right = field_of(node, "left"), field_of(node, "right")
    if operator in ("&&", "||"):
        return Logic(operator == "&&", left, right)
    return Compare(operator, left, right) if operator in _COMPARISONS else Binary(operator, left, right)


def _unary(node: Node) -> Operation:
    operator, operand = node_text(node.child_by_field_name("operator")), field_of(node, "operand")
    if operator == "!":
        return Not(operand)
    return Same(operand) if operator in ("&", "*", "<-") else Constant(None)


def _index(node: Node) -> Operation:
    index = field_of(node, "index")
    name = node_text(index) if index.type == "int_literal" else _text(index)
    return Member(field_of(node, "operand"), name, index)


def _text(node: Node) -> str | None:
    operation = _string(node) if node.type.endswith("string_literal") else None
    return operation.text if isinstance(operation, Constant) else None


def _literal(node: Node) -> Operation:
    """``http.Cookie{Name: x}`` makes a record, as a constructor elsewhere; others are collections."""
    kind, body = field_of(node, "type"), field_of(node, "body")
    if kind.type not in ("type_identifier", "qualified_type", "generic_type"):
        return Same(body)
    items = tuple(Argument(value, key) for key, value in _elements(body))
    return Call(node_text(kind)[:MAX_KEY], None, items, like="make_record")


def _elements(body: Node) -> list[tuple[str | None, Node]]:
    found: list[tuple[str | None, Node]] = []
    for element in parts_of(body):
        if element.type == "keyed_element":
            key = parts_of(element.child_by_field_name("key"))
            name = (_text(key[0]) or key_of(key[0])) if key else None
            found.append((name, field_of(element, "value")))
        else:
            found.append((None, element))
    return found


def _list(node: Node) -> Operation | None:
    """Several values; one by itself is that value. In a ``case`` they are compared with what is switched on."""
    parts, around = parts_of(node), node.parent
    if around is not None and around.type == "expression_case" and around.parent is not None and parts:
        subject = around.parent.child_by_field_name("value")
        if subject is not None:
            return Compare("==", subject, parts[0])
    if len(parts) == 1:
        return Same(parts[0])
    return Collect(tuple((None, part) for part in parts)) if parts else None


def _assignment(node: Node) -> Operation | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return None
    names = parts_of(left)
    operator = node_text(node.child_by_field_name("operator")).rstrip("=").removesuffix(":")
    target = names[0] if len(names) == 1 else left
    return Assign(target, right, operator, names[-1] if len(names) > 1 else None)


def _spec(node: Node) -> Operation | None:
    """``var a, b = x, y``; a text without a value is empty, and a number stays one."""
    kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    names = node.children_by_field_name("name")
    number = kind is not None and HARMLESS.match(node_text(kind)[:MAX_KEY]) is not None
    given = kind if value is None or number else value
    return Assign(names[0] if len(names) == 1 else node, given) if given is not None and names else None


def _type(node: Node) -> Operation | None:
    around = node.parent
    empty = around is not None and around.type == "var_spec" and node_text(node) in _TEXTS
    return Constant("") if empty else None


def _switched(node: Node) -> Operation | None:
    alias = node.child_by_field_name("alias")
    return Iterate(alias, field_of(node, "value")) if alias is not None else None


def _import(node: Node) -> Operation:
    path = node_text(node.child_by_field_name("path")).strip('"`')
    return Import((node_text(node.child_by_field_name("name")) or path.rpartition("/")[2],))


def _first(node: Node) -> Operation | None:
    parts = parts_of(node)
    return Same(parts[0]) if parts else None


_LOWERING: dict[str, Callable[[Node], Operation | None]] = {
    "identifier": lambda node: Name(node_text(node)),
    **dict.fromkeys(("interpreted_string_literal", "raw_string_literal"), _string),
    **dict.fromkeys(("int_literal", "true", "false"), lambda node: Constant(node_text(node))),
    **dict.fromkeys(
        ("float_literal", "rune_literal", "imaginary_literal", "nil", "iota"), lambda _node: Constant(None)
    ),
    "selector_expression": lambda node: Member(field_of(node, "operand"), node_text(node.child_by_field_name("field"))),
    "index_expression": _index,
    "slice_expression": lambda node: Same(field_of(node, "operand")),
    "call_expression": _call,
    "type_conversion_expression": _conversion,
    "type_assertion_expression": lambda node: (
        Constant(None)
        if HARMLESS.match(node_text(node.child_by_field_name("type"))[:MAX_KEY])
        else Same(field_of(node, "operand"))
    ),
    "binary_expression": _binary,
    "unary_expression": _unary,
    "composite_literal": _literal,
    "literal_value": lambda node: Collect(tuple(_elements(node))),
    "expression_list": _list,
    **dict.fromkeys(("short_var_declaration", "assignment_statement", "receive_statement"), _assignment),
    **dict.fromkeys(("var_spec", "const_spec"), _spec),
    **dict.fromkeys(("type_identifier", "qualified_type"), _type),
    "range_clause": lambda node: Iterate(field_of(node, "left"), field_of(node, "right")),
    "type_switch_statement": _switched,
    **dict.fromkeys(("break_statement", "continue_statement"), lambda node: Break() if breaks_loop(node) else None),
    "return_statement": lambda node: Leave(parts_of(node)[0] if parts_of(node) else None),
    **dict.fromkeys(("parenthesized_expression", "literal_element", "variadic_argument"), _first),
    "import_spec": _import,
}


class GoAdapter:
    """Go."""

    def operation(self, node: Node) -> Operation | None:
        """The operation of a node."""
        lower = _LOWERING.get(node.type)
        return lower(node) if lower is not None else None

    def children(self, node: Node) -> list[Node]:
        """The nodes evaluated before this one."""
        return [] if node.type in _UNEVALUATED else node.named_children

    def plan(self, node: Node) -> Plan | None:
        """How a branching statement runs."""
        make = PLANS.get(node.type)
        return make(node) if make is not None else None

    def function(self, node: Node) -> Function | None:
        """The function that a node defines; one without a body is none."""
        body = node.child_by_field_name("body") if node.type in _FUNCTIONS else None
        if body is None:
            return None
        return Function(node_text(node.child_by_field_name("name")), parameters_of(node), body)

    def callbacks(self, node: Node) -> list[tuple[Node, Node | None]]:
        """Functions written as arguments of a call."""
        if node.type != "call_expression":
            return []
        return [
            (child, None) for child in parts_of(node.child_by_field_name("arguments")) if child.type == "func_literal"
        ]

    def targets(self, node: Node) -> list[tuple[Node, str | None]]:
        """The names a target binds, each with its place; an error or a verdict beside a value is none of its parts."""
        if node.type not in ("expression_list", "var_spec", "const_spec"):
            return [(node, None)]
        names = parts_of(node) if node.type == "expression_list" else node.children_by_field_name("name")
        around = node.parent
        apart = [
            (name, str(index) if len(names) > 1 else None)
            for index, name in enumerate(names)
            if len(names) == 1 or node_text(name) not in _NOT_BOUND
        ]
        right = around.child_by_field_name("right") if around is not None else None
        single = right is not None and right.type == "expression_list" and right.named_child_count == 1
        if single and len(apart) == 1 and apart[0][1] == "0":
            return [(apart[0][0], None)]  # ``x, err := f()``
        return apart

    def request_field(self, owner: str, name: str) -> Level | None:
        """The level of what a request or the system gives."""
        return request_field(owner, name)

    def key(self, node: Node) -> str | None:
        """The dotted text of a name or a chain of fields."""
        return key_of(node)

    def line(self, node: Node) -> int:
        """The first line of a node."""
        return line_of(node)
