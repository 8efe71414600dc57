"""What people decided, applied to a result; and what becomes of it when GitHub does not say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from builders import make_finding, make_report

from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.github.retrying import Calls, Patience
from devpulse.core.categories import Severity
from devpulse.core.finding import FindingStatus
from devpulse.errors import GitHubUnavailable
from devpulse.main import people
from devpulse.main.people import with_decisions
from devpulse.main.pull_request import Connection
from devpulse.output.comments.standing import IgnoreRequest, Standing
from devpulse.pipeline.joining import RunResult

FOUND = make_finding(fingerprint="a" * 32)
ASKED = Standing(requests=(IgnoreRequest("ada", "a" * 8, "only a test"), IgnoreRequest("eve", "a" * 8, "no")))


def result(*found: Any, **overrides: Any) -> RunResult:
    return RunResult(make_report(*found, **overrides), {}, {})


def connection() -> Connection:
    return Connection(cast("Any", object()), Calls(), Patience(), PullRequestId("octo/shop", 7))


@pytest.fixture(name="github")
def _github(monkeypatch):
    """What GitHub says: of what stands, and of who may write. An error is raised."""
    said: dict[str, Any] = {"standing": ASKED, "ada": True, "eve": False}

    def say(key: str) -> Any:
        if isinstance(said[key], Exception):
            raise said[key]
        return said[key]

    monkeypatch.setattr(people, "read_standing", lambda *_, **__: say("standing"))
    monkeypatch.setattr(people, "permission_of", lambda *_: say)
    return said


@pytest.mark.usefixtures("github")
def test_with_decisions__set_aside_with_who_and_why_and_the_risk_follows():
    decided = with_decisions(result(FOUND, summary="x"), connection(), {})
    (finding,) = decided.report.findings
    assert (finding.status, finding.reason) == (
        FindingStatus.SUPPRESSED,
        "ada had it ignored on the pull request: only a test",
    )
    assert (decided.report.risk, decided.report.notices) == ("none", ())


@pytest.mark.usefixtures("github")
def test_with_decisions__what_a_model_said_of_the_whole_stays():
    other = make_finding(fingerprint="b" * 32, severity=Severity.LOW)
    told = result(FOUND, other, risk="critical", summary="One.\n\nTogether they are worse.")
    decided = with_decisions(told, connection(), {})
    assert decided.report.summary.endswith("\n\nTogether they are worse.")


def test_with_decisions__nobody_who_may(github):
    github["ada"] = False
    before = result(FOUND)
    assert with_decisions(before, connection(), {}) == before


@pytest.mark.parametrize("key", ["standing", "ada"])
def test_with_decisions__what_is_not_known_counts_and_is_said(github, key):
    github[key] = GitHubUnavailable("GitHub is down.", hint="Later.")
    decided = with_decisions(result(FOUND), connection(), {})
    assert decided.report.findings == (FOUND,)
    assert decided.report.notices == (
        "Whether somebody set findings aside on the pull request is not known: GitHub is down. Later.",
    )


def test_with_decisions__nothing_is_asked_when_nothing_was_found_or_the_run_was_cancelled(github):
    github["standing"] = AssertionError("asked")
    assert with_decisions(result(), connection(), {}).report.findings == ()
    cancelled = replace(result(FOUND), cancelled=KeyboardInterrupt())
    assert with_decisions(cancelled, connection(), {}) is cancelled
