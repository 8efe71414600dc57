from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "templates/find.html.twig"
REPORTED = [
    "<p>{{ app.request.get('q')|raw }}</p>",
    "<p>{{ user.name|raw }}</p>",
    "<p>{{ comment.body | raw }}</p>",
    "<p>{% autoescape false %}{{ user.name }}{% endautoescape %}</p>",
    "<p>{{ 'hello'|trans({'%name%': user.name})|raw }}</p>",
    "<p>{{ app.request.query.get('q') ? app.request.query.get('q')|raw : 'none' }}</p>",
]
QUIET = [
    "<p>{{ app.request.get('q') }}</p>",
    "<p>{{ user.name|e|raw }}</p>",
    "<p>{{ 'hello'|trans|raw }}</p>",
    "<p>{{ form_widget(form)|raw }}</p>",
    "<p>{{ content|raw }}</p>",
    "<p>{{ user.bio|striptags|raw }}</p>",
    "{# {{ app.request.get('q')|raw }} #}<p></p>",
    "<p>{{ date|date('Y')|raw }}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
