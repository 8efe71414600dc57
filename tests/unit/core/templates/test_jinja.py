from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "templates/find.html"
REPORTED = [
    "<p>{{ request.args.q|safe }}</p>",
    "<p>{{ request.GET.q | safe }}</p>",
    "<p>{{ user.bio|safe }}</p>",
    "<p>{{ comment.title|upper|safe }}</p>",
    "<p>{% autoescape false %}{{ user.name }}{% endautoescape %}</p>",
    "<p>{% autoescape off %}\n{{ message }} // BAD\n{% endautoescape %}</p>",
    "<script>var q = {{ request.args.q }};</script>",
    "<p>{{ name|default(request.args.name)|safe }}</p>",
    "<p>\n{{ item.title }}\n{{ item.title|safe }} // BAD\n</p>",
    "<p>{{ Markup(request.args.get('q')) }}</p>",
    "<p>{{ _('%(who)s came', who=user.name|safe) }}</p>",
    "{% set who = request.args.who %}<p>{{ who|safe }}</p>",
    "<a onclick=\"rename('{{ user.name }}') || '<script>'\">x</a>",
    "<p>{{ ('<b>' ~ user.name ~ '</b>')|safe }}</p>",
]
QUIET = [
    "<p>{{ request.args.q }}</p><script></script>",
    "<p>{{ user.bio|escape|safe }}</p>",
    "<p>{{ user.bio|e|replace('a', 'b')|safe }}</p>",
    "<p>{{ '<br>'|safe }}</p>",
    "<p>{{ content|safe }}</p>",
    "<p>{{ page.html|safe }}</p>",
    "<p>{{ _('Hello')|safe }}</p>",
    "<p>{{ user.bio|striptags|safe }}</p>",
    "<script>var rows = {{ rows|tojson|safe }};</script>",
    '<script>var q = "{{ request.args.q }}";</script>',
    "<p>{# {{ request.args.q|safe }} #}</p>",
    "{% raw %}<p>{{ request.args.q|safe }}</p>{% endraw %}",
    "<p>{% autoescape true %}{{ user.name }}{% endautoescape %}{{ user.name }}</p>",
    "<p>{% autoescape off %}{{ user.name|escape }}{% endautoescape %}</p>",
    "<p>{{ comments|length|safe }}</p>",
    "<p>{{ form.as_p|safe }}</p>",
    "<p>{{ field.help_text|safe }}</p>",
    "<p>{{ bleach.clean(user.bio)|safe }}</p>",
    "{% set who = request.args.who|e %}<p>{{ who|safe }}</p>",
    "<p>{{ 'yes'|safe if request.args.q else 'no' }}</p>",
    "{% comment %}<p>{{ request.GET.q|safe }}</p>{% endcomment %}",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
