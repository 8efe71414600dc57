"""Secrets are masked before a format can hide them from the mask."""

from __future__ import annotations

import html
from dataclasses import fields, replace

import pytest
from builders import make_finding, make_report

from devpulse.core.categories import Confidence
from devpulse.core.finding import Finding, FindingStatus, Step, Trace
from devpulse.core.redaction import Redactor
from devpulse.core.review import Coverage, Failed, Report
from devpulse.core.secrets.model import Secret
from devpulse.output.json_v1 import render_findings
from devpulse.output.markdown import text
from devpulse.output.masked import mask_report, mask_snippets
from devpulse.output.report.page import render_html
from devpulse.output.sarif import render_sarif
from devpulse.output.snippets import Snippet
from devpulse.output.summary import render_summary
from devpulse.output.terminal import render_terminal

SECRETS = ['p"a&s<s>w0rd!x9', "pä`ss&wörd_<9>*x|q7", "pass\\word#1@two$"]


def redactor(secret):
    made = Redactor()
    made.learn([Secret("password", 1, 0, 1, len(secret), Confidence.HIGH, secret)])
    return made


def report_with(secret):
    step = Step(f"app/{secret}.py", 3, f"note {secret}")
    finding = make_finding(
        path=f"app/{secret}.py", symbol=f"f_{secret}", title=f"title {secret}", description=f"description {secret}",
        fix=f"fix {secret}", evidence=f"x = 1\ny = {secret}", reason=f"reason {secret}", suggestion=f"s = {secret}",
        trace=Trace(step, (step,), step), status=FindingStatus.OUTSIDE_DIFF,
    )  # fmt: skip
    return make_report(
        finding,
        model=f"model {secret}",
        summary=f"summary {secret}",
        coverage=(Coverage(f"app/{secret}.py", Failed(f"reason {secret}"), 1, 1),),
        rung_reason=f"rung {secret}",
        notices=(f"notice {secret}",),
    )


@pytest.mark.parametrize("secret", SECRETS)
def test_mask_report__no_format_holds_any_form_of_it(secret):
    mask = redactor(secret).mask
    report = mask_report(report_with(secret), mask)
    snippets = mask_snippets({"0123456789abcdef": Snippet(1, ("a", f"b = {secret}"))}, mask)
    rendered = [
        render_html(report, snippets=snippets),
        render_summary(report),
        render_findings(report),
        render_sarif(report, nearest_head_line=lambda _: 1),
        render_terminal(report, width=200, color=False, snippets=snippets, artifacts={}),
    ]
    for shown in rendered:
        for form in (secret, html.escape(secret), html.escape(secret, quote=False), text(secret), secret[1:-1]):
            assert form not in shown
    assert secret not in repr(report)


def test_mask_report__changes_nothing_without_secrets():
    report = report_with("name")
    assert mask_report(report, Redactor().mask) == report


def test_mask_report__leaves_no_text_out():
    secret = SECRETS[0]
    masked = mask_report(report_with(secret), lambda value: value.replace(secret, "*"))
    kept = {
        "pull_request", "engine", "risk", "coverage", "findings", "usage", "context_tokens", "rung", "incomplete",
        "context_use",
    }  # fmt: skip
    for field in fields(Report):
        value = getattr(masked, field.name)
        assert field.name in kept or value is None or "*" in str(value), field.name
    finding = masked.findings[0]
    kept = {
        "fingerprint", "category", "cwe", "severity", "confidence", "start_line", "end_line", "side", "source",
        "status", "rule_id", "refuted_by_verifier",
    }  # fmt: skip
    for field in fields(Finding):
        assert field.name in kept or "*" in str(getattr(finding, field.name)), field.name


def test_mask_snippets__a_secret_over_lines_keeps_their_number():
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx7dTq9uJ\n-----END RSA PRIVATE KEY-----"
    snippet = Snippet(4, ("a", *key.split("\n"), "b"))
    masked = mask_snippets({"f": snippet, "g": replace(snippet, lines=())}, Redactor().mask)
    assert (masked["f"].first_line, len(masked["f"].lines), masked["g"].lines) == (4, 5, ())
    assert "MIIE" not in "".join(masked["f"].lines)


def test_mask_report__what_thousands_of_findings_share_is_masked_once():
    asked: list[str] = []

    def mask(value: str) -> str:
        asked.append(value)
        return value

    shared = {"path": "app/a.py", "description": "Built from a value.", "fix": "Bind it."}
    mask_report(
        make_report(*(make_finding(fingerprint=f"{n:032x}", start_line=n, **shared) for n in range(1, 1000))), mask
    )
    assert asked.count("Built from a value.") == 1
    assert len(asked) < 50
