from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "static/find.html"
REPORTED = [
    '<script type="text/template"><p><%= user.name %></p></script>',
    "<script type='text/x-underscore-template'>\n<p><%- user.name %></p>\n<p><%= user.name %></p> // BAD\n</script>",
    "<div><%- name %> <%= comment.body %></div>",
]
QUIET = [
    '<script type="text/template"><p><%- user.name %></p></script>',
    '<script type="text/template"><p><%= _.escape(user.name) %></p></script>',
    "<div><%= user.name %></div>",
    "<%@ page %><p><%- a %><%= user.name %></p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
