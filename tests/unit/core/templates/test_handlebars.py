from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "views/show.hbs"
REPORTED = [
    "<p>{{{query.q}}}</p>",
    "<p>{{&user.name}}</p>",
    "<p>{{{comment.body}}}</p>",
    "<p>{{{this.title}}}</p>",
    "<p>{{{ ../user.bio }}}</p>",
    "<p>\n{{name}}\n{{{name}}} // BAD\n</p>",
    "<p>{{{message}}}</p>",
]
QUIET = [
    "<p>{{{ or a\nuser.name }}}</p>",
    "<p>{{query.q}}</p>",
    "<p>{{{body}}}</p>",
    "<p>{{{content}}}</p>",
    "<p>{{{sanitize comment.body}}}</p>",
    "<p>{{{escape query.q}}}</p>",
    "{{!-- {{{query.q}}} --}}<p></p>",
    "{{! {{{query.q}} }}<p></p>",
    "<p>{{{#if a}}}</p>",
    "<p>{{{t 'hello'}}}</p>",
    "<p>{{{page.html}}}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
