from __future__ import annotations

import json

import pytest

from devpulse.core.baseline import Baseline, KnownFinding
from devpulse.output.baseline_v1 import parse_baseline, render_baseline

ODD = KnownFinding("a" * 32, "csrf", "caf\udce9\\x.py", 'A "title"\n\u202e')


@pytest.mark.parametrize("entries", [(), (ODD,), (ODD, KnownFinding("b" * 32, "ssrf", "b.py", "B"))])
def test_parse_baseline__gives_back_what_was_rendered(entries):
    text = render_baseline(Baseline(entries))
    assert parse_baseline(text.encode()) == Baseline(entries)
    assert text.isascii()
    assert json.loads(text)["schema"] == "devpulse.baseline/1"
    assert text.count("\n") == (5 + len(entries) if entries else 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "the file: Invalid JSON"),
        ('{"schema": "x", "findings": []}', "schema: "),
        ('{"schema": "devpulse.baseline/1"}', "findings: "),
        ('{"schema": "devpulse.baseline/1", "findings": [], "more": 1}', "more: "),
    ],
)
def test_parse_baseline__says_where_it_is_wrong(text, said):
    with pytest.raises(ValueError, match=said):
        parse_baseline(text.encode())
