"""A command line that Node hands to a shell becomes a program with arguments
(https://nodejs.org/api/child_process.html#child_processexecfilefile-args-options-callback).
"""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of
from devpulse.core.imports import imported_names
from devpulse.core.rules.suggestions.built_texts import words
from devpulse.core.rules.suggestions.editing import Edit, has_comment, nodes_of, only, replaced_lines
from devpulse.core.rules.suggestions.javascript_texts import expression, parts_of_text
from devpulse.core.source import Source

_MODULE = "child_process"
_WITHOUT_SHELL = {"exec": "execFile", "execSync": "execFileSync"}


def suggest(source: Source, hit: Hit) -> str | None:
    """The lines with ``execFile`` or ``execFileSync``, which the module or the file's imports must already offer."""
    calls = nodes_of(source, hit, "call_expression")
    return only([text for call in calls if (text := _listed(source, hit, call)) is not None])


def _listed(source: Source, hit: Hit, call: Node) -> str | None:
    function = field_of(call, "function")
    arguments = parts_of(call.child_by_field_name("arguments"))
    name = _function(source, node_text(function))
    if name is None or not arguments or has_comment(arguments[0]):
        return None
    if any("shell" in node_text(argument) for argument in arguments[1:]):
        return None
    parts = parts_of_text(arguments[0])
    found = words(parts) if parts is not None else None
    items = [expression(word, text=True) for word in found] if found is not None else []
    if not items or None in items:
        return None
    program, *rest = (item for item in items if item is not None)
    edits = [Edit(function, name), Edit(arguments[0], f"{program}, [{', '.join(rest)}]")]
    return replaced_lines(source, hit, edits)


def _function(source: Source, callee: str) -> str | None:
    """The name under which a file has the function that runs the same without a shell."""
    names = imported_names(source.language, source.text)
    owner, dot, method = callee.rpartition(".")
    known = names.get(owner or method)
    if known is None or known.module != _MODULE:
        return None
    if dot:
        return f"{owner}.{_WITHOUT_SHELL[method]}" if not known.name and method in _WITHOUT_SHELL else None
    wanted = (_MODULE, _WITHOUT_SHELL.get(known.name))
    return next((bound for bound, other in names.items() if (other.module, other.name) == wanted), None)
