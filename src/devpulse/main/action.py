"""``devpulse action``: what the container runs, all from the runner's environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.github.reads import Reads
from devpulse.adapters.progress import LineProgress
from devpulse.adapters.runner.event_file import read_trigger
from devpulse.core.event import (
    AskedForReview,
    NothingToDo,
    ReviewPullRequest,
    decide,
    not_allowed,
)
from devpulse.core.verdict import exit_status
from devpulse.errors import DevpulseError, ExitStatus
from devpulse.main.action_shards import plan_step, settings_of_step, shard_of_step, work_of_step
from devpulse.main.config import with_config
from devpulse.main.console import report_to
from devpulse.main.engine import warm_up
from devpulse.main.job import Done, Job, run_job
from devpulse.main.people import with_decisions
from devpulse.main.publish_from import publish_other_run
from devpulse.main.publishing import annotations_of, publish_review, reviewed_files
from devpulse.main.pull_request import Connection, connection, idle_reason, open_pull_request
from devpulse.main.shares import end_of_job, shard_notice
from devpulse.main.signals import signals_raise
from devpulse.main.step import Step, commands_stopped, end_idle, line_of
from devpulse.output.annotations import AnnotationLevel, render_command
from devpulse.output.characters import visible
from devpulse.output.comments.said import render_published, said_of, traffic_of, would_be
from devpulse.output.coverage import check_line
from devpulse.output.markdown import text
from devpulse.output.outputs import outputs_of
from devpulse.output.summary import render_summary
from devpulse.requests import ActionRequest
from devpulse.settings import Settings

_POSTING = ("action", "merge")
"""The commands that post: a merge speaks for all shards of its own run, as one machine would."""
_NO_KEY = (
    "No Gemini key was given (forks and Dependabot get no secrets on pull_request), so the offline engine reviewed by "
    "its rules alone."
)


def run_action(request: ActionRequest, environ: Mapping[str, str] | None = None) -> int:
    """Review the pull request of the event and publish the review; the exit status says how it ended.

    With ``command`` publish, publish the results of another run instead.

    Raises:
        ConfigurationError: the environment, an input or a file is not as it must be.
        GitHubError: GitHub does not give the pull request.
        SourceError: the change cannot be read.
        ArtifactError: an artifact or a file of the runner cannot be written.
        ResultsRefused: results of another run are not to be published.
    """
    step = Step.of(request, os.environ if environ is None else environ)
    try:
        with signals_raise():
            return _run(step)
    except DevpulseError as error:
        step.files.annotate([render_command(AnnotationLevel.ERROR, f"{error} {error.hint}", title="DevPulse")])
        raise


def _run(step: Step) -> int:
    runner = step.runner
    early = Settings.load(step.flags, step.environ)
    if early.command == "publish":
        return publish_other_run(step, early)
    trigger = read_trigger(runner.event_name, runner.event_path)
    decision = decide(trigger, pull_request_number=early.pull_request_number)
    if isinstance(decision, NothingToDo):
        return end_idle(step, decision)
    warm_up(early)
    connected = connection(PullRequestId(runner.repository, decision.number), runner.api_url, early.github_token)
    with connected.client:
        if isinstance(decision, AskedForReview):
            if not Reads(connected.client, runner.repository).may_write(decision.commenter):
                return end_idle(step, not_allowed(decision))
            decision = ReviewPullRequest(decision.number)
        return _review(step, early, connected, decision)


def _review(step: Step, early: Settings, connected: Connection, wanted: ReviewPullRequest) -> int:
    pull = open_pull_request(connected, step.runner.workspace, wanted.expected_head)
    try:
        if (idle := idle_reason(pull.source.pull, early)) is not None:
            return end_idle(step, idle)
        change_set = pull.opened.source.load()
        settings = settings_of_step(with_config(step.flags, step.environ, early, pull.opened))
        if (idle := idle_reason(pull.source.pull, settings)) is not None:
            return end_idle(step, idle)
        if settings.command == "plan":
            return plan_step(step, pull, change_set, settings)
        shard = shard_of_step(settings)
        said = (*shard_notice(shard, settings), *([_NO_KEY] if _lacks_key(settings) else []))
        notices = (*step.inputs.warnings, *said)
        with commands_stopped():
            # On standard output, since the streams have no common order and only there commands are stopped.
            progress = LineProgress(sys.stdout)
            server, work = step.runner.server_url, work_of_step(step, settings, pull)
            job = Job(
                pull.opened, change_set, settings, step.environ, progress, notices, server, work, step.started, shard
            )
            connected.end_by(job.deadline)
            if shard is None:  # else the merge asks, once for all
                reviewed = reviewed_files(job)
                job = replace(job, decided=lambda result: with_decisions(result, connected, reviewed))
            done = run_job(job)
            report_to(done.result, done.paths, as_json=False, environ=step.environ)
        _hand_over(step, done)
        if done.result.cancelled is None:
            _publish(step, job, done, connected)
            if shard is None:
                _say_check(step, done, settings)
    finally:
        pull.opened.close()
    return end_of_job(job, done.result)


def _hand_over(step: Step, done: Done) -> None:
    """What later steps and the page of the run show, before anything is posted: posting may be cut short."""
    paths = {name: step.runner.for_later_steps(path) for name, path in done.paths.items()}
    paths["artifacts"] = step.runner.for_later_steps(Path(done.paths["findings"]).parent)
    step.files.write_outputs(outputs_of(done.result.report, paths))
    step.add_to_summary(render_summary(done.result.report))


def _say_check(step: Step, done: Done, settings: Settings) -> None:
    """Why the check is what it will be, where people look for it; an incomplete review is never silent."""
    report, fail_on = done.result.report, settings.fail_on
    status = exit_status(report, fail_on=fail_on, fail_on_incomplete=settings.incomplete_fails)
    said = check_line(report, status, fail_on)
    print(f"DevPulse: {visible(said)}")  # noqa: T201  (the log of the step)
    if report.incomplete or status == ExitStatus.NOTHING_REVIEWED:
        step.files.annotate([render_command(AnnotationLevel.WARNING, said, title="DevPulse: INCOMPLETE")])
    step.add_to_summary(f"\n**{text(said)}**\n")


def _publish(step: Step, job: Job, done: Done, connected: Connection) -> None:
    """Comments, and annotations for what got none."""
    if job.settings.command not in _POSTING:
        # Of a shard's findings the merge tells, once.
        step.files.annotate(annotations_of(done.result, None) if job.shard is None else ())
        return
    published = publish_review(job, done, connected, step.runner)
    told = [said_of(published), traffic_of(published, connected.calls.made)]
    told += would_be(published) if published.dry_run else ()
    with commands_stopped():
        for said in told:
            print(line_of(said))  # noqa: T201  (the log of the step)
    step.add_to_summary(render_published(published, connected.calls.made))
    step.files.annotate(annotations_of(done.result, published if job.settings.comment else None))


def _lacks_key(settings: Settings) -> bool:
    return settings.engine == "auto" and settings.gemini_api_key is None
