"""Code that was cut out of a file, or is half written: read as what it would be with its begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.syntax import parse

MAX_FRAGMENT = 20_000
"""Characters of a broken text that is tried again with an end; larger ones are files, not fragments."""

MAX_MISSING = 4
_PHP_CODE = re.compile(r"\$\w|\bfunction\b")


def root_of(language: str, text: str) -> Node:
    """The syntax tree of a text; lines are those of the text.

    Raises:
        ParseLimitReached: it would take far longer than a text of its size should.
    """
    begun = f"<?php {text}" if language == "php" and "<?" not in text and _PHP_CODE.search(text) else text
    root = parse(language, begun).root_node
    if root.has_error and len(text) <= MAX_FRAGMENT:
        for whole in _completions(language, begun):
            other = parse(language, whole).root_node
            if not other.has_error:
                return other
    return root


def _completions(language: str, text: str) -> Iterator[str]:
    if language == "ruby":
        yield from (text + "\nend" * missing for missing in range(1, MAX_MISSING + 1))
    elif language == "php":
        missing = text.count("{") - text.count("}")
        if 0 < missing <= MAX_MISSING:
            yield text + "}" * missing
