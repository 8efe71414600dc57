"""Runs the program in processes that die at a chosen instant. For tests only, and started by them as a script.

The script loads the program once and then forks for every run it is told of, so that a run costs no start. In the
fork every call that changes a file (open for writing, write, flush to disk, rename, remove, make or remove a folder,
set times) is a step; at the step asked for, the process kills itself, or sends itself another signal, before the
call, after it, or in the middle of the bytes it writes.
"""

from __future__ import annotations

import atexit
import io
import json
import mmap
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

BEFORE, TORN, AFTER = "before", "torn", "after"
_CHANGING = ("fsync", "replace", "rename", "unlink", "mkdir", "rmdir", "utime", "fchmod", "ftruncate")
_SHARED = struct.Struct("qd")


@dataclass(frozen=True)
class Death:
    """When and how a run ends early: at a step, or ``after_seconds``; ``at`` 0 and no time let it live.

    With ``on``, only steps count that have to do with a path that holds it.
    """

    at: int = 0
    on: str = ""
    how: str = BEFORE
    signal: int = signal.SIGKILL
    after_seconds: float | None = None


@dataclass(frozen=True)
class Ended:
    """``status`` as of ``subprocess``, the steps that were made, the whole time, and that after the signal was sent."""

    status: int
    steps: int
    seconds: float
    seconds_after_signal: float
    output: str = field(repr=False)


class Runner:
    """Talks to the script in a process of its own. A context manager."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, arguments: list[str], folder: Path, death: Death | None = None) -> Ended:
        """One run of the program; ``folder`` takes its temporary files and what it prints."""
        folder.mkdir(parents=True, exist_ok=True)
        job = {"arguments": arguments, "folder": str(folder), "death": asdict(death or Death())}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return Ended(**json.loads(self._process.stdout.readline()), output=(folder / "output").read_text())


class _Steps:
    """Counts steps in memory that the parent reads, and ends the process at the one asked for."""

    def __init__(self, shared: mmap.mmap, death: Death) -> None:
        self._shared = shared
        self._death = death
        self._made = 0
        self._counted = 0
        self._lock = threading.RLock()

    def take(self, call: Any, *arguments: Any, half: Any = None, **options: Any) -> Any:
        with self._lock:
            self._made += 1
            counts = any(self._death.on in str(argument) for argument in arguments)
            self._counted += counts
            due = counts and self._counted == self._death.at
            if due and self._death.how == TORN and half is not None:
                half()
            self._note(died=due)
            if due and self._death.how != AFTER:
                os.kill(os.getpid(), self._death.signal)
        try:
            return call(*arguments, **options)
        finally:  # also when it failed, as the removal of a file that is not there does
            if due and self._death.how == AFTER:
                os.kill(os.getpid(), self._death.signal)

    def _note(self, *, died: bool) -> None:
        _, before = _SHARED.unpack(self._shared[: _SHARED.size])
        self._shared[: _SHARED.size] = _SHARED.pack(self._made, time.monotonic() if died else before)


class _File:
    """An open file whose writes are steps."""

    def __init__(self, inner: Any, steps: _Steps) -> None:
        self._inner = inner
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(self, *error: object) -> Any:
        return self._inner.__exit__(*error)

    def __iter__(self) -> Any:
        return iter(self._inner)

    def write(self, data: Any) -> Any:
        def half() -> None:
            if self._steps._death.signal == signal.SIGKILL:  # who lives on would write the first half twice
                self._inner.write(data[: len(data) // 2])
                self._inner.flush()

        return self._steps.take(self._inner.write, data, half=half)

    def truncate(self, size: int | None = None) -> Any:
        return self._steps.take(self._inner.truncate, size)


def _instrument(steps: _Steps) -> None:
    def stepping(call: Any) -> Any:
        return lambda *arguments, **options: steps.take(call, *arguments, **options)

    for name in _CHANGING:
        setattr(os, name, stepping(getattr(os, name)))
    opened, descriptor_opened, low_opened = io.open, os.fdopen, os.open

    def open_file(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if isinstance(file, int) or not set(mode) & set("wax+"):
            return opened(file, mode, *arguments, **options)
        return _File(steps.take(opened, file, mode, *arguments, **options), steps)

    def open_descriptor(handle: int, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        inner = descriptor_opened(handle, mode, *arguments, **options)
        return _File(inner, steps) if set(mode) & set("wax+") else inner

    def open_low(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        call = steps.take if flags & os.O_CREAT else lambda call, *rest, **others: call(*rest, **others)
        return int(call(low_opened, path, flags, *arguments, **options))

    io.open = open_file
    os.fdopen = open_descriptor  # type: ignore[assignment]  # it takes what its callers here give
    os.open = open_low


def _live(job: dict[str, Any], death: Death, shared: mmap.mmap) -> None:
    """The fork: one run of the program, to its end or to its death."""
    import tempfile  # noqa: PLC0415  (as the program will see it)

    from devpulse.cli import run  # noqa: PLC0415  (loaded already, before the fork)

    output = os.open(f"{job['folder']}/output", os.O_WRONLY)
    os.dup2(output, 1)
    os.dup2(output, 2)
    tempfile.tempdir = job["folder"]
    _instrument(_Steps(shared, death))
    status = run(job["arguments"])
    threading._shutdown()  # type: ignore[attr-defined]  # what the interpreter does at its end
    atexit._run_exitfuncs()
    os._exit(status)


def _fork(job: dict[str, Any]) -> dict[str, Any]:
    death = Death(**job["death"])
    shared = mmap.mmap(-1, _SHARED.size)
    Path(job["folder"], "output").write_text("")
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            _live(job, death, shared)
        finally:
            os._exit(99)
    if death.after_seconds is not None:
        time.sleep(death.after_seconds)
        os.kill(child, death.signal)
    _, status = os.waitpid(child, 0)
    now = time.monotonic()
    made, died = _SHARED.unpack(shared[: _SHARED.size])
    return {
        "status": os.waitstatus_to_exitcode(status),
        "steps": made,
        "seconds": now - started,
        "seconds_after_signal": now - died if died else 0.0,
    }


def _serve() -> None:
    import devpulse.main.review  # noqa: F401, PLC0415  (loaded once, for all forks)

    for line in sys.stdin:
        sys.stdout.write(json.dumps(_fork(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
