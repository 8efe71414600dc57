"""``devpulse action``: what the container runs on GitHub."""

from __future__ import annotations

from typing import Any

import click

from devpulse.cli.actions import Actions
from devpulse.cli.sections import SectionCommand, debug_option, flags_of, table_options
from devpulse.requests import ActionRequest

_EPILOG = """\b
The event, the repository and the inputs come from the environment that
GitHub's runner gives: GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_REPOSITORY,
GITHUB_API_URL, INPUT_FAIL-ON and so on. A flag wins over an input, an input
over a DEVPULSE_ variable, a variable over .devpulse.yml.

\b
Exit status: 0 done, 1 a finding at or above --fail-on, 2 usage or
configuration, 3 incomplete and --fail-on-incomplete, 4 nothing could be
reviewed, 70 internal error, 130 or 143 cancelled.
"""


@click.command(cls=SectionCommand, epilog=_EPILOG)
@table_options("action")
@debug_option
@click.pass_obj
def action(actions: Actions, /, **values: Any) -> int:
    """Review the pull request of a workflow run and post comments.

    Everything is taken from the runner's environment. The pull request's head is read as git objects,
    never checked out. Without a token that may write, findings become annotations of the run.

    \b
    Examples:
      devpulse action
      devpulse action --pull-request-number 7 --command review
    """
    return actions.action(ActionRequest(flags=flags_of("action", values)))
