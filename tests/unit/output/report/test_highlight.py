"""Colours for code."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.output.report.highlight import Look, highlighted


def looks(language, *lines):
    return {text.strip(): look for row in highlighted(lines, language) for text, look in row if look}


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        (
            "python",
            'return run(f"a {name}", 3)  # no',
            {"return": "k", "run": "f", 'f"a': "s", "3": "n", "# no": "c"},
        ),
        ("javascript", "const a = b.go('x'); // y", {"const": "k", "go": "f", "'x'": "s", "// y": "c"}),
        ("go", 'func f() string { return "x" }', {"func": "k", "string": "t", '"x"': "s"}),
        ("php", "$a = run('x');", {"run": "f", "'x'": "s"}),
    ],
)
def test_highlighted__by_language(language, line, expected):
    found = looks(language, line)
    assert {text: found.get(text) for text in expected} == expected


def test_highlighted__an_unknown_language_is_plain():
    assert highlighted(["a: 1"], None) == [[("a: 1", Look.PLAIN)]]


def test_highlighted__a_text_over_lines_is_colored_on_each():
    assert highlighted(['"""a', "é", 'b"""'], "python") == [[('"""a', "s")], [("é", "s")], [('b"""', "s")]]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=30), min_size=1, max_size=5),
    st.sampled_from(["python", "php", "tsx"]),
)
def test_highlighted__changes_no_text(lines, language):
    assert ["".join(text for text, _ in row) for row in highlighted(lines, language)] == lines
