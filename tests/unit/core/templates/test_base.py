from __future__ import annotations

from work import assert_work_in_step

from devpulse.core.templates.base import assignments, pieces

BRACES = {"{{": "}}", "{{{": "}}}", "{#": "#}"}


def test_pieces__are_told_with_their_delimiters() -> None:
    found = list(pieces("a {{ b }} {{{c}}}{# {{ d }} #}", BRACES))
    assert [(piece.opening, piece.inner) for piece in found] == [("{{", " b "), ("{{{", "c"), ("{#", " {{ d }} ")]
    assert (found[0].start, found[0].end) == (2, 9)


def test_pieces__what_is_never_closed_opens_nothing() -> None:
    assert [piece.inner for piece in pieces("{# {{ a }} {{ b", BRACES)] == [" a "]
    assert next(iter(pieces("{{{ a }}", BRACES))).inner == "{ a "


def test_pieces__take_work_in_step_with_the_text() -> None:
    def work(text: str) -> None:
        list(pieces(text, BRACES))

    for bait in ("{{", "{#{{", "{{a}}{#"):
        assert_work_in_step(work, lambda size, bait=bait: bait * size, 400)  # type: ignore[misc]


def test_assignments__the_last_one_counts() -> None:
    read = assignments(r"set (\w+) = (\w+)")
    assert read("set a = b set a = c set d = e") == {"a": "c", "d": "e"}
