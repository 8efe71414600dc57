"""One conversation with an engine: a fresh context, tools on demand, and a form that must be handed in.

A history stays within its share with one exemption: its last two turns are kept word for word, and two very long ones
may alone take more. The next request then allows no tool but the one that hands the form in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from devpulse.core.budget import ContextBudget, estimate_tokens
from devpulse.core.compaction import DENIED, ERROR, NO_ROOM, compact, split_history
from devpulse.core.digests import message_digest, message_digests
from devpulse.core.history import OPENING, context_digest, declared_tokens, history_tokens, request_tokens
from devpulse.core.json_in_prose import find_form
from devpulse.core.lookup import Lookup
from devpulse.core.messages import (
    AssistantMessage,
    Json,
    Message,
    ModelReply,
    ModelRequest,
    StopReason,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    Usage,
    UserMessage,
)
from devpulse.core.review import Failed, Outcome, Partial, Reviewed, SkipKind, Skipped
from devpulse.errors import ContextOverflow, ModelError, ModelMisconfigured, ModelUnavailable
from devpulse.pipeline.summarizer import Summarizer
from devpulse.pipeline.tools import Answer, ToolBox
from devpulse.ports import ReviewModel, RunLog

_REPEAT_TOKENS = 50
"""Room for an answer that only names an earlier one. It is made first, so that the earlier one cannot leave
the history once it is named."""

_SECOND_CHANCES = frozenset({StopReason.MALFORMED_CALL, StopReason.EMPTY})
"""Accidents of one answer: asked again once, at the cost of a step."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Form(Generic[Value]):
    """What a conversation must end with: the tool that hands it in, and how its arguments are read.

    ``parse`` keeps what is valid and says in words what is not; ``merge`` adds a corrected part.
    """

    submit_tool: str
    tools: Sequence[ToolSpec]
    parse: Callable[[Json], tuple[Value, tuple[str, ...]]]
    merge: Callable[[Value, Value], Value]
    empty: Value


@dataclass(frozen=True, slots=True)
class ConversationSetting:
    """What all conversations of a run share: engine, budget, limits and log. ``stopped`` gives the reason why
    nothing more may be asked, or an empty text while there is none. ``model_sums_up`` lets the engine word the
    summary of an overgrown history, in requests that are no steps."""

    model: ReviewModel
    budget: ContextBudget
    max_steps: int
    log: RunLog
    stopped: Callable[[], str]
    model_sums_up: bool = False


@dataclass(frozen=True, slots=True)
class Ended(Generic[Value]):
    """How a conversation ended. ``context_tokens`` are the estimated tokens of all its requests.

    ``too_large`` says that the work, not the engine, is the trouble: a smaller piece may succeed.
    ``unusable`` is the error of an engine that is down or misconfigured; what was brought before it is kept.
    ``compactions`` says how often the history was summed up, ``denials`` what was refused, word for word.
    ``largest_request`` are the tokens of the largest answered request.
    """

    value: Value
    outcome: Outcome
    usage: Usage
    context_tokens: int
    steps: int
    lookups: tuple[Lookup, ...]
    served_model: str
    too_large: bool = False
    unusable: ModelUnavailable | ModelMisconfigured | None = None
    compactions: int = 0
    denials: tuple[str, ...] = ()
    largest_request: int = 0


