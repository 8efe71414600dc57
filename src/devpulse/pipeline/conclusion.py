"""The concluding request: one look at all findings of a change together, over references only."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from devpulse.core.budget import ContextUse, estimate_all, estimate_tokens
from devpulse.core.categories import Severity
from devpulse.core.fence import Fence
from devpulse.core.finding import Finding, FindingSource
from devpulse.core.messages import Json
from devpulse.core.prompt import conclude_prompt, digest
from devpulse.core.review import Report, Reviewed
from devpulse.core.shown import show_line
from devpulse.core.tool_specs import CONCLUDE_TOOLS, SUBMIT_CONCLUSION
from devpulse.core.verdict import counts
from devpulse.core.verify_text import render_conclusion
from devpulse.pipeline.conversation import Conversation, ConversationSetting, Form, opening
from devpulse.pipeline.submitted import lower, validated
from devpulse.pipeline.tools import ToolBox
from devpulse.ports import ResumeStore

TASK = "conclude"
_STEPS = 3
"""There is nothing to look up: one answer, one correction, one accident."""

_FRAME_TOKENS = 300
"""What the request takes beside system prompt, history and findings: fences, the form, a line on what is left out."""

_ROW_TOKENS = 20
"""What a finding's line takes beside its names: severity, confidence, category, line number."""


class Conclusion(BaseModel):
    """What a model concludes."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    overall_risk: Annotated[Literal["none", "low", "medium", "high", "critical"], BeforeValidator(lower)]
    summary: str = Field(min_length=1, max_length=2_000)


def _parse(arguments: Json) -> tuple[Conclusion | None, tuple[str, ...]]:
    errors: list[str] = []
    conclusion = validated(Conclusion, dict(arguments), SUBMIT_CONCLUSION, errors)
    return conclusion, tuple(errors)


@dataclass(frozen=True, slots=True)
class Concluder:
    """Adds a model's view of the whole to a report that stands without it.

    What was concluded before over the same findings is taken from ``store``; ``build`` names the program's version.
    """

    setting: ConversationSetting
    tools: ToolBox
    fence: Fence
    mask: Callable[[str], str]
    store: ResumeStore | None = None
    build: str = ""

    def conclude(self, report: Report, history: Sequence[str]) -> Report:
        """The report with the model's summary after the deterministic one; unchanged when that fails.

        ``history`` are the lines of the coordinator's history that are sent. The risk can only rise: a model's word
        never makes findings look harmless.
        """
        counting = [finding for finding in report.findings if counts(finding)]
        if not worth_asking(self.setting.model.source, counting):
            return report
        key = self._key(report, counting)
        known = self._known(key)
        if known is not None:
            self.setting.log.record("reused", task=TASK)
            return _concluded(report, known, self.mask)
        form: Form[Conclusion | None] = Form(SUBMIT_CONCLUSION, CONCLUDE_TOOLS, _parse, lambda a, b: b or a, None)
        budget = self.setting.budget
        taken = estimate_all((conclude_prompt(), *history)) + _FRAME_TOKENS
        shown = fitting(counting, min(budget.active_content, budget.request - taken))
        if hidden := len(counting) - len(shown):
            history = (*history, f"({hidden} less severe findings are not listed)")
        messages = opening(conclude_prompt(), render_conclusion(shown, history, self.fence))
        setting = replace(self.setting, max_steps=min(_STEPS, self.setting.max_steps))
        ended = Conversation(setting, TASK, form, self.tools, messages).run()
        report = replace(
            report,
            usage=report.usage + ended.usage,
            context_tokens=report.context_tokens + ended.context_tokens,
            context_use=report.context_use
            + ContextUse(setting.budget.window, ended.largest_request, ended.compactions, 0, ended.steps),
        )
        if ended.value is None:
            self.setting.log.record("conclusion_failed", reason=ended.outcome.reason)
            return report
        if self.store is not None and ended.outcome == Reviewed():
            self.store.save(key, {TASK: ended.value.model_dump()})
        return _concluded(report, ended.value, self.mask)

    def _key(self, report: Report, counting: Sequence[Finding]) -> str:
        """Everything the conclusion rests on, in an order that does not depend on which task ended first."""
        model = self.setting.model
        findings = sorted((f.fingerprint, f.severity, f.confidence, f.status, f.path, f.title) for f in counting)
        rows = sorted((row.path, type(row.outcome).__name__) for row in report.coverage)
        parts = [TASK, self.build, model.name, model.version, conclude_prompt(), findings, rows]
        return digest(json.dumps(parts), 64)

    def _known(self, key: str) -> Conclusion | None:
        entry = None if self.store is None else self.store.load(key)
        try:
            return None if entry is None else Conclusion.model_validate(entry.get(TASK))
        except ValidationError:
            return None  # of another shape: asked for anew


def _concluded(report: Report, conclusion: Conclusion, mask: Callable[[str], str]) -> Report:
    said = show_line(" ".join(mask(conclusion.summary).split()))
    return replace(report, risk=_higher(report.risk, conclusion.overall_risk), summary=f"{report.summary}\n\n{said}")


def fitting(findings: Sequence[Finding], room: int) -> list[Finding]:
    """The first findings whose lines take at most ``room`` tokens together."""
    shown = []
    for finding in findings:
        room -= estimate_tokens(f"{finding.path}{finding.symbol}{finding.title}") + _ROW_TOKENS
        if room < 0:
            break
        shown.append(finding)
    return shown


def worth_asking(source: FindingSource, counting: Sequence[Finding]) -> bool:
    """Cross-file risk needs a model, and findings in two files or more."""
    return source is FindingSource.MODEL and len({finding.path for finding in counting}) > 1


def _higher(one: str, other: str) -> str:
    order = ["none", *map(str, Severity)]
    return max(one, other, key=order.index)
