"""The result of one task as a file: offloaded when the task ends, loaded back when the run concludes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Any

from devpulse.core.budget import ContextUse
from devpulse.core.finding import Finding
from devpulse.core.messages import Usage
from devpulse.core.review import Failed, Outcome, Partial, Reviewed, SkipKind, Skipped
from devpulse.core.verdict import overall_risk

SCHEMA = "devpulse.task/1"

_COUNTED = ("requests", "input_tokens", "cached_tokens", "output_tokens", "thinking_tokens")


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What one task found and how it ended. ``model`` is the version that served it, empty when none did.

    ``compactions`` says how often a history was summed up on the way, ``denials`` what its look-ups were refused.
    ``largest_request``, ``window`` and ``splits`` are those of ``ContextUse``.
    """

    task: str
    path: str
    outcome: Outcome
    findings: tuple[Finding, ...]
    summary: str
    usage: Usage
    context_tokens: int
    steps: int
    model: str = ""
    compactions: int = 0
    denials: tuple[str, ...] = ()
    window: int = 0
    largest_request: int = 0
    splits: int = 0

    @property
    def context_use(self) -> ContextUse:
        """How the task used its contexts."""
        return ContextUse(self.window, self.largest_request, self.compactions, self.splits, self.steps)

    def to_json(self) -> dict[str, Any]:
        """The content of ``findings/<task>.json``."""
        return {
            "schema": SCHEMA,
            "task": self.task,
            "path": self.path,
            "outcome": outcome_to_json(self.outcome),
            "overall_risk": overall_risk(self.findings),
            "summary": self.summary,
            "findings": _findings_to_json(self.findings),
            "usage": self._usage_to_json(),
            "model": self.model,
            "denials": list(self.denials),
        }

    def _usage_to_json(self) -> dict[str, Any]:
        return {
            **{name: getattr(self.usage, name) for name in _COUNTED},
            "cost_usd": self.usage.cost,
            "context_tokens": self.context_tokens,
            "window": self.window,
            "largest_request": self.largest_request,
            "largest_request_percent": self.context_use.percent,
            "compactions": self.compactions,
            "splits": self.splits,
            "steps": self.steps,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TaskResult:
        """The inverse of ``to_json``.

        Raises:
            KeyError, TypeError, ValueError: the data is not such a result.
        """
        if data["schema"] != SCHEMA:
            raise ValueError(f"not a {SCHEMA} document")
        used = data["usage"]
        return cls(
            task=data["task"],
            path=data["path"],
            outcome=outcome_from_json(data["outcome"]),
            findings=_findings_from_json(data["findings"]),
            summary=data["summary"],
            usage=_usage_from_json(used),
            context_tokens=used["context_tokens"],
            steps=used["steps"],
            model=data["model"],
            compactions=used["compactions"],
            denials=tuple(data["denials"]),
            window=used["window"],
            largest_request=used["largest_request"],
            splits=used["splits"],
        )


def _findings_to_json(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    if not findings:
        return []
    from devpulse.output.json_v1 import finding_to_json  # noqa: PLC0415  (slow to import, and most files have no finding)

    return [finding_to_json(finding) for finding in findings]


def _findings_from_json(items: list[dict[str, Any]]) -> tuple[Finding, ...]:
    if items == []:
        return ()
    from devpulse.output.json_v1 import finding_from_json  # noqa: PLC0415  (as above)

    return tuple(finding_from_json(item) for item in items)


def _usage_from_json(used: dict[str, Any]) -> Usage:
    counted = {name: used[name] for name in _COUNTED}
    cost = used["cost_usd"]
    if not counted["requests"] or cost is None:
        return Usage(**counted)
    if not isinstance(cost, int | float) or not isfinite(cost):
        raise ValueError("cost_usd is no number")
    # By way of its text: the shortest one that gives this float is the sum of prices it was made of.
    return Usage(**counted, cost_usd=Decimal(repr(cost)))


def artifact_name(task: str) -> str:
    """Where a task's result is saved, relative to the output folder."""
    return f"findings/{task}.json"


def dump(data: dict[str, Any]) -> str:
    """JSON text as every artifact has it; lone surrogates of odd file names stay ASCII escapes."""
    return json.dumps(data, indent=2) + "\n"


def outcome_to_json(outcome: Outcome) -> dict[str, str]:
    """An outcome as ``{"kind", "reason"}`` and, for skips, ``skip``."""
    fields = {"kind": type(outcome).__name__.lower(), "reason": outcome.reason}
    if isinstance(outcome, Skipped):
        fields["skip"] = outcome.kind.value
    return fields


def outcome_from_json(data: dict[str, str]) -> Outcome:
    """The inverse of ``outcome_to_json``.

    Raises:
        KeyError, ValueError: the data is no outcome.
    """
    kind, reason = data["kind"], data["reason"]
    if kind == "skipped":
        return Skipped(reason, SkipKind(data["skip"]))
    simple: dict[str, type[Reviewed | Partial | Failed]] = {
        "reviewed": Reviewed,
        "partial": Partial,
        "failed": Failed,
    }
    return simple[kind](reason)
