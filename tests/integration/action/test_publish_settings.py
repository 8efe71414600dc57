"""What the publishing job heeds: its settings, what people decided, and the pull request as it is now."""

from __future__ import annotations

import time

NUMBERED = {"name": "workflow_dispatch", "inputs": {"pull-request-number": "7"}}


def test_publish__a_dry_run_posts_nothing(jobs):
    ran = jobs.publish(inputs={"dry-run": "true"})
    assert ran.status == 0, ran.err
    assert jobs.hub.writes() == []
    assert "Dry run: nothing was written; 1 comment" in ran.out
    assert "comment at `app/users.py:5`" in ran.summary


def test_publish__a_pull_request_that_is_closed(jobs):
    jobs.hub.pull.state = "closed"
    ran = jobs.publish(**NUMBERED)
    assert ran.status == 0, ran.err
    assert "nothing to do (closed)" in ran.out
    assert jobs.hub.writes() == []


def test_publish__drafts(jobs):
    jobs.hub.pull.draft = True
    assert "nothing to do (draft)" in jobs.publish(inputs={"skip-drafts": "true"}).out
    assert jobs.hub.writes() == []
    assert jobs.publish().status == 0
    assert len(jobs.hub.threads) == 1


def test_publish__what_people_decided_applies(jobs):
    assert jobs.publish().outputs["risk"] == "critical"
    (thread,) = jobs.hub.threads
    jobs.hub.resolve(thread, "eve")
    assert jobs.publish().outputs["risk"] == "critical", "eve may not decide it"
    jobs.hub.resolve(thread, "ada")
    ran = jobs.publish()
    assert (ran.status, ran.outputs["risk"], ran.outputs["findings-count"]) == (0, "none", "0")
    assert "ada closed its thread on the pull request" in jobs.hub.comments[0].body
    assert thread.resolved_by is not None
    assert len(thread.comments) == 1


def test_publish__a_page_of_the_run_that_cannot_be_written_is_said(jobs, tmp_path):
    ran = jobs.publish(GITHUB_STEP_SUMMARY=str(tmp_path / "no" / "such" / "folder"))
    assert ran.status == 0, ran.err
    assert len(jobs.hub.threads) == 1
    assert any(line.startswith("::warning title=DevPulse::the runner's file") for line in ran.commands())


def test_publish__waits_no_longer_than_there_is(jobs):
    jobs.hub.faults.secondary_limit("POST .*/reviews", retry_after=25)
    began = time.monotonic()
    ran = jobs.publish(inputs={"time-budget-minutes": "0.3"})
    assert time.monotonic() - began < 20
    assert ran.status == 3
    assert "rate limit" in ran.out
