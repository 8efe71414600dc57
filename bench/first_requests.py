"""The first request of each child for a change, as the real pipeline sends it, read back from its text alone."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recall_truth import Span

from devpulse.adapters.artifacts import FolderSink
from devpulse.adapters.git import Repository
from devpulse.adapters.progress import SilentProgress
from devpulse.adapters.run_log import JsonLinesLog
from devpulse.core.budget import ContextBudget, estimate_tokens
from devpulse.core.change import ChangeSet, FileChange, PullRequest
from devpulse.core.fence import Fence
from devpulse.core.finding import FindingSource
from devpulse.core.messages import ModelReply, ModelRequest, StopReason, ToolCall, UserMessage
from devpulse.core.policy import ReportPolicy
from devpulse.core.redaction import Redactor
from devpulse.core.tool_specs import SUBMIT_REVIEW
from devpulse.main.indexing import index_of
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.plan import PathFilter
from devpulse.pipeline.run import RunOptions, RunPorts, review_change
from devpulse.pipeline.work import Work

FENCE_KEY = "0123456789abcdef"

_ROW = re.compile(r"(?: {0,4}\d{1,5}|\d{6,}| {5}) (?: {0,4}(\d{1,5})|(\d{6,}))(?: [+ ](?: (.*))?)?")
_PLACE = re.compile(r"(\S+) (.+):(\d+)-(\d+)")


@dataclass(slots=True)
class Request:
    """The first request of one child, read back from its text alone."""

    system: str
    text: str
    rows: dict[int, str] = field(default_factory=dict)
    called: list[tuple[str, int, int]] = field(default_factory=list)
    path: str = ""
    leads: str = ""

    def __post_init__(self) -> None:
        fence = Fence(FENCE_KEY)
        self.path = json.loads(fence.blocks("file", self.text)[0])["path"]
        for row in fence.blocks("diff", self.text)[0].split("\n"):
            match = _ROW.fullmatch(row)
            if match and (match[1] or match[2]):
                self.rows[int(match[1] or match[2])] = match[3] or ""
        listed = [row for block in fence.blocks("called", self.text) for row in block.split("\n")]
        places = [match for row in listed if (match := _PLACE.fullmatch(row))]
        self.called = [(match[2], int(match[3]), int(match[4])) for match in places]
        self.leads = "".join(fence.blocks("leads", self.text))

    @property
    def tokens(self) -> int:
        """Estimated tokens of both messages."""
        return estimate_tokens(self.system) + estimate_tokens(self.text)

    def shows(self, span: Span, lines: Sequence[str]) -> bool:
        """Whether all lines of a head function stand in the request, under their numbers."""
        return all(self.rows.get(number, "\0").rstrip() == lines[number - 1].rstrip() for number in span.lines)


class Listener:
    """A model that keeps each child's first request and submits an empty review."""

    name = "listener"
    version = "1"
    source = FindingSource.MODEL

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        """Keep the request if it is a child's first."""
        if request.step == 1 and request.task != "conclude":
            system, user = request.messages[0], request.messages[1]
            if isinstance(user, UserMessage):
                self.requests.append(Request(system.text, user.text))
        arguments = {"findings": [], "dismissed_leads": [], "overall_risk": "none", "summary": "Nothing."}
        return ModelReply(text="", tool_calls=(ToolCall("1", SUBMIT_REVIEW, arguments),), stop=StopReason.TOOL_CALLS)


def first_requests(repository: Repository, changes: Sequence[FileChange], fix: str, parent: str) -> list[Request]:
    """What the real pipeline sends first for each of these files, the index being built."""
    head = repository.tree(parent)
    gate, redactor, listener = PathGate(head.size, "devpulse-artifacts"), Redactor(), Listener()
    index = index_of(head, gate)
    index.definitions("main")
    with tempfile.TemporaryDirectory() as folder:
        sink = FolderSink(Path(folder) / "out", redactor.mask)
        sink.prepare(fresh=True)
        change_set = ChangeSet(PullRequest(fix, parent), tuple(changes), "bench", "")
        work = Work(change_set, repository.tree(fix), head, index, gate, redactor, Fence(FENCE_KEY))
        options = RunOptions(
            budget=ContextBudget(), max_parallel=1, max_steps=2, instructions="", paths=PathFilter(),
            policy=ReportPolicy(), build="bench", verify=False,
        )  # fmt: skip
        log = JsonLinesLog(sink, redactor.mask)
        ports = RunPorts(listener, None, sink, log, SilentProgress(), None, lambda: None, lambda: "")
        review_change(work, options, ports)
    return listener.requests
