"""The one parser stack: tree-sitter, error tolerant, memoised by language and content digest."""

from __future__ import annotations

from functools import lru_cache

from tree_sitter import Node, Tree

from devpulse.core.languages import LANGUAGES
from devpulse.core.languages.captures import nodes_of
from devpulse.core.languages.parsing import parse_within_limit
from devpulse.core.memo import Memo
from devpulse.core.symbols import Symbol
from devpulse.errors import ParseLimitReached

TREE_BYTES = 1_000_000
"""Source bytes whose trees are kept; a tree takes 20 to 40 times its text, and rules ask for the same few again."""

SYMBOL_BYTES = 8_000_000
"""Source bytes whose symbols are kept; symbols take up to twice their text."""

_trees: Memo[Tree] = Memo(TREE_BYTES)
_symbols: Memo[tuple[Symbol, ...]] = Memo(SYMBOL_BYTES)


def parse(language: str, text: str) -> Tree:
    """Parse ``text`` as ``language``; broken code gives a tree with error nodes, never an exception.

    Raises:
        KeyError: the language has no grammar here.
        ParseLimitReached: it would take far longer than a text of its size should.
    """
    source, digest = _keyed(text)
    return _trees.get((language, digest), lambda: _tree(language, source), lambda _: len(source))


def nodes_in(language: str, text: str, kinds: frozenset[str]) -> list[Node]:
    """The nodes of some kinds in a text, each before those in it.

    Raises:
        KeyError: the language has no grammar here.
        ParseLimitReached: it would take far longer than a text of its size should.
    """
    return nodes_of(parse(language, text).root_node, LANGUAGES[language].grammar(), kinds)


def symbols_of(path: str, language: str, text: str) -> tuple[Symbol, ...]:
    """The definitions in ``text``, in source order: in broken code those around the damage, none in what no parser
    gets through.

    Raises:
        KeyError: the language has no grammar here.
    """
    source, digest = _keyed(text)

    def extract() -> tuple[Symbol, ...]:
        try:
            # Rules that just parsed it left its tree; for symbols alone none is kept.
            tree = _trees.kept((language, digest)) or _tree(language, source)
            return LANGUAGES[language].extract(path, tree.root_node, source)
        except ParseLimitReached:
            return ()

    return _symbols.get((path, language, digest), extract, lambda _: len(source))


def innermost(symbols: tuple[Symbol, ...], line: int) -> Symbol | None:
    """The innermost of the symbols around a line, or ``None``. The symbols are in source order."""
    around = [symbol for symbol in symbols if symbol.start_line <= line <= symbol.end_line]
    # Of several on one line the inner ones come later.
    return max(reversed(around), key=lambda symbol: (symbol.start_line, -symbol.end_line), default=None)


def _tree(language: str, source: bytes) -> Tree:
    return parse_within_limit(LANGUAGES[language].grammar(), source)


@lru_cache(maxsize=8)
def _keyed(text: str) -> tuple[bytes, bytes]:
    """A text's bytes with their digest: rules ask for the trees of the same few texts again and again."""
    import hashlib  # noqa: PLC0415  (what searches names parses nothing, and this loads OpenSSL)

    source = text.encode("utf-8", errors="replace")
    return source, hashlib.blake2b(source, digest_size=16).digest()
