"""``devpulse review`` and ``devpulse scan``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any, Literal

import click

from devpulse.cli.actions import Actions
from devpulse.cli.sections import (
    Callback,
    SectionCommand,
    color_option,
    debug_option,
    flags_of,
    json_option,
    section_option,
    table_options,
)
from devpulse.requests import ReviewRequest

_EPILOG = """\b
Every option from the section Engine on can also be set by an environment
variable (DEVPULSE_FAIL_ON=high) and in .devpulse.yml (fail-on: high); the file
may not hold keys, --output-dir, --state-dir, --config and --stop-after. A flag
wins over a variable, a variable over the file.

\b
Exit status: 0 done, 1 a finding at or above --fail-on, 2 usage or
configuration, 3 incomplete and --fail-on-incomplete, 4 nothing could be
reviewed, 70 internal error, 130 interrupted.
"""


class _Folder(click.Path):
    """A folder that is there; who names a file is told how to have only that one reviewed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and Path(value).is_file():
            parent, name = Path(value).parent, Path(value).name
            self.fail(
                f"{value!r} is a file. Name its folder, and the file with --include: {shlex.quote(str(parent))} "
                f"--include {shlex.quote(name)}",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


FOLDER = _Folder(exists=True, file_okay=False)
"""A folder that is there."""

_JSON = "Print the findings as JSON, alone on standard output; the rest goes to standard error."
_PROGRESS = "Show progress, or do not; without either, only on a terminal."


_CHANGE = (
    section_option("Change", "--base", metavar="REF", help="Review against the merge base with this revision."),
    section_option("Change", "--head", metavar="REF", help="Review this revision, not the working tree."),
    section_option(
        "Change",
        "--diff",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False, allow_dash=True),
        help="Review a patch file, or - for standard input.",
    ),
    section_option("Change", "--staged", is_flag=True, help="Review what is staged, against HEAD."),
)


def comparison_options(callback: Callback) -> Callback:
    """The options that say which change is meant."""
    for option in reversed(_CHANGE):
        callback = option(callback)
    return callback


def change_options(callback: Callback) -> Callback:
    """PATH and the options that say which change is meant."""
    return click.argument("path", metavar="[PATH]", default=".", type=FOLDER)(comparison_options(callback))


@click.command(cls=SectionCommand, epilog=_EPILOG)
@change_options
@json_option(_JSON)
@section_option("Output", "--progress/--no-progress", default=None, help=_PROGRESS)
@color_option
@table_options("review")
@debug_option
@click.pass_obj
def review(actions: Actions, /, **values: Any) -> int:
    """Review a change for security, write artifacts, post nothing.

    PATH is the checked-out repository or a folder in it, by default the current folder. Only changed
    files below PATH are reviewed; other files can still be looked up. Without options the change is
    the working tree, new files included, against the merge base with the default branch. Artifacts go
    below the root of the repository.

    \b
    Examples:
      devpulse review
      devpulse review services/api --base main
      devpulse review --base main --fail-on high
      devpulse review --base v1.2 --head v1.3 --json > findings.json
      devpulse review --staged --engine offline
      devpulse review --pull-request-number 7
      git diff main | devpulse review --diff -
    """
    return actions.review(request_of("review", values))


def request_of(command: Literal["review", "compare", "plan", "merge"], values: dict[str, Any]) -> ReviewRequest:
    """The request that the options of a command make.

    Raises:
        click.UsageError: they contradict each other.
    """
    _check_combination(values)
    return ReviewRequest(
        command=command,
        path=values["path"],
        base=values["base"] or None,
        head=values["head"] or None,
        diff=values["diff"],
        staged=values["staged"],
        as_json=values["as_json"],
        progress=values.get("progress"),
        flags=flags_of(command, values),
        color=values.get("color", "auto"),
    )


def _check_combination(values: dict[str, Any]) -> None:
    named = [f"--{name}" for name in ("base", "head", "staged", "diff") if values[name]]
    if values["pull_request_number"] and named:
        raise click.UsageError(
            f"--pull-request-number cannot be combined with {' and '.join(named)}: the pull request already says what "
            "to compare. Leave out one of them."
        )
    others = [f"--{name}" for name in ("base", "head", "staged") if values[name]]
    if values["diff"] is not None and others:
        raise click.UsageError(
            f"--diff cannot be combined with {' and '.join(others)}: a patch file already is the whole change. "
            f"Leave out --diff, or {' and '.join(others)}."
        )
    if values["staged"] and values["head"]:
        raise click.UsageError(
            "--staged cannot be combined with --head: what is staged is the head. Leave out one of them."
        )


@click.command(cls=SectionCommand, epilog=_EPILOG)
@click.argument("path", metavar="[PATH]", default=".", type=FOLDER)
@section_option("Baseline", "--baseline", metavar="FILE", help="Suppress the findings listed there.")
@section_option("Baseline", "--write-baseline", metavar="FILE", help="List what is found there, as known from now on.")
@json_option(_JSON)
@section_option("Output", "--progress/--no-progress", default=None, help=_PROGRESS)
@color_option
@table_options("scan")
@debug_option
@click.pass_obj
def scan(actions: Actions, /, **values: Any) -> int:
    """Review every file of a folder as if it were new: a baseline audit.

    PATH is a git repository, a folder in one, or a plain folder, by default the current one. Only
    files below PATH are reviewed; in a repository the others can still be looked up, and artifacts go
    below its root.

    \b
    Examples:
      devpulse scan
      devpulse scan services/api --exclude 'tests/**' --min-severity high
      devpulse scan --json > findings.json
      devpulse scan --write-baseline devpulse-baseline.json
      devpulse scan --baseline devpulse-baseline.json --fail-on high
    """
    return actions.review(
        ReviewRequest(
            command="scan",
            path=values["path"],
            base=None,
            head=None,
            diff=None,
            staged=False,
            as_json=values["as_json"],
            progress=values["progress"],
            flags=flags_of("scan", values),
            color=values["color"],
            baseline=values["baseline"] or None,
            write_baseline=values["write_baseline"] or None,
        )
    )
