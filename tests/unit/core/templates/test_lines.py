from __future__ import annotations

from devpulse.core.templates.base import Place
from devpulse.core.templates.lines import template_lines, without_comment

PAGE = """p a
/ comment
  b
script.
  c

  d
:css
  e
p f
"""


def test_template_lines__leave_out_comments_and_styles() -> None:
    lines = list(template_lines(PAGE))
    assert [line.text.strip() for line in lines] == ["p a", "script.", "c", "d", "p f"]
    assert [line.text.strip() for line in lines if line.place is Place.SCRIPT] == ["c", "d"]
    assert all(PAGE.startswith(line.text, line.start) for line in lines)


def test_without_comment__keeps_what_stands_in_quotes() -> None:
    assert without_comment("a.b # c", "#") == "a.b"
    assert without_comment("'a # b'", "#") == "'a # b'"
    assert without_comment("a#b", "#") == "a#b"