@dataclass(slots=True)
class Conversation(Generic[Value]):
    """The state of one conversation in progress; created, run once and dropped."""

    setting: ConversationSetting
    task: str
    form: Form[Value]
    tools: ToolBox
    messages: list[Message]
    value: Value = field(init=False)
    budget: ContextBudget = field(init=False)
    usage: Usage = field(default_factory=Usage)
    context_tokens: int = 0
    steps: int = 0
    served_model: str = ""
    reasked: bool = False
    second_chance_used: bool = False
    enlarged: bool = False
    too_large: bool = False
    unusable: ModelUnavailable | ModelMisconfigured | None = None
    compactions: int = 0
    denials: dict[str, None] = field(default_factory=dict)
    largest_request: int = 0

    def __post_init__(self) -> None:
        self.value = self.form.empty
        self._read_budget()

    def run(self) -> Ended[Value]:
        """Think, act, observe until the form is handed in, a limit is reached or the engine gives out."""
        outcome = self._loop()
        return Ended(
            self.value,
            outcome,
            self.usage,
            self.context_tokens,
            self.steps,
            self.tools.lookups(),
            self.served_model,
            self.too_large,
            self.unusable,
            self.compactions,
            tuple(self.denials),
            self.largest_request,
        )

    def _loop(self) -> Outcome:
        while self.steps < self.setting.max_steps:
            self._read_budget()
            self._fit()
            outcome = self._barred() or self._step()
            if outcome is not None:
                return outcome
        return Partial("step limit")

    def _read_budget(self) -> None:
        """Take the estimate as it is now, so that what is checked for the next request and what is logged agree."""
        self.budget = self.setting.budget.as_now()

    def _barred(self) -> Outcome | None:
        """Why no further request is made, or nothing when one may be."""
        if stopped := self._stopped():
            return stopped
        size = self._request_size()
        if self.budget.should_abort(size) and self._compact():
            size = self._request_size()
        if self.budget.should_abort(size):
            self._log("context_budget", tokens=size)
            return self._beyond("context budget")
        return None

    def _stopped(self) -> Outcome | None:
        """How it ends when nothing more may be asked; what a first, partly invalid form brought is kept."""
        reason = self.setting.stopped()
        if not reason:
            return None
        return Partial(reason) if self.reasked else Skipped(reason, SkipKind.LIMIT)

    def _step(self) -> Outcome | None:
        self.steps += 1
        try:
            reply = self._ask()
        except ContextOverflow as error:
            self._log("context_overflow", reason=str(error))
            self.setting.budget.overflowed(self._request_size())
            self._read_budget()
            return None if self._compact() else self._beyond("context budget")
        except (ModelUnavailable, ModelMisconfigured) as error:
            if isinstance(error, ModelUnavailable) and (stopped := self._stopped()):
                return stopped  # it was cut short by the end of the run's time
            self.unusable = error
            return self._given_up("model unavailable", error)
        except ModelError as error:
            return self._given_up("model failed", error)
        return self._take(reply)

    def _given_up(self, what: str, error: ModelError) -> Outcome:
        self._log("model_failed", reason=str(error))
        # What a first, partly invalid submission brought is kept.
        return (Partial if self.reasked else Failed)(f"{what}: {error}")

    def _request_size(self) -> int:
        return request_tokens(self.messages) + declared_tokens(self.form.tools)

    def _beyond(self, reason: str) -> Outcome:
        self.too_large = True
        return Partial(reason)

    def _ask(self) -> ModelReply:
        size, whole = request_tokens(self.messages), self._request_size()
        last = self.steps == self.setting.max_steps or self._overgrown()
        request = ModelRequest(
            messages=tuple(self.messages),
            tools=self.form.tools,
            max_output_tokens=self.setting.budget.output * (2 if self.enlarged else 1),
            task=self.task,
            step=self.steps,
            forced_tool=self.form.submit_tool if last else None,
        )
        self.context_tokens += size
        self._log(
            "request",
            form=self.form.submit_tool,
            tokens=size,
            whole=self.budget.estimate.calibrated(whole),
            limit=self.budget.request_limit,
            history=self.budget.estimate.calibrated(history_tokens(self.messages)),
            share=self.budget.history_share,
            context=context_digest(request.messages),
            messages=message_digests(request.messages),
            forced=last,
        )
        reply = self.setting.model.complete(request)
        self.usage += reply.usage
        answered = self.setting.budget.answered(whole, reply.usage.input_tokens)
        self._read_budget()
        self.largest_request = max(self.largest_request, answered)
        self.served_model = reply.model or self.served_model
        self._log(
            "reply",
            stop=reply.stop.value,
            calls=[call.name for call in reply.tool_calls],
            called=len(reply.tool_calls),
            text=reply.text,
            message=message_digest(_said(reply)),
        )
        return reply

    def _overgrown(self, more: int = 0) -> bool:
        return self.budget.should_compress(history_tokens(self.messages) + more)

    def _fit(self, more: int = 0) -> bool:
        """Make the history fit its share together with ``more`` tokens; says whether it does."""
        return not self._overgrown(more) or (self._compact() and not self._overgrown(more))

    def _compact(self) -> bool:
        """Sum up what is older than the last two turns; says whether that made the history smaller."""
        compaction = compact(self.messages, self.budget.history, self.tools.fence, self._tell)
        if compaction is None:
            return False
        self.messages[:] = compaction.messages
        self.tools.forget_answers()
        self.compactions += 1
        self._log(
            "compaction",
            before=compaction.before,
            after=compaction.after,
            turns=compaction.turns,
            message=message_digest(self.messages[OPENING]),
            kept=len(self.messages) - OPENING - 1,
        )
        return True

    def _tell(self, record: str, longest: int) -> str:
        if not self.setting.model_sums_up:
            return ""
        setting = self.setting
        asking = Summarizer(setting.model, setting.budget, setting.log, setting.stopped)
        about = message_digests(split_history(self.messages).told_of)
        told = asking.tell(self.task, self.steps, record, self.tools.fence, longest, about)
        self.largest_request = max(self.largest_request, told.largest_request)
        self.usage += told.usage
        self.context_tokens += told.context_tokens
        return told.text

    def _take(self, reply: ModelReply) -> Outcome | None:
        """The stop reason comes first: content of an answer that did not end well is never believed."""
        if reply.stop in (StopReason.STOP, StopReason.TOOL_CALLS):
            return self._act(reply)
        detail = f": {reply.detail}" if reply.detail else ""
        if reply.stop is StopReason.TRUNCATED:
            if reply.text or reply.tool_calls or self.enlarged:
                return self._beyond(f"the answer was cut off at its length limit{detail}")
            # Nothing but thoughts fitted: one try with more room, never the same length again.
            self.enlarged = True
            return None
        if reply.stop in _SECOND_CHANCES and not self.second_chance_used:
            self.second_chance_used = True
            return None
        return Partial(f"the answer was {reply.stop.value}{detail}")

    def _act(self, reply: ModelReply) -> Outcome | None:
        self.messages.append(_said(reply))
        submits = [call for call in reply.tool_calls if call.name == self.form.submit_tool]
        if submits:
            return self._submitted(reply, submits)
        if not reply.tool_calls and (form := find_form(reply.text, self._required())) is not None:
            self._log("form_in_prose")
            return self._submitted(reply, [ToolCall(f"prose-{self.steps}", self.form.submit_tool, form)])
        if not reply.tool_calls:
            self._tell_model(f"Answer only through tools. When you are done, call {self.form.submit_tool}.")
            return None
        for call in reply.tool_calls:
            self._observe(call)
        return None

    def _observe(self, call: ToolCall) -> None:
        answer = self._answer(call)
        message = ToolMessage(call.id, call.name, answer.text)
        self._log(
            "tool_refused" if answer.refused else "tool_repeated" if answer.repeated else "tool_call",
            tool=call.name,
            arguments=dict(call.arguments),
            answer=answer.refused or answer.text,
            message=message_digest(message),
        )
        if answer.text.startswith(DENIED):
            self.denials[answer.text] = None
        self.messages.append(message)

    def _answer(self, call: ToolCall) -> Answer:
        """The tool's answer, or that there is no room for it. One so long that two of its kind would not fit beside
        each other is given all the same, or the model could never have it; the history then ends the looking-up."""
        self._fit(_REPEAT_TOKENS)
        answer = self.tools.run(call)
        tokens = estimate_tokens(answer.text)
        too_long = 2 * tokens > self.budget.history
        if self._fit(tokens) or (too_long and not self._overgrown()):
            return answer
        self.tools.forget_answers()
        return Answer(NO_ROOM, refused=NO_ROOM.removeprefix(ERROR))

    def _submitted(self, reply: ModelReply, submits: list[ToolCall]) -> Outcome | None:
        errors: list[str] = []
        for call in submits:
            value, problems = self.form.parse(call.arguments)
            self.value = self.form.merge(self.value, value)
            errors.extend(problems)
        self._log("submitted", errors=errors)
        if not errors:
            return Reviewed()
        if self.reasked or self.steps >= self.setting.max_steps:
            return Partial(f"{len(errors)} invalid parts of the answer were dropped: {errors[0]}")
        self.reasked = True
        listed = "\n".join(f"- {error}" for error in errors[:20])
        again = f"ERROR: these parts were not valid; submit only them again, corrected:\n{listed}"
        not_run = f"ERROR: not carried out, because {self.form.submit_tool} was called in the same answer"
        for call in reply.tool_calls:
            self._tell_model(again if call in submits else not_run, call)
        if not reply.tool_calls:
            self._tell_model(f"{again}\nCall {self.form.submit_tool}.")
        return None

    def _tell_model(self, text: str, call: ToolCall | None = None) -> None:
        """Put words of the program into the history, as the answer to a call where one waits for an answer."""
        message = UserMessage(text) if call is None else ToolMessage(call.id, call.name, text)
        self._log("told", message=message_digest(message))
        self.messages.append(message)

    def _required(self) -> Sequence[str]:
        (tool,) = (tool for tool in self.form.tools if tool.name == self.form.submit_tool)
        return tuple(tool.parameters["required"])

    def _log(self, event: str, **values: object) -> None:
        self.setting.log.record(event, task=self.task, step=self.steps, **values)


def _said(reply: ModelReply) -> AssistantMessage:
    return AssistantMessage(reply.text, reply.tool_calls, reply.provider_state)


def opening(system: str, task_text: str) -> list[Message]:
    """The two messages every conversation starts with; nothing is inherited from any other."""
    return [SystemMessage(system), UserMessage(task_text)]
