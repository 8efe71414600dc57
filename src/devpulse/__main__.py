"""``python -m devpulse`` and the ``devpulse`` command."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from devpulse.cli import run
from devpulse.errors import ExitStatus
from devpulse.main.authorities import share_authorities


def main() -> None:
    """Run the command line and leave with its exit status."""
    # A caller may have closed them; what would be said then goes nowhere, and the exit status still counts.
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # What the terminal's encoding lacks is written as an escape, instead of ending the run.
            stream.reconfigure(errors="backslashreplace")
    share_authorities(os.environ)
    # Pydantic asks every package there is for plugins, which takes longer than its models do; we have none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    status = run(sys.argv[1:])
    if status in (ExitStatus.INTERRUPTED, ExitStatus.TERMINATED):
        _leave_at_once(status)
    # The interpreter would look through all there is for cycles before it ends: half a second after a model's library.
    gc.freeze()
    sys.exit(status)


def _leave_at_once(status: int) -> None:
    """End the process without waiting for its threads: a runner kills ten seconds after its first signal."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # nobody is left to be told
            stream.flush()
    os._exit(status)


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


if __name__ == "__main__":
    main()
