"""``devpulse compare``: what the context strategies save, measured on a change."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from devpulse.core.comparison import Comparison
from devpulse.core.comparison_bounds import Bound
from devpulse.core.messages import Usage
from devpulse.errors import ExitStatus
from devpulse.main.config import with_config
from devpulse.main.console import watch
from devpulse.main.engine import warm_up
from devpulse.main.job import Job, end_of, run_job
from devpulse.main.opening import narrowed
from devpulse.main.prices import cost_of
from devpulse.main.review import open_request, scope_notice, server_of
from devpulse.main.signals import signals_raise
from devpulse.output.compare_text import render_compare_text
from devpulse.output.compare_v1 import render_compare
from devpulse.pipeline.comparison import CompareOptions, compare
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.run import RunOptions, RunPorts
from devpulse.pipeline.work import Work
from devpulse.requests import CompareRequest
from devpulse.settings import Settings


def run_compare(request: CompareRequest, environ: Mapping[str, str] | None = None) -> int:
    """Do the work of a review in several ways, write the artifacts of the usual one, and print the comparison.

    Raises:
        ConfigurationError: a setting, a file or a folder is not as it must be.
        SourceError: the change cannot be read.
        ArtifactError: an artifact cannot be written.
        ModelMisconfigured: the model's key, name or permission is wrong.
    """
    environ = os.environ if environ is None else environ
    asked = request.review
    # A store may not be cleared by a command that does not use it, whatever a variable or a file says.
    flags = {**asked.flags, "fresh": False}
    with signals_raise():
        early = Settings.load(flags, environ)
        warm_up(early)
        opened = open_request(asked, early, environ)
        try:
            change_set = opened.source.load()
            settings = with_config(flags, environ, early, opened)
            due = narrowed(change_set, opened.scope)
            said = scope_notice(opened.scope, due, change_set)

            def review(work: Work, options: RunOptions, ports: RunPorts) -> RunResult:
                return compare(work, options, ports, _options(settings, ablation=request.ablation))

            progress = watch(asked.progress, environ, asked.color)
            done = run_job(Job(opened, due, settings, environ, progress, said, server_of(environ), review))
            comparison = done.result.comparison
            if comparison is not None:
                text = render_compare(comparison) if asked.as_json else render_compare_text(comparison)
                sys.stdout.write(text)
                _say(f"written: {done.paths['comparison']} and {done.paths['report']}")
        finally:
            opened.close()
    end_of(done.result, settings, resumes=False)
    return _status(comparison)


def _status(comparison: Comparison | None) -> int:
    failed = comparison is None or comparison.before.failure or comparison.after.failure
    return ExitStatus.INCOMPLETE if failed else ExitStatus.OK


def _options(settings: Settings, *, ablation: bool) -> CompareOptions:
    def announce(bound: Bound, arms: int) -> None:
        used = Usage(requests=1, input_tokens=bound.most, output_tokens=bound.most_output)
        most = cost_of(used, settings.model, settings.price_input, settings.price_output)
        cost = "the price is unknown" if most is None else f"${most:,.2f}"
        _say(
            f"{arms} arms with {settings.model}: at most {bound.most:,} input and {bound.most_output:,} output tokens "
            f"({cost}), at least {bound.least:,} input tokens. An arm that passes its share is stopped."
        )

    return CompareOptions(ablation, announce, lambda name, about: _say(f"{name}: {about}"))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201  (what a person waits for; standard output is the result's)
