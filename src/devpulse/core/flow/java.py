"""Java's syntax, lowered to operations."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.java_functions import CHANGING, HARMLESS, SHIFTED, like_of, parameters_of, request_field
from devpulse.core.flow.operations import (
    Argument,
    Assign,
    Binary,
    Bind,
    Branch,
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
    Require,
    Same,
    Visit,
)
from devpulse.core.flow.syntax_nodes import MAX_KEY, line_of, node_text
from devpulse.core.flow.tables import words
from devpulse.core.flow.values import Level

_EXITS = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_LEAVES = frozenset({"return_statement", "throw_statement", "continue_statement"})
_EXIT_CALL = re.compile(r"(?:System\.exit|fail|Assert\.fail)\(")
_FUNCTIONS = frozenset(
    {"method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression"}
)
_UNEVALUATED = frozenset({"modifiers", "import_declaration", "package_declaration", "annotation", "marker_annotation"})
_COMMENTS = frozenset({"line_comment", "block_comment"})
_ITERATING = frozenset(
    words("""forEach map filter flatMap anyMatch allMatch noneMatch mapToObj ifPresent ifPresentOrElse peek removeIf
    takeWhile dropWhile reduce mapToInt sorted thenApply thenAccept doOnNext subscribe""")
)
_COMPARISONS = frozenset(["==", "!=", "<", ">", "<=", ">="])
_COLLECTIONS = frozenset(
    {"List.of", "Set.of", "Arrays.asList", "Stream.of", "ImmutableList.of", "ImmutableSet.of", "Collections.singleton"}
)
_CLASS_NAME = re.compile(r"[A-Z]\w*[a-z]\w*")
_NUMBERS = frozenset({"integral_type", "floating_point_type", "boolean_type"})
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\'": "'", '\\"': '"', "\\\\": "\\", "\\\n": ""}
_OUTPUTS = {"read": 0, "readFully": 0, "populate": 0, "arraycopy": 2, "copyProperties": 1}
"""Methods that write to one of their arguments, by its position."""


def _field(node: Node, name: str) -> Node:
    """A field that valid syntax always has; the node itself in broken code, which evaluates to nothing."""
    return node.child_by_field_name(name) or node


def _listed(node: Node | None) -> list[Node]:
    return [child for child in node.named_children if child.type not in _COMMENTS] if node is not None else []


def _string(node: Node) -> Operation:
    parts = (
        re.sub(r"\\(?:\n|.)", lambda match: _ESCAPES.get(match.group(), match.group()), node_text(child))
        for child in node.named_children
    )
    return Constant("".join(parts))


def _identifier(node: Node) -> Operation | None:
    name = node_text(node)
    return None if _CLASS_NAME.fullmatch(name) else Name(name)  # a class has no value


def key_of(node: Node) -> str | None:
    """``a.b.c`` for a name or member chain."""
    if node.type in ("identifier", "this", "super"):
        return node_text(node)
    if node.type == "field_access" and node.end_byte - node.start_byte <= MAX_KEY:
        text = node_text(node)
        return text if re.fullmatch(r"[\w.$]+", text) else None
    return None


def _call(node: Node) -> Operation:
    owner, name = node.child_by_field_name("object"), node_text(node.child_by_field_name("name"))
    key = key_of(owner) if owner is not None else None
    callee = name if owner is None else f"{key or ''}.{name}"
    given = _listed(node.child_by_field_name("arguments"))
    if callee in _COLLECTIONS:
        return Collect(tuple((None, item) for item in given))
    if callee in ("Map.of", "ImmutableMap.of"):
        return Collect(tuple((_constant(key), value) for key, value in zip(given[::2], given[1::2], strict=False)))
    static = owner is not None and owner.type == "identifier" and _CLASS_NAME.fullmatch(node_text(owner)) is not None
    shifted = SHIFTED.get(callee, "")
    like = shifted or like_of(callee, len(given))
    position = _OUTPUTS.get(name)
    return Call(
        callee,
        None if static else owner,
        tuple(map(Argument, given)),
        like=like,
        subject=_subject(owner, name, given) if shifted or not given else None,
        changes=like in CHANGING and not static,
        outputs=(given[position],) if position is not None and position < len(given) else (),
    )


def _subject(owner: Node | None, name: str, given: list[Node]) -> Node | None:
    """The first argument; of ``pattern.matcher(text).matches()`` the text that is tested."""
    if given or name != "matches" or owner is None or node_text(owner.child_by_field_name("name")) != "matcher":
        return given[0] if given else None
    inner = _listed(owner.child_by_field_name("arguments"))
    return inner[0] if inner else None


def _creation(node: Node) -> Operation:
    """The callee of ``new java.io.File(…)`` is ``File``."""
    kind = _field(node, "type")
    if kind.type == "generic_type" and kind.named_children:
        kind = kind.named_children[0]
    if kind.type == "scoped_type_identifier" and kind.named_children:
        kind = kind.named_children[-1]
    name = node_text(kind) if kind != node else ""
    given = _listed(node.child_by_field_name("arguments"))
    like = like_of(name, len(given))
    if like == "append_text":  # the first number is a capacity
        given = [item for item in given if item.type != "decimal_integer_literal"]
    return Call(name, None, tuple(map(Argument, given)), like=like)


def _constant(node: Node) -> str | None:
    operation = _string(node) if node.type == "string_literal" else None
    return operation.text if isinstance(operation, Constant) else None


def _binary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    left, right = _field(node, "left"), _field(node, "right")
    if operator in ("&&", "||"):
        return Logic(operator == "&&", left, right)
    return Compare(operator, left, right) if operator in _COMPARISONS else Binary(operator, left, right)


def _unary(node: Node) -> Operation:
    return Not(_field(node, "operand")) if node_text(node.child_by_field_name("operator")) == "!" else Constant(None)


def _cast(node: Node) -> Operation:
    numeric = _field(node, "type").type in _NUMBERS or HARMLESS.match(node_text(node.child_by_field_name("type")))
    return Constant(None) if numeric else Same(_field(node, "value"))


def _declarator(node: Node) -> Operation | None:
    value, around = node.child_by_field_name("value"), node.parent
    if value is None:
        return None
    kind = around.child_by_field_name("type") if around is not None else None
    if kind is not None and HARMLESS.match(node_text(kind)[:MAX_KEY]):
        return Assign(_field(node, "name"), kind)  # whatever is put in, it is a number
    return Assign(_field(node, "name"), value)


def _assignment(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator")).rstrip("=")
    return Assign(_field(node, "left"), _field(node, "right"), operator)


def _resource(node: Node) -> Operation | None:
    value = node.child_by_field_name("value")
    return Assign(_field(node, "name"), value) if value is not None else None


def _instance(node: Node) -> Operation | None:
    name = node.child_by_field_name("name")
    return Assign(name, _field(node, "left")) if name is not None else None


def _access(node: Node) -> Operation:
    index = _field(node, "index")
    return Member(_field(node, "array"), node_text(index) if index.type == "decimal_integer_literal" else None)


def _first(node: Node) -> Operation | None:
    parts = _listed(node)
    return Same(parts[0]) if parts else None


def _array(node: Node) -> Operation | None:
    value = node.child_by_field_name("value")
    return Same(value) if value is not None else None


def _label(node: Node) -> Operation | None:
    """``case "a"`` compares what is switched on with a constant."""
    rule = node.parent
    block = rule.parent if rule is not None else None
    switch = block.parent if block is not None else None
    subject = _listed(switch.child_by_field_name("condition")) if switch is not None else []
    given = _listed(node)
    return Compare("==", subject[0], given[0]) if subject and given else None


def _switch_value(node: Node) -> Operation | None:
    options: list[Node] = []
    for rule in _listed(node.child_by_field_name("body")):
        for part in _listed(rule):
            statements = _listed(part) if part.type == "block" else [part]
            options.extend(
                statement.named_children[0]
                for statement in statements
                if statement.type in ("expression_statement", "yield_statement") and statement.named_children
            )
    return Choice(tuple(options)) if options else None


_LOWERING: dict[str, Callable[[Node], Operation | None]] = {
    "identifier": _identifier,
    **dict.fromkeys(("string_literal", "character_literal"), _string),
    **dict.fromkeys(("decimal_integer_literal", "true", "false"), lambda node: Constant(node_text(node))),
    **dict.fromkeys(
        ("hex_integer_literal", "decimal_floating_point_literal", "null_literal", "class_literal", "method_reference"),
        lambda _node: Constant(None),
    ),
    "field_access": lambda node: Member(_field(node, "object"), node_text(node.child_by_field_name("field"))),
    "array_access": _access,
    "method_invocation": _call,
    "object_creation_expression": _creation,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": lambda node: Choice(
        (_field(node, "consequence"), _field(node, "alternative")), _field(node, "condition")
    ),
    "array_initializer": lambda node: Collect(tuple((None, child) for child in _listed(node))),
    "array_creation_expression": _array,
    "variable_declarator": _declarator,
    "assignment_expression": _assignment,
    "resource": _resource,
    "instanceof_expression": _instance,
    "cast_expression": _cast,
    "enhanced_for_statement": lambda node: Iterate(_field(node, "name"), _field(node, "value")),
    "return_statement": lambda node: Leave(_listed(node)[0] if _listed(node) else None),
    "assert_statement": lambda node: Require(_listed(node)[0]) if _listed(node) else None,
    "parenthesized_expression": _first,
    "switch_label": _label,
    "switch_expression": _switch_value,
}


def _exits(body: Node, kinds: frozenset[str] = _EXITS) -> bool:
    statements = [body] if body.type in _EXITS or body.type == "expression_statement" else body.named_children
    return any(
        statement.type in kinds
        or (statement.type == "expression_statement" and _EXIT_CALL.match(node_text(statement)[:30]) is not None)
        for statement in statements
    )


def _if_plan(node: Node) -> Plan:
    condition, consequence = _field(node, "condition"), _field(node, "consequence")
    steps: list[Visit | Bind | Branch] = [Visit(condition), Branch((consequence,), condition, _exits(consequence))]
    otherwise = node.child_by_field_name("alternative")
    if otherwise is not None:
        leaves = otherwise.type != "if_statement" and _exits(otherwise)
        steps.append(Branch((otherwise,), None, leaves))
    return Plan(tuple(steps), otherwise is not None)


def _loop_plan(node: Node) -> Plan:
    body = _field(node, "body")
    if node.type == "enhanced_for_statement":
        return Plan((Visit(_field(node, "value")), Bind(node), Branch((body,), None, exits=False)), exhaustive=False)
    before = [child for child in node.named_children if child != body]
    condition = node.child_by_field_name("condition") if node.type == "while_statement" else None
    return Plan((*map(Visit, before), Branch((body,), condition, exits=False)), exhaustive=False)


def _try_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = []
    for child in node.named_children:
        if child.type == "catch_clause":
            steps.append(Branch((child,), None, _exits(_field(child, "body"))))
        else:
            steps.append(Visit(child))
    return Plan(tuple(steps), exhaustive=False)


def _switch_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = [Visit(_field(node, "condition"))]
    exhaustive = False
    for rule in _listed(node.child_by_field_name("body")):
        labels = [child for child in rule.named_children if child.type == "switch_label"]
        parts = tuple(child for child in _listed(rule) if child.type != "switch_label")
        default = any(not child.named_children or node_text(child).startswith("default") for child in labels)
        exhaustive = exhaustive or default
        steps.extend(map(Visit, labels))
        condition = labels[0] if labels and not default else None
        leaves = any(part.type in _LEAVES or (part.type == "block" and _exits(part, _LEAVES)) for part in parts)
        steps.append(Branch(parts, condition, leaves))
    return Plan(tuple(steps), exhaustive, valued=True)


_PLANS: dict[str, Callable[[Node], Plan]] = {
    "if_statement": _if_plan,
    **dict.fromkeys(("enhanced_for_statement", "for_statement", "while_statement", "do_statement"), _loop_plan),
    **dict.fromkeys(("try_statement", "try_with_resources_statement"), _try_plan),
    "switch_expression": _switch_plan,
}


class JavaAdapter:
    """Java."""

    def operation(self, node: Node) -> Operation | None:
        """The operation of a node."""
        lower = _LOWERING.get(node.type)
        return lower(node) if lower is not None else None

    def children(self, node: Node) -> list[Node]:
        """The nodes evaluated before this one; the names of methods are none."""
        if node.type in _UNEVALUATED:
            return []
        if node.type == "method_invocation":
            parts = (node.child_by_field_name("object"), node.child_by_field_name("arguments"))
            return [part for part in parts if part is not None]
        return node.named_children

    def plan(self, node: Node) -> Plan | None:
        """How a branching statement runs."""
        make = _PLANS.get(node.type)
        return make(node) if make is not None else None

    def function(self, node: Node) -> Function | None:
        """The function that a node defines; a method without a body is none."""
        body = node.child_by_field_name("body") if node.type in _FUNCTIONS else None
        if body is None:
            return None
        implicit = node.type == "lambda_expression" and body.type != "block"
        return Function(node_text(node.child_by_field_name("name")), parameters_of(node), body, implicit)

    def callbacks(self, node: Node) -> list[tuple[Node, Node | None]]:
        """Lambdas given to a call, with the collection they run over."""
        if node.type != "method_invocation":
            return []
        given = node.child_by_field_name("arguments")
        iterating = node_text(node.child_by_field_name("name")) in _ITERATING
        items = node.child_by_field_name("object") if iterating else None
        return [(child, items) for child in _listed(given) if child.type == "lambda_expression"]

    def targets(self, node: Node) -> list[tuple[Node, str | None]]:
        """The names a target binds."""
        return [(node, None)]

    def request_field(self, owner: str, name: str) -> Level | None:
        """The level of what a request or the system gives."""
        return request_field(owner, name)

    def key(self, node: Node) -> str | None:
        """The dotted text of a name or member chain."""
        return key_of(node)

    def line(self, node: Node) -> int:
        """The first line of a node."""
        return line_of(node)
