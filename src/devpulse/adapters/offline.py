"""The embedded engine: the model port without a model. Rules found the leads; it checks and submits them.

It knows nothing but the request, as any model would: the leads and the diff it reads are the ones
in its messages, and what it misses it asks for with the same tools.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from devpulse.core.categories import Severity
from devpulse.core.fence import Fence
from devpulse.core.finding import FindingSource
from devpulse.core.flow.sanitising import sanitises
from devpulse.core.messages import (
    AssistantMessage,
    Message,
    ModelReply,
    ModelRequest,
    StopReason,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from devpulse.core.task_text import DIFF_KIND, FILE_KIND, LEADS_KIND
from devpulse.core.text import normalise_space
from devpulse.core.tool_specs import SUBMIT_REVIEW
from devpulse.errors import ModelError

_FENCE_KEY = re.compile(r"Fence key ([0-9a-f]+)\.")
_NUMBER = r"(?: {0,4}\d{1,5}|\d{6,}| {5})"
_ROW = re.compile(rf"{_NUMBER} {_NUMBER} [-+ ](?: (.*))?")
_NUMBERED = re.compile(r" *\d+ (.*)")
_MAX_CALLS = 20
"""Look-ups of one step; a file with more open questions spreads them over its steps."""


class OfflineEngine:
    """Confirms a lead when its evidence is in sight and no function on the way makes the value safe."""

    name = "offline"
    version = "1"
    source = FindingSource.RULE

    def complete(self, request: ModelRequest) -> ModelReply:
        """Look up what the leads ask for; when nothing is left to ask, submit.

        Raises:
            ModelError: the first user message is not a task as the pipeline writes it.
        """
        task = _Task(request.messages)
        wanted = [call for call in task.questions() if call.id not in task.answers][:_MAX_CALLS]
        calls = tuple(wanted) if wanted and request.forced_tool is None else (task.submit(),)
        return ModelReply(text="", tool_calls=calls, stop=StopReason.TOOL_CALLS)


class _Task:
    """The conversation so far, read back from its messages."""

    def __init__(self, messages: Sequence[Message]) -> None:
        opening = next((message.text for message in messages if isinstance(message, UserMessage)), "")
        key = _FENCE_KEY.search(opening)
        if key is None:
            raise ModelError("the request holds no task", hint="This is a fault of the program; please report it.")
        self._fence = Fence(key.group(1))
        self.path: str = json.loads("".join(self._fence.blocks(FILE_KIND, opening)))["path"]
        rows = [row for block in self._fence.blocks(LEADS_KIND, opening) for row in block.split("\n")]
        self.leads: list[dict[str, Any]] = [json.loads(row) for row in rows]
        diff = "\n".join(self._fence.blocks(DIFF_KIND, opening)).split("\n")
        self._seen = {normalise_space(row.group(1) or "") for line in diff if (row := _ROW.fullmatch(line))} | {""}
        asked = {call.id for m in messages if isinstance(m, AssistantMessage) for call in m.tool_calls}
        self.answers = {m.call_id: self._unfenced(m.text) for m in messages if isinstance(m, ToolMessage)}
        self.answers = {call: text for call, text in self.answers.items() if call in asked}

    def _unfenced(self, text: str) -> str:
        return "\n".join(self._fence.blocks("answer", text))

    def questions(self) -> Iterator[ToolCall]:
        """Every look-up the leads need; ids are derived from the question, so asking twice is seen."""
        asked = set()
        for lead in self.leads:
            for name in lead.get("asks", ()):
                call = ToolCall(f"load:{name}", "load_symbol_source", {"symbol_name": name})
                if call.id not in asked:
                    asked.add(call.id)
                    yield call
            if lead["side"] == "RIGHT" and not self._in_sight(lead):
                arguments = {"path": self.path, "start_line": lead["start_line"], "end_line": lead["end_line"]}
                yield ToolCall(f"read:{lead['id']}", "read_lines", arguments)

    def _in_sight(self, lead: dict[str, Any]) -> bool:
        return all(normalise_space(line) in self._seen for line in lead["evidence"].split("\n"))

    def submit(self) -> ToolCall:
        """The finished review: confirmed leads as findings, the others dismissed with the reason."""
        findings, dismissed = [], []
        for lead in self.leads:
            reason = self._doubt(lead)
            if reason:
                dismissed.append({"id": lead["id"], "reason": reason})
            else:
                findings.append({**{k: v for k, v in lead.items() if k not in ("id", "asks")}, "lead": lead["id"]})
        severities = [Severity(finding["severity"]) for finding in findings]
        arguments = {
            "findings": findings,
            "dismissed_leads": dismissed,
            "overall_risk": max(severities, key=lambda severity: severity.rank, default="none"),
            "summary": f"{len(findings)} of {len(self.leads)} leads confirmed.",
        }
        return ToolCall(f"submit:{len(self.answers)}", SUBMIT_REVIEW, arguments)

    def _doubt(self, lead: dict[str, Any]) -> str:
        """Why a lead is dropped, or nothing when it stands."""
        if not self._in_sight(lead) and self._contradicted(lead):
            return "its evidence could not be found in the file"
        for name in lead.get("asks", ()):
            answer = self.answers.get(f"load:{name}", "")
            if sanitises(lead["category"], _path(answer), "\n".join(_code(answer))):
                return f"{name} makes the value safe"
        return ""

    def _contradicted(self, lead: dict[str, Any]) -> bool:
        """Whether the file was read and shows other code; what could not be read drops nothing."""
        # A removed line is not in the head and is never read; its part of the diff may be another child's.
        rows = _code(self.answers.get(f"read:{lead['id']}", ""))
        lines = {normalise_space(line) for line in rows} | {""}
        return bool(rows) and not all(normalise_space(line) in lines for line in lead["evidence"].split("\n"))


def _code(answer: str) -> list[str]:
    return [row.group(1) for line in answer.split("\n") if (row := _NUMBERED.fullmatch(line))]


def _path(answer: str) -> str:
    """The file a loaded symbol is from: the end of the answer's first line."""
    return answer.partition("\n")[0].rpartition(" in ")[2]
