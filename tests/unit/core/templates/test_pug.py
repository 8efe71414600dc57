from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "views/show.pug"
REPORTED = [
    "p!= req.query.q",
    "p!= user.name",
    "p Hello !{user.name}",
    "div\n  = comment.body\n  != comment.body // BAD",
    "- var who = req.query.who\np!= who // BAD",
    "#a.b(title='x')!= message",
]
QUIET = [
    "p= req.query.q",
    "p!= content",
    "//- p!= req.query.q",
    "p!= escapeHtml(req.query.q)",
    "p Hello #{user.name}",
    "p!= DOMPurify.sanitize(user.bio)",
    "if a != req.query.q",
    "p!= marked(post.body)",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
