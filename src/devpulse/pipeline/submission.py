"""A submitted review at the boundary: validated item by item, so that one bad item costs only itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from devpulse.core.messages import Json
from devpulse.core.shown import show_path

if TYPE_CHECKING:
    from devpulse.pipeline.submitted import DismissedLead, SubmittedFinding

MAX_FINDINGS = 200
"""More than any real file holds; what lies beyond is recorded as dropped, not silently cut."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What a child handed in: the valid parts, and one sentence for each invalid one."""

    findings: tuple[SubmittedFinding, ...] = ()
    dismissed: tuple[DismissedLead, ...] = ()
    summary: str = ""
    errors: tuple[str, ...] = field(default=())

    def merged(self, later: Submission) -> Submission:
        """This and a corrected submission together; only the later one's errors remain."""
        return Submission(
            findings=tuple(dict.fromkeys((*self.findings, *later.findings))),
            dismissed=tuple(dict.fromkeys((*self.dismissed, *later.dismissed))),
            summary=later.summary or self.summary,
            errors=later.errors,
        )


def parse_submission(arguments: Json, path: str) -> Submission:
    """Validate the arguments of ``submit_review`` for the file under review."""
    errors: list[str] = []
    findings = _findings(items(arguments, "findings", errors), path, errors)
    dismissed = _dismissed(items(arguments, "dismissed_leads", errors), errors)
    summary = arguments.get("summary")
    return Submission(tuple(findings), tuple(dismissed), summary if isinstance(summary, str) else "", tuple(errors))


def _findings(given: list[Any], path: str, errors: list[str]) -> list[SubmittedFinding]:
    if not given:
        return []
    from devpulse.pipeline.submitted import SubmittedFinding, validated  # noqa: PLC0415  (slow to import, and most files have none)

    findings = []
    for number, item in enumerate(given):
        finding = validated(SubmittedFinding, item, f"findings[{number}]", errors)
        if finding is not None and finding.path not in (None, "", path, show_path(path)):
            errors.append(f"findings[{number}].path: only the file under review, {path!r}, can have findings here")
        elif finding is not None:
            findings.append(finding)
    return findings


def _dismissed(given: list[Any], errors: list[str]) -> list[DismissedLead]:
    if not given:
        return []
    from devpulse.pipeline.submitted import DismissedLead, validated  # noqa: PLC0415  (as above)

    return [
        lead
        for number, item in enumerate(given)
        if (lead := validated(DismissedLead, item, f"dismissed_leads[{number}]", errors)) is not None
    ]


def items(arguments: Json, name: str, errors: list[str]) -> list[Any]:
    """The list argument of a submission; what is wrong with the list as a whole goes to ``errors``."""
    listed = arguments.get(name)
    if listed is None:
        if name == "findings":
            errors.append("findings: missing; pass an empty list when there are none")
        return []
    if not isinstance(listed, list | tuple):
        errors.append(f"{name}: must be a list")
        return []
    if len(listed) > MAX_FINDINGS:
        errors.append(f"{name}: {len(listed)} items, at most {MAX_FINDINGS} are taken")
    return list(listed[:MAX_FINDINGS])
