"""``devpulse plan``."""

from __future__ import annotations

from typing import Any

import click

from devpulse.cli.actions import Actions
from devpulse.cli.review import change_options, request_of
from devpulse.cli.sections import SectionCommand, debug_option, json_option, table_options

_EPILOG = """\b
Exit status: 0 planned, 2 usage or configuration, 70 internal error, 130
interrupted.
"""


@click.command(cls=SectionCommand, epilog=_EPILOG)
@change_options
@json_option("Print the matrix of the jobs as JSON, alone on standard output.")
@table_options("plan")
@debug_option
@click.pass_obj
def plan(actions: Actions, /, **values: Any) -> int:
    """Spread the review of a huge change over several machines.

    Writes plan.json, which names the shard of each task, and prints how much each shard has to do; with --json the
    matrix of a workflow's jobs. Each job then reviews its shard, and merge joins what they found. Every job works
    the plan out from the change again, so nothing but results has to be carried around.

    \b
    Examples:
      devpulse plan --shards 4 --base main --head feature
      devpulse plan --shards 8 --pull-request-number 7 --json
    """
    return actions.plan(request_of("plan", values))
