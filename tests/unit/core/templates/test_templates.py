from __future__ import annotations

from pathlib import Path

import pytest
from tables import for_each

import devpulse.core.templates as package
from devpulse.core.templates import NAMES, format_of, formats_of

OTHERS = {"nodes", "tokens", "__init__", "base", "expressions", "lines", "places"}
FOUND = [
    ("app/views/a.html.erb", "<p><%= raw a %></p>", ("erb",)),
    ("views/a.erb", "<p><%= a %></p>", ("erb", "plain_erb")),
    ("a.html", "<p>{{ a|safe }}</p>", ("jinja",)),
    ("a.HTML", "<p v-html='a'></p>", ("vue",)),
    ("a.html", "<p>{{{ a }}}</p>", ("handlebars",)),
    ("a.html", "<p>hello</p>", ()),
    ("a.html.j2", "<p>{{ a|safe }}</p>", ("jinja",)),
    ("nginx.conf.j2", "<p>{{ a|safe }}</p>", ()),
    ("mail.txt.erb", "<p><%= raw a %></p>", ()),
    ("hosts.erb", "host <%= raw a %>", ()),
    ("a.haml", "%p= raw a", ("haml",)),
    ("a.blade.php", "<p>{!! $a !!}</p>", ("blade",)),
    ("a.php", "<p>{!! $a !!}</p>", ()),
    ("a.py", "'<p>{{ a|safe }}</p>'", ()),
]


@for_each(FOUND)
def test_formats_of__says_what_a_file_may_be(row: tuple[str, str, tuple[str, ...]]) -> None:
    path, text, wanted = row
    assert formats_of(path, text) == wanted


def test_names__are_the_modules() -> None:
    modules = {path.stem for path in Path(package.__file__).parent.glob("*.py")}
    assert modules - OTHERS == set(NAMES)
    assert [format_of(name).name for name in NAMES] == list(NAMES)


def test_format_of__an_unknown_one_is_an_error() -> None:
    with pytest.raises(KeyError):
        format_of("liquid")


@for_each(NAMES)
def test_tags__of_broken_templates(name: str) -> None:
    read = format_of(name).tags
    for text in (
        "",
        "{{",
        "<%",
        "{!! {{ <%= ${ $a. {@html v-html=\" th:utext=' <c:out",
        "}} %> }",
        "\x00\n{{\n}}\n<%=%>",
    ):
        tags = list(read(text))
        assert all(0 <= tag.start < tag.end <= len(text) for tag in tags)
        assert [tag.start for tag in tags] == sorted(tag.start for tag in tags)
