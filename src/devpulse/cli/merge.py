"""``devpulse merge``."""

from __future__ import annotations

from typing import Any

import click

from devpulse.cli.actions import Actions
from devpulse.cli.review import FOLDER, comparison_options, request_of
from devpulse.cli.sections import SectionCommand, color_option, debug_option, json_option, section_option, table_options
from devpulse.requests import MergeRequest

_EPILOG = """\b
Exit status: that of review for the whole change. Files of a shard that is not
there have failed, and the run is incomplete.
"""
_JSON = "Print the findings as JSON, alone on standard output; the rest goes to standard error."
_PROGRESS = "Show progress, or do not; without either, only on a terminal."


@click.command(cls=SectionCommand, epilog=_EPILOG)
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False))
@section_option("Change", "--root", "path", metavar="PATH", default=".", type=FOLDER, help="The repository.")
@comparison_options
@json_option(_JSON)
@section_option("Output", "--progress/--no-progress", default=None, help=_PROGRESS)
@color_option
@table_options("merge")
@debug_option
@click.pass_obj
def merge(actions: Actions, /, **values: Any) -> int:
    """Join what the shards of a review found into the artifacts of one run.

    DIR is the folder that the review of a shard wrote to, or one that holds several such folders. The change is
    named as for the shards; one that reviewed another change is refused. Files of a shard that is missing or
    torn are named in the coverage table: run its job again, then merge again.

    \b
    Examples:
      devpulse merge shards --base main --head feature
      devpulse merge shard-1 shard-2 --shards 2 --pull-request-number 7 --fail-on high
    """
    return actions.merge(MergeRequest(request_of("merge", values), values["folders"]))
