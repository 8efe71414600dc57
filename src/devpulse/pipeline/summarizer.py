"""Asks the engine to say in a few sentences what the older part of a history holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from devpulse.core.budget import ContextBudget, estimate_all, estimate_tokens
from devpulse.core.digests import Digests, message_digests
from devpulse.core.fence import Fence
from devpulse.core.finding import FindingSource
from devpulse.core.history import context_digest
from devpulse.core.messages import ModelRequest, StopReason, SystemMessage, Usage, UserMessage
from devpulse.core.prompt import summarize_prompt
from devpulse.core.shown import show_line
from devpulse.errors import ContextOverflow, ModelError
from devpulse.ports import ReviewModel, RunLog

RECORD_KIND = "record"


@dataclass(frozen=True, slots=True)
class Told:
    """What the engine said; empty when it did not say anything that can be used. ``context_tokens`` are the
    estimated tokens of the request, ``largest_request`` its tokens when it was answered."""

    text: str = ""
    usage: Usage = field(default_factory=Usage)
    context_tokens: int = 0
    largest_request: int = 0


@dataclass(frozen=True, slots=True)
class Summarizer:
    """One request a summary. Decisions are no business of it: the program adds them word for word."""

    model: ReviewModel
    budget: ContextBudget
    log: RunLog
    stopped: Callable[[], str]

    def tell(self, task: str, step: int, record: str, fence: Fence, longest: int, about: Digests | None = None) -> Told:
        """At most ``longest`` tokens about ``record``; nothing from an engine of rules, which has no words.

        ``about`` are the digests of the messages that the record was made of, for the log; ``None`` when it was made
        of no messages.
        """
        if self.model.source is not FindingSource.MODEL or not record or longest < 1 or self.stopped():
            return Told()
        asked = f"Fence key {fence.key}. Sum up this record.\n{fence.wrap(RECORD_KIND, record)}"
        system = summarize_prompt()
        size = estimate_all((system, asked))
        if self.budget.should_abort(size):
            return Told()
        request = ModelRequest(
            messages=(SystemMessage(system), UserMessage(asked)),
            tools=(),
            max_output_tokens=self.budget.output,
            task=task,
            step=step,
        )
        self._log_request(request, size, about)
        try:
            reply = self.model.complete(request)
        except ModelError as error:
            if isinstance(error, ContextOverflow):
                self.budget.overflowed(size)
            self._fallen_back(task, step, str(error))
            return Told(context_tokens=size)
        answered = self.budget.answered(size, reply.usage.input_tokens)
        text = show_line(" ".join(reply.text.split()))
        tokens = estimate_tokens(text)
        if reply.stop is not StopReason.STOP or not text:
            self._fallen_back(task, step, f"the answer was {reply.stop.value if text else 'empty'}")
        elif tokens > longest:
            self._fallen_back(task, step, f"it took {tokens} tokens, the program's own takes {longest}")
        else:
            return Told(text, reply.usage, size, answered)
        return Told(usage=reply.usage, context_tokens=size, largest_request=answered)

    def _log_request(self, request: ModelRequest, size: int, about: Digests | None) -> None:
        self.log.record(
            "summary_request",
            task=request.task,
            step=request.step,
            tokens=size,
            context=context_digest(request.messages),
            messages=message_digests(request.messages),
            about=about,
        )

    def _fallen_back(self, task: str, step: int, reason: str) -> None:
        self.log.record("summary_refused", task=task, step=step, reason=reason)
