"""Verification: a fresh context tries to refute what a model found; one conversation a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from devpulse.core.annotated import Enclosing
from devpulse.core.change import Hunk
from devpulse.core.fence import Fence
from devpulse.core.finding import Finding, FindingSource, FindingStatus
from devpulse.core.messages import Json
from devpulse.core.prompt import verify_prompt
from devpulse.core.review import Reviewed, ReviewTask
from devpulse.core.shown import show_line
from devpulse.core.tool_specs import SUBMIT_VERDICTS, VERIFY_TOOLS
from devpulse.core.verify_text import render_verification, verdict_id
from devpulse.pipeline.conversation import Conversation, ConversationSetting, Ended, Form, opening
from devpulse.pipeline.prepare import Prepared
from devpulse.pipeline.submission import items, lower, validated
from devpulse.pipeline.tools import ToolBox


class SubmittedVerdict(BaseModel):
    """One verdict as a model hands it in."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    verdict: Annotated[Literal["confirmed", "refuted", "unsure"], BeforeValidator(lower)]
    reason: str = Field(max_length=2_000)


Verdicts = dict[str, SubmittedVerdict]


def parse_verdicts(arguments: Json, expected: set[str]) -> tuple[Verdicts, tuple[str, ...]]:
    """Valid verdicts by finding id, and one sentence for each that is missing, unknown or invalid.

    ``expected`` are the ids still without a verdict; those that get one are taken out of it, so
    that a corrected answer need not repeat what was valid before.
    """
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
    """Findings with what the verifier made of them. ``ended`` is ``None`` when no conversation took place;
    ``failure`` says why it did not finish, and is empty when it did."""

    findings: tuple[Finding, ...]
    ended: Ended[Verdicts] | None = None
    failure: str = ""


def needs_verification(finding: Finding) -> bool:
    """Open findings of a model; what a rule found stands by itself, what is unanchored is not shown anyway."""
    return finding.source is FindingSource.MODEL and finding.status is FindingStatus.OPEN


@dataclass(frozen=True, slots=True)
class Verifier:
    """Verifies the findings of one task."""

    setting: ConversationSetting
    tools: ToolBox
    fence: Fence
    enclosing: Enclosing
    mask: Callable[[str], str]

    def verify(self, task: ReviewTask, prepared: Prepared, findings: tuple[Finding, ...]) -> Verified:
        """Ask for a verdict on each finding that needs one. A failure leaves them open and is named."""
        doubtful = [finding for finding in findings if needs_verification(finding)]
        if not doubtful:
            return Verified(findings)
        names = {verdict_id(number): finding for number, finding in enumerate(doubtful, 1)}
        text = render_verification(
            task.change.path, doubtful, _around(task, doubtful), prepared.shown, self.fence, self.enclosing
        )
        due = set(names)
        form: Form[Verdicts] = Form(
            SUBMIT_VERDICTS, VERIFY_TOOLS, lambda arguments: parse_verdicts(arguments, due), lambda a, b: {**a, **b}, {}
        )
        messages = opening(verify_prompt(), text)
        ended = Conversation(self.setting, f"{task.id}.verify", form, self.tools, messages).run()
        judged = {finding: ended.value[name] for name, finding in names.items() if name in ended.value}
        verified = tuple(self._judged(finding, judged.get(finding)) for finding in findings)
        failure = "" if isinstance(ended.outcome, Reviewed) else f"verification failed: {ended.outcome.reason}"
        return Verified(verified, ended, failure)

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
