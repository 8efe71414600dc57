"""What a run amounts to in one line: the verdict, what was covered, what it used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from devpulse.core.categories import Confidence, Severity
from devpulse.core.finding import Finding, FindingSource, FindingStatus
from devpulse.core.review import Coverage, Failed, Partial, Report, Reviewed, Skipped
from devpulse.core.searched import SEARCHED, searched_language
from devpulse.core.verdict import is_incomplete
from devpulse.errors import ExitStatus
from devpulse.output.characters import clip
from devpulse.output.selection import counted_by_severity, not_counted

_REASON_LIMIT = 100
_REASONS_SHOWN = 5


class OutcomeName(StrEnum):
    """Outcomes as artifacts name them, in the order they are counted."""

    REVIEWED = "reviewed"
    PARTIAL = "partial"
    SKIPPED = "skipped"
    FAILED = "failed"


class VerdictLevel(StrEnum):
    """How a verdict is to be coloured. Only CLEAN is good news."""

    CLEAN = "clean"
    LIMITED = "limited"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"
    UNPLACED = "unplaced"
    INCOMPLETE = "incomplete"
    NOT_REVIEWED = "not-reviewed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The headline of a run. ``text`` may hold untrusted reasons: escape it like any other text."""

    text: str
    level: VerdictLevel


def outcome_name(row: Coverage) -> OutcomeName:
    """The name of a row's outcome."""
    match row.outcome:
        case Reviewed():
            return OutcomeName.REVIEWED
        case Partial():
            return OutcomeName.PARTIAL
        case Skipped():
            return OutcomeName.SKIPPED
        case Failed():
            return OutcomeName.FAILED


def rows_with(report: Report, name: OutcomeName) -> tuple[Coverage, ...]:
    """The coverage rows with an outcome, by path."""
    return tuple(sorted((row for row in report.coverage if outcome_name(row) is name), key=lambda row: row.path))


def coverage_line(report: Report) -> str:
    """For example ``4 files: 1 reviewed, 1 partial (token budget), 2 skipped (binary 1, deleted 1)``."""
    groups = ((name, rows_with(report, name)) for name in OutcomeName)
    parts = ", ".join(f"{len(rows)} {name}{_reasons(rows)}" for name, rows in groups if rows)
    total = plural(len(report.coverage), "file")
    return f"{total}: {parts}" if parts else total


def row_note(report: Report, row: Coverage) -> str:
    """What a reader must know of a row: the reason of its outcome, or that no rule knows the language of the file."""
    language = _searched(report, row)
    searched = f"{language}: searched for {SEARCHED} only" if language else ""
    if searched and searched in row.outcome.reason:  # read back from an artifact
        return row.outcome.reason
    return "; ".join(filter(None, (row.outcome.reason, searched)))


def incomplete_count(report: Report) -> int:
    """How many files that should have been reviewed were not, or not wholly."""
    return sum(is_incomplete([row.outcome]) for row in report.coverage)


def verdict(report: Report) -> Verdict:
    """Risk and counts; incompleteness always said. Neither no review at all nor a finding without a place
    reads as clean.
    """
    found = counted_by_severity(report)
    touched = any(isinstance(row.outcome, Reviewed | Partial) for row in report.coverage)
    gap = "" if touched else f"Nothing was reviewed: {_why_nothing(report)}."
    if touched and report.incomplete:
        gap = f"INCOMPLETE: {_incomplete_files(report)}."
    unplaced = not_counted(report).get(FindingStatus.UNANCHORED, 0)
    if unplaced:
        gap = f"{plural(unplaced, 'finding')} could not be placed in the code. {gap}".rstrip()
    if found or report.risk != "none":
        level = VerdictLevel(next(iter(found), report.risk) if report.risk == "none" else report.risk)
        counted = ", ".join(f"{number} {severity}" for severity, number in found.items())
        text = f"Risk {level}: {plural(sum(found.values()), 'finding')}{f' ({counted})' if counted else ''}."
        return Verdict(" ".join(filter(None, (text, gap, searched_only(report)))), level)
    if not touched:
        return Verdict(gap, VerdictLevel.NOT_REVIEWED)
    return _without_findings(report, gap, unplaced=unplaced > 0)


def _without_findings(report: Report, gap: str, *, unplaced: bool) -> Verdict:
    """The verdict of a run that found nothing that counts in what it reviewed."""
    searched = searched_only(report)
    reviewed = plural(len(rows_with(report, OutcomeName.REVIEWED)), "file")
    passed_over = sum(map(_is_passed_over, report.findings))
    if report.incomplete:
        other = "other " if unplaced else ""
        said, level = f"{gap} No {other}findings in the part that was reviewed.", VerdictLevel.INCOMPLETE
    elif unplaced:
        said, level = f"{gap} No other findings in {reviewed} reviewed.", VerdictLevel.UNPLACED
    elif passed_over and report.engine != "offline":
        suspicions = plural(passed_over, "serious suspicion")
        said = f"No findings in {reviewed} reviewed, but the model set aside {suspicions} of the rules."
        level = VerdictLevel.UNPLACED
    else:
        said = f"No findings in {reviewed} reviewed."
        level = VerdictLevel.LIMITED if searched else VerdictLevel.CLEAN
    return Verdict(f"{said} {searched}".rstrip(), level)


