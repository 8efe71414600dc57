"""``findings.json``: the contract ``devpulse.findings/1`` that other programs read.

The models here are the boundary: everything inside the program is a frozen dataclass. Paths are
written by ``paths.display_path``. In all other text a lone surrogate, which no UTF-8 file can hold,
becomes U+FFFD; hidden characters are written as ``\\u`` escapes, so that they show in the raw file.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict
from pydantic.json_schema import SkipJsonSchema

from devpulse.core.categories import Confidence, Severity
from devpulse.core.change import Side
from devpulse.core.finding import Finding, FindingSource, FindingStatus, Step, Trace
from devpulse.core.review import Coverage, Report
from devpulse.output.characters import is_hidden, well_formed
from devpulse.output.coverage import OutcomeName, outcome_name, row_note
from devpulse.output.paths import display_path, path_from_display

SCHEMA_NAME = "devpulse.findings/1"

_NOT_ASCII = re.compile(r"[^\x20-\x7e\n]")
_Risk = Literal["none", "low", "medium", "high", "critical"]


def _absent(value: object) -> bool:
    return value is None


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


def _optional() -> Any:
    return Field(default=None, exclude_if=_absent, json_schema_extra=_without_default)


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class StepV1(_Model):
    """One place a value passes on its way."""

    path: str
    line: int
    note: str


class TraceV1(_Model):
    """The way of an untrusted value from where it enters to where it does harm."""

    source: StepV1
    steps: tuple[StepV1, ...] = Field(strict=False)
    sink: StepV1


class FindingV1(_Model):
    """One security problem. Lines count from 1 on ``side``: RIGHT is the head, LEFT the base (removed code)."""

    fingerprint: str
    category: str
    cwe: int | None
    severity: Annotated[Severity, Strict(strict=False)]
    confidence: Annotated[Confidence, Strict(strict=False)]
    path: str
    start_line: int
    end_line: int
    side: Annotated[Side, Strict(strict=False)]
    symbol: str | None
    title: str
    description: str
    fix: str
    suggestion: str | SkipJsonSchema[None] = _optional()
    evidence: str
    trace: TraceV1 | SkipJsonSchema[None] = _optional()
    source: Annotated[FindingSource, Strict(strict=False)]
    status: Annotated[FindingStatus, Strict(strict=False)]
    reason: str
    rule_id: str | SkipJsonSchema[None] = _optional()
    refuted_by_verifier: bool = False


class PullRequestV1(_Model):
    """What was compared. ``repository`` and ``number`` are null for a local review."""

    repository: str | None
    number: int | None
    base_sha: str
    head_sha: str | None


class CoverageV1(_Model):
    """What became of one changed file. ``tokens`` are input and output together."""

    path: str
    outcome: Annotated[OutcomeName, Strict(strict=False)]
    reason: str
    parts: int
    tokens: int


class UsageV1(_Model):
    """What the model reported; all zero for the offline engine. ``cost_usd`` is null when the price is unknown."""

    requests: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    thinking_tokens: int
    cost_usd: float | None


class FindingsV1(_Model):
    """The result of one run."""

    schema_: Literal["devpulse.findings/1"] = Field(alias="schema")
    pull_request: PullRequestV1 | None
    engine: str
    model: str | None
    risk: _Risk
    summary: str
    coverage: tuple[CoverageV1, ...]
    findings: tuple[FindingV1, ...]
    usage: UsageV1


def render_findings(report: Report) -> str:
    """The whole of ``findings.json``."""
    document = FindingsV1.model_validate(
        {
            "schema": SCHEMA_NAME,
            "pull_request": _pull_request(report),
            "engine": well_formed(report.engine),
            "model": _text(report.model),
            "risk": report.risk,
            "summary": well_formed(report.summary),
            "coverage": tuple(_coverage(report, row) for row in report.coverage),
            "findings": tuple(map(_finding, report.findings)),
            "usage": _usage(report),
        }
    )
    return document_text(document.model_dump(mode="json", by_alias=True))


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """One finding as a JSON object, as it stands in ``findings.json`` and in a task's own file."""
    return _finding(finding).model_dump(mode="json", by_alias=True)


