"""What a step hands to the runner: outputs, the job summary, and workflow commands on standard output."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from devpulse.adapters.runner.environment import RunnerEnvironment
from devpulse.errors import ArtifactError

SUMMARY_BYTES = 1024 * 1024
"""The runner drops a step's whole summary when its file is larger."""

_CUT = b"\n\n*The summary was cut here: a job summary holds at most 1 MiB.*\n"


class RunnerFiles:
    """The files the runner reads when the step has ended, also when it has failed.

    Where the runner gave no such file nothing is written.
    """

    def __init__(self, environment: RunnerEnvironment) -> None:
        self._outputs = environment.output_file
        self._summary = environment.summary_file

    def write_outputs(self, outputs: Mapping[str, str]) -> None:
        """Set outputs of the step. A random delimiter keeps a value from setting another output.

        Raises:
            ArtifactError: the file cannot be written.
        """
        if self._outputs is not None:
            _append(self._outputs, b"".join(_assignment(name, value) for name, value in outputs.items()))

    def append_summary(self, markdown: str) -> bool:
        """Add to the job summary; what does not fit is cut, and said to be. False when something was cut.

        Raises:
            ArtifactError: the file cannot be written.
        """
        if self._summary is None:
            return True
        data = _encoded(markdown.removesuffix("\n") + "\n")
        room = SUMMARY_BYTES - _size(self._summary)
        if len(data) <= room:
            _append(self._summary, data)
            return True
        kept = data[: max(0, room - len(_CUT))].decode("utf-8", errors="ignore").encode()
        if len(kept) + len(_CUT) <= room:
            _append(self._summary, kept + _CUT)
        return False

    def annotate(self, commands: Iterable[str]) -> None:
        """Print workflow commands, each on a line of its own."""
        text = "".join(f"{command}\n" for command in commands)
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()


def _assignment(name: str, value: str) -> bytes:
    delimiter = _delimiter(value)
    return _encoded(f"{name}<<{delimiter}\n{value}\n{delimiter}\n")


def _delimiter(value: str) -> str:
    while True:
        delimiter = f"devpulse-{secrets.token_hex(16)}"
        if delimiter not in value:
            return delimiter


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="backslashreplace")  # a lone surrogate cannot be written otherwise


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise _error(path, error) from error


def _append(path: Path, data: bytes) -> None:
    try:
        # Without waiting: to a FIFO that nobody reads nothing can be written.
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
        with open(handle, "ab") as file:  # noqa: PTH123  (opens a descriptor, not a path)
            file.write(data)
    except OSError as error:
        raise _error(path, error) from error


def _error(path: Path, error: OSError) -> ArtifactError:
    return ArtifactError(
        f"the runner's file {path} cannot be written: {error.strerror or error}",
        hint="The step must run as a user that may write it, in a container as root, and the disk must have room.",
    )
