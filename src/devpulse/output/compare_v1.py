"""``compare.json``: the contract ``devpulse.compare/1`` that other programs read.

Tokens are estimates of whole requests, tool declarations included; what an engine reported stands in ``reported``.
Texts are written as in ``findings.json``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from devpulse.core.comparison import Ablation, Arm, ComparedTask, Comparison, SameFindings, share_percent
from devpulse.core.finding import Finding
from devpulse.output.characters import well_formed
from devpulse.output.json_v1 import document_text
from devpulse.output.paths import display_path

SCHEMA_NAME = "devpulse.compare/1"


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ReportedV1(_Model):
    """What the engine reported for an arm; all zero for the offline engine."""

    requests: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    thinking_tokens: int


class ArmV1(_Model):
    """One way of doing the work. ``failure`` says what was not done, and is empty when everything was.

    ``contexts`` are the tokens of each request, task by task in the order they are begun. ``cost_usd`` is null when the
    price is unknown.
    """

    name: str
    about: str
    input_tokens: int
    requests: int
    largest_request: int
    findings: int
    failure: str
    reported: ReportedV1
    cost_usd: float | None
    contexts: tuple[int, ...]


class NamedFindingV1(_Model):
    """A finding that only one of two arms has."""

    fingerprint: str
    category: str
    path: str
    start_line: int


class SameFindingsV1(_Model):
    """Findings of two arms compared by fingerprint; ``total`` counts each once."""

    identical: int
    total: int
    only_first: tuple[NamedFindingV1, ...]
    only_second: tuple[NamedFindingV1, ...]


class TaskV1(_Model):
    """One task in both arms. The first requests show how much of the context was there before the task began."""

    task: str
    path: str
    part: str
    before_tokens: int
    after_tokens: int
    before_first_request: int
    after_first_request: int


class AblationV1(_Model):
    """One strategy by itself: ``without`` and ``with`` name the arms compared, null saved means that one failed."""

    strategy: str
    switches: str
    without: str
    with_: str = Field(alias="with")
    arm: ArmV1
    saved_tokens: int | None
    saved_percent: float | None
    findings: SameFindingsV1


class CompareV1(_Model):
    """What the context strategies saved. ``limit`` is the most that a request of the product holds.

    ``saved_reported_percent`` is of the input tokens that the engine reported. It and ``saved_usd`` are null when they
    are unknown, as with the offline engine.
    """

    schema_: Literal["devpulse.compare/1"] = Field(alias="schema")
    engine: str
    model: str | None
    window: int
    limit: int
    before: ArmV1
    after: ArmV1
    saved_tokens: int | None
    saved_percent: float | None
    saved_reported_percent: float | None
    saved_usd: float | None
    findings: SameFindingsV1
    tasks: tuple[TaskV1, ...]
    ablation: tuple[AblationV1, ...]


def render_compare(comparison: Comparison) -> str:
    """The whole of ``compare.json``."""
    before, after = comparison.before, comparison.after
    document = CompareV1.model_validate(
        {
            "schema": SCHEMA_NAME,
            "engine": well_formed(comparison.engine),
            "model": None if comparison.model is None else well_formed(comparison.model),
            "window": comparison.window,
            "limit": comparison.limit,
            "before": _arm(before),
            "after": _arm(after),
            "saved_tokens": comparison.saved,
            "saved_percent": _percent(comparison.saved, before.tokens),
            "saved_reported_percent": _percent(comparison.saved_reported, before.reported.input_tokens),
            "saved_usd": comparison.saved_usd,
            "findings": _same(comparison.findings),
            "tasks": tuple(_task(task, before, after) for task in comparison.tasks),
            "ablation": tuple(map(_ablation, comparison.ablations)),
        }
    )
    return document_text(document.model_dump(mode="json", by_alias=True))


def compare_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of ``compare.json``."""
    header = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:devpulse:compare:1"}
    return header | CompareV1.model_json_schema(by_alias=True) | {"title": SCHEMA_NAME}


def render_compare_schema() -> str:
    """The text of the committed schema file."""
    return document_text(compare_schema())


def _percent(part: int | None, whole: int) -> float | None:
    share = share_percent(part, whole)
    return None if share is None else round(share, 4)


def _arm(arm: Arm) -> ArmV1:
    used = arm.reported
    return ArmV1(
        name=arm.name,
        about=arm.about,
        input_tokens=arm.tokens,
        requests=len(arm.sizes),
        largest_request=arm.largest,
        findings=len(arm.findings),
        failure=well_formed(arm.failure),
        reported=ReportedV1(
            requests=used.requests,
            input_tokens=used.input_tokens,
            cached_tokens=used.cached_tokens,
            output_tokens=used.output_tokens,
            thinking_tokens=used.thinking_tokens,
        ),
        cost_usd=used.cost,
        contexts=tuple(size.tokens for size in arm.sizes),
    )


def _same(same: SameFindings) -> SameFindingsV1:
    return SameFindingsV1(
        identical=same.identical,
        total=same.total,
        only_first=_named(same.only_first),
        only_second=_named(same.only_second),
    )


def _named(findings: Iterable[Finding]) -> tuple[NamedFindingV1, ...]:
    return tuple(
        NamedFindingV1(
            fingerprint=well_formed(finding.fingerprint),
            category=well_formed(finding.category),
            path=display_path(finding.path),
            start_line=finding.start_line,
        )
        for finding in findings
    )


def _task(task: ComparedTask, before: Arm, after: Arm) -> TaskV1:
    ones, others = before.of_task(task.task), after.of_task(task.task)
    return TaskV1(
        task=well_formed(task.task),
        path=well_formed(task.path),
        part=task.part,
        before_tokens=sum(ones),
        after_tokens=sum(others),
        before_first_request=next(iter(ones), 0),
        after_first_request=next(iter(others), 0),
    )


def _ablation(row: Ablation) -> dict[str, Any]:
    return {
        "strategy": row.strategy,
        "switches": row.switches,
        "without": row.more.name,
        "with": row.less.name,
        "arm": _arm(row.arm),
        "saved_tokens": row.saved,
        "saved_percent": _percent(row.saved, row.more.tokens),
        "findings": _same(row.findings),
    }