def finding_from_json(value: object) -> Finding:
    """The finding that ``finding_to_json`` was given.

    Raises:
        ValueError: the object is not a finding of this schema; the message names the fields.
    """
    read = FindingV1.model_validate(value)
    fields = {name: getattr(read, name) for name in FindingV1.model_fields}
    return Finding(**fields | {"path": path_from_display(read.path), "trace": _trace_from(read.trace)})


def findings_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of ``findings.json``."""
    schema = FindingsV1.model_json_schema(by_alias=True)
    header = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:devpulse:findings:1"}
    return header | schema | {"title": SCHEMA_NAME}


def render_findings_schema() -> str:
    """The text of the committed schema file."""
    return document_text(findings_schema())


def document_text(value: object) -> str:
    """A document as it is written: indented, hidden characters as escapes, a line feed at its end."""
    return _NOT_ASCII.sub(_escape_hidden, json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def _escape_hidden(match: re.Match[str]) -> str:
    # Outside of strings JSON is plain ASCII, so an escape can only land inside one.
    character = match.group()
    return json.dumps(character)[1:-1] if is_hidden(character) else character


def _text(value: str | None) -> str | None:
    return None if value is None else well_formed(value)


def _pull_request(report: Report) -> PullRequestV1 | None:
    pull = report.pull_request
    if pull is None:
        return None
    return PullRequestV1(repository=pull.repository, number=pull.number, base_sha=pull.base_sha, head_sha=pull.head_sha)


def _coverage(report: Report, row: Coverage) -> CoverageV1:
    return CoverageV1(
        path=display_path(row.path),
        outcome=outcome_name(row),
        reason=well_formed(row_note(report, row)),
        parts=row.parts,
        tokens=row.tokens,
    )


def _usage(report: Report) -> UsageV1:
    usage = report.usage
    return UsageV1(
        requests=usage.requests,
        input_tokens=usage.input_tokens,
        cached_tokens=usage.cached_tokens,
        output_tokens=usage.output_tokens,
        thinking_tokens=usage.thinking_tokens,
        cost_usd=report.cost_usd,
    )


def _finding(finding: Finding) -> FindingV1:
    return FindingV1(
        fingerprint=well_formed(finding.fingerprint),
        category=well_formed(finding.category),
        cwe=finding.cwe,
        severity=finding.severity,
        confidence=finding.confidence,
        path=display_path(finding.path),
        start_line=finding.start_line,
        end_line=finding.end_line,
        side=finding.side,
        symbol=_text(finding.symbol),
        title=well_formed(finding.title),
        description=well_formed(finding.description),
        fix=well_formed(finding.fix),
        suggestion=_text(finding.suggestion),
        evidence=well_formed(finding.evidence),
        trace=_trace(finding.trace),
        source=finding.source,
        status=finding.status,
        reason=well_formed(finding.reason),
        rule_id=_text(finding.rule_id),
        refuted_by_verifier=finding.refuted_by_verifier,
    )


def _trace(trace: Trace | None) -> TraceV1 | None:
    if trace is None:
        return None
    return TraceV1(source=_step(trace.source), steps=tuple(map(_step, trace.steps)), sink=_step(trace.sink))


def _step(step: Step) -> StepV1:
    return StepV1(path=display_path(step.path), line=step.line, note=well_formed(step.note))


def _trace_from(trace: TraceV1 | None) -> Trace | None:
    if trace is None:
        return None
    return Trace(_step_from(trace.source), tuple(map(_step_from, trace.steps)), _step_from(trace.sink))


def _step_from(step: StepV1) -> Step:
    return Step(path_from_display(step.path), step.line, step.note)
