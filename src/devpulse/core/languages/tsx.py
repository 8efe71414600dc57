"""TypeScript with JSX."""

from __future__ import annotations

from functools import cache

from tree_sitter import Language

from devpulse.core.languages.base import LanguageSupport
from devpulse.core.languages.ecmascript import FAMILY, extractor, standalone
from devpulse.core.languages.ecmascript_imports import IMPORTS
from devpulse.core.languages.ecmascript_lines import scan


@cache
def _grammar() -> Language:
    import tree_sitter_typescript  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_typescript.language_tsx())


SUPPORT = LanguageSupport(
    name="tsx",
    extensions=(".tsx",),
    grammar=_grammar,
    extract=extractor(_grammar),
    scan=scan,
    imports=IMPORTS,
    family=FAMILY,
    standalone=standalone,
)
