"""The embedded engine: the model port without a model. Rules found the leads; it checks and submits them.

It knows nothing but the request, as any model would: the leads and the diff it reads are the ones
in its messages, and what it misses it asks for with the same tools.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from devpulse.core.categories import Severity
from devpulse.core.compaction import DECISION, NO_ROOM, SummaryMessage
from devpulse.core.fence import Fence
from devpulse.core.finding import FindingSource
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
_LOAD, _READ = "load:", "read:"
"""What the ids of calls start with."""

_DECIDED = re.compile(rf"{DECISION}((?:{_LOAD}|{_READ}).+) -> ([^>]+)")
_OTHER_CODE = "other-code"
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
            ModelError: no user message is a task as the pipeline writes it.
        """
        task = _Task(request.messages)
        wanted = [call for call in task.questions() if not task.settled(call)][:_MAX_CALLS]
        if not wanted or request.forced_tool is not None:
            return ModelReply(text="", tool_calls=(task.submit(),), stop=StopReason.TOOL_CALLS)
        return ModelReply(text=task.decisions(), tool_calls=tuple(wanted), stop=StopReason.TOOL_CALLS)


class _Task:
    """The newest task of the conversation so far, read back from its messages. What stands before it is over."""

    def __init__(self, messages: Sequence[Message]) -> None:
        key, start = next(_tasks(messages), (None, 0))
        if key is None:
            raise ModelError("the request holds no task", hint="This is a fault of the program; please report it.")
        opening, messages = messages[start].text, messages[start:]
        self._fence = Fence(key.group(1))
        self.path: str = json.loads("".join(self._fence.blocks(FILE_KIND, opening)))["path"]
        rows = [row for block in self._fence.blocks(LEADS_KIND, opening) for row in block.split("\n")]
        self.leads: list[dict[str, Any]] = [json.loads(row) for row in rows]
        self._opening = opening
        asked = {call.id for m in messages if isinstance(m, AssistantMessage) for call in m.tool_calls}
        given = [m for m in messages if isinstance(m, ToolMessage) and m.call_id in asked and m.text != NO_ROOM]
        self.answers = {m.call_id: self._unfenced(m.text) for m in given}
        self._decided = {d[1]: d[2] for row in _own_rows(messages) if (d := _DECIDED.fullmatch(row))}

    @cached_property
    def _seen(self) -> set[str]:
        """The code lines of the diff; only leads have a use for them."""
        diff = "\n".join(self._fence.blocks(DIFF_KIND, self._opening)).split("\n")
        return {normalise_space(row.group(1) or "") for line in diff if (row := _ROW.fullmatch(line))} | {""}

    def _unfenced(self, text: str) -> str:
        return "\n".join(self._fence.blocks("answer", text))

    def questions(self) -> Iterator[ToolCall]:
        """Every look-up the leads need; ids are derived from the question, so asking twice is seen."""
        asked = set()
        for lead in self.leads:
            for name in lead.get("asks", ()):
                call = ToolCall(_load_id(name), "load_symbol_source", {"symbol_name": name})
                if call.id not in asked:
                    asked.add(call.id)
                    yield call
            if lead["side"] == "RIGHT" and not self._in_sight(lead):
                arguments = {"path": self.path, "start_line": lead["start_line"], "end_line": lead["end_line"]}
                yield ToolCall(f"{_READ}{lead['id']}", "read_lines", arguments)

    def settled(self, call: ToolCall) -> bool:
        """Whether a question needs no more asking: its answer is here, or what came of it was noted."""
        return call.id in self.answers or call.id in self._decided

    def decisions(self) -> str:
        """What came of the answers that are here, in lines that a summary of the history keeps word for word."""
        new = [call for call in self.questions() if call.id in self.answers and call.id not in self._decided]
        return "\n".join(f"{DECISION}{call.id} -> {self._result(call)}" for call in new)

    def _result(self, call: ToolCall) -> str:
        if call.id.startswith(_READ):
            (lead,) = (lead for lead in self.leads if f"{_READ}{lead['id']}" == call.id)
            return _OTHER_CODE if self._contradicted(lead) else "nothing"
        asking = (lead for lead in self.leads if call.id in map(_load_id, lead.get("asks", ())))
        categories = dict.fromkeys(lead["category"] for lead in asking)
        return " ".join(c for c in categories if self._sanitised(call.id, c)) or "nothing"

    def _sanitised(self, call: str, category: str) -> bool:
        if call not in self.answers:
            return category in self._decided.get(call, "").split()
        from devpulse.core.flow.sanitising import sanitises  # noqa: PLC0415  (data flow is slow to import, few files need it)

        answer = self.answers[call]
        return sanitises(category, _path(answer), "\n".join(_code(answer)))

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
            if self._sanitised(_load_id(name), lead["category"]):
                return f"{name} makes the value safe"
        return ""

    def _contradicted(self, lead: dict[str, Any]) -> bool:
        """Whether the file was read and shows other code; what could not be read drops nothing."""
        # A removed line is not in the head and is never read; its part of the diff may be another child's.
        call = f"{_READ}{lead['id']}"
        if call not in self.answers:
            return self._decided.get(call) == _OTHER_CODE
        rows = _code(self.answers[call])
        lines = {normalise_space(line) for line in rows} | {""}
        return bool(rows) and not all(normalise_space(line) in lines for line in lead["evidence"].split("\n"))


def _tasks(messages: Sequence[Message]) -> Iterator[tuple[re.Match[str], int]]:
    """The heading and place of each task, the newest first."""
    for place, message in reversed(list(enumerate(messages))):
        if isinstance(message, UserMessage) and (key := _FENCE_KEY.match(message.text)):
            yield key, place


def _load_id(name: str) -> str:
    return f"{_LOAD}{name}"


def _own_rows(messages: Sequence[Message]) -> Iterator[str]:
    """The lines this engine wrote itself, also those that only a summary still holds."""
    for message in messages:
        if isinstance(message, AssistantMessage):
            yield from message.text.split("\n")
        elif isinstance(message, SummaryMessage):
            yield from (row.text for row in message.rows if row.lasting)


def _code(answer: str) -> list[str]:
    return [row.group(1) for line in answer.split("\n") if (row := _NUMBERED.fullmatch(line))]


def _path(answer: str) -> str:
    """The file a loaded symbol is from: the end of the answer's first line."""
    return answer.partition("\n")[0].rpartition(" in ")[2]
