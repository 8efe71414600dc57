"""``devpulse verify-isolation``: reads the log and the saved results of an output folder and says what they prove."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devpulse.adapters.regular_files import read_regular
from devpulse.adapters.run_log import LOG
from devpulse.core.isolation import Isolation, SavedResult, Violation, check_isolation
from devpulse.errors import ConfigurationError, ExitStatus
from devpulse.output.characters import inert_lines, visible
from devpulse.output.coverage import plural
from devpulse.pipeline.task_result import TaskResult
from devpulse.requests import VerifyIsolationRequest

_RESULTS = "findings"
_MOST_BYTES = 2**31
"""Above any log: it is read whole."""


class _Unreadable(Exception):
    """A file is not as a run writes it."""


@dataclass(frozen=True, slots=True)
class _Log:
    events: list[tuple[int, dict[str, Any]]]
    torn: bool


def run_verify_isolation(request: VerifyIsolationRequest) -> int:
    """Check an output folder; 0 when isolation holds, 1 when it does not.

    Raises:
        ConfigurationError: there is no log in it, or the log or a result cannot be read.
    """
    folder = Path(request.folder)
    try:
        log = _log(folder / LOG)
        checked = check_isolation(log.events, list(_results(folder / _RESULTS)))
    except _Unreadable as error:
        sys.stdout.write(inert_lines(visible(f"Isolation is not proved: {error}")) + "\n")
        return ExitStatus.GATE
    if log.torn:
        sys.stderr.write("the last line of the log is cut off, as by a sudden death, and was left out\n")
    sys.stdout.write(inert_lines(visible(_said(checked))) + "\n")
    return ExitStatus.OK if checked.violation is None else ExitStatus.GATE


def _log(path: Path) -> _Log:
    lines = _text(path).split("\n")
    torn = lines.pop()
    return _Log([(number, _object(line, f"{path.name}:{number}")) for number, line in enumerate(lines, 1)], bool(torn))


def _text(path: Path) -> str:
    try:
        return read_regular(path, _MOST_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise ConfigurationError(
            f"{str(path)!r} cannot be read: {error.strerror}",
            hint="Name the output folder of a review, devpulse-artifacts by default.",
        ) from error


def _results(folder: Path) -> Iterator[SavedResult]:
    for file in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        data = _object(_text(file), f"{_RESULTS}/{file.name}")
        try:
            saved = TaskResult.from_json(data)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise _Unreadable(f"{_RESULTS}/{file.name} is not as a run writes it") from error
        if file.stem != saved.task:
            raise _Unreadable(f"{_RESULTS}/{file.name} is the result of another task")
        outcome = saved.outcome
        yield SavedResult(saved.task, type(outcome).__name__.lower(), outcome.reason, saved.steps, saved.context_tokens)


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _Unreadable(f"{where} is not JSON") from error
    if not isinstance(value, dict) or not isinstance(value.get("event", ""), str):
        raise _Unreadable(f"{where} is not as a run writes it")
    return value


def _said(checked: Isolation) -> str:
    if checked.violation is not None:
        return f"Isolation is broken: {_place(checked.violation)}: {checked.violation.text}"
    if not checked.requests:
        return "Nothing to prove: the log holds no request."
    summed_up = f", {plural(checked.summaries, 'request')} for a summary" if checked.summaries else ""
    runs = "1 run" if checked.runs == 1 else f"{checked.runs:,} runs"
    return (
        f"Isolation holds: {checked.tasks:,} tasks, {checked.contexts:,} contexts, {checked.requests:,} requests and "
        f"{checked.answers:,} answers of tools{summed_up} in {runs}. "
        "Each request was made of its own conversation alone."
    )


def _place(violation: Violation) -> str:
    where = f"{LOG}:{violation.line}" if violation.line else f"{_RESULTS}/{violation.task}.json"
    if not violation.line or not violation.task:
        return where
    return f"{where} (task {violation.task}{f', step {violation.step}' if violation.step else ''})"
