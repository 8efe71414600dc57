"""Runs the real pipeline over a real source with a given engine, artifacts in a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devpulse.adapters.artifacts import FolderSink
from devpulse.adapters.progress import SilentProgress
from devpulse.adapters.run_log import JsonLinesLog
from devpulse.core.budget import ContextBudget
from devpulse.core.fence import Fence
from devpulse.core.policy import ReportPolicy
from devpulse.core.redaction import Redactor
from devpulse.main.indexing import index_of
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.plan import PathFilter
from devpulse.pipeline.run import RunOptions, RunPorts, review_change
from devpulse.pipeline.work import Work
from devpulse.ports import ChangeSource, ResumeStore, ReviewModel

FENCE_KEY = "0123456789abcdef"


@dataclass
class Run:
    """A finished run and where its artifacts are."""

    result: RunResult
    folder: Path

    def artifact(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def places(self) -> list[tuple[str, str, int]]:
        """Where the findings stand: path, side, first line."""
        return sorted((f.path, f.side.value, f.start_line) for f in self.result.report.findings)


def run_source(
    source: ChangeSource,
    model: ReviewModel,
    folder: Path,
    *,
    store: ResumeStore | None = None,
    fallback: ReviewModel | None = None,
    stopped: Callable[[], str] = lambda: "",
    over: Callable[[], str] = lambda: "",
    clock: Callable[[], float] = lambda: 0.0,
    review: Callable[[Work, RunOptions, RunPorts], RunResult] = review_change,
    **options: Any,
) -> Run:
    """Review what ``source`` gives; ``options`` replace those of ``RunOptions``."""
    change_set = source.load()
    head = source.head()
    gate = PathGate(head.size, "devpulse-artifacts")
    redactor = Redactor()
    sink = FolderSink(folder, redactor.mask)
    sink.prepare(fresh=True)
    work = Work(change_set, source.base(), head, index_of(head, gate), gate, redactor, Fence(FENCE_KEY))
    settings: dict[str, Any] = {
        "budget": ContextBudget(),
        "max_parallel": 4,
        "max_steps": 10,
        "instructions": "",
        "paths": PathFilter(),
        "policy": ReportPolicy(),
        "build": "test",
        **options,
    }
    ports = RunPorts(
        model,
        fallback,
        sink,
        JsonLinesLog(sink, redactor.mask),
        SilentProgress(),
        store,
        _no_crash,
        stopped,
        over,
        clock,
    )
    return Run(review(work, RunOptions(**settings), ports), folder)


def _no_crash() -> None:
    raise AssertionError("the run was to be stopped, but the test did not ask for it")
