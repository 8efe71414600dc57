"""Names in code that are not what they read as: letters of another script in them that look like Latin ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from devpulse.core.lazy_pattern import lazy
from devpulse.core.lookalikes import is_latin, looks_latin, skeleton
from devpulse.core.syntax import parse
from devpulse.core.text import split_lines
from devpulse.errors import ParseLimitReached

_WORD = lazy(r"\w+")
_ASCII_NAME = lazy(r"[A-Za-z_]\w+", re.ASCII)
_PARTS = lazy(r"[\W\d_]+")
_QUOTED = lazy(r"""(["'`]).*?\1""")
_REMARK = lazy(r"(?:#|//|--|;).*")
_LITERALS = ("comment", "string", "text", "template", "character", "heredoc", "regex", "char_literal")
_MOST = 500
"""Words looked up in the tree of a file; one with more of them is written in another script."""

CODE_EXTENSIONS = frozenset(
    {
        "awk", "bash", "bat", "clj", "cljs", "cmake", "dart", "erl", "ex", "exs", "f90", "fish", "fs", "gradle",
        "graphql", "groovy", "hs", "jl", "lua", "m", "mm", "ml", "nim", "nix", "pas", "pl", "pm", "proto", "ps1",
        "psm1", "r", "rego", "sc", "scala", "sh", "sol", "sql", "svelte", "swift", "tcl", "tf", "v", "vb", "vue",
        "zig", "zsh",
    }
)  # fmt: skip
"""Files of code without a grammar here, judged line by line."""


def disguised_lines(text: str, language: str | None, extension: str) -> Iterator[int]:
    """The lines, from 1, with a name that reads as another; ``extension`` is that of the file, without the dot."""
    if text.isascii() or (language is None and extension not in CODE_EXTENSIONS):
        return
    lines = split_lines(text)
    words = {
        (number, match.start(), match[0])
        for number, line in enumerate(lines, 1)
        if not line.isascii()
        for match in _WORD.finditer(line)
        if not match[0].isascii()
    }
    suspects = sorted(word for word in words if skeleton(word[2]) != word[2] and word[2].isidentifier())
    if suspects:
        names = set(_ASCII_NAME.findall(text))
        found = [word for word in suspects if _is_disguised(word[2], names, folds=language == "python")]
        yield from sorted({number for number, _, _ in _in_code(found[:_MOST], text, lines, language)})


def is_disguised_path(path: str) -> bool:
    """Whether a part of a file's name mixes Latin letters with look-alikes of them."""
    return not path.isascii() and any(map(_mixes, _PARTS.split(path)))


def _is_disguised(word: str, names: set[str], *, folds: bool) -> bool:
    if any(map(_mixes, _PARTS.split(word))):
        return True
    read_as = skeleton(word)
    if not read_as.isascii() or len(read_as) < 2:
        return False
    # Python itself takes compatibility letters for the plain ones, which no search for the plain name finds.
    return read_as in names or (folds and unicodedata.normalize("NFKC", word).isascii())


def _mixes(part: str) -> bool:
    """Whether all that keeps a part of a name from being Latin are letters that look Latin."""
    latin = sum(map(is_latin, part))
    others = [character for character in part if character.isalpha() and not is_latin(character)]
    return bool(latin and others) and all(looks_latin(character, loosely=latin >= 3) for character in others)


def _in_code(
    words: Iterable[tuple[int, int, str]], text: str, lines: list[str], language: str | None
) -> Iterator[tuple[int, int, str]]:
    """The words that stand neither in a comment nor in a string."""
    words = list(words)
    root = _root(text, language) if words else None
    for number, column, word in words:
        if root is None:
            bare = _REMARK.sub("", _QUOTED.sub(lambda quoted: " " * len(quoted[0]), lines[number - 1]))
            if bare[column : column + len(word)] == word:
                yield number, column, word
        elif _is_name(root, (number - 1, len(lines[number - 1][:column].encode("utf-8", "replace")))):
            yield number, column, word


def _root(text: str, language: str | None) -> Node | None:
    if language is None:
        return None
    try:
        return parse(language, text).root_node
    except ParseLimitReached:
        return None


def _is_name(root: Node, point: tuple[int, int]) -> bool:
    node = root.descendant_for_point_range(point, point)
    while node is not None:
        if node.type in ("interpolation", "template_substitution", "string_interpolation"):
            return True
        if node.type.endswith(("string", "comment", "content", "fragment", "literal")) or node.type in _LITERALS:
            return False
        node = node.parent
    return True
