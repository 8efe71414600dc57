from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "templates/find.mako"
REPORTED = [
    "<%inherit file='a'/><p>${request.params['q'] | n}</p>",
    "<%inherit file='a'/><p>${user.name | n}</p>",
    '<%page expression_filter="h"/><p>${user.bio | n}</p>',
    "<%inherit file='a'/><p>${request.GET['q']}</p>",
    "<%def name='a()'></%def><p>${name | h}</p>\n<p>${user.name}</p> // BAD",
]
QUIET = [
    "<%inherit file='a'/><p>${request.params['q'] | h}</p>",
    "<%page expression_filter=\"h\"/><p>${request.params['q']}</p>",
    "<%inherit file='a'/><p>${user.name | n, h}</p>",
    "<%doc>${user.name | n}</%doc><p></p>",
    "<%inherit file='a'/><p>${user.name | n, js_escaped_string}</p>",
    "<%inherit file='a'/><p>${caller.body() | n}</p>",
    "<%inherit file='a'/><p>${content | n}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
