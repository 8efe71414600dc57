"""Calls of PHP: functions, methods, objects made, and the statements that act like calls."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.operations import Argument, Call, Constant, Name, Operation
from devpulse.core.flow.php_functions import FOR_QUOTES, OUTPUTS, like
from devpulse.core.flow.php_special import SPECIAL
from devpulse.core.flow.php_texts import constant_text, key_of, text_parts
from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.languages.php_words import OWN_FUNCTIONS

FUNCTIONS = frozenset({"function_definition", "method_declaration", "anonymous_function", "arrow_function"})
METHOD_CALLS = frozenset({"member_call_expression", "nullsafe_member_call_expression"})
_INTRINSICS = {
    "print_intrinsic": "print",
    "include_expression": "include",
    "include_once_expression": "include_once",
    "require_expression": "require",
    "require_once_expression": "require_once",
}
CALLS = frozenset(
    {"function_call_expression", "scoped_call_expression", "object_creation_expression", "shell_command_expression"}
    | METHOD_CALLS
    | set(_INTRINSICS)
)
COLLECTIONS = frozenset(
    {"array_map", "array_filter", "array_walk", "array_reduce", "usort", "uasort", "iterator_apply"}
)
"""Functions that run a callback over the items of an argument."""

ITERATING = frozenset(
    {"map", "each", "filter", "reject", "flatMap", "first", "sortBy", "groupBy", "reduce", "pipe", "tap"}
)
"""Methods that run a callback over the items of their object."""

_NUMERIC_CASTS = frozenset({"int", "integer", "float", "double", "bool", "boolean"})
_NUMERIC_INPUT = re.compile(r"\b(?:INPUT|PARAM)_(?:INT|FLOAT|BOOL|INTEGER)$")
_SENT = re.compile(r"INPUT_(?:GET|POST|COOKIE|REQUEST)$")
"""What a program's own method that reads input like ``filter_input`` is given first."""

_SUBJECTS = {"str_starts_with": 0, "strpos": 0, "stripos": 0, "mb_strpos": 0, "str_ends_with": 0, "preg_match": 1}
"""Functions that test a text, with the position of the text."""


def call_of(node: Node) -> Operation | None:
    """The operation of a call; some are conditions or sources."""
    if node.type == "shell_command_expression":
        return Call("shell_exec", None, (Argument(node.children[-1]),))
    callee, arguments = call_parts(node)
    if node.type in _INTRINSICS:
        return Call(callee, None, arguments)
    special = (_special if node.type == "function_call_expression" else _reader)(callee, arguments)
    if special is not None:
        return special
    called = _called_by(node)
    if called is not None:
        return Call("variable_call", _receiver(node, callee), (*arguments, Argument(called, "called")))
    output, subject = OUTPUTS.get(callee), _SUBJECTS.get(callee)
    return Call(
        callee,
        _receiver(node, callee),
        arguments,
        like(callee),
        arguments[output].node if output is not None and output < len(arguments) else None,
        arguments[subject].node if subject is not None and subject < len(arguments) else None,
    )


def call_parts(node: Node) -> tuple[str, tuple[Argument, ...]]:
    """The callee's dotted text and the arguments."""
    if node.type in _INTRINSICS:
        return _INTRINSICS[node.type], _listed(node)
    if node.type == "object_creation_expression":
        made = next((child for child in node.named_children if child.type != "comment"), node)
        listed = next((child for child in node.named_children if child.type == "arguments"), None)
        return (key_of(made) or "") if made.type != "anonymous_class" else "", _listed(listed)
    arguments = _listed(node.child_by_field_name("arguments"))
    if node.type == "function_call_expression":
        name = key_of(node.child_by_field_name("function") or node) or ""
        own = name.lower() if name.lower() in OWN_FUNCTIONS else name
        return "exit" if own == "die" else own, arguments
    owner = node.child_by_field_name("object") or node.child_by_field_name("scope")
    name = node_text(node.child_by_field_name("name"))
    dotted = ((key_of(owner) if owner is not None else None) or "").lstrip("$")
    return f"{'self' if dotted == 'static' else dotted}.{name}", arguments


