"""The concluding request: one look at all findings of a change together, over references only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from devpulse.core.budget import ContextUse, estimate_tokens
from devpulse.core.categories import Severity
from devpulse.core.fence import Fence
from devpulse.core.finding import Finding, FindingSource
from devpulse.core.messages import Json
from devpulse.core.prompt import conclude_prompt
from devpulse.core.review import Report
from devpulse.core.shown import show_line
from devpulse.core.tool_specs import CONCLUDE_TOOLS, SUBMIT_CONCLUSION
from devpulse.core.verdict import counts
from devpulse.core.verify_text import render_conclusion
from devpulse.pipeline.conversation import Conversation, ConversationSetting, Form, opening
from devpulse.pipeline.submission import lower, validated
from devpulse.pipeline.tools import ToolBox

TASK = "conclude"
_STEPS = 3
"""There is nothing to look up: one answer, one correction, one accident."""

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
    """Adds a model's view of the whole to a report that stands without it."""

    setting: ConversationSetting
    tools: ToolBox
    fence: Fence
    mask: Callable[[str], str]

    def conclude(self, report: Report, history: Sequence[str]) -> Report:
        """The report with the model's summary after the deterministic one; unchanged when that fails.

        ``history`` are the lines of the coordinator's history that are sent. The risk can only rise: a model's word
        never makes findings look harmless.
        """
        counting = [finding for finding in report.findings if counts(finding)]
        if not worth_asking(self.setting.model.source, counting):
            return report
        form: Form[Conclusion | None] = Form(SUBMIT_CONCLUSION, CONCLUDE_TOOLS, _parse, lambda a, b: b or a, None)
        shown = fitting(counting, self.setting.budget.active_content)
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
        said = show_line(" ".join(self.mask(ended.value.summary).split()))
        return replace(
            report, risk=_higher(report.risk, ended.value.overall_risk), summary=f"{report.summary}\n\n{said}"
        )


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
