from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "app/views/notes/show.html.haml"
REPORTED = [
    "%p!= params[:q]",
    "%p= raw @note.title",
    "%p= @comment.body.html_safe",
    "%p Hello !{params[:name]}",
    ".note\n  = note.title\n  != note.title # BAD\n",
    "%p.big{class: 'a'}= raw(params[:q])",
    "- who = params[:who]\n%p!= who # BAD",
    ":javascript\n  var page = #{params[:page]};  // BAD",
]
QUIET = [
    "%p= params[:q]",
    "%p!= h(params[:q])",
    "%p!= render 'form'",
    "%p= raw '&nbsp;'",
    "-# != params[:q]",
    "%p Hello #{params[:name]}",
    "/\n  != params[:q]\n",
    "%p!= sanitize @note.body",
    "%p!= t('.intro')",
    ":css\n  .a { width: #{params[:w]}; }",
    "%p!= yield(:main)",
    "%p= raw note.body_html",
    "- who = h(params[:who])\n%p!= who",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
