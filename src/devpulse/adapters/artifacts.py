"""The output folder: checked before anything is written, then written atomically."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from devpulse.adapters.atomic import UNFINISHED, write_atomic
from devpulse.adapters.line_files import append_line, drop_torn_end
from devpulse.adapters.notes import first_altered, last_seal
from devpulse.adapters.output_lock import LOCK_NAME
from devpulse.adapters.regular_files import is_regular, read_regular
from devpulse.errors import ArtifactError, ConfigurationError

_NOTES = "progress_notes.md"
_LOGS = ("run_log.jsonl", _NOTES)
_RESULTS = (
    "plan.json", "findings.json", "compare.json", "comments.json", "results.sarif", "report.html", "summary.md",
    "decisions.md", "shard.json",
)  # fmt: skip
"""Only our own files are ever removed: the folder may be one that holds other things."""
_MARKER = ".gitignore"
_TASKS = "findings"
_SIGN = "# The output folder of DevPulse: the next run replaces what an earlier one wrote."
_MOST_BYTES = 2**31
"""Above anything that is written here: what is read back is read whole."""
_OWN_NAMES = frozenset({*_LOGS, *_RESULTS, _TASKS, _MARKER, LOCK_NAME})


def relative_output(root: Path, wanted: str) -> str:
    """``output-dir`` as a path relative to ``root`` with forward slashes, in one spelling; it may lead outside."""
    return PurePosixPath(os.path.relpath(os.path.normpath(root / wanted), root)).as_posix()


def output_folder(root: Path, wanted: str, tracked: Callable[[str], bool]) -> Path:
    """The folder for artifacts, inside ``root``, safe to write to.

    ``wanted`` is as the user wrote it. ``tracked`` says whether git tracks anything at or below a relative path.

    Raises:
        ConfigurationError: it is outside, the root itself, a symlink or behind one, no folder, tracked, or
            holds something else: that would be left out of the review, and overwritten where names meet.
    """
    hint = "Choose another folder inside the repository with --output-dir."
    relative = PurePosixPath(relative_output(root, wanted))
    if relative.parts[:1] == ("..",) or relative == PurePosixPath("."):
        raise ConfigurationError(f"output-dir {wanted!r} is not a folder inside {root}", hint=hint)
    try:
        folder = _checked(root, relative, wanted, hint)
    except OSError as error:
        raise ConfigurationError(f"output-dir {wanted[:80]!r} cannot be used: {error.strerror}", hint=hint) from error
    if tracked(str(relative)):
        raise ConfigurationError(
            f"output-dir {wanted!r} is tracked by git: the change could have planted its content", hint=hint
        )
    if not _is_ours(folder):
        raise ConfigurationError(
            f"output-dir {wanted!r} holds files that DevPulse did not write",
            hint="Choose a new or an empty folder with --output-dir, or clear this one.",
        )
    return folder


def _checked(root: Path, relative: PurePosixPath, wanted: str, hint: str) -> Path:
    folder = root
    for part in relative.parts:
        folder = folder / part
        if part.lower() == ".git":
            raise ConfigurationError(f"output-dir {wanted!r} lies inside git's own folder", hint=hint)
        if folder.is_symlink():
            raise ConfigurationError(f"output-dir {wanted!r} leads through the symlink {folder}", hint=hint)
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"output-dir {wanted!r} is not a folder", hint=hint)
    return folder


def _is_ours(folder: Path) -> bool:
    """Whether a folder is new, empty, marked as ours, or holds nothing but what a run writes."""
    marker = folder / _MARKER
    try:
        if is_regular(marker) and read_regular(marker, len(_SIGN), follow=False) == _SIGN.encode():
            return True
        results = folder / _TASKS
        inner = results.iterdir() if results.is_dir() and not results.is_symlink() else ()
        return all(entry.name in _OWN_NAMES or entry.name.endswith(UNFINISHED) for entry in folder.iterdir()) and all(
            entry.name.endswith((".json", UNFINISHED)) for entry in inner
        )
    except OSError:
        return True  # new; or not to be read, which the first attempt to write says better


class FolderSink:
    """Artifacts in a folder. Names are relative with forward slashes and come from the program, not from data.

    After ``prepare``, ``torn`` holds the bytes of unfinished lines that were cut off the logs of an earlier
    run, by name, and ``altered`` the number of the first line of its progress notes that no run wrote, else 0.
    """

    def __init__(self, folder: Path, mask: Callable[[str], str]) -> None:
        self._folder = folder
        self._mask = mask
        self._lock = threading.Lock()
        self.torn: dict[str, int] = {}
        self.altered = 0

    def prepare(self, *, fresh: bool) -> None:
        """Make the folder; results of an earlier run go, its logs only when ``fresh``.

        Logs that stay go on with whole lines; notes that were altered are begun anew. Nobody else may be
        writing to the folder.

        Raises:
            ArtifactError: the folder cannot be made or cleared.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for left in self._folder.glob(f".*{UNFINISHED}"):
                left.unlink(missing_ok=True)  # of a run that died while it wrote
            if not any(entry.name != LOCK_NAME for entry in self._folder.iterdir()):
                # Keeps the folder out of `git status` and of the next review of the working tree.
                write_atomic(self._folder / _MARKER, f"{_SIGN}\n*\n")
            results = self._folder / _TASKS
            if results.is_symlink() or not results.is_dir():
                results.unlink(missing_ok=True)
            else:
                shutil.rmtree(results)
            for name in (*_RESULTS, *(_LOGS if fresh else ())):
                (self._folder / name).unlink(missing_ok=True)
            self._go_on_with_logs()
        except OSError as error:
            raise self._error(error) from error

    def _go_on_with_logs(self) -> None:
        for name in _LOGS:
            if not is_regular(self._folder / name):  # a FIFO would make the run wait, a symlink write elsewhere
                (self._folder / name).unlink(missing_ok=True)
        self.torn = {name: cut for name in _LOGS if (cut := drop_torn_end(self._folder / name))}
        notes = self._folder / _NOTES
        if not notes.exists():
            return
        text = notes.read_bytes().decode("utf-8", "replace")
        self.altered = first_altered(text)
        if self.altered:
            notes.unlink()
        elif text:
            self.append(_NOTES, f"RESUMED {datetime.now(UTC).isoformat(timespec='seconds')}")

    def write(self, name: str, text: str) -> str:
        """As ``ArtifactSink.write``; known secrets are masked once more on the way out."""
        path = self._folder / name
        try:
            # Results of single files are made anew by the next run, so nobody waits for the disk.
            write_atomic(path, self._masked(text), synced=not name.startswith(f"{_TASKS}/"))
        except OSError as error:
            raise self._error(error) from error
        return str(path)

    def append(self, name: str, line: str) -> None:
        """As ``ArtifactSink.append``: one write call a line, so lines of several threads never mix."""
        line = self._masked(line)
        try:
            with self._lock:
                if name == _NOTES:
                    line, _ = last_seal(self._folder / name).next(line)
                append_line(self._folder / name, line)
        except OSError as error:
            raise self._error(error) from error

    def read(self, name: str) -> str | None:
        """As ``ArtifactSink.read``."""
        try:
            return read_regular(self._folder / name, _MOST_BYTES, follow=False).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def path(self, name: str) -> str:
        """Where an artifact is or will be."""
        return str(self._folder / name)

    def _masked(self, text: str) -> str:
        masked = self._mask(text)
        if masked == text:
            return text
        try:
            document = json.loads(text)
        except ValueError:
            return masked
        # What looks like one secret may start in one string and end in another: each is masked by itself.
        indent = 2 if "\n" in text.strip() else None
        return json.dumps(self._masked_inside(document), indent=indent) + ("\n" if text.endswith("\n") else "")

    def _masked_inside(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._mask(value)
        if isinstance(value, list):
            return [self._masked_inside(item) for item in value]
        if isinstance(value, dict):
            return {self._mask(name): self._masked_inside(item) for name, item in value.items()}
        return value

    def _error(self, error: OSError) -> ArtifactError:
        return ArtifactError(
            f"the output folder {self._folder} cannot be written: {error.strerror or error}",
            hint="Check its owner and permissions and the free space, or choose another with --output-dir.",
        )
