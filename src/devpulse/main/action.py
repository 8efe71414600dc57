"""``devpulse action``: what the container runs, all from the runner's environment."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.progress import LineProgress
from devpulse.adapters.runner.environment import RunnerEnvironment
from devpulse.adapters.runner.event_file import read_trigger
from devpulse.adapters.runner.files import RunnerFiles
from devpulse.adapters.runner.inputs import ActionInputs, read_inputs
from devpulse.core.event import NothingToDo, ReviewPullRequest, decide, reason_to_skip
from devpulse.errors import ArtifactError, DevpulseError, ExitStatus
from devpulse.main.config import with_config
from devpulse.main.console import report_to
from devpulse.main.engine import warm_up
from devpulse.main.job import Done, Job, end_of, run_job
from devpulse.main.publishing import annotations_of, publish_review, said_of
from devpulse.main.pull_request import Connection, OpenedPull, connection, open_pull_request
from devpulse.main.signals import signals_raise
from devpulse.options import OPTIONS, ActionRequest, FlagValue
from devpulse.output.annotations import AnnotationLevel, render_command
from devpulse.output.characters import visible
from devpulse.output.markdown import text
from devpulse.output.outputs import outputs_of
from devpulse.output.summary import render_summary
from devpulse.settings import Settings

_NO_KEY = (
    "No Gemini key was given (forks and Dependabot get no secrets on pull_request), so the offline engine reviewed by "
    "its rules alone."
)


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of a workflow: where it runs, what it was given, where its results go, and when it began, as a reading of
    ``time.monotonic``."""

    environ: Mapping[str, str]
    runner: RunnerEnvironment
    files: RunnerFiles
    inputs: ActionInputs
    flags: Mapping[str, FlagValue]
    started: float


def run_action(request: ActionRequest, environ: Mapping[str, str] | None = None) -> int:
    """Review the pull request of the event and publish the review; the exit status says how it ended.

    Raises:
        ConfigurationError: the environment, an input or a file is not as it must be.
        GitHubError: GitHub does not give the pull request.
        SourceError: the change cannot be read.
        ArtifactError: an artifact or a file of the runner cannot be written.
    """
    step = _step(request, os.environ if environ is None else environ)
    try:
        with signals_raise():
            return _run(step)
    except DevpulseError as error:
        step.files.annotate([render_command(AnnotationLevel.ERROR, f"{error} {error.hint}", title="DevPulse")])
        raise


def _step(request: ActionRequest, environ: Mapping[str, str]) -> _Step:
    started = time.monotonic()
    runner = RunnerEnvironment.from_environ(environ)
    inputs = read_inputs(environ, [option.name for option in OPTIONS if option.is_input])
    given = {name: value for name, value in request.flags.items() if value is not None}
    return _Step(environ, runner, RunnerFiles(runner), inputs, {**inputs.values, **given}, started)


def _run(step: _Step) -> int:
    runner = step.runner
    early = Settings.load(step.flags, step.environ)
    trigger = read_trigger(runner.event_name, runner.event_path)
    decision = decide(trigger, pull_request_number=early.pull_request_number)
    if isinstance(decision, NothingToDo):
        return _end_idle(step, decision)
    warm_up(early)
    connected = connection(PullRequestId(runner.repository, decision.number), runner.api_url, early.github_token)
    with connected.client:
        return _review(step, early, connected, decision)


def _review(step: _Step, early: Settings, connected: Connection, wanted: ReviewPullRequest) -> int:
    pull = open_pull_request(connected, step.runner.workspace, wanted.expected_head)
    try:
        if (idle := _idle(pull, early)) is not None:
            return _end_idle(step, idle)
        change_set = pull.opened.source.load()
        settings = with_config(step.flags, step.environ, early, pull.opened)
        if (idle := _idle(pull, settings)) is not None:
            return _end_idle(step, idle)
        notices = (*step.inputs.warnings, *([_NO_KEY] if _lacks_key(settings) else []))
        with _commands_stopped():
            # On standard output, since the streams have no common order and only there commands are stopped.
            progress = LineProgress(sys.stdout)
            server = step.runner.server_url
            job = Job(pull.opened, change_set, settings, step.environ, progress, notices, server, started=step.started)
            done = run_job(job)
            report_to(done.result, done.paths, as_json=False, environ=step.environ)
        _hand_over(step, done)
        if done.result.cancelled is None:
            _publish(step, job, done, connected)
    finally:
        pull.opened.close()
    return end_of(done.result, settings)


def _hand_over(step: _Step, done: Done) -> None:
    """What later steps and the page of the run show, before anything is posted: posting may be cut short."""
    paths = {name: step.runner.for_later_steps(path) for name, path in done.paths.items()}
    paths["artifacts"] = step.runner.for_later_steps(Path(done.paths["findings"]).parent)
    step.files.write_outputs(outputs_of(done.result.report, paths))
    try:
        step.files.append_summary(render_summary(done.result.report))
    except ArtifactError as error:  # the same text stands in the artifacts
        step.files.annotate([render_command(AnnotationLevel.WARNING, f"{error} {error.hint}", title="DevPulse")])


def _publish(step: _Step, job: Job, done: Done, connected: Connection) -> None:
    """Comments, and annotations for what got none."""
    if job.settings.command != "action":
        step.files.annotate(annotations_of(done.result, None))
        return
    published = publish_review(job, done, connected, step.runner.run_url)
    with _commands_stopped():
        print(visible(said_of(published)).replace("\n", " "))  # noqa: T201  (the log of the step)
    step.files.annotate(annotations_of(done.result, published if job.settings.comment else None))


def _end_idle(step: _Step, outcome: NothingToDo) -> int:
    """A named outcome without a review: said in log, summary and outputs; the step ends well."""
    print(f"DevPulse: nothing to do ({outcome.name}). {outcome.reason}")  # noqa: T201  (the log of the step)
    step.files.append_summary(f"# DevPulse security review\n\nNothing was reviewed: {text(outcome.reason)}\n")
    step.files.write_outputs(outputs_of(None, {}))
    return ExitStatus.OK


def _idle(pull: OpenedPull, settings: Settings) -> NothingToDo | None:
    facts = pull.source.pull
    return reason_to_skip(facts.state, draft=facts.draft, skip_drafts=settings.skip_drafts)


def _lacks_key(settings: Settings) -> bool:
    return settings.engine == "auto" and settings.gemini_api_key is None


@contextmanager
def _commands_stopped() -> Iterator[None]:
    """What is printed meanwhile is text to the runner, whatever a file or a model put into it."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", flush=True)  # noqa: T201  (a command to the runner)
    try:
        yield
    finally:
        sys.stderr.flush()
        print(f"::{token}::", flush=True)  # noqa: T201  (as above)
