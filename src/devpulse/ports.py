"""What the pipeline needs from the outside world: small protocols, implemented by adapters and by tests."""

from __future__ import annotations

from typing import Any, Protocol

from devpulse.core.change import ChangeSet
from devpulse.core.finding import FindingSource
from devpulse.core.messages import ModelReply, ModelRequest
from devpulse.core.review import Outcome
from devpulse.core.source_tree import SourceTree


class ChangeSource(Protocol):
    """Where a change comes from: a git range, a working tree, a patch file, a folder, GitHub."""

    def load(self) -> ChangeSet:
        """Read the change.

        Raises:
            SourceError: it cannot be read; the hint says what to do.
        """
        ...

    def head(self) -> SourceTree:
        """The head side; valid after ``load``."""
        ...

    def base(self) -> SourceTree:
        """The base side; valid after ``load``."""
        ...


class ReviewModel(Protocol):
    """An engine: answers one request. Safe to call from several threads.

    ``name`` is the engine's, ``version`` goes into the keys of stored work. ``source`` says whose
    findings it submits: a RULE engine's need no further check, and what it drops goes to the log only.
    """

    name: str
    version: str
    source: FindingSource

    def complete(self, request: ModelRequest) -> ModelReply:
        """Answer.

        Raises:
            ModelError: there is no usable answer.
        """
        ...


class ArtifactSink(Protocol):
    """Where results are offloaded. Writes are atomic; reading back a missing file gives ``None``."""

    def write(self, name: str, text: str) -> str:
        """Write an artifact and return the path to show to people.

        Raises:
            ArtifactError: it cannot be written.
        """
        ...

    def append(self, name: str, line: str) -> None:
        """Append one line to a log-like artifact."""
        ...

    def read(self, name: str) -> str | None:
        """The text of an artifact, or ``None`` when it is not there."""
        ...


class ArtifactFolder(Protocol):
    """Artifacts that another run has written, maybe on another machine. ``name`` is how people know the folder."""

    @property
    def name(self) -> str:
        """The folder's name."""
        ...

    def read(self, name: str) -> str | None:
        """The text of an artifact, or ``None`` when it is not there, no regular file, too large or no text."""
        ...


class RunLog(Protocol):
    """The machine-readable history of a run, one event a line; the implementation adds the time."""

    def record(self, event: str, *, task: str = "", step: int = 0, **values: Any) -> None:
        """Note an event; long values are cut and secrets masked before they are written."""
        ...


class Progress(Protocol):
    """Who watches a run: a terminal, a CI log, or nobody."""

    def started(self, total: int) -> None:
        """The plan is made; ``total`` tasks are due."""
        ...

    def began(self, path: str) -> None:
        """Work on a task of this file begins. Comes from any thread, and once for each part of a file."""
        ...

    def finished(self, path: str, outcome: Outcome, findings: int, level: str, tokens: int) -> None:
        """One task is done; ``level`` is the highest severity it found, or ``none``."""
        ...

    def closed(self) -> None:
        """No further call follows; a display is taken down."""
        ...


class ResumeStore(Protocol):
    """Finished work of earlier runs, by key. A damaged entry reads as absent."""

    def load(self, key: str) -> dict[str, Any] | None:
        """The entry, or ``None`` when there is none or it is damaged (``damaged`` then counts it)."""
        ...

    def save(self, key: str, entry: dict[str, Any]) -> None:
        """Keep an entry; failing to keep it is not an error of the review."""
        ...
