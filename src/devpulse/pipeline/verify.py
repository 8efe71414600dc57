"""Verification: a fresh context tries to refute what a model found; one conversation a file, more where it is too
large for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from devpulse.core.annotated import Enclosing
from devpulse.core.change import Hunk
from devpulse.core.fence import Fence
from devpulse.core.finding import Finding, FindingSource, FindingStatus
from devpulse.core.messages import Json, Usage
from devpulse.core.prompt import verify_prompt
from devpulse.core.review import Outcome, Partial, Reviewed, ReviewTask
from devpulse.core.shown import show_line
from devpulse.core.tool_specs import SUBMIT_VERDICTS, VERIFY_TOOLS
from devpulse.core.verify_text import render_verification, verdict_id
from devpulse.pipeline.conversation import Conversation, ConversationSetting, Ended, Form, opening
from devpulse.pipeline.prepare import Prepared
from devpulse.pipeline.submission import items
from devpulse.pipeline.tools import ToolBox

if TYPE_CHECKING:
    from devpulse.pipeline.submitted import SubmittedVerdict

MAX_HALVINGS = 4
"""Sixteenths of what a model finds in one file are a few findings; an engine that cannot judge so few is not helped by
fewer, and its requests have to end."""


Verdicts = dict[str, "SubmittedVerdict"]
Judged = dict[Finding, "SubmittedVerdict"]


def parse_verdicts(arguments: Json, expected: set[str]) -> tuple[Verdicts, tuple[str, ...]]:
    """Valid verdicts by finding id, and one sentence for each that is missing, unknown or invalid.

    ``expected`` are the ids still without a verdict; those that get one are taken out of it, so
    that a corrected answer need not repeat what was valid before.
    """
    from devpulse.pipeline.submitted import SubmittedVerdict, validated  # noqa: PLC0415  (slow to import, and few files get here)

    errors: list[str] = []
    verdicts: Verdicts = {}
    for number, item in enumerate(items(arguments, "verdicts", errors)):
        verdict = validated(SubmittedVerdict, item, f"verdicts[{number}]", errors)
        if verdict is not None and verdict.id in expected:
            verdicts[verdict.id] = verdict
        elif verdict is not None:
            errors.append(f"verdicts[{number}].id: no verdict is due on {verdict.id[:20]!r}")
    expected.difference_update(verdicts)
    if expected:
        errors.append(f"verdicts: none for {', '.join(sorted(expected)[:20])}")
    return verdicts, tuple(errors)


@dataclass(frozen=True, slots=True)
class Verified:
    """Findings with what the verifier made of them. ``ended`` is how its conversations ended, all of them together,
    ``None`` when none took place; ``failure`` says why they did not finish, and is empty when they did. ``splits``
    says how often the findings were halved."""

    findings: tuple[Finding, ...]
    ended: Ended[Judged] | None = None
    failure: str = ""
    splits: int = 0


def needs_verification(finding: Finding) -> bool:
    """Open findings of a model; what a rule found stands by itself, what is unanchored is not shown anyway."""
    return finding.source is FindingSource.MODEL and finding.status is FindingStatus.OPEN


@dataclass(frozen=True, slots=True)
class Verifier:
    """Verifies the findings of one task. ``tools`` makes a tool box for each context."""

    setting: ConversationSetting
    tools: Callable[[], ToolBox]
    fence: Fence
    enclosing: Enclosing
    mask: Callable[[str], str]

    def verify(self, task: ReviewTask, prepared: Prepared, findings: tuple[Finding, ...]) -> Verified:
        """Ask for a verdict on each finding that needs one. A failure leaves them open and is named.

        What is too large for one context is judged in halves, each in a context of its own.
        """
        doubtful = [finding for finding in findings if needs_verification(finding)]
        if not doubtful:
            return Verified(findings)
        ended, splits = self._asked(task, prepared, doubtful, MAX_HALVINGS)
        verified = tuple(self._judged(finding, ended.value.get(finding)) for finding in findings)
        failure = "" if isinstance(ended.outcome, Reviewed) else f"verification failed: {ended.outcome.reason}"
        return Verified(verified, ended, failure, splits)

    def _asked(
        self, task: ReviewTask, prepared: Prepared, doubtful: Sequence[Finding], halvings: int
    ) -> tuple[Ended[Judged], int]:
        """How it ended, and how often it had to be halved."""
        ended = self._converse(task, prepared, doubtful)
        left = [finding for finding in doubtful if finding not in ended.value]
        if not ended.too_large or not halvings or len(left) < 2:
            return ended, 0
        self.setting.log.record("split", task=f"{task.id}.verify", reason=ended.outcome.reason)
        middle = len(left) // 2
        parts, splits = [ended], 1
        for number, half in enumerate((left[:middle], left[middle:]), 1):
            done, more = self._asked(replace(task, id=f"{task.id}.{number}"), prepared, half, halvings - 1)
            parts.append(done)
            splits += more
            if done.unusable is not None:
                break
        return _joined(*parts), splits

    def _converse(self, task: ReviewTask, prepared: Prepared, doubtful: Sequence[Finding]) -> Ended[Judged]:
        names = {verdict_id(number): finding for number, finding in enumerate(doubtful, 1)}
        text = render_verification(
            task.change.path, doubtful, _around(task, doubtful), prepared.shown, self.fence, self.enclosing
        )
        due = set(names)

        def parse(arguments: Json) -> tuple[Judged, tuple[str, ...]]:
            verdicts, errors = parse_verdicts(arguments, due)
            return {names[name]: verdict for name, verdict in verdicts.items()}, errors

        form: Form[Judged] = Form(SUBMIT_VERDICTS, VERIFY_TOOLS, parse, lambda a, b: {**a, **b}, {})
        messages = opening(verify_prompt(), text)
        return Conversation(self.setting, f"{task.id}.verify", form, self.tools(), messages).run()

    def _judged(self, finding: Finding, verdict: SubmittedVerdict | None) -> Finding:
        # Unsure changes nothing: doubt alone must not be able to hide a finding.
        if verdict is None or verdict.verdict != "refuted":
            return finding
        reason = show_line(" ".join(self.mask(verdict.reason).split()))
        return replace(finding, status=FindingStatus.DISPUTED, reason=f"refuted: {reason}", refuted_by_verifier=True)


def _around(task: ReviewTask, findings: Sequence[Finding]) -> list[Hunk]:
    """The hunks of the task that show a finding; all of them when none does."""
    shown = [
        hunk
        for hunk in task.hunks
        if any(not hunk.numbers(f.side).isdisjoint(range(f.start_line, f.end_line + 1)) for f in findings)
    ]
    return shown or list(task.hunks)


def _joined(whole: Ended[Judged], *halves: Ended[Judged]) -> Ended[Judged]:
    """The halves together; what the whole had brought, cost and looked up before it was given up is kept."""
    parts = (whole, *halves)
    judged: Judged = {}
    for part in parts:
        judged.update(part.value)
    return Ended(
        value=judged,
        outcome=_outcome(halves),
        usage=sum((part.usage for part in parts), Usage()),
        context_tokens=sum(part.context_tokens for part in parts),
        steps=sum(part.steps for part in parts),
        lookups=tuple(dict.fromkeys(lookup for part in parts for lookup in part.lookups)),
        served_model=next((part.served_model for part in reversed(parts) if part.served_model), ""),
        unusable=halves[-1].unusable,
        compactions=sum(part.compactions for part in parts),
        denials=tuple(dict.fromkeys(denial for part in parts for denial in part.denials)),
        largest_request=max(part.largest_request for part in parts),
    )


def _outcome(halves: Sequence[Ended[Judged]]) -> Outcome:
    bad = [half.outcome.reason for half in halves if not isinstance(half.outcome, Reviewed)]
    return Partial("; ".join(dict.fromkeys(bad))) if bad else Reviewed()
