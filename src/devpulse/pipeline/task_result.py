"""The result of one task as a file: offloaded when the task ends, loaded back when the run concludes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from devpulse.core.finding import Finding
from devpulse.core.messages import Usage
from devpulse.core.review import Failed, Outcome, Partial, Reviewed, SkipKind, Skipped
from devpulse.core.verdict import overall_risk
from devpulse.output.json_v1 import finding_from_json, finding_to_json

SCHEMA = "devpulse.task/1"


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What one task found and how it ended. ``model`` is the version that served it, empty when none did.

    ``compactions`` says how often a history was summed up on the way, ``denials`` what its look-ups were refused.
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

    def to_json(self) -> dict[str, Any]:
        """The content of ``findings/<task>.json``."""
        return {
            "schema": SCHEMA,
            "task": self.task,
            "path": self.path,
            "outcome": outcome_to_json(self.outcome),
            "overall_risk": overall_risk(self.findings),
            "summary": self.summary,
            "findings": [finding_to_json(finding) for finding in self.findings],
            "usage": asdict(self.usage),
            "context_tokens": self.context_tokens,
            "steps": self.steps,
            "model": self.model,
            "compactions": self.compactions,
            "denials": list(self.denials),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TaskResult:
        """The inverse of ``to_json``.

        Raises:
            KeyError, TypeError, ValueError: the data is not such a result.
        """
        if data["schema"] != SCHEMA:
            raise ValueError(f"not a {SCHEMA} document")
        return cls(
            task=data["task"],
            path=data["path"],
            outcome=outcome_from_json(data["outcome"]),
            findings=tuple(finding_from_json(item) for item in data["findings"]),
            summary=data["summary"],
            usage=Usage(**data["usage"]),
            context_tokens=data["context_tokens"],
            steps=data["steps"],
            model=data["model"],
            compactions=data["compactions"],
            denials=tuple(data["denials"]),
        )


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
