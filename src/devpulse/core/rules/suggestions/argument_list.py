"""A command line that Python hands to a shell becomes an argument list (https://docs.python.org/3/library/subprocess.html)."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of
from devpulse.core.imports import imported_callee, imported_names
from devpulse.core.rules.suggestions.built_texts import words
from devpulse.core.rules.suggestions.editing import Edit, has_comment, nodes_of, only, replaced_lines
from devpulse.core.rules.suggestions.python_texts import expression, parts_of_text
from devpulse.core.source import Source

_RUNNERS = frozenset(f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen"))
_SHELL = frozenset({"shell=True", "shell = True"})


def suggest(source: Source, hit: Hit) -> str | None:
    """The lines with each word of the command as an argument of its own, and no shell."""
    calls = nodes_of(source, hit, "call")
    return only([text for call in calls if (text := _listed(source, hit, call)) is not None])


def _listed(source: Source, hit: Hit, call: Node) -> str | None:
    callee = imported_callee(source.language, source.text, node_text(field_of(call, "function")))
    arguments = parts_of(call.child_by_field_name("arguments"))
    if not arguments or has_comment(call):
        return None
    line = _argument_list(arguments[0])
    if line is None:
        return None
    if callee in _RUNNERS:
        return _without_shell(source, hit, call, line)
    module = _module(source)
    alone = call.parent is not None and call.parent.type == "expression_statement"
    if callee == "os.system" and len(arguments) == 1 and alone and module is not None:
        return replaced_lines(source, hit, [Edit(call, f"{module}.run({line}, check=False)")])
    return None


def _module(source: Source) -> str | None:
    names = imported_names(source.language, source.text)
    return next((bound for bound, known in names.items() if (known.module, known.name) == ("subprocess", "")), None)


def _argument_list(node: Node) -> str | None:
    parts = parts_of_text(node)
    found = words(parts) if parts is not None else None
    items = [expression(word, text=True) for word in found] if found is not None else []
    if not items or None in items:
        return None
    return f"[{', '.join(item for item in items if item is not None)}]"


def _without_shell(source: Source, hit: Hit, call: Node, line: str) -> str | None:
    arguments = parts_of(call.child_by_field_name("arguments"))
    shells = [argument for argument in arguments[1:] if node_text(argument) in _SHELL]
    if len(shells) != 1 or any(argument.type != "keyword_argument" for argument in arguments[1:]):
        return None
    if any(node_text(argument.child_by_field_name("name")) == "executable" for argument in arguments[1:]):
        return None
    kept = [line, *(node_text(argument) for argument in arguments[1:] if argument not in shells)]
    text = f"{node_text(field_of(call, 'function'))}({', '.join(kept)})"
    return replaced_lines(source, hit, [Edit(call, text)])
