"""The syntax of PHP, lowered to operations. Variables keep their ``$``; ``->`` and ``::`` read as dots."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.operations import (
    Abandon,
    Assign,
    Binary,
    Break,
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
from devpulse.core.flow.php_calls import (
    CALLS,
    COLLECTIONS,
    FUNCTIONS,
    ITERATING,
    METHOD_CALLS,
    call_of,
    call_parts,
    echo_of,
    echoed,
    echoes_next,
    shell_text,
    statement_call,
)
from devpulse.core.flow.php_functions import escape_of, is_shortcode, parameters_of, request_field
from devpulse.core.flow.php_special import names_of_table, uncased
from devpulse.core.flow.php_statements import PLANS
from devpulse.core.flow.php_texts import constant_text, expressions_of, key_of, text_parts
from devpulse.core.flow.syntax_nodes import breaks_loop, end_line_of, field_of, line_of, node_text, parts_of
from devpulse.core.flow.values import Level

_SKIPPED = frozenset(
    {
        "comment", "text", "php_tag", "php_end_tag", "attribute_list", "visibility_modifier", "name", "qualified_name",
        "namespace_use_declaration", "cast_type", "named_type", "optional_type", "union_type", "primitive_type",
        "anonymous_function_use_clause", "static_modifier", "heredoc_start", "heredoc_end", "string_content",
        "escape_sequence", "relative_scope", "formal_parameters", "global_declaration", "unset_statement",
    }
)  # fmt: skip
_COMPARISONS = frozenset({"==", "===", "!=", "!==", "<>", "<", ">", "<=", ">=", "<=>", "instanceof"})
_POSITIONS = frozenset({"strpos", "stripos", "mb_strpos"})
_LISTS = frozenset({"list_literal", "array_creation_expression", "pair", "by_ref", "array_element_initializer"})


def _text(node: Node) -> Operation:
    parts = text_parts(node)
    if all(isinstance(part, str) for part in parts):
        return Constant("".join(part for part in parts if isinstance(part, str)))
    return Template(tuple(parts))


def _subscript(node: Node) -> Operation | None:
    parts = parts_of(node)
    if len(parts) < 2:
        return Member(parts[0], None) if parts else None
    name = constant_text(parts[1])
    if name == "tmp_name":  # of an uploaded file: where the server put it
        return Constant(None)
    return Member(parts[0], name, computed=parts[1] if name is None else None)


def _member(node: Node) -> Operation:
    name = node.child_by_field_name("name")
    plain = name is not None and name.type == "name"
    return Member(field_of(node, "object"), node_text(name) if plain else None)


def _static_member(node: Node) -> Operation | None:
    parts = parts_of(node)
    if len(parts) > 1 and node_text(parts[1]).lower() == "class":
        return Constant(node_text(parts[0]) if parts[0].type in ("name", "qualified_name") else None)
    return Member(parts[0], node_text(parts[1])) if len(parts) > 1 else None


def _binary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator")).lower()
    left, right = field_of(node, "left"), field_of(node, "right")
    if operator in ("&&", "and", "||", "or", "??"):
        return Logic(operator in ("&&", "and"), left, right)
    if operator in _COMPARISONS:
        return _position(operator, left, right) or Compare("!=" if operator == "<>" else operator, left, right)
    if operator == ".":
        return Binary("+", left, right)
    arrays = operator == "+" and "array_creation_expression" in (left.type, right.type)
    return Binary("|" if arrays else operator.replace("+", "-").replace("%", "-").replace("/", "-"), left, right)


def _position(operator: str, left: Node, right: Node) -> Operation | None:
    """``strpos($text, $part) === false``: the part is not in the text; ``=== 0``: the text begins with it."""
    if left.type != "function_call_expression" or operator not in ("==", "===", "!=", "!=="):
        return None
    callee, arguments = call_parts(left)
    if callee not in _POSITIONS or len(arguments) < 2:
        return None
    negative = operator.startswith("!")
    if node_text(right).lower() != "false":
        return Not(left) if negative else Same(left)
    if constant_text(arguments[1].node) is not None:
        return Compare("in" if negative else "not in", arguments[1].node, arguments[0].node)
    return Same(left) if negative else Not(left)


def _unary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    return Not(field_of(node, "argument")) if operator == "!" else Constant(None)


def _cast(node: Node) -> Operation:
    kind = node_text(node.child_by_field_name("type")).strip("() ").lower()
    return Same(field_of(node, "value")) if kind in ("string", "array", "object", "binary") else Constant(None)


def _array(node: Node) -> Operation:
    items: list[tuple[str | None, Node]] = []
    for child in parts_of(node):
        parts = parts_of(child)
        if len(parts) > 1:
            items.append((constant_text(parts[0]), parts[-1]))
        elif parts:
            items.append((None, parts[0]))
    return Collect(tuple(items))


def _conditional(node: Node) -> Operation:
    condition, body, other = (
        field_of(node, "condition"),
        node.child_by_field_name("body"),
        field_of(node, "alternative"),
    )
    return Choice((uncased(body), uncased(other)), condition) if body is not None else Choice((condition, other))


def _match(node: Node) -> Operation:
    """One of the results, without an arm for constants that gives back what was matched: that is a constant then."""
    subject = parts_of(field_of(node, "condition"))
    key = key_of(subject[0]) if subject else None
    results = []
    for arm in parts_of(field_of(node, "body")):
        result = field_of(arm, "return_expression")
        conditions = arm.child_by_field_name("conditional_expressions")
        tests = parts_of(conditions) if conditions is not None else []
        narrowed = key is not None and tests and key_of(result) == key
        if not narrowed or any(constant_text(test) is None for test in tests):
            results.append(result)
    return Choice(tuple(results))


def _augmented(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    return Assign(field_of(node, "left"), field_of(node, "right"), {".=": "+", "+=": "-"}.get(operator, operator[:-1]))


def _assigned(node: Node, target: str = "left", source: str = "right") -> Operation | None:
    left, right = node.child_by_field_name(target), node.child_by_field_name(source)
    return Assign(left, right) if left is not None and right is not None else None


def _foreach(node: Node) -> Operation | None:
    parts = parts_of(node)
    return Iterate(parts[1], parts[0]) if len(parts) > 1 else None


def _last(node: Node) -> Operation | None:
    parts = parts_of(node)
    return Same(parts[-1]) if parts else None


def _return(node: Node) -> Operation:
    parts = parts_of(node)
    return Leave(parts[0] if parts else None)


_LOWERING: dict[str, Callable[[Node], Operation | None]] = {
    "variable_name": lambda node: Name(node_text(node)),
    "dynamic_variable_name": lambda node: Name(key) if (key := key_of(node)) else None,
    **dict.fromkeys(("name", "qualified_name"), lambda node: Name(node_text(node))),
    **dict.fromkeys(("string", "encapsed_string", "heredoc", "nowdoc"), _text),
    **dict.fromkeys(("integer", "boolean"), lambda node: Constant(node_text(node).lower())),
    **dict.fromkeys(("float", "null"), lambda _node: Constant(None)),
    "subscript_expression": _subscript,
    **dict.fromkeys(("member_access_expression", "nullsafe_member_access_expression"), _member),
    **dict.fromkeys(("scoped_property_access_expression", "class_constant_access_expression"), _static_member),
    **dict.fromkeys(CALLS, call_of),
    "`": lambda node: Template(shell_text(node)),
    "php_tag": echo_of,
    "text_interpolation": echo_of,
    **dict.fromkeys(("echo_statement", "exit_statement"), statement_call),
    "binary_expression": _binary,
    "unary_op_expression": _unary,
    "cast_expression": _cast,
    "conditional_expression": _conditional,
    "match_expression": _match,
    "array_creation_expression": _array,
    "assignment_expression": _assigned,
    "reference_assignment_expression": _assigned,
    "static_variable_declaration": lambda node: _assigned(node, "name", "value"),
    "augmented_assignment_expression": _augmented,
    "throw_expression": lambda _node: Abandon(),
    "foreach_statement": _foreach,
    **dict.fromkeys(("break_statement", "continue_statement"), lambda node: Break() if breaks_loop(node) else None),
    "return_statement": _return,
    **dict.fromkeys(
        (
            "parenthesized_expression", "argument", "error_suppression_expression", "clone_expression",
            "variadic_unpacking", "by_ref", "yield_expression", "array_element_initializer", "expression_statement",
        ),
        _last,
    ),
}  # fmt: skip


class PhpAdapter:
    """PHP, also inside HTML."""

    def operation(self, node: Node) -> Operation | None:
        """The operation of a node."""
        lower = _LOWERING.get(node.type)
        return lower(node) if lower is not None else None

    def children(self, node: Node) -> list[Node]:
        """The nodes evaluated before this one; what a tag prints is a part of it."""
        if node.type in ("encapsed_string", "heredoc", "shell_command_expression"):
            inner = expressions_of(node)
            return [*inner, node.children[-1]] if node.type == "shell_command_expression" else inner
        if node.type in ("text_interpolation", "php_tag"):
            return echoed(node)
        if node.type == "arguments":  # what a callback runs over comes first
            return sorted(node.named_children, key=lambda child: any(c.type in FUNCTIONS for c in child.named_children))
        found: list[Node] = []
        prints = False
        for child in node.named_children:
            shown = prints and child.type == "expression_statement"
            prints = echoes_next(child)
            if prints or (child.type not in _SKIPPED and not shown):
                found.append(child)
        return found

    def plan(self, node: Node) -> Plan | None:
        """How a branching statement runs."""
        make = PLANS.get(node.type)
        return make(node) if make is not None else None

    def function(self, node: Node) -> Function | None:
        """The function that a node defines."""
        body = node.child_by_field_name("body") if node.type in FUNCTIONS else None
        if body is None:
            return None
        parameters = parameters_of(node)
        answers = "shortcode_atts.return" if parameters and is_shortcode(parameters[0], body) else escape_of(body)
        return Function(node_text(node.child_by_field_name("name")), parameters, body, answers=answers)

    def callbacks(self, node: Node) -> list[tuple[Node, Node | None]]:
        """Functions given to a call, with the collection they run over."""
        if node.type not in CALLS:
            return []
        callee, arguments = call_parts(node)
        given = [argument.node for argument in arguments if argument.node.type in FUNCTIONS]
        items: Node | None = None
        if given and callee in COLLECTIONS:
            items = next((argument.node for argument in arguments if argument.node.type not in FUNCTIONS), None)
        elif given and node.type in METHOD_CALLS and callee.rpartition(".")[2] in ITERATING:
            items = node.child_by_field_name("object")
        return [(function, items) for function in given]

    def targets(self, node: Node) -> list[tuple[Node, str | None]]:
        """The names a target binds; those of ``extract`` are the keys of the table that it is given."""
        made = names_of_table(node)
        if made:
            return [(key, node_text(key)) for key in made]
        found: list[tuple[Node, str | None]] = []
        waiting: list[tuple[Node, str | None]] = [(node, None)]
        while waiting:
            target, name = waiting.pop()
            if target.type not in _LISTS:
                found.append((target, name))
                continue
            keyed = target.type in ("list_literal", "array_element_initializer")
            inner: list[tuple[Node, str | None]] = []
            for child in target.children:
                if child.type == "=>" and keyed and inner:
                    inner.append((inner.pop()[0], "=>"))
                elif child.is_named and child.type != "comment":
                    key = constant_text(inner.pop()[0]) if inner and inner[-1][1] == "=>" else None
                    inner.append((child, key))
            waiting.extend(reversed(inner))
        return found

    def request_field(self, owner: str, name: str) -> Level | None:
        """The level of a member of a request object."""
        return request_field(owner, name)

    def key(self, node: Node) -> str | None:
        """The dotted text of a name or member chain; of the text of a key the variable that ``extract`` makes of it."""
        return f"${node_text(node)}" if node.type == "string_content" else key_of(node)

    def line(self, node: Node) -> int:
        """The first line of a node; of HTML that ends with a tag the line of the tag."""
        return end_line_of(node) if node.type == "text_interpolation" else line_of(node)
