"""``results.sarif``: SARIF 2.1.0 as GitHub's code scanning takes it.

Open, outside-diff and disputed findings are results, suppressed ones are results with their
suppression; unanchored ones and those below a threshold are left out. A result always has a line of
the head: a finding on removed code points at the line its caller calls nearest, and says so.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from devpulse import __version__
from devpulse.core.addresses import GITHUB_SERVER
from devpulse.core.change import Side
from devpulse.core.finding import Finding, FindingStatus, Step, Trace
from devpulse.core.review import Coverage, Failed, Report, Reviewed, SkipKind, Skipped
from devpulse.output.characters import clip, well_formed
from devpulse.output.coverage import outcome_name, plural, searched_only
from devpulse.output.markdown import inert
from devpulse.output.paths import display_path, path_uri
from devpulse.output.sarif_rules import level, rule
from devpulse.output.selection import most_severe_first

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT_KEY = "devpulse/v1"

_IN_SARIF = (FindingStatus.OPEN, FindingStatus.OUTSIDE_DIFF, FindingStatus.DISPUTED, FindingStatus.SUPPRESSED)
_BASE = "%SRCROOT%"
_SHORT_TEXT = 300

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SarifLimits:
    """GitHub's limits (its page "SARIF support for code scanning"): more than these is refused.

    ``shown`` is not a limit of ours: of the results of a run GitHub keeps that many, the most severe.
    """

    results: int = 25_000
    shown: int = 5_000
    flow_steps: int = 1_000
    notifications: int = 1_000
    gzip_bytes: int = 10_000_000


def render_sarif(
    report: Report,
    *,
    nearest_head_line: Callable[[Finding], int],
    server_url: str = GITHUB_SERVER,
    limits: SarifLimits | None = None,
) -> str:
    """The whole SARIF file, within the limits; what had to be cut is said in a notification.

    ``nearest_head_line`` gives, for a finding on removed code, the nearest head line of its hunk;
    1 for a deleted file. Over the size limit texts are cut first, then the least severe results go.
    """
    limits = limits or SarifLimits()
    builder = _Builder(report, nearest_head_line, server_url, limits)
    findings = sorted((f for f in report.findings if f.status in _IN_SARIF), key=_worst_unsuppressed_first)
    kept = findings[: limits.results]
    log = builder.log(kept, len(findings))
    if not _fits(log, limits):
        builder = replace(builder, short=True)
        log = builder.log(kept, len(findings))
    while not _fits(log, limits) and kept:
        kept = kept[: len(kept) * 3 // 4]
        log = builder.log(kept, len(findings))
    return log


def _worst_unsuppressed_first(finding: Finding) -> tuple[object, ...]:
    return (finding.status is FindingStatus.SUPPRESSED, *most_severe_first(finding))


def _fits(log: str, limits: SarifLimits) -> bool:
    return len(log) <= limits.gzip_bytes or len(zlib.compress(log.encode())) <= limits.gzip_bytes


_MOST_INDENTED = 500
"""Findings of a log that is laid out for people: without, it is written seven times as fast."""


@dataclass(frozen=True, slots=True)
class _Builder:
    report: Report
    nearest_head_line: Callable[[Finding], int]
    server_url: str
    limits: SarifLimits
    short: bool = False

    def log(self, findings: Sequence[Finding], total: int) -> str:
        document = {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [self._run(findings, total)]}
        compact = self.short or len(findings) > _MOST_INDENTED
        return json.dumps(document, indent=None if compact else 2) + "\n"

    def _run(self, findings: Sequence[Finding], total: int) -> Json:
        names = sorted({finding.category for finding in findings})
        rules = [rule(name, [f for f in findings if f.category == name]) for name in names]
        run: Json = {
            "tool": {"driver": {"name": "DevPulse", "semanticVersion": __version__, "rules": rules}},
            "automationDetails": {"id": "devpulse/"},
            "originalUriBaseIds": {_BASE: {"description": {"text": "The root of the repository."}}},
            "columnKind": "unicodeCodePoints",
            "invocations": [self._invocation(len(findings), total)],
            "results": [self._result(finding, names.index(finding.category)) for finding in findings],
        }
        pull = self.report.pull_request
        if pull is not None and pull.repository and pull.head_sha:
            uri = f"{self.server_url.rstrip('/')}/{path_uri(pull.repository)}"
            run["versionControlProvenance"] = [{"repositoryUri": uri, "revisionId": pull.head_sha}]
        return run

    def _result(self, finding: Finding, rule_index: int) -> Json:
        result: Json = {
            "ruleId": finding.category,
            "ruleIndex": rule_index,
            "level": level(finding.severity),
            "message": {"text": self._message(finding)},
            "locations": [self._location(finding)],
            "partialFingerprints": {FINGERPRINT_KEY: finding.fingerprint},
            "properties": _properties(finding),
        }
        if finding.trace is not None:
            result["codeFlows"] = [{"threadFlows": [{"locations": self._flow(finding.trace)}]}]
        if finding.status is FindingStatus.SUPPRESSED:
            justification = _message_text(finding.reason) or "suppressed"
            result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": justification}]
        if finding.suggestion is not None and finding.side is Side.RIGHT and not self.short:
            result["fixes"] = [_fix(finding, finding.suggestion)]
        return result

    def _message(self, finding: Finding) -> str:
        parts = [f"{finding.title.rstrip('. ')}.", finding.description]
        if finding.fix:
            parts.append(f"How to fix: {finding.fix}")
        if finding.side is Side.LEFT:
            lines = f"{finding.start_line} to {finding.end_line} of the old file"
            parts.append(f"This is about removed code, lines {lines}; the place shown is the nearest one left.")
        if finding.status is FindingStatus.DISPUTED:
            parts.append(f"Disputed: {finding.reason}")
        text = _message_text("\n\n".join(part for part in parts if part))
        return clip(text, _SHORT_TEXT) if self.short else text

    def _location(self, finding: Finding) -> Json:
        if finding.side is Side.LEFT:
            region: Json = {"startLine": max(1, self.nearest_head_line(finding))}
        else:
            region = _region(finding.start_line, finding.end_line)
            if not self.short:
                region["snippet"] = {"text": well_formed(finding.evidence)}
        return {"physicalLocation": {"artifactLocation": _artifact(finding.path), "region": region}}

    def _flow(self, trace: Trace) -> list[Json]:
        steps = trace.all_steps()
        if len(steps) > self.limits.flow_steps:
            steps = (*steps[: self.limits.flow_steps - 1], steps[-1])
        return [{"location": _step(step)} for step in steps]

    def _invocation(self, kept: int, total: int) -> Json:
        notifications = [_notification("warning", text) for text in self._cuts(kept, total)]
        rows = sorted(self._not_reviewed(), key=lambda row: (_LEVEL_ORDER.index(_row_level(row)), row.path))
        listed = rows[: self.limits.notifications]
        notifications += [_row_notification(row) for row in listed]
        if len(rows) > len(listed):
            more = plural(len(rows) - len(listed), "more file")
            notifications.append(_notification("warning", f"{more} not reviewed, listed in findings.json."))
        if searched := searched_only(self.report):
            notifications.append(_notification("note", searched))
        return {"executionSuccessful": not self.report.incomplete, "toolExecutionNotifications": notifications}

    def _not_reviewed(self) -> Iterable[Coverage]:
        return (row for row in self.report.coverage if not isinstance(row.outcome, Reviewed))

    def _cuts(self, kept: int, total: int) -> Iterable[str]:
        if self.short:
            yield "Texts were shortened to keep this file within the size limit; findings.json has them whole."
        if kept < total:
            yield f"{plural(total - kept, 'finding')} left out to keep this file within its limits, see findings.json."
        if kept > self.limits.shown:
            yield f"GitHub keeps the {self.limits.shown:,} most severe of these {kept:,} results."


def _message_text(value: str) -> str:
    return inert(value).strip()


def _properties(finding: Finding) -> Json:
    properties: Json = {
        "confidence": str(finding.confidence),
        "severity": str(finding.severity),
        "source": str(finding.source),
        "status": str(finding.status),
        "side": str(finding.side),
    }
    if finding.side is Side.LEFT:
        properties["removedLines"] = [finding.start_line, finding.end_line]
    if finding.symbol is not None:
        properties["symbol"] = well_formed(finding.symbol)
    return properties


def _artifact(path: str) -> Json:
    return {"uri": path_uri(path), "uriBaseId": _BASE}


def _region(start: int, end: int) -> Json:
    first = max(1, start)
    return {"startLine": first, "endLine": max(first, end)}


def _step(step: Step) -> Json:
    place = {"artifactLocation": _artifact(step.path), "region": {"startLine": max(1, step.line)}}
    return {"physicalLocation": place, "message": {"text": _message_text(step.note) or "passes here"}}


def _fix(finding: Finding, suggestion: str) -> Json:
    content = {"text": well_formed(suggestion).removesuffix("\n")}
    replacement = {"deletedRegion": _region(finding.start_line, finding.end_line), "insertedContent": content}
    change = {"artifactLocation": _artifact(finding.path), "replacements": [replacement]}
    return {"description": {"text": _message_text(finding.fix) or "Suggested change"}, "artifactChanges": [change]}


_LEVEL_ORDER = ("error", "warning", "note")


def _row_level(row: Coverage) -> str:
    if isinstance(row.outcome, Failed):
        return "error"
    policy = isinstance(row.outcome, Skipped) and row.outcome.kind is SkipKind.POLICY
    return "note" if policy else "warning"


def _row_notification(row: Coverage) -> Json:
    reason = row.outcome.reason or "no reason given"
    notification = _notification(_row_level(row), f"{display_path(row.path)}: {outcome_name(row)}, {reason}")
    notification["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(row.path)}}]
    return notification


def _notification(severity: str, text: str) -> Json:
    return {"level": severity, "message": {"text": _message_text(text)}}
