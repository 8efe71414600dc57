"""Hypothesis strategies for findings and whole reports, with hostile text where outsiders can write."""

from __future__ import annotations

from hypothesis import strategies as st

from devpulse.core.categories import CATEGORIES, Confidence, Severity
from devpulse.core.change import PullRequest, Side
from devpulse.core.finding import Finding, FindingSource, FindingStatus, Step, Trace
from devpulse.core.messages import Usage
from devpulse.core.review import Coverage, Failed, Partial, Report, Reviewed, SkipKind, Skipped
from devpulse.core.verdict import is_incomplete, overall_risk

HOSTILE = (
    "@octocat",
    "octo/shop#12",
    "#12",
    "GH-12",
    "https://evil.example/x",
    "www.evil.example",
    "mailto:a@b.example",
    "![x](https://evil.example/p.png)",
    "[x](https://evil.example)",
    "[x]: https://evil.example",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<!-- devpulse:fingerprint -->",
    "</details>",
    "</summary></code>",
    "| a | b |",
    "| --- |",
    "```",
    "````\n",
    "~~~",
    "`",
    "\n::error::forged",
    "##[error]forged",
    "\u202e",
    "\u200b",
    "\x1b[31m",
    "\x1b]0;title\x07",
    "\r",
    "[bold red]",
    "[/]",
    ":warning:",
    "&#64;octocat",
    "&lt;",
    "\\",
    "*",
    "_",
    "$x$",
    "    indented",
    "# heading",
    "1. item",
    "- item",
    "===",
    "> quote",
    "{{ 7*7 }}",
    "{% raw %}",
    "' onload='",
    '"',
    " ",
    "\n",
    "\t",
    "\u0085",
    "\u2028",
    "\ud800",
    "日本語",
    "🙂",
)

hostile_text = st.lists(st.sampled_from(HOSTILE) | st.text(st.characters(codec=None), max_size=5), max_size=8).map(
    "".join
)
lines = st.integers(1, 10_000)
steps = st.builds(Step, path=hostile_text, line=lines, note=hostile_text)
traces = st.builds(Trace, source=steps, steps=st.lists(steps, max_size=2).map(tuple), sink=steps)
findings = st.builds(
    Finding,
    fingerprint=st.text("0123456789abcdef", min_size=16, max_size=16),
    category=st.sampled_from(sorted(CATEGORIES)),
    cwe=st.none() | st.integers(1, 1500),
    severity=st.sampled_from(Severity),
    confidence=st.sampled_from(Confidence),
    path=hostile_text,
    start_line=lines,
    end_line=lines,
    side=st.sampled_from(Side),
    symbol=st.none() | hostile_text,
    title=hostile_text,
    description=hostile_text,
    fix=hostile_text,
    evidence=hostile_text,
    source=st.sampled_from(FindingSource),
    status=st.sampled_from(FindingStatus),
    reason=hostile_text,
    suggestion=st.none() | hostile_text,
    trace=st.none() | traces,
    rule_id=st.none() | hostile_text,
    refuted_by_verifier=st.booleans(),
)
outcomes = (
    st.builds(Reviewed, hostile_text)
    | st.builds(Partial, hostile_text)
    | st.builds(Skipped, hostile_text, st.sampled_from(SkipKind))
    | st.builds(Failed, hostile_text)
)
coverage_rows = st.builds(
    Coverage, path=hostile_text, outcome=outcomes, parts=st.integers(0, 9), tokens=st.integers(0, 10**7)
)
counts = st.integers(0, 10**9)
usages = st.builds(Usage, counts, counts, counts, counts, counts)
pull_requests = st.none() | st.builds(
    PullRequest,
    base_sha=st.just("a" * 40),
    head_sha=st.none() | st.just("b" * 40),
    repository=st.none() | st.just("octo/shop"),
    number=st.none() | st.just(17),
)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A report whose risk and completeness agree with its findings and coverage."""
    found = tuple(draw(st.lists(findings, max_size=3)))
    rows = tuple(draw(st.lists(coverage_rows, max_size=4)))
    return Report(
        pull_request=draw(pull_requests),
        engine=draw(st.sampled_from(("gemini", "offline"))),
        model=draw(st.none() | hostile_text),
        risk=overall_risk(found),
        summary=draw(hostile_text),
        coverage=rows,
        findings=found,
        usage=draw(usages),
        context_tokens=draw(counts),
        rung=draw(st.sampled_from(("local git", "api"))),
        rung_reason=draw(hostile_text),
        incomplete=is_incomplete([row.outcome for row in rows]),
        notices=tuple(draw(st.lists(hostile_text, max_size=2))),
        cost_usd=draw(st.none() | st.floats(0, 1000)),
    )
