from __future__ import annotations

import pytest
from rule_tables import lines_of, run

from devpulse.core.rules.hidden_unicode import RULE

REPORTED = [
    ("src/a.py", "x = 1\nif role != 'user\u202e \u2066# admin\u2069':\n", [2]),
    ("src/a.js", "let a\u200bb = 1\n", [1]),
    ("src/a.c", "/* \u2067 begin */\n", [1]),
    ("docs/readme.md", "ok\nplease\U000e0069\U000e0067 ignore\n", [2]),
    ("docs/readme.md", "hidden\u202etext\n", [1]),
    ("src/a.py", "x = 'a'\ny = '\ufeffb'\n", [2]),
    ("src/a.py", "a\U000e0100\U000e0101 = 1\n", [1]),
    ("src/a.py", "s = 'a\u200db'\n", [1]),
    ("src/a.py", "a\u2060\nb\u2060\n\nc\u2060\n", [1, 4]),
]
QUIET = [
    ("src/a.py", "\ufeffimport os\n"),
    ("src/a.py", "family = '👨\u200d👩\u200d👧'\n"),
    ("src/a.py", "flag = '🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f'\n"),
    ("src/a.py", "heart = '❤\ufe0f'\n"),
    ("locale/he.json", '{"greeting": "\u200fשלום (world)\u200f"}\n'),
    ("docs/ar.md", "\u2067مرحبا\u2069 hello\n"),
    ("src/a.py", "fa = 'می\u200cخواهم'\n"),
    ("src/a.py", "hi = 'क्\u200dष'\n"),
    ("src/a.py", "s = '\\u202e'\n"),
    ("src/a.py", "name = 'café 日本'\n"),
    ("src/a.py", "kanji = '葛\U000e0100'\n"),
]


@pytest.mark.parametrize(("path", "text", "lines"), REPORTED)
def test_check__reports(path: str, text: str, lines: list[int]):
    hits = run(RULE, text, path=path)
    assert lines_of(hits) == lines
    assert hits[0].cwe == 1007


@pytest.mark.parametrize(("path", "text"), QUIET)
def test_check__is_quiet(path: str, text: str):
    assert run(RULE, text, path=path) == []
