"""Removed escapes: a change that takes away what made a value safe, and writes the value as it comes.

Only the two texts of the file are compared, so it says nothing of a file without a base. A call taken away is reported
on the LEFT, on the line that had it; output that is new and raw in a template on the RIGHT, since there the added line
is what is wrong. The exact case is a removed line that stands there again without the call; the loose one an added
line that begins like it, deals with the same value and calls nothing new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.ranking import remoteness
from devpulse.core.rules.changed_runs import Run, runs_of
from devpulse.core.rules.cleaner_calls import cleaner_calls
from devpulse.core.rules.escape_comparison import Cleaned, Removal, cleaned_in, removals
from devpulse.core.rules.unescaped_output import TEMPLATE, unescaped
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

MAX_RUN = 1_000
"""Lines removed at one place; of more than that the change is a rewrite, and what is left out is told."""

MAX_LINE = 1_000
_HINT = lazy(
    r"(?i)esc|sanit|clean|quot|encod|purif|html|kses|base|name|secure|prepare|strip|safe|liter|\b[ehj]\(|xss|slash"
)
_MARKS = lazy(r"\||\{[{!]|<%|utext|c:out|html|dangerously|text\s*\+?=", 2)
_UNESCAPING = lazy(r"autoescape\s+(?:false|off)|autoescape\s*=\s*False|\|\s*safe\b")
_COMMENT = ("#", "//", "*", "/*", "<!--", "{#", "<%#", "--")
_REACHES = {
    "cross-site-scripting": "markup and scripts in the value reach the page of whoever looks at it",
    "command-injection": "the value can end the argument and run commands of its own",
    "sql-injection": "the value can end the literal and change the statement",
    "ldap-injection": "the value can change the filter that asks the directory",
    "path-traversal": "`../` in the value leads to files outside of the folder",
}
_REMOVED = "Escape removed from around a value"
_RAW = Wording(
    title="Value written without its escaping",
    description="It was escaped before; now markup and scripts in it reach the page of whoever looks at it.",
    fix="Keep the escaped output, or clean the HTML with a sanitizer before it is written.",
)


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the protocol)
    """Every escape that the change takes away, and every output that it makes raw."""
    before = source.before
    if before is None or not source.text or not before.changed or remoteness(source.path):
        return
    cleaned: Cleaned | None = None
    for run in runs_of(source, before):
        if _is_too_much(run):
            continue
        lines = [line for _, line in run.removed]
        if TEMPLATE.search(source.path) and any(_MARKS.search(line) for _, line in (*run.removed, *run.added)):
            yield from _outputs(run, before)
        if any(map(_HINT.search, lines)):
            text = "\n".join("" if line.lstrip().startswith(_COMMENT) else line for line in lines)
            calls = list(cleaner_calls(text, before))
            if calls:
                cleaned = cleaned or cleaned_in(source)
                yield from map(_hit, removals(run, text, calls, cleaned, source))


def stopped(source: Source) -> bool:
    """Whether a place where something may have been taken away is longer than what is compared."""
    before = source.before
    if before is None or not source.text or remoteness(source.path):
        return False
    return any(
        _is_too_much(run) and any(_HINT.search(line) for _, line in run.removed) for run in runs_of(source, before)
    )


def _is_too_much(run: Run) -> bool:
    return len(run.removed) > MAX_RUN or any(len(line) > MAX_LINE for _, line in run.removed)


def _hit(removal: Removal) -> Hit:
    wording = Wording(
        title=_REMOVED,
        description=f"The call removed here made the value safe; without it {_REACHES[removal.category]}.",
        fix="Keep the call, or make the value safe in another way where it is used.",
    )
    lines = (removal.first, removal.last)
    hit = make_hit(Weakness(removal.category), wording, lines, removal.confidence)
    return replace(hit, side=Side.LEFT, guards=tuple(range(lines[0], lines[1] + 1)))


def _outputs(run: Run, before: Source) -> Iterable[Hit]:
    weakness = Weakness("cross-site-scripting")
    for output in unescaped(run):
        lines = (output.line, output.line)
        if output.raw:
            yield make_hit(weakness, _RAW, lines, Confidence.MEDIUM)
            continue
        plain = not output.automatic or _UNESCAPING.search(before.text)
        confidence = Confidence.MEDIUM if plain else Confidence.LOW
        yield _hit(Removal("cross-site-scripting", output.line, output.line, confidence))


RULE = Rule("removed-escape", "cross-site-scripting", frozenset(), check, stopped)
