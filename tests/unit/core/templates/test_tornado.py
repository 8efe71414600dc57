from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "templates/find.html"
REPORTED = [
    "<p>{% raw handler.get_argument('q') %}</p>",
    "<p>{% raw user.name %}</p>",
    "<p>{% autoescape None %}{{ user.name }}</p>",
    "<p>{% raw entry.title %}</p>",
]
QUIET = [
    "<p>{{ handler.get_argument('q') }}</p>",
    "<p>{% raw xsrf_form_html() %}</p>",
    "<p>{% raw escape(user.name) %}</p>",
    "{# {% raw user.name %} #}<p>{% raw content %}</p>",
    "<p>{% autoescape None %}{{ escape(user.name) }}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
