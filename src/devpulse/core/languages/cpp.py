"""C++."""

from __future__ import annotations

from functools import cache

from tree_sitter import Language, Node

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.c_family import FAMILY, extract_with
from devpulse.core.languages.c_imports import IMPORTS
from devpulse.core.languages.c_lines import scan
from devpulse.core.languages.parsing import parse_within_limit
from devpulse.core.symbols import Symbol


@cache
def _grammar() -> Language:
    import tree_sitter_cpp  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_cpp.language())


def parse(source: bytes) -> Node:
    """The root of the syntax tree of C++ text; see ``parse_within_limit``."""
    return parse_within_limit(_grammar(), source).root_node


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a C++ file, in source order."""
    return extract_with(parse, path, root, source)


SUPPORT = LanguageSupport(
    name="cpp",
    extensions=(".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cu", ".cuh"),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    scan_is_complete=True,
    imports=IMPORTS,
    family=FAMILY,
)
