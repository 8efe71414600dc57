"""The results of another run, checked against the code itself: what cannot be found there again is dropped.

Of a claim only the words, the confidence and the place are taken, as those of a model. Its evidence has to stand in
the text of this very head (or of the base, for removed lines); weakness, limits of severity, fingerprint and status
are our own, suggestions are left out. No file counts as wholly reviewed: nobody vouches for what the run did not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from devpulse.core.anchor import LineIndex, evidence_lines
from devpulse.core.categories import CATEGORIES
from devpulse.core.change import ChangeSet, FileChange, Side
from devpulse.core.finding import Finding, FindingStatus, Trace
from devpulse.core.policy import ReportPolicy, apply_policy
from devpulse.core.review import Coverage, Failed, Outcome, Partial, Report, Skipped
from devpulse.core.shown import show_line
from devpulse.core.source_tree import SourceTree
from devpulse.core.syntax import innermost
from devpulse.core.verdict import is_incomplete
from devpulse.output.comments.place import Place, place_of
from devpulse.output.coverage import OutcomeName
from devpulse.pipeline.coordinator import conclude
from devpulse.pipeline.file_review import outline_of
from devpulse.pipeline.findings import Assembler, deduplicate
from devpulse.pipeline.foreign import Claim, Dropped, Foreign
from devpulse.pipeline.plan import PathFilter, skip_reason
from devpulse.pipeline.prepare import Prepared
from devpulse.pipeline.submission import MAX_FINDINGS, Submission
from devpulse.pipeline.suppression import suppressed_inline
from devpulse.pipeline.texts import ChangeTexts

MAX_PLACES = 1_000
"""Evidence that stands at more places of a file says nothing about any of them."""
NOT_VOUCHED_FOR = "by another run, which nobody vouches for"
"""How the other run's word for a file is told."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What claims are checked against: the change as it really is, its texts, and the policy of the base.

    ``head`` is the tree of the head, ``mask`` replaces known secrets.
    """

    change_set: ChangeSet
    head: SourceTree
    texts: ChangeTexts
    policy: ReportPolicy
    paths: PathFilter
    mask: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What is left: a report, and by fingerprint where its open findings are told. ``dropped`` counts the rest."""

    report: Report
    places: Mapping[str, Place]
    dropped: Dropped


def recheck(foreign: Foreign, ground: Ground) -> Rechecked:
    """Check every claim; the report says nothing about the code that was not found in it."""
    dropped = foreign.dropped.copy()
    changes = {change.path: change for change in ground.change_set.files}
    skips = {path: reason for path, change in changes.items() if (reason := _skip(change, ground))}
    by_path: dict[str, list[Claim]] = {}
    for claim in foreign.claims:
        if claim.path not in changes:
            dropped["its file is not part of the change"] += 1
        elif claim.path in skips:
            dropped["its file is not reviewed here"] += 1
        elif len(by_path.setdefault(claim.path, [])) >= MAX_FINDINGS:
            dropped["there are too many in its file"] += 1
        else:
            by_path[claim.path].append(claim)
    found = [
        each for path, claims in by_path.items() for each in _FileCheck.of(changes[path], ground).check(claims, dropped)
    ]
    judged = [_judged(each, changes[each.path], ground) for each in deduplicate(found)]
    findings = tuple(sorted(judged, key=lambda f: (-f.severity.rank, -f.confidence.rank, f.path, f.start_line)))
    coverage = tuple(
        Coverage(path, skips.get(path) or _outcome(foreign.coverage.get(path), ground.mask), 1, 0) for path in changes
    )
    places = {f.fingerprint: place_of(f, changes[f.path]) for f in findings if f.status is FindingStatus.OPEN}
    return Rechecked(_report(foreign, ground.change_set, findings, coverage), places, dropped)


def _judged(finding: Finding, change: FileChange, ground: Ground) -> Finding:
    # A comment that the change itself brings never counts here: nobody with rights has seen it.
    return apply_policy(suppressed_inline(finding, change, ground.texts, allow_new=False), change, ground.policy)


