"""``devpulse prompt``."""

from __future__ import annotations

from typing import Any

import click

from devpulse.cli.actions import Actions
from devpulse.cli.sections import SectionCommand, debug_option, flags_of, json_option, section_option, table_options
from devpulse.requests import PromptRequest

_COUNT = click.IntRange(min=1, max=10**9)


@click.command(cls=SectionCommand)
@section_option("Scale", "--prs-per-day", metavar="N", type=_COUNT, default=1000, show_default=True, help="Reviews.")
@section_option(
    "Scale", "--files", metavar="N", type=_COUNT, default=10, show_default=True, help="Files of each review."
)
@section_option(
    "Scale", "--turns", metavar="N", type=_COUNT, default=10, show_default=True, help="Requests for each file."
)
@json_option("Print the same as JSON, alone on standard output.")
@table_options("prompt")
@debug_option
@click.pass_obj
def prompt(actions: Actions, /, **values: Any) -> int:
    """Show the compact system prompt, its tokens, and what it costs at a scale.

    \b
    Examples:
      devpulse prompt
      devpulse prompt --price-input 0.30 --prs-per-day 50 --json
    """
    return actions.prompt(
        PromptRequest(
            as_json=values["as_json"],
            prs_per_day=values["prs_per_day"],
            files=values["files"],
            turns=values["turns"],
            flags=flags_of("prompt", values),
        )
    )
