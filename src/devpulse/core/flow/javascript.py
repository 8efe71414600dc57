"""The syntax of Javascript, Typescript and TSX, lowered to operations."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.javascript_comparisons import method_of, of_begin, of_index
from devpulse.core.flow.javascript_functions import parameters_of, request_field
from devpulse.core.flow.javascript_handlers import answers_of, levels_at
from devpulse.core.flow.javascript_likes import like_of, page_read
from devpulse.core.flow.javascript_plans import PLANS, leaves_item, mapped_text
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
    Same,
    Template,
)
from devpulse.core.flow.syntax_nodes import MAX_KEY, breaks_loop, field_of, line_of, node_text
from devpulse.core.flow.values import Level

_REQUIRED = re.compile(r"require\(\s*['\"](?:node:)?([\w-]{1,40})['\"]\s*\)")
FUNCTIONS = frozenset(
    {
        "function_declaration", "function_expression", "arrow_function", "method_definition", "function",
        "generator_function_declaration", "generator_function",
    }
)  # fmt: skip
_NAMED_BY = {
    "variable_declarator": "name", "assignment_expression": "left", "pair": "key", "public_field_definition": "name",
    "field_definition": "property",
}  # fmt: skip
_WORD = re.compile(r"['\"`][\w.-]+['\"`]")
_LAST_NAME = re.compile(r"[\w$#]+$")
_WRAPPING = frozenset(
    {"parenthesized_expression", "as_expression", "non_null_expression", "type_assertion", "satisfies_expression"}
)
_HANDLING = re.compile(
    r"(?:^|\.)(?:ipcMain\.(?:handle|on|once|handleOnce)|(?:socket|ws|conn|peer|sock)\.on|"
    r"\w*[sS]erver\.(?:tool|registerTool|addTool|setRequestHandler)|mcp\.(?:tool|registerTool)|\w*\.action)$"
)
"""What registers a function for what others send: its parameters are not the library's."""

_ITERATING = frozenset(["forEach", "map", "filter", "some", "every", "find", "flatMap", "reduce", "findIndex", "then"])
_COMPARISONS = frozenset(["==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"])


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
    mapped = mapped_text(node) if node.type == "call_expression" else None
    if mapped is not None:
        return Collect(((None, mapped[3]),), open=True)
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
    if callee in ("request.query", "req.query") and listed and not _WORD.fullmatch(node_text(listed[0].node)[:80]):
        callee, receiver = ".query", None  # a request of mssql, which runs a statement; Hono's is given a name
    how = callee.rpartition(".")[2]
    if how in ("call", "apply") and receiver is not None and listed and ".prototype." not in callee:
        # ``exec.call(it, text)`` calls ``exec``
        callee, receiver = callee_text(receiver), receiver.child_by_field_name("object")
        listed = listed[1:] if how == "call" else tuple(Argument(item.node, spread=True) for item in listed[1:2])
    read = page_read(callee, receiver, listed)
    return Call(read, None, ()) if read else Call(callee, receiver, listed, like=like_of(callee, listed))


def callee_text(function: Node) -> str:
    """The dotted text of what is called; of a chain over calls only the last name, with a leading dot.

    What is taken out of a module where it is called is named by the module: ``require("fs").readFile``. Compilers write
    ``(0, module.name)(…)`` for a name that is imported.
    """
    if function.type == "parenthesized_expression" and function.named_child_count == 1:
        inner = function.named_children[0]
        function = inner.named_children[-1] if inner.type == "sequence_expression" else function
    dotted = key_of(function)
    if dotted is not None:
        return dotted
    if function.type == "subscript_expression":  # ``module["name"]``
        index, holder = field_of(function, "index"), key_of(field_of(function, "object"))
        return f"{holder}.{_text_of(index)}" if holder is not None and index.type == "string" else ""
    if function.type != "member_expression":
        return "import" if function.type == "import" else ""
    name, owner = node_text(function.child_by_field_name("property")), function.child_by_field_name("object")
    while owner is not None and owner.type in _WRAPPING and owner.named_children:
        owner = owner.named_children[-1 if owner.type == "type_assertion" else 0]  # ``(module as any).name``
    if owner is not None and owner.type == "ternary_expression":
        owner = field_of(owner, "consequence")  # ``(secure ? https : http).get``: they have the same functions
    required = _REQUIRED.fullmatch(node_text(owner)) if owner is not None and owner.type == "call_expression" else None
    if required is not None:
        return f"{required.group(1)}.{name}"
    return f"{(owner is not None and key_of(owner)) or ''}.{name}"


def key_of(node: Node) -> str | None:
    """``a.b.c`` for a name or member chain; optional chaining reads the same."""
    if node.type in ("identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"):
        return node_text(node)
    if node.type == "member_expression" and node.end_byte - node.start_byte <= MAX_KEY:
        text = node_text(node).replace("?.", ".").replace("!.", ".")
        return text if re.fullmatch(r"[\w.$#]+", text) else None
    return None


def _subscript(node: Node) -> Operation:
    index = field_of(node, "index")
    if index.type == "string":
        return Member(field_of(node, "object"), _text_of(index))
    return Member(field_of(node, "object"), None, computed=index)


