"""``devpulse compare``."""

from __future__ import annotations

from typing import Any

import click

from devpulse.cli.actions import Actions
from devpulse.cli.review import change_options, request_of
from devpulse.cli.sections import SectionCommand, color_option, debug_option, json_option, section_option, table_options
from devpulse.requests import CompareRequest

_EPILOG = """\b
Exit status: 0 compared, 2 usage or configuration, 3 an arm did not do all of
the work, so that nothing can be said, 70 internal error, 130 interrupted.
"""

_ABLATION = "Also measure single strategies: four more arms, which a model's service charges for."
_PROGRESS = "Show progress of the first arm, or do not; without either, only on a terminal."


@click.command(cls=SectionCommand, epilog=_EPILOG)
@change_options
@section_option("Comparison", "--ablation/--no-ablation", default=True, show_default=True, help=_ABLATION)
@json_option("Print compare.json, alone on standard output.")
@section_option("Output", "--progress/--no-progress", default=None, help=_PROGRESS)
@color_option
@table_options("compare")
@debug_option
@click.pass_obj
def compare(actions: Actions, /, **values: Any) -> int:
    """Measure what the context strategies save on a change, and whether findings stay the same.

    The same work is done twice: AFTER as review does it, each task in a fresh context, and BEFORE with one
    shared, uncompressed history through which all tasks go one after the other. PATH and the options that
    say what is compared are those of review. Stored work is neither used nor written. With Gemini every arm
    costs money: what it takes at most is said before the first request, and an arm that passes it is stopped.

    \b
    Examples:
      devpulse compare --base main --head feature --engine offline
      devpulse compare --base v1.2 --head v1.3 --no-ablation --json > compare.json
    """
    return actions.compare(CompareRequest(request_of("compare", values), values["ablation"]))
