"""Python."""

from __future__ import annotations

from functools import cache

from tree_sitter import Language

from devpulse.core.languages.base import LanguageSupport


@cache
def _grammar() -> Language:
    import tree_sitter_python  # noqa: PLC0415  (a grammar is loaded only when a file needs it)

    return Language(tree_sitter_python.language())


SUPPORT = LanguageSupport(name="python", extensions=(".py",), grammar=_grammar)
