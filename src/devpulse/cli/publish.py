"""``devpulse publish``: posts what another run found."""

from __future__ import annotations

from typing import Any

import click

from devpulse.cli.actions import Actions
from devpulse.cli.sections import SectionCommand, debug_option, flags_of, table_options
from devpulse.requests import ActionRequest

_EPILOG = """\b
The event, the repository and the token come from the environment that GitHub's
runner gives. On workflow_run the pull request is found by the head that GitHub
says the other run worked on; on workflow_dispatch it is --pull-request-number.

\b
Exit status: 0 published, or nothing to publish (said in the log), 2 usage or
configuration, results that are refused, or a GitHub that does not answer,
3 comments or the summary could not be posted, 70 internal error. Findings never
make it fail, and its success says nothing about them.
"""


@click.command(cls=SectionCommand, epilog=_EPILOG)
@table_options("publish")
@debug_option
@click.pass_obj
def publish(actions: Actions, /, **values: Any) -> int:
    """Publish another run's results on its pull request.

    For pull requests from forks: one workflow reviews without any rights and uploads its artifacts, this
    one runs afterwards with the right to comment. The artifacts are not trusted: each finding's code is
    looked up in the pull request's head again, and what is not there is dropped. Comments and a summary
    of its own are added, nothing else is touched.

    \b
    Examples:
      devpulse publish --from devpulse-artifacts
    """
    return actions.action(ActionRequest(flags={**flags_of("publish", values), "command": "publish"}))
