from __future__ import annotations

import pytest

from devpulse.core.rules.suggestions.built_texts import Part, bind, words

A, B = Part("a", value=True), Part("b", value=True)


def test_bind__quotes_inside_a_text_stay() -> None:
    bound = bind([Part("SELECT 'it''s' FROM t WHERE a = "), A], "?")
    assert bound is not None
    assert (bound.statement, bound.values) == ("SELECT 'it''s' FROM t WHERE a = ?", ((A,),))


def test_bind__numbered_placeholders() -> None:
    bound = bind([Part("WHERE a = '"), A, Part("' AND b >= "), B], "$")
    assert bound is not None
    assert bound.statement == "WHERE a = $1 AND b >= $2"


@pytest.mark.parametrize(
    "parts",
    [
        [Part("WHERE a = '"), A],
        [Part("WHERE a = "), A, B],
        [Part("WHERE a = "), A, Part("'x'")],
        [Part("WHERE a = "), A, Part("; DROP")],
        [Part("SELECT "), A],
        [Part("SELECT 1")],
        [Part("WHERE a = "), A, Part(" -- of the user")],
    ],
)
def test_bind__nothing_that_is_unsure(parts: list[Part]) -> None:
    assert bind(parts, "?") is None


def test_words__splits_as_a_shell_does() -> None:
    parts = [Part("tar  -C '/my files' \""), A, Part('" x'), B]
    assert words(parts) == [
        (Part("tar"),),
        (Part("-C"),),
        (Part("/my files"),),
        (A,),
        (Part("x"), B),
    ]


@pytest.mark.parametrize("text", ["ls 'a", "ls `x` ", "ls a\\ b ", "(ls) ", "ls a; ls ", "ls \n", "A=1 ls ", "cd "])
def test_words__nothing_that_means_more_to_a_shell(text: str) -> None:
    assert words([Part(text), A]) is None
