"""A step of a workflow: where it runs, what it was given, and what it hands back to the runner."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from devpulse.adapters.runner.environment import RunnerEnvironment
from devpulse.adapters.runner.files import RunnerFiles
from devpulse.adapters.runner.inputs import ActionInputs, read_inputs
from devpulse.core.event import NothingToDo
from devpulse.errors import ArtifactError, ExitStatus
from devpulse.options import OPTIONS, FlagValue
from devpulse.output.annotations import AnnotationLevel, render_command
from devpulse.output.characters import visible
from devpulse.output.markdown import text
from devpulse.output.outputs import outputs_of
from devpulse.requests import ActionRequest


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a workflow: where it runs, what it was given, where its results go, and when it began, as a reading of
    ``time.monotonic``."""

    environ: Mapping[str, str]
    runner: RunnerEnvironment
    files: RunnerFiles
    inputs: ActionInputs
    flags: Mapping[str, FlagValue]
    started: float

    @classmethod
    def of(cls, request: ActionRequest, environ: Mapping[str, str]) -> Step:
        """Read the runner's environment and the inputs; flags win over them.

        Raises:
            ConfigurationError: the environment is not a runner's.
        """
        started = time.monotonic()
        runner = RunnerEnvironment.from_environ(environ)
        inputs = read_inputs(environ, [option.name for option in OPTIONS if option.is_input])
        given = {name: value for name, value in request.flags.items() if value is not None}
        return cls(environ, runner, RunnerFiles(runner), inputs, {**inputs.values, **given}, started)

    def add_to_summary(self, said: str) -> None:
        """Add Markdown to the page of the run. Where that fails the step says so, and goes on: nothing stands there
        alone."""
        try:
            self.files.append_summary(said)
        except ArtifactError as error:
            self.files.annotate([render_command(AnnotationLevel.WARNING, f"{error} {error.hint}", title="DevPulse")])


def end_idle(step: Step, outcome: NothingToDo) -> int:
    """A named outcome without a review: said in log, summary and outputs; the step ends well."""
    with commands_stopped():  # a reason may name a branch
        print(line_of(f"DevPulse: nothing to do ({outcome.name}). {outcome.reason}"))  # noqa: T201  (the log of the step)
    step.add_to_summary(f"# DevPulse security review\n\nNothing was reviewed: {text(outcome.reason)}\n")
    step.files.write_outputs(outputs_of(None, {}))
    return ExitStatus.OK


def line_of(said: str) -> str:
    """One line for the log, in which nothing hides."""
    return visible(said).replace("\n", " ")


@contextmanager
def commands_stopped() -> Iterator[None]:
    """What is printed meanwhile is text to the runner, whatever a file or a model put into it."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", flush=True)  # noqa: T201  (a command to the runner)
    try:
        yield
    finally:
        sys.stderr.flush()
        print(f"::{token}::", flush=True)  # noqa: T201  (as above)
