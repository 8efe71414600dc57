"""``devpulse verify-isolation``."""

from __future__ import annotations

import click

from devpulse.cli.actions import Actions
from devpulse.cli.sections import SectionCommand, debug_option
from devpulse.requests import VerifyIsolationRequest


@click.command("verify-isolation", cls=SectionCommand)
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@debug_option
@click.pass_obj
def verify_isolation(actions: Actions, /, folder: str) -> int:
    """Prove from the log in DIR that no context held anything of another.

    DIR is an output folder. Its run_log.jsonl names every message of every request by a digest, and where
    each message came from. Each request must be made of its own system prompt, task, replies and answers
    of tools alone, and the saved results must fit the log.

    Exit status: 0 it holds, 1 it does not, and the first line that breaks it is named, 2 there is no log.

    \b
    Example:
      devpulse verify-isolation devpulse-artifacts
    """
    return actions.verify_isolation(VerifyIsolationRequest(folder))
