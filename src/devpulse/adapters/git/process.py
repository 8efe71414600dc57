"""Runs the git binary with nothing of the caller's or the repository's settings, and no way to outlive us."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from devpulse.errors import SourceError

TIMEOUT_SECONDS = 300
"""Far above any real run; a FIFO planted in a git folder must not hang a review for ever."""
_MESSAGE_BYTES = 4096
_WARNING_BYTES = 1_000_000
_MESSAGE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Completed:
    """A finished run of git: exit status, output, its complaint made safe to show, and all it complained about."""

    status: int
    output: bytes
    complaint: str
    warnings: bytes = b""


def find_git() -> tuple[str, str]:
    """The absolute path of git, and the search path for it: absolute folders only, so that none is the repository.

    Raises:
        SourceError: git is not installed.
    """
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    search = os.pathsep.join(folder for folder in folders if Path(folder).is_absolute())
    found = shutil.which("git", path=search)
    if found is None:
        raise SourceError("git is not installed.", hint="Install git 2.25 or newer, or use --diff FILE instead.")
    return found, search


def clean_environment(search: str, home: Path, git_dir: Path) -> dict[str, str]:
    """Everything git gets to know. Nothing of the caller's environment but the search path is in it."""
    return {
        "PATH": search,
        "HOME": str(home),
        "GIT_DIR": str(git_dir),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "LC_ALL": "C",
    }


class Child:
    """A running git with its pipes; what it complains about goes to a file, so it never blocks on that."""

    def __init__(self, process: subprocess.Popen[bytes], complaints: IO[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("a child needs pipes for input and output")
        self.process = process
        self.requests: IO[bytes] = process.stdin
        self.answers: IO[bytes] = process.stdout
        self._complaints = complaints

    def complaint(self) -> str:
        """The end of what it wrote to its error stream, on one line, control characters removed."""
        size = self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, size - _MESSAGE_BYTES))
        text = " ".join(self._complaints.read().decode("utf-8", "replace").split())
        return "".join(character if character.isprintable() else "?" for character in text)[-_MESSAGE_CHARACTERS:]

    def warnings(self) -> bytes:
        """The first megabyte of what it wrote to its error stream."""
        self._complaints.seek(0)
        return self._complaints.read(_WARNING_BYTES)

    def close(self) -> None:
        """Kill its process group if it still runs, and free what it holds."""
        if self.process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        for pipe in (self.requests, self.answers, self._complaints):
            with suppress(OSError):
                pipe.close()
        self.process.wait()


class Git:
    """Starts git with one environment in one folder. Each child is in its own session, so that a Ctrl-C on the
    terminal reaches only us; ``close`` ends those still running.
    """

    def __init__(self, binary: str, environment: Mapping[str, str], folder: Path) -> None:
        self._binary = binary
        self._environment = dict(environment)
        self._folder = folder
        self._running: set[Child] = set()

    def set(self, name: str, value: str) -> None:
        """Add a variable to the environment of later runs."""
        self._environment[name] = value

    def run(
        self,
        arguments: Sequence[str],
        *,
        feed: bytes = b"",
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> Completed:
        """Run git to its end, whatever its exit status.

        Raises:
            SourceError: it could not be started, or did not end in time.
        """
        with self.start(arguments, folder=folder, variables=variables) as child:
            try:
                output, _ = child.process.communicate(feed, timeout=TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired as error:
                raise SourceError(
                    f"git {arguments[0]} did not finish within {TIMEOUT_SECONDS} seconds.",
                    hint="Check that the repository is readable and its disk answers.",
                ) from error
            return Completed(child.process.returncode, output, child.complaint(), child.warnings())

    def check(
        self,
        arguments: Sequence[str],
        *,
        feed: bytes = b"",
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> bytes:
        """The output of a run that must succeed.

        Raises:
            SourceError: it failed; the message has git's complaint.
        """
        done = self.run(arguments, feed=feed, folder=folder, variables=variables)
        if done.status:
            raise failed(arguments[0], done.complaint)
        return done.output

    @contextmanager
    def start(
        self,
        arguments: Sequence[str],
        *,
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> Iterator[Child]:
        """A running git, ended at the end of the block.

        Raises:
            SourceError: it could not be started.
        """
        child = self.spawn(arguments, folder=folder, variables=variables)
        try:
            yield child
        finally:
            self.end(child)

    def spawn(
        self,
        arguments: Sequence[str],
        *,
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> Child:
        """Start git and leave it running; ``end`` must be called for it.

        Raises:
            SourceError: it could not be started.
        """
        complaints = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the child, see Child.close)
        try:
            process = subprocess.Popen(  # noqa: S603  (an absolute path and a list, no shell)
                [self._binary, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                cwd=folder or self._folder,
                env={**self._environment, **(variables or {})},
                start_new_session=True,
            )
        except OSError as error:
            complaints.close()
            raise SourceError(
                f"git cannot be started: {error.strerror}.", hint="Check the git installation."
            ) from error
        child = Child(process, complaints)
        self._running.add(child)
        return child

    def end(self, child: Child) -> None:
        """End a child, with anything it may have started."""
        self._running.discard(child)
        child.close()

    def close(self) -> None:
        """End every child that still runs."""
        for child in list(self._running):
            self.end(child)


def failed(command: str, complaint: str) -> SourceError:
    """The error for a git command that failed, with the remedy its complaint suggests."""
    if "repository extension" in complaint or "repo version" in complaint:
        return SourceError(
            f"The installed git is too old for this repository: {complaint}", hint="Install a newer git."
        )
    return SourceError(
        f"git {command} failed: {complaint or 'no reason given'}",
        hint="Objects may be missing (a partial clone or a damaged repository): run git fsck, or clone it in full.",
    )
