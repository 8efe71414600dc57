from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "templates/find.ftl"
REPORTED = [
    '<#ftl output_format="HTML"><p>${user.name?no_esc}</p>',
    "<p>${RequestParameters.q?no_esc}</p>",
    "<p>${user.name?html}</p>\n<p>${comment.body}</p> // BAD",
    "<p>${(user.name)!''}</p><p>${a?html}</p>",
    "<p>${RequestParameters.q}</p>",
]
QUIET = [
    "<p>${RequestParameters.q?html}</p>",
    '<#ftl output_format="HTML"><p>${RequestParameters.q}</p>',
    "<#escape x as x?html><p>${RequestParameters.q}</p></#escape>",
    "<#-- ${RequestParameters.q?no_esc} --><p></p>",
    "<p>${kcSanitize(message.summary)?no_esc}</p>",
    "<p>${user.name}</p>",
    "<p>${items?size}</p><p>${a?html}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