def _binary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    left, right = field_of(node, "left"), field_of(node, "right")
    if operator in ("&&", "||", "??"):
        return Logic(operator == "&&", left, right)
    if operator in _COMPARISONS:
        kind = node_text(left.child_by_field_name("operator")) if left.type == "unary_expression" else ""
        if kind == "typeof" and right.type == "string" and _text_of(right) in ("number", "boolean", "bigint"):
            test = "is_no_number" if operator[0] == "!" else "is_number"
            return Call(test, None, (Argument(field_of(left, "argument")),))
        return of_index(operator, left, right) or of_begin(operator, left, right) or Compare(operator, left, right)
    if operator == "*" and right.type == "number":
        left, right = right, left  # of other languages the left side may be a text that is repeated
    return Binary(operator, left, right)


def _unary(node: Node) -> Operation:
    operator = node_text(node.child_by_field_name("operator"))
    if operator == "~" and method_of(field_of(node, "argument"), "indexOf") is not None:
        return Same(field_of(node, "argument"))
    return Not(field_of(node, "argument")) if operator == "!" else Constant(None)


def _object(node: Node) -> Operation:
    items: list[tuple[str | None, Node]] = []
    for child in node.named_children:
        if child.type == "pair":
            key = field_of(child, "key")
            name = (
                _text_of(key) if key.type == "string" else node_text(key) if key.type == "property_identifier" else None
            )
            items.append((name, field_of(child, "value")))
        elif child.type == "shorthand_property_identifier":
            items.append((node_text(child), child))
        elif child.type != "comment":
            items.append((None, child))
    return Collect(tuple(items), open=any(key is None for key, _ in items))


def _declarator(node: Node) -> Operation | None:
    value = node.child_by_field_name("value")
    return Assign(field_of(node, "name"), value) if value is not None else None


def _augmented(node: Node) -> Operation:
    return Assign(
        field_of(node, "left"), field_of(node, "right"), node_text(node.child_by_field_name("operator")).rstrip("=")
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


def _attribute(node: Node) -> Operation | None:
    """``dangerouslySetInnerHTML={{ __html: value }}`` sets a part of the page, as ``innerHTML`` does."""
    named = node.named_children
    if len(named) != 2 or node_text(named[0]) != "dangerouslySetInnerHTML":
        return None
    table = named[1].named_children[0] if named[1].type == "jsx_expression" and named[1].named_children else None
    for pair in table.named_children if table is not None and table.type == "object" else ():
        if pair.type == "pair" and node_text(pair.child_by_field_name("key")).strip("'\"") == "__html":
            return Call("dangerouslySetInnerHTML", None, (Argument(field_of(pair, "value")),))
    return None


def _return(node: Node) -> Operation:
    if leaves_item(node):
        return Break()
    return Leave(node.named_children[0] if node.named_children else None)


_LOWERING: dict[str, Callable[[Node], Operation | None]] = {
    **dict.fromkeys(("identifier", "shorthand_property_identifier"), lambda node: Name(node_text(node))),
    "string": lambda node: Constant(_text_of(node)),
    "regex": lambda node: Constant(node_text(node.child_by_field_name("pattern"))),
    "template_string": _template,
    "number": lambda node: Constant(node_text(node)),
    **dict.fromkeys(("true", "false"), lambda node: Constant(node_text(node))),
    **dict.fromkeys(("null", "undefined"), lambda _node: Constant(None)),
    "member_expression": lambda node: Member(field_of(node, "object"), node_text(node.child_by_field_name("property"))),
    "subscript_expression": _subscript,
    **dict.fromkeys(("call_expression", "new_expression"), _call),
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": lambda node: Choice(
        (field_of(node, "consequence"), field_of(node, "alternative")), field_of(node, "condition")
    ),
    "object": _object,
    "array": lambda node: Collect(
        tuple((None, child) for child in node.named_children if child.type != "comment"),
        open=any(child.type == "spread_element" for child in node.named_children),
    ),
    "variable_declarator": _declarator,
    "assignment_expression": lambda node: Assign(field_of(node, "left"), field_of(node, "right")),
    "augmented_assignment_expression": _augmented,
    "for_in_statement": lambda node: Iterate(field_of(node, "left"), field_of(node, "right")),
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
    "jsx_attribute": _attribute,
}  # fmt: skip


def _name_of(function: Node) -> str:
    """A function's own name, or that of what it is put into: a variable, a field, a member."""
    name, around = function.child_by_field_name("name"), function.parent
    if name is None and around is not None and around.type in _NAMED_BY:
        holder = around.child_by_field_name(_NAMED_BY[around.type])
        match = _LAST_NAME.search(node_text(holder)[-MAX_KEY:])
        return match.group() if match is not None else ""
    return node_text(name)


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
        make = PLANS.get(node.type)
        return make(node) if make is not None else None

    def function(self, node: Node) -> Function | None:
        """The function that a node defines."""
        if node.type not in FUNCTIONS:
            return None
        name = _name_of(node)
        return Function(name, parameters_of(node), field_of(node, "body"), answers=answers_of(node, name))

    def callbacks(self, node: Node) -> list[tuple[Node, Node | None]]:
        """Functions given to a call, with the collection they run over."""
        if node.type != "call_expression":
            return []
        function, arguments = field_of(node, "function"), node.child_by_field_name("arguments")
        if arguments is None or arguments.type != "arguments":
            return []
        items = None
        if _HANDLING.search(callee_text(function)) or levels_at(node):
            return []
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
                waiting.append((field_of(target, "value"), node_text(target.child_by_field_name("key"))))
            elif target.type in ("object_assignment_pattern", "assignment_pattern"):
                waiting.append((field_of(target, "left"), name))
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
