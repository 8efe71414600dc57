"""C, and headers that turn out to be C++."""

from __future__ import annotations

import re
from functools import cache

from tree_sitter import Language, Node

from devpulse.core.languages import cpp
from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.c_family import FAMILY, extract_with
from devpulse.core.languages.c_imports import IMPORTS
from devpulse.core.languages.c_lines import scan
from devpulse.core.languages.parsing import parse_within_limit
from devpulse.core.symbols import Symbol

_CPP = re.compile(
    rb"^[ \t]*+(?:template[ \t]*+<|(?:inline[ \t]++)?namespace\b[^;=(){\n]*+(?:\{|\n\{)"
    rb"|class[ \t]++\w[^;=(){\n]*+(?:\{|\n[ \t]*+[{:])|using[ \t]++(?:namespace\b|\w++[ \t]*+=))",
    re.MULTILINE,
)
"""Lines that only C++ has: a header's extension does not say which of the two it is."""


@cache
def _grammar() -> Language:
    import tree_sitter_c  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_c.language())


def _parse(source: bytes) -> Node:
    return parse_within_limit(_grammar(), source).root_node


def extract(path: str, root: Node, source: bytes) -> tuple[Symbol, ...]:
    """The definitions of a C file, or of a C++ header: its text has a line that only C++ has."""
    if _CPP.search(source):
        return cpp.extract(path, cpp.parse(source), source)
    return extract_with(_parse, path, root, source)


SUPPORT = LanguageSupport(
    name="c",
    extensions=(".c", ".h"),
    grammar=_grammar,
    extract=extract,
    scan=scan,
    scan_is_complete=True,
    imports=IMPORTS,
    family=FAMILY,
)
