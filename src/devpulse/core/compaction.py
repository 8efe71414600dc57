"""Histories of a child that outgrow their share: older turns become one summary, decisions and denials stay.

A turn is an assistant message with everything that follows it up to the next one, so calls are never parted from
their results and kept replies are the very objects the engine gave (thought signatures included).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from devpulse.core.answer_line import answer_line, cut
from devpulse.core.budget import estimate_all, estimate_tokens
from devpulse.core.fence import Fence
from devpulse.core.history import OPENING, history_tokens
from devpulse.core.messages import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage
from devpulse.core.tool_specs import SUBMIT_CONCLUSION, SUBMIT_REVIEW, SUBMIT_VERDICTS

KEPT_TURNS = 2
SUMMARY_PERCENT = 25
"""Of the history's share what a summary may take, unless its lasting rows alone take more."""

DECISION = "DECISION: "
DENIED = "DENIED: "
ERROR = "ERROR: "
NO_ROOM = (
    f"{ERROR}no room is left for this answer in this step; call it again in the next one, or hand in what you have"
)
"""Stands for an answer that the history has no room for."""

SUMMARY_KIND = "summary"

_SUBMIT_TOOLS = frozenset({SUBMIT_CONCLUSION, SUBMIT_REVIEW, SUBMIT_VERDICTS})
_HEAD = (
    "Summary of {turns} earlier {noun} of this task{calls}, written by the program. The answers left the history; "
    "call a tool again to see one."
)


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One thing that happened. ``lasting`` ones (decisions, denials, submissions) are never dropped or reworded."""

    text: str
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class SummaryMessage(UserMessage):
    """Stands for all turns before the kept ones. ``rows`` are its content, ``turns`` and ``calls`` how many turns and
    tool calls it covers, ``left_out`` how many rows were dropped for want of room."""

    rows: tuple[SummaryRow, ...] = ()
    turns: int = 0
    calls: int = 0
    left_out: int = 0


Turn = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class SplitHistory:
    """A history in its parts: opening, earlier summary, the turns that can be summed up, the turns that stay."""

    opening: tuple[Message, ...]
    summary: SummaryMessage | None
    older: tuple[Turn, ...]
    kept: tuple[Turn, ...]

    @property
    def rows(self) -> tuple[SummaryRow, ...]:
        """Everything the next summary is about, in order."""
        earlier = () if self.summary is None else self.summary.rows
        return (*earlier, *(row for turn in self.older for row in turn_rows(turn)))

    @property
    def told_of(self) -> tuple[Message, ...]:
        """The messages that the next summary stands for."""
        earlier = () if self.summary is None else (self.summary,)
        return (*earlier, *(message for turn in self.older for message in turn))

    def with_summary(self, summary: SummaryMessage) -> list[Message]:
        """The compacted history."""
        return [*self.opening, summary, *(message for turn in self.kept for message in turn)]


@dataclass(frozen=True, slots=True)
class Compaction:
    """A compacted history, its tokens before and after, and how many turns were summed up just now."""

    messages: list[Message]
    before: int
    after: int
    turns: int


Tell = Callable[[str, int], str]
"""Says in at most so many tokens what a record holds, or nothing."""


def no_words(_record: str, _longest: int) -> str:
    """Nobody is asked: the summary stays the program's own."""
    return ""


def compact(messages: Sequence[Message], share: int, fence: Fence, tell: Tell = no_words) -> Compaction | None:
    """Sum up all turns but the last two; nothing when there are none or the history would not get smaller.

    Compacting the result again changes nothing. ``share`` are the tokens that the history may take.
    """
    history = split_history(messages)
    if not history.older:
        return None
    room = share * SUMMARY_PERCENT // 100
    summary = summarise(history, room, fence)
    before = history_tokens(messages)
    if history_tokens(history.with_summary(summary)) >= before:
        return None
    longest = estimate_all(row.text for row in summary.rows if not row.lasting)
    if longest and (told := tell(transcript(history), longest)):
        worded = summarise(history, room, fence, told)
        summary = min(worded, summary, key=lambda each: len(each.text))
    compacted = history.with_summary(summary)
    return Compaction(compacted, before, history_tokens(compacted), len(history.older))