def _receiver(node: Node, callee: str) -> Node | None:
    """What a method is called on; for a call by a variable that variable."""
    if node.type == "object_creation_expression":
        made = node.named_children[0] if node.named_children else None
        return made if made is not None and callee.startswith("$") else None
    if node.type == "function_call_expression":
        function = node.child_by_field_name("function")
        return function if function is not None and function.type not in ("name", "qualified_name") else None
    return node.child_by_field_name("object") or node.child_by_field_name("scope")


def _called_by(node: Node) -> Node | None:
    """The variable that names the method or class: ``$object->$method()``, ``new $class()``."""
    if node.type == "object_creation_expression":
        made = next((child for child in node.named_children if child.type != "comment"), None)
    else:
        made = node.child_by_field_name("name") if node.type in METHOD_CALLS else None
    return made if made is not None and made.type == "variable_name" else None


def _reader(_callee: str, arguments: tuple[Argument, ...]) -> Operation | None:
    """A method that reads input by a filter or as a number."""
    if arguments and _NUMERIC_INPUT.search(node_text(arguments[-1].node)):
        return Constant(None)
    if arguments and _SENT.match(node_text(arguments[0].node)):
        return SPECIAL["filter_input"]("filter_input", arguments) or Name("filter_input")
    return None


def _special(callee: str, arguments: tuple[Argument, ...]) -> Operation | None:
    if callee == "array_map" and len(arguments) == 2:
        callback, items = arguments[0].node, arguments[1].node
        return Call(callee, None, arguments, _like_callback(callback), subject=items)
    lower = SPECIAL.get(callee)
    return lower(callee, arguments) if lower is not None and arguments else None


def _like_callback(callback: Node) -> str:
    """What a function that is given by its name, or whose body is a single call or cast, does to each item."""
    body = callback.child_by_field_name("body") if callback.type == "arrow_function" else None
    if body is not None and body.type == "cast_expression":
        return "int" if node_text(body.child_by_field_name("type")).lower() in _NUMERIC_CASTS else "list"
    name = call_parts(body)[0] if body is not None and body.type in CALLS else constant_text(callback) or ""
    known = "escape_string" if name.rpartition(".")[2] in FOR_QUOTES else like(name)
    return known if known not in ("", "str") else "strip"


def _listed(holder: Node | None) -> tuple[Argument, ...]:
    found: list[Argument] = []
    for child in holder.named_children if holder is not None else []:
        if child.type == "argument":
            parts = [part for part in child.named_children if part.type not in ("comment", "reference_modifier")]
            keyword = node_text(child.child_by_field_name("name")) or None
            if parts:
                found.append(Argument(parts[-1], keyword))
        elif child.type not in ("comment", "variadic_placeholder"):
            found.append(Argument(child))
    return tuple(found)


def statement_call(node: Node) -> Operation:
    """``echo $a, $b;`` and ``exit($a);``."""
    found: list[Argument] = []
    waiting = [child for child in reversed(node.named_children) if child.type != "comment"]
    while waiting:
        current = waiting.pop()
        if current.type == "sequence_expression":
            waiting.extend(reversed(current.named_children))
        else:
            found.append(Argument(current))
    return Call("echo" if node.type == "echo_statement" else "exit", None, tuple(found))


def echoes_next(node: Node) -> bool:
    """Whether a tag, or the HTML that ends with it, prints the expression behind it."""
    if node.type == "text_interpolation" and node.children:
        node = node.children[-1]
    return node.type == "php_tag" and node_text(node) == "<?="


def echoed(node: Node) -> list[Node]:
    """What is printed by a tag or by HTML that ends with one: ``<?= $a ?>``."""
    statement = node.next_named_sibling if echoes_next(node) else None
    if statement is None or statement.type != "expression_statement":
        return []
    return [child for child in statement.named_children if child.type != "comment"]


def echo_of(node: Node) -> Operation | None:
    """A tag that prints is a call."""
    printed = echoed(node)
    return Call("echo", None, tuple(map(Argument, printed))) if printed else None


def shell_text(node: Node) -> tuple[str | Node, ...]:
    """The command between backticks, by the closing one."""
    command = node.parent
    inside = command is not None and command.type == "shell_command_expression"
    return tuple(text_parts(command)) if inside and command is not None else ()
