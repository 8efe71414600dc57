"""Java's syntax, lowered to operations."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.java_functions import (
    CHANGING,
    HARMLESS,
    SHIFTED,
    answers_of,
    like_of,
    parameters_of,
    request_field,
)
from devpulse.core.flow.java_plans import PLANS
from devpulse.core.flow.operations import (
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
)
from devpulse.core.flow.syntax_nodes import MAX_KEY, breaks_loop, field_of, line_of, node_text, parts_of
from devpulse.core.flow.tables import words
from devpulse.core.flow.values import Level

_FUNCTIONS = frozenset(
    {"method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression"}
)
_UNEVALUATED = frozenset({"modifiers", "import_declaration", "package_declaration", "annotation", "marker_annotation"})
_ITERATING = frozenset(
    words("""forEach map filter flatMap anyMatch allMatch noneMatch mapToObj ifPresent ifPresentOrElse peek removeIf
    takeWhile dropWhile reduce mapToInt sorted thenApply thenAccept doOnNext subscribe""")
)
_ESCAPERS = re.compile(r"(?:[\w.]{1,60}\.)?((?:Html|Xml|Url)Escapers)\.\w{1,40}\(\)$")
"""Guava's escapers, each by the class that makes them."""

_COMPARISONS = frozenset(["==", "!=", "<", ">", "<=", ">="])
_COLLECTIONS = frozenset(
    {"List.of", "Set.of", "Arrays.asList", "Stream.of", "ImmutableList.of", "ImmutableSet.of", "Collections.singleton"}
)
_SEPARATOR = re.compile(
    r"(?<![\w.])(?:java\.io\.)?File\.separator(?:Char)?$|(?:^|[._])(?:FILE|PATH|FOLDER|DIR)_SEPARATOR$"
)
_CLASS_NAME = re.compile(r"[A-Z]\w*[a-z]\w*")
_LAST_PART = re.compile(
    r"\.lastIndexOf\(\s*(?:[\"']\.[\"']|(?:[\"'](?:/|\\\\)[\"']|(?:File\.)?separator(?:Char)?)\s*\)\s*\+)"
)
_SEARCHED = re.compile(r"(\w+)\.lastIndexOf\(")
_NUMBERS = frozenset({"integral_type", "floating_point_type", "boolean_type"})
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\'": "'", '\\"': '"', "\\\\": "\\", "\\\n": ""}
_OUTPUTS = {"read": 0, "readFully": 0, "populate": 0, "arraycopy": 2, "copyProperties": 1}
"""Methods that write to one of their arguments, by its position."""


def _string(node: Node) -> Operation:
    parts = (
        re.sub(r"\\(?:\n|.)", lambda match: _ESCAPES.get(match.group(), match.group()), node_text(child))
        for child in node.named_children
    )
    return Constant("".join(parts))


def _field(node: Node) -> Operation:
    """``File.separator`` is what stands between the names of a path."""
    if _SEPARATOR.search(node_text(node)[-MAX_KEY:]):
        return Constant("/")
    return Member(field_of(node, "object"), node_text(node.child_by_field_name("field")))


def _identifier(node: Node) -> Operation | None:
    name = node_text(node)
    if _SEPARATOR.search(name):
        return Constant("/")
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
    given = parts_of(node.child_by_field_name("arguments"))
    escapers = _ESCAPERS.match(node_text(owner)[:MAX_KEY]) if callee == ".escape" else None
    if escapers is not None:  # of Guava: ``HtmlEscapers.htmlEscaper().escape(text)``
        callee, owner = f"{escapers[1]}.escape", None
    matching = _matching(callee, owner) if owner is not None and name == "matches" and not given else None
    if matching is not None:
        return matching
    if callee in _COLLECTIONS:
        return Collect(tuple((None, item) for item in given))
    if callee in ("Map.of", "ImmutableMap.of"):
        return Collect(tuple((_constant(key), value) for key, value in zip(given[::2], given[1::2], strict=False)))
    static = owner is not None and owner.type == "identifier" and _CLASS_NAME.fullmatch(node_text(owner)) is not None
    shifted = SHIFTED.get(callee, "")
    like = shifted or ("basename" if _cuts_off(name, owner, given) else like_of(callee, len(given)))
    position = _OUTPUTS.get(name)
    return Call(
        callee,
        None if static else owner,
        tuple(map(Argument, given)),
        like=like,
        subject=given[0] if shifted and given else None,
        changes=like in CHANGING and not static,
        outputs=(given[position],) if position is not None and position < len(given) else (),
    )


def _cuts_off(name: str, owner: Node | None, given: list[Node]) -> bool:
    """``name.substring(name.lastIndexOf("."))``, which leaves the ending, or what stands behind the last slash; where
    another variable is searched the cut may be anywhere.
    """
    if name != "substring" or len(given) != 1:
        return False
    place = node_text(given[0])[:MAX_KEY]
    searched = _SEARCHED.match(place)
    if searched is not None and owner is not None and owner.type == "identifier" and searched[1] != node_text(owner):
        return False
    return _LAST_PART.search(place) is not None


def _matching(callee: str, matcher: Node) -> Operation | None:
    """``pattern.matcher(text).matches()`` is a test of the text with the pattern."""
    pattern, given = matcher.child_by_field_name("object"), parts_of(matcher.child_by_field_name("arguments"))
    if pattern is None or not given or node_text(matcher.child_by_field_name("name")) != "matcher":
        return None
    return Call(callee, pattern, (Argument(given[0]),), like="fullmatch")