def split_history(messages: Sequence[Message]) -> SplitHistory:
    """Take a history apart; the last two turns are kept, complete or not."""
    opening, rest = tuple(messages[:OPENING]), messages[OPENING:]
    first = rest[0] if rest else None
    summary = first if isinstance(first, SummaryMessage) else None
    turns: list[list[Message]] = []
    for message in rest[summary is not None :]:
        if isinstance(message, AssistantMessage) or not turns:
            turns.append([])
        turns[-1].append(message)
    grouped = tuple(map(tuple, turns))
    return SplitHistory(opening, summary, grouped[:-KEPT_TURNS], grouped[-KEPT_TURNS:])


def summarise(history: SplitHistory, room: int, fence: Fence, told: str = "") -> SummaryMessage:
    """The summary of everything before the kept turns, in at most ``room`` tokens unless lasting rows alone take more.

    ``told`` are sentences that say the same as the rows that may be dropped, and replace them.
    """
    earlier = history.summary or SummaryMessage("")
    turns = len(history.older) + earlier.turns
    calls = earlier.calls + sum(
        len(m.tool_calls) for turn in history.older for m in turn if isinstance(m, AssistantMessage)
    )
    rows, left_out = history.rows, earlier.left_out
    if told:
        rows, left_out = (SummaryRow(f"in short: {told}"), *(row for row in rows if row.lasting)), 0
    while True:
        summary = SummaryMessage(_text(rows, turns, calls, left_out, fence), rows, turns, calls, left_out)
        droppable = next((place for place, row in enumerate(rows) if not row.lasting), None)
        if droppable is None or estimate_tokens(summary.text) <= room:
            return summary
        rows, left_out = (*rows[:droppable], *rows[droppable + 1 :]), left_out + 1


def _text(rows: tuple[SummaryRow, ...], turns: int, calls: int, left_out: int, fence: Fence) -> str:
    dropped = (f"({left_out} earlier {'row is' if left_out == 1 else 'rows are'} not listed)",) if left_out else ()
    covered = f" (tool calls 1 to {calls})" if calls else ""
    head = _HEAD.format(turns=turns, noun="step" if turns == 1 else "steps", calls=covered)
    block = fence.wrap(SUMMARY_KIND, "\n".join((*dropped, *(row.text for row in rows))))
    return f"{head}\n{block}"


def turn_rows(turn: Turn) -> list[SummaryRow]:
    """What a turn did, in order: decisions and words of the model, then its calls and what came of each."""
    rows: list[SummaryRow] = []
    answers = {message.call_id: message.text for message in turn if isinstance(message, ToolMessage)}
    for message in turn:
        if isinstance(message, AssistantMessage):
            rows += _said(message.text, whole=_is_refused_form(turn))
            rows += (_call_row(call, answers.get(call.id, "")) for call in message.tool_calls)
        elif isinstance(message, UserMessage) and message.text.startswith(ERROR):
            rows.append(SummaryRow(message.text, lasting=True))
    return rows


def _is_refused_form(turn: Turn) -> bool:
    """Whether the model wrote its form as prose and was told what is wrong with it: then both stay as they are."""
    return any(isinstance(message, UserMessage) and message.text.startswith(ERROR) for message in turn)


def _said(text: str, *, whole: bool) -> list[SummaryRow]:
    if whole:
        return [SummaryRow(text, lasting=True)]
    lines = text.split("\n")
    decisions = [SummaryRow(line, lasting=True) for line in lines if line.startswith(DECISION)]
    prose = cut(" ".join(line for line in lines if not line.startswith(DECISION)))
    return [*([SummaryRow(f"you said: {prose}")] if prose else ()), *decisions]


def _call_row(call: ToolCall, answer: str) -> SummaryRow:
    words = _words(call)
    if call.name in _SUBMIT_TOOLS:
        return SummaryRow(f"{words}: {answer}", lasting=True)
    if answer.startswith(DENIED):
        return SummaryRow(f"{cut(words)}: {answer}", lasting=True)
    return SummaryRow(f"{cut(words)}: {answer_line(answer)}")


def _words(call: ToolCall) -> str:
    given = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items())
    return f"{call.name}({given})"


def transcript(history: SplitHistory) -> str:
    """What the summary is about in full, for whoever is to tell it: the earlier summary, then calls and answers."""
    rows = [] if history.summary is None else [row.text for row in history.summary.rows]
    for turn in history.older:
        for message in turn:
            rows += (text for text in _transcribed(message) if text)
    return "\n".join(rows)


def _transcribed(message: Message) -> Iterable[str]:
    if isinstance(message, AssistantMessage):
        return (message.text, *(_words(call) for call in message.tool_calls))
    return (message.text,)
