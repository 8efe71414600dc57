from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "app/views/notes/show.html.slim"
REPORTED = [
    "p == params[:q]",
    "== @note.title",
    "p = raw @comment.body",
    "p Hello #{{params[:name]}}",
    "p.big#a == @user.bio",
    ".note\n  = note.title\n  == note.title # BAD",
    "javascript:\n  var page = #{params[:page]}; // BAD",
]
QUIET = [
    "p = params[:q]",
    "== h(params[:q])",
    "== render 'form'",
    "p Hello #{params[:name]}",
    "/ == params[:q]",
    "p == sanitize @note.body",
    "== yield",
    "a href=params[:q] x",
    "- if a == params[:q]",
    "p = t('.intro')",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
