"""``yaml.load`` with a loader that makes objects becomes ``yaml.safe_load`` (https://pyyaml.org/wiki/PyYAMLDocumentation)."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of
from devpulse.core.imports import imported_names
from devpulse.core.rules.suggestions.editing import Edit, has_comment, nodes_of, only, replaced_lines
from devpulse.core.source import Source

_SAFE = {
    "load": "safe_load",
    "unsafe_load": "safe_load",
    "full_load": "safe_load",
    "load_all": "safe_load_all",
    "unsafe_load_all": "safe_load_all",
}
_LOADERS = frozenset({"Loader", "FullLoader", "UnsafeLoader", "CLoader", "CFullLoader", "CUnsafeLoader"})


def suggest(source: Source, hit: Hit) -> str | None:
    """The lines with the safe loader of the same module."""
    calls = list(nodes_of(source, hit, "call"))
    rewritten = [text for call in calls if (text := _safe(source, hit, call)) is not None]
    return only(rewritten)


def _safe(source: Source, hit: Hit, call: Node) -> str | None:
    function, arguments = field_of(call, "function"), field_of(call, "arguments")
    module, _, name = node_text(function).rpartition(".")
    given = parts_of(arguments)
    known = imported_names(source.language, source.text).get(module)
    if name not in _SAFE or (module != "yaml" and known is None) or has_comment(call):
        return None
    if known is not None and (known.module, known.name) != ("yaml", ""):
        return None
    if not given or given[0].type in ("keyword_argument", "list_splat") or not all(map(_is_loader, given[1:])):
        return None
    text = f"{module}.{_SAFE[name]}({node_text(given[0])})"
    return replaced_lines(source, hit, [Edit(call, text)])


def _is_loader(argument: Node) -> bool:
    value = argument.child_by_field_name("value") if argument.type == "keyword_argument" else argument
    named = argument.type != "keyword_argument" or node_text(argument.child_by_field_name("name")) == "Loader"
    return named and node_text(value).rpartition(".")[2] in _LOADERS
