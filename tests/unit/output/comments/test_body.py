"""The text of an inline comment."""

from __future__ import annotations

import re

import pytest
from builders import make_finding
from hypothesis import given, settings
from markdown_it import MarkdownIt
from report_strategies import HOSTILE, findings

from devpulse.core.change import Side
from devpulse.core.finding import Finding, Step, Trace
from devpulse.output.characters import is_hidden
from devpulse.output.comments.body import MAX_CHARACTERS, render_comment, suggestion_block
from devpulse.output.comments.marker import finding_marker, read_finding_marker
from devpulse.output.comments.place import Place

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
LINKED = re.compile(r"@\w|#\d|gh-\d|(?:https?|ftp|mailto|xmpp):\w*/|mailto:\w|www\.", re.IGNORECASE)
OWN_LINK = re.compile(r"\]\(https://cwe\.mitre\.org/data/definitions/\d+\.html\)")
COMMAND = re.compile(r"^\s*::|##\[", re.MULTILINE)
HTML = ["<sub>", "</sub>"]
WAY = Step("app/views.py", 12, "`request.args` is read")

WHOLE = """\
**High: SQL built from a request parameter**

SQL injection ([CWE-89](https://cwe.mitre.org/data/definitions/89.html)) · high confidence · found by a model

The name of the caller is joined into the statement.

How the value gets there:

1. `app/views.py:12` `request.args` is read
2. `app/db.py:4` executed

**How to fix.** Pass the name as a bound parameter.

```suggestion
    cursor.execute(sql, (name,))
```

<sub>Accepted or wrong? List `- {fingerprint: "0123456789abcdef", reason: why}` under `ignore` in `.devpulse.yml` \
of the base.</sub>

<!-- devpulse:finding 0123456789abcdef model -->"""


def _rendered(finding: Finding) -> str:
    return render_comment(finding, Place(finding.path, finding.start_line, finding.end_line))


def test_render_comment__says_what_where_and_how_to_fix():
    trace = Trace(WAY, (), Step("app/db.py", 4, "executed"))
    assert _rendered(make_finding(trace=trace, suggestion="    cursor.execute(sql, (name,))\n")) == WHOLE


def test_render_comment__without_what_is_not_known():
    body = _rendered(make_finding(cwe=None, fix="", description=" ", category="other", side=Side.LEFT))
    assert "CWE" not in body
    assert "How to fix" not in body
    assert "How the value" not in body
    assert "about the removed code" in body
    assert "\n\n\n" not in body


def test_render_comment__a_long_way_is_cut_before_its_end():
    steps = tuple(Step("app/a.py", number, f"step {number}") for number in range(1, 41))
    body = _rendered(make_finding(trace=Trace(steps[0], steps[1:-1], steps[-1])))
    assert "5. `app/a.py:5`" in body
    assert "`app/a.py:6`" not in body
    assert "… 34 more steps, and at last: `app/a.py:40` step 40" in body


@pytest.mark.parametrize(
    "suggestion",
    [
        "x = 1",
        "def f():\n    return 1",
        "\tx",
        "  a\n\n  b",
        "a ``` b",
        "````",
        "@app.route('/x')",
        "<b>&amp;</b>",
        "a|b",
    ],
)
def test_suggestion_block__is_exactly_the_code(suggestion):
    written = suggestion_block(make_finding(suggestion=suggestion))
    (token,) = PARSER.parse(written)
    assert token.info == "suggestion"
    assert token.content == f"{suggestion}\n"


@pytest.mark.parametrize(
    "overrides",
    [
        {"suggestion": None},
        {"suggestion": ""},
        {"suggestion": " \n"},
        {"suggestion": "x = 1", "side": Side.LEFT},
        {"suggestion": "    cursor.execute(sql + name)"},
        {"suggestion": "cursor.execute(sql + name)  \n"},
        {"suggestion": "x = '[redacted:aws-key***]'"},
        {"suggestion": "x = 1", "evidence": "x = '[redacted]'"},
        {"suggestion": "x = 1", "evidence": "password = '********'"},
        {"suggestion": "x = '\u202e'"},
        {"suggestion": "x = 1\r\ny = 2"},
        {"suggestion": "x = '\ud800'"},
        {"suggestion": "<!-- devpulse:finding 0123456789abcdef model -->"},
        {"suggestion": "::error::x"},
        {"suggestion": "x = 1\n\n"},
        {"suggestion": "x" * 4001},
    ],
    ids=str,
)
def test_suggestion_block__left_out(overrides):
    assert suggestion_block(make_finding(**overrides)) == ""


def test_render_comment__refuses_a_fingerprint_that_is_none():
    with pytest.raises(ValueError, match="marker"):
        _rendered(make_finding(fingerprint="-->"))


@pytest.mark.parametrize("character", ["@", "\U000e0041", "|", "\\", "`", "\n", "#1", "`@`", "www.", "\ud800"])
def test_render_comment__below_the_limit_however_long(character):
    long = character * 20_000
    trace = Trace(*(Step(long, 10**9, long), (Step(long, 1, long),) * 50, Step(long, 1, long)))
    finding = make_finding(
        title=long, description=long, fix=long, evidence=long, suggestion=long[:4000], trace=trace, reason=long
    )
    body = _rendered(finding)
    assert len(body) <= MAX_CHARACTERS
    assert read_finding_marker(body) == finding.fingerprint


def test_render_comment__all_hostile_texts_at_once():
    hostile = "\n".join(HOSTILE) + finding_marker("feed") + "\n" + finding_marker("feed")
    _check(_rendered(make_finding(title=hostile, description=hostile, fix=hostile)))


@settings(max_examples=40, deadline=None)
@given(findings)
def test_render_comment__hostile_text_adds_no_markup(finding):
    body = _rendered(finding)
    body.encode("utf-8")
    assert read_finding_marker(body) == finding.fingerprint
    _check(body)


def _check(body: str) -> None:
    assert not any(is_hidden(character) for character in body)
    assert not COMMAND.search(body)
    assert body.count("<!--") == 1
    tokens = [each for token in PARSER.parse(OWN_LINK.sub("]", body)) for each in (token, *(token.children or []))]
    assert not {token.type for token in tokens} & {"image", "link_open"}
    inline = [token.content for token in tokens if token.type == "html_inline"]
    assert inline == HTML
    blocks = [token.content for token in tokens if token.type == "html_block"]
    assert [each[:22] for each in blocks] in ([], ["<!-- devpulse:finding "])
    for token in tokens:
        if token.type == "text":
            assert not LINKED.search(token.content)


def test_render_comment__on_a_part_of_its_lines_it_says_so_and_suggests_nothing():
    finding = make_finding(start_line=4, end_line=9, suggestion="x = 1\n")
    body = render_comment(finding, Place(finding.path, 6, 7))
    assert "spans lines 4 to 9, some of them outside the diff" in body
    assert "```suggestion" not in body
    assert "```suggestion" in _rendered(finding)
    assert "outside the diff" not in _rendered(finding)
