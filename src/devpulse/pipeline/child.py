"""One child: a fresh context for one file or part, and the loop of at most ten model requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from devpulse.core.budget import ContextBudget, estimate_tokens
from devpulse.core.lookup import Lookup
from devpulse.core.messages import (
    AssistantMessage,
    Message,
    ModelReply,
    ModelRequest,
    StopReason,
    SystemMessage,
    ToolCall,
    ToolMessage,
    Usage,
    UserMessage,
)
from devpulse.core.prompt import digest
from devpulse.core.review import Failed, Outcome, Partial, Reviewed, SkipKind, Skipped
from devpulse.core.tool_specs import SUBMIT_REVIEW, TOOLS
from devpulse.errors import ModelError
from devpulse.pipeline.submission import Submission, parse_submission
from devpulse.pipeline.tools import Answer, ToolBox
from devpulse.ports import ReviewModel, RunLog

_NUDGE = "Answer only through tools. When you are done, call submit_review."
_NOT_RUN = "ERROR: not carried out, because submit_review was called in the same answer"
_NO_ROOM = "the room for answers is used up; call submit_review now"
_INCOMPLETE = frozenset(set(StopReason) - {StopReason.STOP, StopReason.TOOL_CALLS})


@dataclass(frozen=True, slots=True)
class ChildSetting:
    """What every child of a run shares: engine, budget, limits, log, and whether the run was cancelled."""

    model: ReviewModel
    budget: ContextBudget
    max_steps: int
    log: RunLog
    cancelled: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class ChildResult:
    """What a child brought back. ``context_tokens`` are the estimated tokens of all its requests."""

    submission: Submission
    outcome: Outcome
    usage: Usage
    context_tokens: int
    steps: int
    lookups: tuple[Lookup, ...]
    served_model: str


@dataclass(slots=True)
class Child:
    """The state of one review in progress; created, run once and dropped."""

    setting: ChildSetting
    task: str
    path: str
    tools: ToolBox
    messages: list[Message]
    submission: Submission = field(default_factory=Submission)
    usage: Usage = field(default_factory=Usage)
    context_tokens: int = 0
    steps: int = 0
    served_model: str = ""
    reasked: bool = False

    def run(self) -> ChildResult:
        """Think, act, observe until a review is submitted or a limit is reached."""
        outcome = self._loop()
        return ChildResult(
            self.submission,
            outcome,
            self.usage,
            self.context_tokens,
            self.steps,
            self.tools.lookups(),
            self.served_model,
        )

    def _loop(self) -> Outcome:
        while self.steps < self.setting.max_steps:
            if self.setting.cancelled():
                return Partial("cancelled") if self.reasked else Skipped("cancelled", SkipKind.LIMIT)
            size = request_tokens(self.messages)
            if self.setting.budget.should_abort(size):
                self._log("context_budget", tokens=size)
                return Partial("context budget")
            self.steps += 1
            try:
                reply = self._ask(size)
            except ModelError as error:
                self._log("model_failed", reason=str(error))
                # What a first, partly invalid submission brought is kept.
                return (Partial if self.reasked else Failed)(f"model failed: {error}")
            if reply.stop in _INCOMPLETE:
                return Partial(f"the answer was {reply.stop.value}{': ' + reply.detail if reply.detail else ''}")
            if (outcome := self._act(reply)) is not None:
                return outcome
        return Partial("step limit")

    def _ask(self, size: int) -> ModelReply:
        last = self.steps == self.setting.max_steps or self._no_room_for_answers()
        request = ModelRequest(
            messages=tuple(self.messages),
            tools=TOOLS,
            max_output_tokens=self.setting.budget.output,
            task=self.task,
            step=self.steps,
            forced_tool=SUBMIT_REVIEW if last else None,
        )
        self.context_tokens += size
        self._log("request", tokens=size, context=context_digest(self.messages), forced=last)
        reply = self.setting.model.complete(request)
        self.usage += reply.usage
        self.served_model = reply.model or self.served_model
        self._log("reply", stop=reply.stop.value, calls=[call.name for call in reply.tool_calls], text=reply.text)
        return reply

    def _no_room_for_answers(self) -> bool:
        history = request_tokens(self.messages[2:]) if len(self.messages) > 2 else 0
        return self.setting.budget.should_compress(history)

    def _act(self, reply: ModelReply) -> Outcome | None:
        self.messages.append(AssistantMessage(reply.text, reply.tool_calls, reply.provider_state))
        submits = [call for call in reply.tool_calls if call.name == SUBMIT_REVIEW]
        if submits:
            return self._submitted(reply, submits)
        if not reply.tool_calls:
            self.messages.append(UserMessage(_NUDGE))
            return None
        for call in reply.tool_calls:
            self._observe(call)
        return None

    def _observe(self, call: ToolCall) -> None:
        full = self._no_room_for_answers()
        answer = Answer(f"ERROR: {_NO_ROOM}", refused=_NO_ROOM) if full else self.tools.run(call)
        event = "tool_refused" if answer.refused else "tool_call"
        self._log(event, tool=call.name, arguments=dict(call.arguments), answer=answer.refused or answer.text)
        self.messages.append(ToolMessage(call.id, call.name, answer.text))

    def _submitted(self, reply: ModelReply, submits: list[ToolCall]) -> Outcome | None:
        received = Submission()
        errors: list[str] = []
        for call in submits:
            part = parse_submission(call.arguments, self.path)
            received = received.merged(part)
            errors.extend(part.errors)
        self.submission = self.submission.merged(received)
        self._log("submitted", findings=len(received.findings), errors=errors)
        if not errors:
            return Reviewed()
        if self.reasked or self.steps >= self.setting.max_steps:
            return Partial(f"{len(errors)} invalid parts of the answer were dropped: {errors[0]}")
        self.reasked = True
        listed = "\n".join(f"- {error}" for error in errors[:20])
        for call in reply.tool_calls:
            again = f"ERROR: these parts were not valid; submit only them again, corrected:\n{listed}"
            self.messages.append(ToolMessage(call.id, call.name, again if call in submits else _NOT_RUN))
        return None

    def _log(self, event: str, **values: object) -> None:
        self.setting.log.record(event, task=self.task, step=self.steps, **values)


def opening(system: str, task_text: str) -> list[Message]:
    """The two messages every child starts with; nothing is inherited from any other."""
    return [SystemMessage(system), UserMessage(task_text)]


def request_tokens(messages: list[Message]) -> int:
    """Estimated tokens of a history, calls and their arguments included; tool declarations apart."""
    return sum(estimate_tokens(_content(message)) for message in messages)


def context_digest(messages: list[Message]) -> str:
    """A digest of everything a request holds, for the log."""
    return digest("\x1e".join(_content(message) for message in messages))


def _content(message: Message) -> str:
    if isinstance(message, AssistantMessage):
        calls = "".join(f"{call.name}{dict(call.arguments)}" for call in message.tool_calls)
        return message.text + calls
    return message.text
