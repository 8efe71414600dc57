"""The syntax of Javascript, Typescript and TSX, lowered to operations."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.javascript_functions import parameters_of, request_field
from devpulse.core.flow.operations import (
    Abandon,
    Argument,
    Assign,
    Binary,
    Bind,
    Branch,
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
    Same,
    Template,
    Visit,
)
from devpulse.core.flow.syntax_nodes import MAX_KEY, breaks_loop, line_of, node_text
from devpulse.core.flow.values import Level

_EXITS = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_EXIT_CALL = re.compile(r"(?:process\.exit|res\.end|reply\.code)\(")
FUNCTIONS = frozenset(
    {
        "function_declaration", "function_expression", "arrow_function", "method_definition", "function",
        "generator_function_declaration", "generator_function",
    }
)  # fmt: skip
_ITERATING = frozenset(["forEach", "map", "filter", "some", "every", "find", "flatMap", "reduce", "findIndex", "then"])
_COMPARISONS = frozenset(["==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"])


def _field(node: Node, name: str) -> Node:
    """A field that valid syntax always has; the node itself in broken code, which evaluates to nothing."""
    return node.child_by_field_name(name) or node


def _text_of(node: Node) -> str:
    return "".join(
        node_text(child) for child in node.named_children if child.type in ("string_fragment", "escape_sequence")
    )


def _template(node: Node) -> Operation:
    parts: list[str | Node] = []
    position = node.start_byte + 1
    source = node.text or b""
    for child in node.named_children:
        if child.type != "template_substitution":
            continue
        before = source[position - node.start_byte : child.start_byte - node.start_byte]
        parts.append(before.decode("utf-8", errors="replace"))
        inner = child.named_children
        parts.append(inner[0] if inner else "")
        position = child.end_byte
    parts.append(source[position - node.start_byte : -1].decode("utf-8", errors="replace"))
    if all(isinstance(part, str) for part in parts):
        return Constant("".join(part for part in parts if isinstance(part, str)))
    return Template(tuple(parts))


def _call(node: Node) -> Operation:
    function = node.child_by_field_name("function") or node.child_by_field_name("constructor") or node
    arguments = node.child_by_field_name("arguments")
    receiver = function.child_by_field_name("object") if function.type == "member_expression" else None
    if arguments is None or arguments.type == "template_string":
        return Call("", receiver, ())  # a tagged template: the tag gets text and values apart
    listed = tuple(
        Argument(child, spread=child.type == "spread_element")
        for child in arguments.named_children
        if child.type != "comment"
    )
    callee = callee_text(function)
    return Call(callee, receiver, listed, like=_like_of(callee, listed))


def _like_of(callee: str, given: tuple[Argument, ...]) -> str:
    """``replace`` takes the first match only, unless its pattern is global."""
    if not callee.endswith(".replace") or not given:
        return ""
    flags = given[0].node.child_by_field_name("flags")
    return "" if "g" in node_text(flags) else "slice"


def callee_text(function: Node) -> str:
    """The dotted text of what is called; of a chain over calls only the last name, with a leading dot."""
    dotted = key_of(function)
    if dotted is not None:
        return dotted
    return "." + node_text(function.child_by_field_name("property")) if function.type == "member_expression" else ""


def key_of(node: Node) -> str | None:
    """``a.b.c`` for a name or member chain; optional chaining reads the same."""
    if node.type in ("identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"):
        return node_text(node)
    if node.type == "member_expression" and node.end_byte - node.start_byte <= MAX_KEY:
        text = node_text(node).replace("?.", ".").replace("!.", ".")
        return text if re.fullmatch(r"[\w.$#]+", text) else None
    return None


def _subscript(node: Node) -> Operation:
    index = _field(node, "index")
    if index.type == "string":
        return Member(_field(node, "object"), _text_of(index))
    return Member(_field(node, "object"), None, computed=index)


def _binary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    left, right = _field(node, "left"), _field(node, "right")
    if operator in ("&&", "||", "??"):
        return Logic(operator == "&&", left, right)
    if operator in _COMPARISONS:
        return Compare(operator, left, right)
    return Binary(operator, left, right)


def _unary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    return Not(_field(node, "argument")) if operator == "!" else Constant(None)


def _object(node: Node) -> Operation:
    items: list[tuple[str | None, Node]] = []
    for child in node.named_children:
        if child.type == "pair":
            key = _field(child, "key")
            name = (
                _text_of(key) if key.type == "string" else node_text(key) if key.type == "property_identifier" else None
            )
            items.append((name, _field(child, "value")))
        elif child.type == "shorthand_property_identifier":
            items.append((node_text(child), child))
        elif child.type != "comment":
            items.append((None, child))
    return Collect(tuple(items), open=any(key is None for key, _ in items))


def _declarator(node: Node) -> Operation | None:
    value = node.child_by_field_name("value")
    return Assign(_field(node, "name"), value) if value is not None else None


def _augmented(node: Node) -> Operation:
    return Assign(
        _field(node, "left"), _field(node, "right"), node_text(node.child_by_field_name("operator")).rstrip("=")
    )


def _first(node: Node) -> Operation | None:
    parts = [child for child in node.named_children if child.type != "comment"]
    return Same(parts[0]) if parts else None


def _import(node: Node) -> Operation:
    names: list[str] = []
    waiting = list(node.named_children)
    while waiting:
        child = waiting.pop()
        if child.type == "import_specifier":
            names.append(node_text(child.child_by_field_name("alias") or child.child_by_field_name("name")))
        elif child.type == "identifier":
            names.append(node_text(child))
        else:
            waiting.extend(child.named_children)
    return Import(tuple(names))


def _return(node: Node) -> Operation:
    return Leave(node.named_children[0] if node.named_children else None)


_LOWERING: dict[str, Callable[[Node], Operation | None]] = {
    **dict.fromkeys(("identifier", "shorthand_property_identifier"), lambda node: Name(node_text(node))),
    "string": lambda node: Constant(_text_of(node)),
    "regex": lambda node: Constant(node_text(node.child_by_field_name("pattern"))),
    "template_string": _template,
    "number": lambda node: Constant(node_text(node)),
    **dict.fromkeys(("true", "false"), lambda node: Constant(node_text(node))),
    **dict.fromkeys(("null", "undefined"), lambda _node: Constant(None)),
    "member_expression": lambda node: Member(_field(node, "object"), node_text(node.child_by_field_name("property"))),
    "subscript_expression": _subscript,
    **dict.fromkeys(("call_expression", "new_expression"), _call),
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": lambda node: Choice(
        (_field(node, "consequence"), _field(node, "alternative")), _field(node, "condition")
    ),
    "object": _object,
    "array": lambda node: Collect(
        tuple((None, child) for child in node.named_children if child.type != "comment"),
        open=any(child.type == "spread_element" for child in node.named_children),
    ),
    "variable_declarator": _declarator,
    "assignment_expression": lambda node: Assign(_field(node, "left"), _field(node, "right")),
    "augmented_assignment_expression": _augmented,
    "for_in_statement": lambda node: Iterate(_field(node, "left"), _field(node, "right")),
    "return_statement": _return,
    "throw_statement": lambda _node: Abandon(),
    **dict.fromkeys(("break_statement", "continue_statement"), lambda node: Break() if breaks_loop(node) else None),
    **dict.fromkeys(
        (
            "parenthesized_expression", "await_expression", "spread_element", "as_expression", "non_null_expression",
            "satisfies_expression",
        ),
        _first,
    ),
    "import_statement": _import,
}  # fmt: skip


def _exits(body: Node) -> bool:
    statements = body.named_children if body.type in ("statement_block", "switch_case", "switch_default") else [body]
    for statement in statements:
        if statement.type in _EXITS:
            return True
        if statement.type == "expression_statement" and _EXIT_CALL.match(node_text(statement)[:30]):
            return True
    return False


def _if_plan(node: Node) -> Plan:
    condition, consequence = _field(node, "condition"), _field(node, "consequence")
    steps: list[Visit | Bind | Branch] = [Visit(condition), Branch((consequence,), condition, _exits(consequence))]
    otherwise = node.child_by_field_name("alternative")
    if otherwise is not None:
        inner = otherwise.named_children
        steps.append(Branch((otherwise,), None, bool(inner) and _exits(inner[0])))
    return Plan(tuple(steps), otherwise is not None)


def _loop_plan(node: Node) -> Plan:
    body = _field(node, "body")
    if node.type == "for_in_statement":
        steps = (Visit(_field(node, "right")), Bind(node), Branch((body,), None, exits=False))
        return Plan(steps, exhaustive=False, loops=True)
    before = [child for child in node.named_children if child != body]
    condition = node.child_by_field_name("condition") if node.type == "while_statement" else None
    until = condition if b"break" not in (body.text or b"") else None
    branch = Branch((body,), condition, exits=False)
    return Plan((*map(Visit, before), branch), exhaustive=False, loops=True, until=until)


def _try_plan(node: Node) -> Plan:
    steps: list[Visit | Bind | Branch] = [Branch((_field(node, "body"),), None, exits=False, attempt=True)]
    last: list[Node] = []
    for child in node.named_children:
        if child.type == "catch_clause":
            steps.append(Branch((child,), None, _exits(_field(child, "body")), rescues=True))
        elif child.type == "finally_clause":
            last.append(child)
    return Plan(tuple(steps), exhaustive=True, last=tuple(last))


def _switch_plan(node: Node) -> Plan:
    cases = _field(node, "body").named_children
    value = _field(node, "value")
    branches: list[Branch] = []
    waiting: list[Node] = []  # cases that fall through to the next
    for case in cases:
        constant = case.child_by_field_name("value")
        waiting.extend([constant] if constant is not None else [])
        statements = [child for child in case.named_children if child != constant and child.type != "comment"]
        if not statements:
            continue
        exits = any(child.type in ("return_statement", "throw_statement") for child in statements)
        told = tuple(waiting) if exits or statements[-1].type == "break_statement" or case == cases[-1] else None
        branches.append(Branch((case,), None, exits, cases=() if case.type == "switch_default" else told))
        waiting = waiting if told is None else []
    subject = value if all(branch.cases is not None for branch in branches) else None
    subject = subject if not any(branch.cases == () for branch in branches[:-1]) else None
    exhaustive = any(case.type == "switch_default" for case in cases)
    return Plan((Visit(value), *branches), exhaustive, subject=subject)


_PLANS: dict[str, Callable[[Node], Plan]] = {
    "if_statement": _if_plan,
    "for_in_statement": _loop_plan,
    "for_statement": _loop_plan,
    "while_statement": _loop_plan,
    "do_statement": _loop_plan,
    "try_statement": _try_plan,
    "switch_statement": _switch_plan,
}


class JavascriptAdapter:
    """Javascript, Typescript and TSX: their grammars share these nodes."""

    def operation(self, node: Node) -> Operation | None:
        """The operation of a node."""
        lower = _LOWERING.get(node.type)
        return lower(node) if lower is not None else None

    def children(self, node: Node) -> list[Node]:
        """The nodes evaluated before this one."""
        return node.named_children

    def plan(self, node: Node) -> Plan | None:
        """How a branching statement runs."""
        make = _PLANS.get(node.type)
        return make(node) if make is not None else None

    def function(self, node: Node) -> Function | None:
        """The function that a node defines."""
        if node.type not in FUNCTIONS:
            return None
        name = node_text(node.child_by_field_name("name"))
        return Function(name, parameters_of(node), _field(node, "body"))

    def callbacks(self, node: Node) -> list[tuple[Node, Node | None]]:
        """Functions given to a call, with the collection they run over."""
        if node.type != "call_expression":
            return []
        function, arguments = _field(node, "function"), node.child_by_field_name("arguments")
        if arguments is None or arguments.type != "arguments":
            return []
        items = None
        if function.type == "member_expression" and node_text(function.child_by_field_name("property")) in _ITERATING:
            items = function.child_by_field_name("object")
        return [(child, items) for child in arguments.named_children if child.type in FUNCTIONS]

    def targets(self, node: Node) -> list[tuple[Node, str | None]]:
        """The names a target binds."""
        found: list[tuple[Node, str | None]] = []
        waiting: list[tuple[Node, str | None]] = [(node, None)]
        while waiting:
            target, name = waiting.pop()
            if target.type == "shorthand_property_identifier_pattern":
                found.append((target, node_text(target)))
            elif target.type == "pair_pattern":
                waiting.append((_field(target, "value"), node_text(target.child_by_field_name("key"))))
            elif target.type in ("object_assignment_pattern", "assignment_pattern"):
                waiting.append((_field(target, "left"), name))
            elif target.type in ("object_pattern", "array_pattern", "rest_pattern", "lexical_declaration"):
                waiting.extend((child, None) for child in reversed(target.named_children))
            else:
                found.append((target, name))
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
