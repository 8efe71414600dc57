"""The pieces of template expressions."""

from __future__ import annotations

from tables import for_each

from devpulse.core.templates.tokens import Syntax, tokens_of

RUBY = Syntax(ruby=True)
GO = Syntax(commands=" ")
PIECES: tuple[tuple[Syntax, str, list[str]], ...] = (
    (Syntax(), "a.b", ["a", ".", "b"]),
    (Syntax(), "a and not b", ["a", "&&", "!", "b"]),
    (GO, "and a b", ["and", "a", "b"]),
    (RUBY, "a.empty? ", ["a", ".", "empty?"]),
    (Syntax(), "a ? b : 1.5", ["a", "?", "b", ":", "1.5"]),
    (Syntax(), "'x y' + \"z\"", ["'x y'", "+", '"z"']),
    (Syntax(), "", []),
)


@for_each(PIECES)
def test_tokens_of__pieces(row: tuple[Syntax, str, list[str]]) -> None:
    syntax, text, wanted = row
    assert [token.text for token in tokens_of(text, syntax)] == wanted


def test_tokens_of__tells_kinds_and_white_space() -> None:
    found = [(token.kind, token.spaced) for token in tokens_of("f 'a'(1)", Syntax())]
    assert found == [("name", False), ("text", True), ("operator", False), ("number", False), ("operator", False)]
