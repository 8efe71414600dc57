"""Parsing that ends: hostile text makes some grammars take time that grows with the square of its size."""

from __future__ import annotations

from tree_sitter import Language, Parser, Tree

from devpulse.errors import ParseLimitReached

FREE_CHECKS = 1_000
CHECKS_PER_KILOBYTE = 40
"""How often a parser may look up from its work. Ordinary code takes 3 to 8 looks a kilobyte, minified code up to 20;
inputs made to be ambiguous take thousands, and time that grows with the square of their size."""


def parse_within_limit(grammar: Language, source: bytes) -> Tree:
    """Parse; broken code gives a tree with error nodes.

    Raises:
        ParseLimitReached: the parser looked up too often for a text of this size.
    """
    left = FREE_CHECKS + CHECKS_PER_KILOBYTE * len(source) // 1000

    def stops(_offset: int, _has_error: bool) -> bool:  # noqa: FBT001  (the parser's signature)
        nonlocal left
        left -= 1
        return left < 0

    # The binding (0.26) never lets go of what it is given while it parses: of copies of the text all would be kept for
    # good. So it gets views, which are emptied when it is done.
    views = {0: memoryview(source)}

    def read(offset: int, _point: object) -> memoryview:
        view = views.get(offset)
        if view is None:
            view = views[offset] = views[0][offset:]
        return view

    # A parser must not be shared between threads; making one costs microseconds.
    try:
        checked = Parser(grammar).parse(read, progress_callback=stops)
        # The same tree over the whole text, which costs a tenth: its nodes give their texts without calling back.
        return Parser(grammar).parse(source, old_tree=checked)
    except ValueError as error:
        if left >= 0:
            raise
        raise ParseLimitReached("too tangled to be parsed", hint="Exclude the file if it is no source code.") from error
    finally:
        for view in views.values():
            view.release()