def _searched(report: Report, row: Coverage) -> str:
    """The language of a file that was reviewed by rules of which none knows it; a model reads any."""
    reviewed = report.engine == "offline" and isinstance(row.outcome, Reviewed | Partial)
    return searched_language(row.path) if reviewed else ""


def searched_only(report: Report) -> str:
    """For example ``2 files in C#, 1 in Kotlin were only searched for …``; empty when rules know all languages."""
    languages = Counter(filter(None, (_searched(report, row) for row in report.coverage)))
    if not languages:
        return ""
    (first, number), *others = languages.most_common(_REASONS_SHOWN)
    listed = [f"{plural(number, 'file')} in {first}", *(f"{number} in {language}" for language, number in others)]
    more = len(languages) - len(listed)
    counted = ", ".join([*listed, *([f"others in {plural(more, 'language')}"] if more > 0 else [])])
    return f"{counted} {'was' if languages.total() == 1 else 'were'} only searched for {SEARCHED}."


def _is_passed_over(finding: Finding) -> bool:
    """Whether rules suspected something serious and a model dismissed it or did not answer: what it read may have
    told it to."""
    unanswered = finding.status is FindingStatus.BELOW_THRESHOLD and finding.confidence is Confidence.LOW
    serious = finding.source is FindingSource.RULE and finding.severity.rank >= Severity.HIGH.rank
    return serious and (unanswered or finding.status is FindingStatus.DISPUTED)


def check_line(report: Report, status: ExitStatus, fail_on: Severity | None) -> str:
    """How the check of a run ends and why, in whole sentences; that a review is incomplete is always said."""
    gap = f" The review is INCOMPLETE: {_incomplete_files(report)}." if report.incomplete else ""
    why = {
        ExitStatus.NOTHING_REVIEWED: "fails: nothing of what should have been reviewed could be.",
        ExitStatus.GATE: f"fails: a finding is at or above {fail_on}.",
        ExitStatus.INCOMPLETE: "fails: the review is not complete (fail-on-incomplete).",
    }.get(status, "passes.")
    return f"The check {why}{gap}"


def set_aside_line(report: Report) -> str:
    """Findings that do not count, for example ``1 suppressed, 2 below-threshold``; empty when there are none."""
    return ", ".join(f"{number} {status}" for status, number in not_counted(report).items())


def usage_line(report: Report) -> str:
    """Requests, tokens and cost in words; an unknown price is said to be unknown."""
    usage = report.usage
    if not usage.requests:
        return f"no model requests; about {report.context_tokens:,} tokens of context"
    cost = "cost unknown" if report.cost_usd is None else f"cost ${report.cost_usd:.4f}"
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    thinking = f", {usage.thinking_tokens:,} thinking" if usage.thinking_tokens else ""
    return (
        f"{plural(usage.requests, 'request')}, {usage.input_tokens:,} input tokens{cached}, "
        f"{usage.output_tokens:,} output{thinking}, {cost}"
    )


def context_line(report: Report) -> str:
    """How full contexts were: the largest request, then compactions and splits if any; empty when nothing was asked."""
    use = report.context_use
    if not use.largest_request:
        return ""
    parts = [f"largest request {use.percent} % of the window of {use.window:,} tokens"]
    parts += [plural(use.compactions, "compaction")] if use.compactions else []
    parts += [plural(use.splits, "split")] if use.splits else []
    return ", ".join(parts)


def plural(number: int, noun: str) -> str:
    """A number with its noun, for example ``1 file`` or ``2 files``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _incomplete_files(report: Report) -> str:
    missing = incomplete_count(report)
    verb = "was" if missing == 1 else "were"
    if not missing:  # the run as a whole was cut short, its rows do not show where
        return "the run did not finish"
    return f"{missing:,} of {plural(len(report.coverage), 'file')} {verb} not reviewed, or not wholly"


def _why_nothing(report: Report) -> str:
    return coverage_line(report) if report.coverage else "there are no changed files"


def _reasons(rows: Sequence[Coverage]) -> str:
    reasons = [row.outcome.reason for row in rows]
    named = _most_common(reason for reason in reasons if reason)
    if not named:
        return ""
    if len(set(reasons)) == 1:
        return f" ({clip(reasons[0], _REASON_LIMIT)})"
    listed = [f"{clip(reason, _REASON_LIMIT)} {number}" for reason, number in named[:_REASONS_SHOWN]]
    more = len(named) - _REASONS_SHOWN
    if more > 0:
        listed.append(plural(more, "other reason"))
    return f" ({', '.join(listed)})"


def _most_common(reasons: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(reasons).items(), key=lambda item: (-item[1], item[0]))
