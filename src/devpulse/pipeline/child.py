"""One child: the review of one file or part in a fresh context, split in halves when an answer does not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from devpulse.core.annotated import halve_hunks
from devpulse.core.change import Hunk, Side
from devpulse.core.finding import Lead
from devpulse.core.lookup import Lookup
from devpulse.core.messages import Json, Usage
from devpulse.core.review import Failed, Outcome, Partial, Reviewed, ReviewTask, Skipped
from devpulse.core.tool_specs import SUBMIT_REVIEW, TOOLS
from devpulse.errors import ModelMisconfigured, ModelUnavailable
from devpulse.pipeline.conversation import Conversation, ConversationSetting, Ended, Form, opening
from devpulse.pipeline.submission import Submission, parse_submission
from devpulse.pipeline.tools import ToolBox

MAX_HALVINGS = 4
"""Sixteenths of a part that fills its share are about a thousand tokens; an engine that cannot answer
on so little is not helped by less, and its requests have to end."""


class FirstText(Protocol):
    """Writes what a child is told first."""

    def __call__(self, part: ReviewTask, offered: tuple[Lead, ...], *, widened: bool) -> str:
        """The text for a task or a half of one, and its leads."""
        ...


def review_form(path: str) -> Form[Submission]:
    """The review of one file, handed in with ``submit_review``."""

    def parse(arguments: Json) -> tuple[Submission, tuple[str, ...]]:
        submission = parse_submission(arguments, path)
        return submission, submission.errors

    return Form(SUBMIT_REVIEW, TOOLS, parse, Submission.merged, Submission())


@dataclass(frozen=True, slots=True)
class ChildResult:
    """What a child brought back. ``context_tokens`` are the estimated tokens of all its requests,
    ``splits`` how often its work had to be halved or narrowed, ``unusable`` why its engine gave out before the end,
    ``compactions`` how often a history was summed up, ``denials`` what was refused, word for word,
    ``largest_request`` the tokens of the largest answered request."""

    submission: Submission
    outcome: Outcome
    usage: Usage
    context_tokens: int
    steps: int
    lookups: tuple[Lookup, ...]
    served_model: str
    splits: int = 0
    unusable: ModelUnavailable | ModelMisconfigured | None = None
    compactions: int = 0
    denials: tuple[str, ...] = ()
    largest_request: int = 0


@dataclass(frozen=True, slots=True)
class Child:
    """Reviews a task. ``tools`` makes a tool box for each context; ``text`` writes what it is told first,
    with or without the functions around the change."""

    setting: ConversationSetting
    system: str
    tools: Callable[[], ToolBox]
    text: FirstText

    def review(self, task: ReviewTask, leads: tuple[Lead, ...]) -> ChildResult:
        """Review in one context; when the answer or the request is too long, with less in it.

        That is without the functions around the change, where they make up half of the text or more, else
        in two contexts with half the work each. From then on nothing is shown around a change.
        """
        text = self.text(task, leads, widened=True)
        ended = self._converse(task, text)
        if not ended.too_large:
            return _result(ended)
        if 2 * len(self.text(task, leads, widened=False)) > len(text):
            return self._in_halves(ended, task, leads, MAX_HALVINGS)
        self.setting.log.record("narrowed", task=task.id, reason=ended.outcome.reason)
        return _joined(_result(ended), self._again(task, leads, MAX_HALVINGS))

    def _converse(self, task: ReviewTask, text: str) -> Ended[Submission]:
        form = review_form(task.change.path)
        return Conversation(self.setting, task.id, form, self.tools(), opening(self.system, text)).run()

    def _again(self, task: ReviewTask, leads: tuple[Lead, ...], halvings: int) -> ChildResult:
        ended = self._converse(task, self.text(task, leads, widened=False))
        return self._in_halves(ended, task, leads, halvings) if ended.too_large else _result(ended)

    def _in_halves(
        self, ended: Ended[Submission], task: ReviewTask, leads: tuple[Lead, ...], halvings: int
    ) -> ChildResult:
        halves = halve_hunks(task.hunks) if halvings else None
        if halves is None:
            return _result(ended)
        self.setting.log.record("split", task=task.id, reason=ended.outcome.reason)
        first, second = (replace(task, id=f"{task.id}.{n}", hunks=half) for n, half in enumerate(halves, 1))
        is_later = shown_by(second.hunks)
        later = tuple(lead for lead in leads if is_later(lead))
        earlier = tuple(lead for lead in leads if not is_later(lead))
        done = self._again(first, earlier, halvings - 1)
        if done.unusable is not None:
            return _joined(_result(ended), done)
        return _joined(_result(ended), done, self._again(second, later, halvings - 1))


def shown_by(hunks: Sequence[Hunk]) -> Callable[[Lead], bool]:
    """Says whether the first line of a lead stands in one of the hunks."""
    numbers = {side: frozenset[int]().union(*(hunk.numbers(side) for hunk in hunks)) for side in Side}
    return lambda lead: lead.hit.start_line in numbers[lead.hit.side]


def _result(ended: Ended[Submission]) -> ChildResult:
    return ChildResult(
        ended.value,
        ended.outcome,
        ended.usage,
        ended.context_tokens,
        ended.steps,
        ended.lookups,
        ended.served_model,
        unusable=ended.unusable,
        compactions=ended.compactions,
        denials=ended.denials,
        largest_request=ended.largest_request,
    )


def _joined(whole: ChildResult, *halves: ChildResult) -> ChildResult:
    """The halves together; what the whole had cost and looked up before it was given up is kept."""
    parts = (whole, *halves)
    submission = whole.submission
    for half in halves:
        submission = submission.merged(half.submission)
    return ChildResult(
        submission=submission,
        outcome=_worst([half.outcome for half in halves]),
        usage=sum((part.usage for part in parts), Usage()),
        context_tokens=sum(part.context_tokens for part in parts),
        steps=sum(part.steps for part in parts),
        lookups=tuple(dict.fromkeys(lookup for part in parts for lookup in part.lookups)),
        served_model=next((part.served_model for part in reversed(parts) if part.served_model), ""),
        splits=1 + sum(half.splits for half in halves),
        unusable=halves[-1].unusable,
        compactions=sum(part.compactions for part in parts),
        denials=tuple(dict.fromkeys(denial for part in parts for denial in part.denials)),
        largest_request=max(part.largest_request for part in parts),
    )


def _worst(outcomes: Sequence[Outcome]) -> Outcome:
    bad = [outcome for outcome in outcomes if not isinstance(outcome, Reviewed)]
    if not bad:
        return outcomes[0]
    if len(bad) == len(outcomes) and all(isinstance(outcome, Failed | Skipped) for outcome in bad):
        return bad[0]
    return Partial("; ".join(dict.fromkeys(outcome.reason for outcome in bad)))
