"""The one parser stack: tree-sitter, error tolerant, memoised by language and text."""

from __future__ import annotations

from functools import lru_cache

from tree_sitter import Parser, Tree

from devpulse.core.languages import LANGUAGES

MEMO_TREES = 64
"""Trees kept; a tree takes several times its text, and rules ask for the same few again and again."""


@lru_cache(maxsize=MEMO_TREES)
def parse(language: str, text: str) -> Tree:
    """Parse ``text`` as ``language``; broken code gives a tree with error nodes, never an exception.

    Raises:
        KeyError: the language has no grammar here.
    """
    # A parser must not be shared between threads; making one costs microseconds.
    return Parser(LANGUAGES[language].grammar()).parse(text.encode("utf-8", errors="replace"))
