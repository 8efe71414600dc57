"""The composition root: settings and adapters are made here, once, and handed down; one module for each command."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from devpulse.errors import ConfigurationError, DevpulseError, ExitStatus


def _check_current_folder() -> None:
    try:
        Path.cwd()
    except OSError as error:
        raise ConfigurationError(
            f"the current folder cannot be used: {error.strerror}", hint="Change to a folder that exists."
        ) from error


def guard(action: Callable[[], int]) -> int:
    """Run an action; an expected error becomes its cause and remedy on standard error, and exit status 2."""
    try:
        _check_current_folder()
        return action()
    except DevpulseError as error:
        print(f"error: {_shown(error)}", file=sys.stderr)  # noqa: T201  (the one place that speaks to the user about errors)
        if error.hint:
            print(f"hint: {_shown(error.hint)}", file=sys.stderr)  # noqa: T201  (as above)
        return ExitStatus.USAGE


def _shown(said: object) -> str:
    # It may quote a file name, and a CI runner obeys what looks like a command.
    from devpulse.output.characters import inert_lines  # noqa: PLC0415  (a run that goes well has no use for it)

    return inert_lines(str(said))
