from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "views/find.erb"
REPORTED = [
    "<p><%= params[:q] %></p>",
    "<p>Found <%= request.path %></p>",
    "<p><%== @comment.body %></p>",
]
QUIET = [
    "<p><%= h params[:q] %></p>",
    "<p><%= Rack::Utils.escape_html(params[:q]) %></p>",
    "<p><%= @comment.body %></p>",
    "<p><%= yield %></p>",
    "name: <%= params[:q] %>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
