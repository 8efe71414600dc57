"""The product as a tool of the detection bench: each file is a scan of its own by the embedded engine, at the default
thresholds. All of a review runs but what reads and writes folders."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from detection_cases import Case, Flag

from devpulse.adapters.offline import OfflineEngine
from devpulse.adapters.overlay import OverlayTree
from devpulse.core.budget import ContextBudget
from devpulse.core.change import ChangeSet
from devpulse.core.content import whole_file
from devpulse.core.fence import Fence
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.policy import ReportPolicy
from devpulse.core.redaction import Redactor
from devpulse.main.indexing import index_of
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.in_memory import MemorySink, NoLog, NoProgress
from devpulse.pipeline.plan import PathFilter
from devpulse.pipeline.run import RunOptions, RunPorts, review_change
from devpulse.pipeline.work import Work

OPTIONS = RunOptions(
    budget=ContextBudget(),
    max_parallel=1,
    max_steps=10,
    instructions="",
    paths=PathFilter(),
    policy=ReportPolicy(),
    build="bench",
)


def findings_of(path: str, data: bytes, beside: Mapping[str, bytes]) -> tuple[list[Finding], float]:
    """What a scan of one file posts at the default thresholds, and the seconds it took.

    Raises:
        SystemExit: the file was not reviewed whole, so that its silence would mean nothing.
    """
    begin = time.process_time()
    tree = OverlayTree({**beside, path: data})
    gate = PathGate(tree.size, None, tree.paths)
    change = ChangeSet(None, (whole_file(path, "100644", data),), "folder", "")
    work = Work(change, OverlayTree({}), tree, index_of(tree, gate), gate, Redactor(), Fence("0" * 16))
    ports = RunPorts(
        model=OfflineEngine(),
        fallback=None,
        sink=MemorySink(),
        log=NoLog(),
        progress=NoProgress(),
        store=None,
        crash=lambda: None,
        stopped=str,
    )
    result = review_change(work, OPTIONS, ports)
    if result.defect is not None:
        raise SystemExit(f"{path}: {result.defect!r}")
    standing = [finding for finding in result.report.findings if finding.status is FindingStatus.OPEN]
    return standing, time.process_time() - begin


def _flags(beside: Mapping[str, bytes], case: Case) -> tuple[str, list[Flag], float]:
    found, seconds = findings_of(case.path, case.text.encode("utf-8", "surrogateescape"), beside)
    return case.path, [Flag(f.category, f.start_line, f.end_line, f.rule_id or "", f.title) for f in found], seconds


def judge(cases: Sequence[Case], beside: Mapping[str, bytes], jobs: int) -> tuple[dict[str, list[Flag]], float]:
    """What the product finds in each case, judged apart from all others, and the seconds of the slowest."""
    with ProcessPoolExecutor(jobs) as pool:
        rows = list(pool.map(partial(_flags, beside), cases, chunksize=16))
    return {path: flags for path, flags, _ in rows}, max((seconds for *_, seconds in rows), default=0.0)
