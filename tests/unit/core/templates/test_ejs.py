from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "views/show.ejs"
REPORTED = [
    "<p><%- req.query.q %></p>",
    "<p><%- user.name %></p>",
    "<p><%- locals.message %></p>",
    "<script>var state = <%- JSON.stringify(req.query) %>;</script>",
    "<script>var me = <%- JSON.stringify(user) %>;</script>",
    "<script>var page = <%= req.query.page %>;</script>",
    "<p>\n<%= name %>\n<%- name %> // BAD\n</p>",
    "<p><%- `<b>${user.name}</b>` %></p>",
]
QUIET = [
    "<p><%= req.query.q %></p>",
    "<p><%- include('head') %></p>",
    "<p><%- body %></p>",
    "<p><%- escapeHtml(req.query.q) %></p>",
    "<%# <%- req.query.q %><p></p>",
    "<p><%- DOMPurify.sanitize(user.bio) %></p>",
    "<p><%% <%= a %></p>",
    "<script>var n = <%- JSON.stringify(config) %>;</script>",
    "<p><%- items.length %></p>",
    "<p><%- user.admin ? '<b>yes</b>' : '' %></p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
