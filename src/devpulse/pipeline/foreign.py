"""The results of another run at the boundary: every field is checked, and what is not as it must be is dropped.

Whoever wrote them may have meant harm. Nothing here is believed but the shape: what a finding says about code is
checked by ``pipeline.recheck``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from devpulse.core.finding import FindingSource, FindingStatus, Trace
from devpulse.core.messages import Usage
from devpulse.core.review import EngineName
from devpulse.errors import ResultsRefused
from devpulse.output.characters import clip
from devpulse.output.coverage import OutcomeName
from devpulse.output.json_v1 import CoverageV1, FindingV1, PullRequestV1, finding_from_json
from devpulse.output.paths import path_from_display
from devpulse.pipeline.gate import MAX_LINE_NUMBER
from devpulse.pipeline.submitted import SubmittedFinding
from devpulse.pipeline.task_result import SCHEMA as TASK_SCHEMA

MAX_CLAIMS = 2_000
"""Findings of another run that are looked at; a pull request shows far fewer."""
MAX_ROWS = 10_000
"""Rows of coverage that are looked at."""
REASON_LIMIT = 200
_TRACE_STEPS = 50
_NOTE_LIMIT = 300
_HINT = "Nothing of it was published. Let the reviewing workflow run again, with the same version of DevPulse."

Dropped = Counter[str]
"""How many findings were dropped, by the reason."""

_Count = Annotated[int, Field(ge=0, le=10**12)]


@dataclass(frozen=True, slots=True)
class Claim:
    """A finding that another run claims. ``disputed`` says why that run set it aside, ``None`` when it did not."""

    path: str
    item: SubmittedFinding
    cwe: int | None
    source: FindingSource
    disputed: str | None = None
    trace: Trace | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Foreign:
    """What another run says about itself. ``coverage`` is outcome and reason by path."""

    repository: str | None
    number: int | None
    head_sha: str | None
    engine: str
    model: str | None
    usage: Usage
    coverage: dict[str, tuple[OutcomeName, str]]
    claims: tuple[Claim, ...]
    dropped: Dropped


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, hide_input_in_errors=True)


class _Usage(_Model):
    requests: _Count
    input_tokens: _Count
    cached_tokens: _Count
    output_tokens: _Count
    thinking_tokens: _Count


class _Report(_Model):
    schema_: Literal["devpulse.findings/1"] = Field(alias="schema")
    pull_request: PullRequestV1
    engine: EngineName
    model: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/, -]{0,99}$")] | None
    coverage: list[Any]
    findings: list[Any]
    usage: _Usage


class _Task(_Model):
    schema_: Literal["devpulse.task/1"] = Field(alias="schema")
    findings: list[Any]


def parse_foreign(findings: bytes, tasks: Sequence[bytes]) -> Foreign:
    """Read ``findings.json`` and the results of single tasks of another run.

    Raises:
        ResultsRefused: ``findings.json`` as a whole is not what a run writes.
    """
    try:
        report = _Report.model_validate(_load(findings))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise ResultsRefused(f"findings.json of the other run: {where}: {first['msg']}", hint=_HINT) from None
    except (ValueError, RecursionError):  # their texts may quote the file
        raise ResultsRefused("findings.json of the other run is not JSON as a run writes it", hint=_HINT) from None
    dropped: Dropped = Counter()
    rows = [*report.findings, *_of_tasks(tasks, dropped)]
    pull, used = report.pull_request, report.usage
    return Foreign(
        repository=pull.repository,
        number=pull.number,
        head_sha=pull.head_sha,
        engine=report.engine,
        model=report.model,
        usage=Usage(
            used.requests, used.input_tokens, used.cached_tokens, used.output_tokens, used.thinking_tokens, None
        ),
        coverage=_coverage(report.coverage[:MAX_ROWS]),
        claims=tuple(_claims(rows, dropped)),
        dropped=dropped,
    )


def _load(data: bytes) -> Any:
    """JSON in UTF-8. Numbers that JSON does not know are refused, and so is nesting too deep for the parser."""
    return json.loads(data.decode("utf-8"), parse_constant=_refuse)


def _refuse(_constant: str) -> NoReturn:
    raise ValueError("not a number that JSON knows")


def _of_tasks(tasks: Iterable[bytes], dropped: Dropped) -> list[Any]:
    found: list[Any] = []
    for data in tasks:
        try:
            found += _Task.model_validate(_load(data)).findings
        except (ValueError, RecursionError):
            dropped[f"a file is no {TASK_SCHEMA} document"] += 1
    return found


def _claims(rows: Sequence[Any], dropped: Dropped) -> Iterable[Claim]:
    """Each once, though it stands in two files."""
    claims: dict[Claim, None] = {}
    for row in rows:
        if len(claims) >= MAX_CLAIMS:
            dropped["there are too many"] += 1
            continue
        claim = _claim(row)
        if claim is None:
            dropped["it is not in the form of a finding"] += 1
        else:
            claims[claim] = None
    return claims


def _claim(row: Any) -> Claim | None:
    try:
        read = FindingV1.model_validate(row)
        fields = read.model_dump(include=set(SubmittedFinding.model_fields) - {"path", "suggestion"})
        item = SubmittedFinding.model_validate(fields)
        found = finding_from_json(row)
    except ValueError:
        return None
    if max(item.start_line, item.end_line) > MAX_LINE_NUMBER:
        return None
    disputed = clip(read.reason, REASON_LIMIT) if read.status is FindingStatus.DISPUTED else None
    return Claim(found.path, item, read.cwe, read.source, disputed, _trace(found.trace))


def _trace(trace: Trace | None) -> Trace | None:
    """A trace of a size that an honest run writes, or none."""
    if trace is None:
        return None
    steps = trace.all_steps()
    fits = len(steps) <= _TRACE_STEPS and all(
        1 <= step.line <= MAX_LINE_NUMBER and len(step.note) <= _NOTE_LIMIT for step in steps
    )
    return trace if fits else None


def _coverage(rows: Iterable[Any]) -> dict[str, tuple[OutcomeName, str]]:
    found = {}
    for row in rows:
        try:
            read = CoverageV1.model_validate(row)
        except ValidationError:
            continue
        found[path_from_display(read.path)] = (read.outcome, clip(read.reason, REASON_LIMIT))
    return found
