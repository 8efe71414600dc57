"""One child: the review of one file or part in a fresh context, split in halves when an answer does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from devpulse.core.annotated import halve_hunks
from devpulse.core.change import Hunk
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


def review_form(path: str) -> Form[Submission]:
    """The review of one file, handed in with ``submit_review``."""

    def parse(arguments: Json) -> tuple[Submission, tuple[str, ...]]:
        submission = parse_submission(arguments, path)
        return submission, submission.errors

    return Form(SUBMIT_REVIEW, TOOLS, parse, Submission.merged, Submission())


@dataclass(frozen=True, slots=True)
class ChildResult:
    """What a child brought back. ``context_tokens`` are the estimated tokens of all its requests,
    ``splits`` how often its work had to be halved, ``unusable`` why its engine gave out before the end."""

    submission: Submission
    outcome: Outcome
    usage: Usage
    context_tokens: int
    steps: int
    lookups: tuple[Lookup, ...]
    served_model: str
    splits: int = 0
    unusable: ModelUnavailable | ModelMisconfigured | None = None


@dataclass(frozen=True, slots=True)
class Child:
    """Reviews a task. ``tools`` makes a tool box for each context; ``text`` writes what it is told first."""

    setting: ConversationSetting
    system: str
    tools: Callable[[], ToolBox]
    text: Callable[[ReviewTask, tuple[Lead, ...]], str]

    def review(self, task: ReviewTask, leads: tuple[Lead, ...], halvings: int = MAX_HALVINGS) -> ChildResult:
        """Review in one context; when the answer or the request is too long, in two with half the work each."""
        messages = opening(self.system, self.text(task, leads))
        form = review_form(task.change.path)
        ended = Conversation(self.setting, task.id, form, self.tools(), messages).run()
        halves = halve_hunks(task.hunks) if ended.too_large and halvings else None
        if halves is None:
            return _result(ended)
        self.setting.log.record("split", task=task.id, reason=ended.outcome.reason)
        first, second = (replace(task, id=f"{task.id}.{n}", hunks=half) for n, half in enumerate(halves, 1))
        later = tuple(lead for lead in leads if shows(second.hunks, lead))
        earlier = tuple(lead for lead in leads if lead not in later)
        done = self.review(first, earlier, halvings - 1)
        if done.unusable is not None:
            return _joined(_result(ended), done)
        return _joined(_result(ended), done, self.review(second, later, halvings - 1))


def shows(hunks: Iterable[Hunk], lead: Lead) -> bool:
    """Whether the first line of a lead stands in one of the hunks."""
    return any(lead.hit.start_line in hunk.numbers(lead.hit.side) for hunk in hunks)


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
    )


def _worst(outcomes: Sequence[Outcome]) -> Outcome:
    bad = [outcome for outcome in outcomes if not isinstance(outcome, Reviewed)]
    if not bad:
        return outcomes[0]
    if len(bad) == len(outcomes) and all(isinstance(outcome, Failed | Skipped) for outcome in bad):
        return bad[0]
    return Partial("; ".join(dict.fromkeys(outcome.reason for outcome in bad)))