def _report(
    foreign: Foreign, change_set: ChangeSet, findings: tuple[Finding, ...], coverage: tuple[Coverage, ...]
) -> Report:
    risk, summary = conclude(findings, coverage)
    return Report(
        pull_request=change_set.pull_request,
        engine=foreign.engine,
        model=foreign.model,
        risk=risk,
        summary=summary,
        coverage=coverage,
        findings=findings,
        usage=foreign.usage,
        context_tokens=0,
        rung=change_set.rung,
        rung_reason=change_set.rung_reason,
        incomplete=is_incomplete(row.outcome for row in coverage),
    )


def _skip(change: FileChange, ground: Ground) -> Skipped | None:
    return skip_reason(change) if ground.paths.allows()(change.path) else Skipped("excluded")


def _outcome(claimed: tuple[OutcomeName, str] | None, mask: Callable[[str], str]) -> Outcome:
    if claimed is None:
        return Failed("the other run does not tell of it")
    name, reason = claimed
    told = f" ({show_line(mask(' '.join(reason.split())))})" if reason else ""
    if name in (OutcomeName.REVIEWED, OutcomeName.PARTIAL):
        how = "reviewed" if name is OutcomeName.REVIEWED else "reviewed in part"
        return Partial(f"{how} {NOT_VOUCHED_FOR}{told}")
    return Failed(f"{name} {NOT_VOUCHED_FOR}{told}")


@dataclass(frozen=True, slots=True)
class _FileCheck:
    """The check of one file's claims."""

    ground: Ground
    change: FileChange
    prepared: Prepared
    indexes: Mapping[Side, LineIndex]

    @classmethod
    def of(cls, change: FileChange, ground: Ground) -> _FileCheck:
        shown = ground.texts.shown(change)
        prepared = Prepared(change, shown, complete=True, findings=(), leads=(), lookups=())
        sides = ((side, shown.side(side)) for side in Side)
        return cls(ground, change, prepared, {side: LineIndex(text.lines) for side, text in sides if text is not None})

    def check(self, claims: Iterable[Claim], dropped: Dropped) -> Iterable[Finding]:
        outline = outline_of(self.change, self.ground.texts)
        for claim in claims:
            if self._is_everywhere(claim):
                dropped["its code stands at too many places"] += 1
                continue
            assembler = Assembler(
                self.prepared, claim.source, lambda side, line: innermost(outline(side), line), self.ground.mask
            )
            assembler.indexes.update(self.indexes)
            (finding,) = assembler.assemble(Submission((claim.item,)), (), judged=False)
            if finding.status is FindingStatus.UNANCHORED:
                dropped["its code is not in the change" if "not in the file" in finding.reason else finding.reason] += 1
            else:
                yield self._bounded(finding, claim)

    def _is_everywhere(self, claim: Claim) -> bool:
        wanted, index = evidence_lines(claim.item.evidence), self.indexes.get(claim.item.side)
        return bool(wanted) and index is not None and len(index.places(wanted)) > MAX_PLACES

    def _bounded(self, finding: Finding, claim: Claim) -> Finding:
        """With the weakness of our table, which is also the most severe it can be, and without rights of a rule."""
        category = CATEGORIES[finding.category]
        status = FindingStatus.OPEN if claim.disputed is None else FindingStatus.DISPUTED
        return replace(
            finding,
            cwe=claim.cwe if claim.cwe in category.cwes else next(iter(category.cwes), None),
            severity=min(finding.severity, category.severity, key=lambda severity: severity.rank),
            status=status,
            reason=self._told(claim.disputed or ""),
            suggestion=None,
            rule_id=None,
            trace=self._trace(claim.trace),
        )

    def _trace(self, trace: Trace | None) -> Trace | None:
        """A trace through files that exist, its words masked."""
        if trace is None or any(self.ground.head.size(step.path) is None for step in trace.all_steps()):
            return None
        source, *steps, sink = (replace(step, note=self._told(step.note)) for step in trace.all_steps())
        return Trace(source, tuple(steps), sink)

    def _told(self, text: str) -> str:
        return show_line(self.ground.mask(" ".join(text.split())))