def _creation(node: Node) -> Operation:
    """The callee of ``new java.io.File(…)`` is ``File``."""
    kind = field_of(node, "type")
    if kind.type == "generic_type" and kind.named_children:
        kind = kind.named_children[0]
    if kind.type == "scoped_type_identifier" and kind.named_children:
        kind = kind.named_children[-1]
    name = node_text(kind) if kind != node else ""
    given = parts_of(node.child_by_field_name("arguments"))
    like = like_of(name, len(given))
    if like == "append_text":  # the first number is a capacity
        given = [item for item in given if item.type != "decimal_integer_literal"]
    return Call(name, None, tuple(map(Argument, given)), like=like)


def _constant(node: Node) -> str | None:
    operation = _string(node) if node.type == "string_literal" else None
    return operation.text if isinstance(operation, Constant) else None


def _binary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    left, right = field_of(node, "left"), field_of(node, "right")
    if operator in ("&&", "||"):
        return Logic(operator == "&&", left, right)
    sought = _sought(left) if operator in _COMPARISONS else None
    if sought is not None:
        return Compare("not in" if operator in ("==", "<") else "in", *sought)
    return Compare(operator, left, right) if operator in _COMPARISONS else Binary(operator, left, right)


def _sought(node: Node) -> tuple[Node, Node] | None:
    """``name.indexOf("..")``, whose comparison with a number asks whether the text is in there."""
    if node.type != "method_invocation" or node_text(node.child_by_field_name("name")) != "indexOf":
        return None
    owner, given = node.child_by_field_name("object"), parts_of(node.child_by_field_name("arguments"))
    return (given[0], owner) if owner is not None and len(given) == 1 else None


def _unary(node: Node) -> Operation:
    return Not(field_of(node, "operand")) if node_text(node.child_by_field_name("operator")) == "!" else Constant(None)


def _cast(node: Node) -> Operation:
    numeric = field_of(node, "type").type in _NUMBERS or HARMLESS.match(node_text(node.child_by_field_name("type")))
    return Constant(None) if numeric else Same(field_of(node, "value"))


def _declarator(node: Node) -> Operation | None:
    value, around = node.child_by_field_name("value"), node.parent
    if value is None:
        return None
    kind = around.child_by_field_name("type") if around is not None else None
    if kind is not None and HARMLESS.match(node_text(kind)[:MAX_KEY]):
        return Assign(field_of(node, "name"), kind)  # whatever is put in, it is a number
    return Assign(field_of(node, "name"), value)


def _assignment(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator")).rstrip("=")
    return Assign(field_of(node, "left"), field_of(node, "right"), operator)


def _resource(node: Node) -> Operation | None:
    value = node.child_by_field_name("value")
    return Assign(field_of(node, "name"), value) if value is not None else None


def _instance(node: Node) -> Operation | None:
    name = node.child_by_field_name("name")
    return Assign(name, field_of(node, "left")) if name is not None else None


def _access(node: Node) -> Operation:
    index = field_of(node, "index")
    return Member(field_of(node, "array"), node_text(index) if index.type == "decimal_integer_literal" else None)


def _first(node: Node) -> Operation | None:
    parts = parts_of(node)
    return Same(parts[0]) if parts else None


def _array(node: Node) -> Operation | None:
    value = node.child_by_field_name("value")
    return Same(value) if value is not None else None


def _label(node: Node) -> Operation | None:
    """``case "a"`` compares what is switched on with a constant."""
    rule = node.parent
    block = rule.parent if rule is not None else None
    switch = block.parent if block is not None else None
    subject = parts_of(switch.child_by_field_name("condition")) if switch is not None else []
    given = parts_of(node)
    return Compare("==", subject[0], given[0]) if subject and given else None


def _switch_value(node: Node) -> Operation | None:
    options: list[Node] = []
    for rule in parts_of(node.child_by_field_name("body")):
        for part in parts_of(rule):
            statements = parts_of(part) if part.type == "block" else [part]
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
    "field_access": _field,
    "array_access": _access,
    "method_invocation": _call,
    "object_creation_expression": _creation,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": lambda node: Choice(
        (field_of(node, "consequence"), field_of(node, "alternative")), field_of(node, "condition")
    ),
    "array_initializer": lambda node: Collect(tuple((None, child) for child in parts_of(node))),
    "array_creation_expression": _array,
    "variable_declarator": _declarator,
    "assignment_expression": _assignment,
    "resource": _resource,
    "instanceof_expression": _instance,
    "cast_expression": _cast,
    "enhanced_for_statement": lambda node: Iterate(field_of(node, "name"), field_of(node, "value")),
    "return_statement": lambda node: Leave(parts_of(node)[0] if parts_of(node) else None),
    **dict.fromkeys(("break_statement", "continue_statement"), lambda node: Break() if breaks_loop(node) else None),
    "assert_statement": lambda node: Require(parts_of(node)[0]) if parts_of(node) else None,
    "parenthesized_expression": _first,
    "switch_label": _label,
    "switch_expression": _switch_value,
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
        make = PLANS.get(node.type)
        return make(node) if make is not None else None

    def function(self, node: Node) -> Function | None:
        """The function that a node defines; a method without a body is none."""
        body = node.child_by_field_name("body") if node.type in _FUNCTIONS else None
        if body is None:
            return None
        implicit = node.type == "lambda_expression" and body.type != "block"
        name = node_text(node.child_by_field_name("name"))
        return Function(name, parameters_of(node), body, implicit, answers_of(node))

    def callbacks(self, node: Node) -> list[tuple[Node, Node | None]]:
        """Lambdas given to a call, with the collection they run over."""
        if node.type != "method_invocation":
            return []
        given = node.child_by_field_name("arguments")
        iterating = node_text(node.child_by_field_name("name")) in _ITERATING
        items = node.child_by_field_name("object") if iterating else None
        return [(child, items) for child in parts_of(given) if child.type == "lambda_expression"]

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
