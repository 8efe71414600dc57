"""Removed validation: a change that no longer checks or cleans a value, and goes on using it.

Only the two texts of the file are compared. Three kinds of statements are known: one that puts the clean value in the
place of the value, a call that checks and raises, and a condition that leaves. A hit stands on the LEFT, on what was
removed. What was moved, or has something like it in its place, is none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.ranking import remoteness
from devpulse.core.rules.bare_uses import bare_uses
from devpulse.core.rules.changed_runs import Run, removals_of
from devpulse.core.rules.dropped_checks import COMMENT, MAX_LINE, Dropped, dropped_in
from devpulse.core.rules.hardening_calls import hardening_in
from devpulse.core.rules.unbound_parameters import unbound_in
from devpulse.core.rules.uses_below import is_used_below, use_below
from devpulse.core.rules.weakened_conditions import ACCESS, weakened_in
from devpulse.core.rules.weaker_forms import weaker_in
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.text import split_lines

MAX_RUN = 40
"""Lines removed at one place; of more than that the change is a rewrite. What is left out is told where next to nothing
took their place; lines longer than ``MAX_LINE`` are passed over: they are data, or made by a program."""

MAX_INSTEAD = 2
"""Lines in the place of so many that are next to nothing."""

NEAR = 25
"""Lines around the place among which an added check counts as the one in its place."""

_HINT = lazy(
    r"(?i)check|valid|verif|ensure|sanit|clean|strip|esc|quote|\bif\b|replace|\bint|sub\(|basename|html|safe|secure|sep|join"
    r"|text|entit|http_?only|canonical|startswith|--|\?|\$\d|[:@]\w|%s|encod|purif|defused|doctype|external|proto|\babs"
)
_CHECKS = lazy(
    r"(?i)check|valid|verif|ensure|sanit|clean|escape|\besc|html|kses|quote|strip_?tags|basename|realpath|canonical"
    r"|normali[sz]e|\.resolve\(\)|resolve_?\w{0,20}path|relative_to"
    r"|startswith|starts_with|hasprefix|\bmatch|_match|\.(?:full)?match|matchstring|in_array|includes\(|contains\(|is_numeric|intval|\(int\)|isdigit|allow"
    r"|safe|replace\(|filter"
    r"|\bint\(|parseInt|prototype|hasOwn|__proto__|\.\.|secure|purif|encode\(|within|inside|sub_?(?:path|dir)|is_?abs|islocal"
)
_WORD = lazy(r"\w+")
_REACHES = {
    "cross-site-scripting": "markup and scripts in the value reach the page of whoever looks at it",
    "command-injection": "the value can end the argument and run commands of its own",
    "sql-injection": "the value can change the statement",
    "path-traversal": "`../` or an absolute path in the value leads to files outside of the folder",
    "ssrf": "the value can name a host of the internal network",
    "open-redirect": "the value can lead people to another site",
    "xml-external-entity": "a document can read files and addresses that the parser reaches",
    "other": "a key like `__proto__` changes what every object of the program has",
    "ldap-injection": "the value can change the filter that asks the directory",
    "insecure-cookie": "scripts or others on the network can read the cookie",
}
_SETTINGS = ("xml-external-entity", "insecure-cookie")
_ACCESS = Wording(
    title="Access check removed from a condition",
    description="The condition asked what somebody may do; without that part everybody gets behind it.",
    fix="Keep that part of the condition, or check it before this code is reached.",
)


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the protocol)
    """Every check of a value that the change takes away without putting one in its place."""
    before = source.before
    if before is None or not source.text or not before.changed or remoteness(source.path):
        return
    places = [(run, above) for run, above in removals_of(source, before) if len(run.removed) <= MAX_RUN]
    hinted = [(run, above) for run, above in places if any(_HINT.search(line) for _, line in run.removed)]
    if not hinted:
        return
    texts = _Texts.of(source, before)
    bare = list(bare_uses([run for run, _ in places], before))
    for run, above in hinted:
        weaker = {found.first: hit for found, hit in _weaker(run, above, bare, texts, source.language)}
        yield from weaker.values()
        last = 0
        for dropped in dropped_in(run, before):
            if dropped.first <= last or not weaker.keys().isdisjoint(range(dropped.first, dropped.last + 1)):
                continue
            category = _judge(dropped, run, above, texts, source.language)
            if category is not None:
                last = dropped.last
                yield _hit(dropped, category)


def _weaker(
    run: Run, above: int, bare: list[Dropped], texts: _Texts, language: str | None
) -> Iterator[tuple[Dropped, Hit]]:
    """What a run weakened without dropping a statement that checks."""
    lines = range(run.removed[0][0], run.removed[-1][0] + 1)
    for found in (one for one in weakened_in(run) if not texts.is_moved(one.text)):
        category = found.category or use_below(texts.head, above, found.words, language)
        if category is not None:
            yield found, _hit(found, category)
    settings = (found for found in hardening_in(run, texts.words) if not texts.is_moved(found.text))
    for found in (*(one for one in bare if one.first in lines), *settings, *unbound_in(run), *weaker_in(run)):
        yield found, _hit(found, found.category)


def stopped(source: Source) -> bool:
    """Whether a place where a check may have been taken away is longer than what is compared."""
    before = source.before
    if before is None or not source.text or remoteness(source.path):
        return False
    long = [(run, above) for run, above in removals_of(source, before) if len(run.removed) > MAX_RUN]
    texts = _Texts.of(source, before) if long else None
    return texts is not None and any(
        _judge(dropped, run, above, texts, source.language) is not None
        for run, above in long
        if len(run.added) <= MAX_INSTEAD
        for dropped in dropped_in(run, before)
    )


@dataclass(frozen=True, slots=True)
class _Texts:
    """Both texts of a file. ``checks`` are the added lines that look like a check, in order; ``before`` and ``after``
    count equal lines, without their white space."""

    head: list[str]
    checks: list[int]
    before: Counter[str]
    after: Counter[str]
    words: frozenset[str]

    @classmethod
    def of(cls, source: Source, before: Source) -> _Texts:
        head = split_lines(source.text)
        known = (number for number in sorted(source.changed) if number <= len(head))
        checks = [number for number in known if _is_check(head[number - 1][:MAX_LINE])]
        return cls(
            head,
            checks,
            Counter(map(_bare, split_lines(before.text))),
            Counter(map(_bare, head)),
            frozenset(_WORD.findall(source.text)),
        )

    def is_moved(self, text: str) -> bool:
        """Whether the first line of a removed text stands in the head as often as before."""
        line = _bare(text.split("\n", 1)[0])
        return self.after[line] >= self.before[line]

    def has_check(self, first: int, last: int) -> bool:
        """Whether one of some lines looks like an added check."""
        return bisect_left(self.checks, first) < bisect_right(self.checks, last)


def _judge(dropped: Dropped, run: Run, above: int, texts: _Texts, language: str | None) -> str | None:
    """The category of what the value reaches without the check; ``None`` where something takes its place."""
    if texts.has_check(above - NEAR + 1, above + len(run.added) + NEAR):
        return None
    if texts.is_moved(dropped.text):
        return None
    if dropped.category:
        return dropped.category if is_used_below(texts.head, above, dropped.words) else None
    return use_below(texts.head, above, dropped.words, language)


def _hit(dropped: Dropped, category: str) -> Hit:
    wording = _ACCESS if category == ACCESS else _wording(category)
    hit = make_hit(Weakness(category), wording, (dropped.first, dropped.last), Confidence.MEDIUM)
    return replace(hit, side=Side.LEFT, guards=tuple(range(dropped.first, dropped.last + 1)))


def _wording(category: str) -> Wording:
    if category in _SETTINGS:
        return Wording(
            title="Hardening setting removed",
            description=f"Without what is removed here {_REACHES[category]}.",
            fix="Keep the setting.",
        )
    return Wording(
        title="Check of a value removed",
        description=f"What is removed here refused or cleaned the value; without it {_REACHES[category]}.",
        fix="Keep the check, or make the value safe in another way before it is used.",
    )


def _is_check(line: str) -> bool:
    return not line.lstrip().startswith(COMMENT) and _CHECKS.search(line) is not None


def _bare(text: str) -> str:
    return "".join(text.split())


RULE = Rule("removed-validation", "path-traversal", frozenset(), check, stopped)
