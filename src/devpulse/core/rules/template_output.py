"""Templates that write a value into the page without escaping it, or where the escaping of the page does not help.

Which outputs are raw the formats say (``core.templates``), what is written its names and calls (``template_values``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.template_values import Reading, Writes, declared_safe, written
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.templates import format_of, formats_of
from devpulse.core.templates.base import MAX_EXPRESSION, Format, Place, Tag
from devpulse.core.templates.expressions import parse_expression
from devpulse.core.templates.nodes import Kind, Node
from devpulse.core.templates.places import placed

MAX_TAGS = 4_000
"""Tags of a file that are looked at; that there are more is told."""

_WEAKNESS = Weakness("cross-site-scripting")
_RAW = Wording(
    title="Value written into the page without escaping",
    description="Markup and scripts in the value reach the page of whoever looks at it.",
    fix="Let the template escape the value, or clean its HTML with a sanitizer before it is written.",
)
_IN_SCRIPT = Wording(
    title="Value written into a script of the page",
    description="The escaping for HTML does not help inside of a script: whoever chooses the value chooses what runs.",
    fix="Write the value as JSON with the template's own function for that, or read it from a data attribute.",
)
_IN_HANDLER = Wording(
    title="Value written into a script of an attribute",
    description="The browser undoes the escaping for HTML before it runs the script: the value can leave its quotes.",
    fix="Put the value into a data attribute and read it from there.",
)
_UNQUOTED = Wording(
    title="Value written into an attribute without quotes",
    description="A blank in the value ends the attribute, and the rest of it becomes attributes of its own.",
    fix="Put quotes around the attribute's value.",
)
_JSON = Wording(
    title="JSON written into a script as it is",
    description="`</script>` in one of its texts ends the script, and what follows is read as HTML.",
    fix="Write it with a function that escapes `<` for scripts.",
)
_SAFE_WORDS = lazy(
    r"\b(?:raw|html_safe|safe|safeseq|mark_safe|Markup|noescape|no_esc|nofilter|Raw|HtmlString|MarkupString|n)\b"
)
_PLAIN_JSON = lazy(r"^(?:JSON\.stringify|json\.dumps|dumps|stringify|json)$")
_STATE = lazy(r"(?i)state|user|comment|message|post|profile|query|store|props")
_BREAK = lazy(r"\n")
_LOWER = {Confidence.HIGH: Confidence.MEDIUM, Confidence.MEDIUM: Confidence.LOW, Confidence.LOW: Confidence.LOW}
_SURE = {Writes.REQUEST: Confidence.HIGH, Writes.DATA: Confidence.MEDIUM, Writes.UNKNOWN: Confidence.LOW}
_RISKY = frozenset({Place.SCRIPT, Place.HANDLER, Place.UNQUOTED})


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the protocol)
    """Every output of the template that is written raw, or where escaping does not help; one for each line."""
    best: dict[int, Hit] = {}
    for name in formats_of(source.path, source.text):
        for hit in _hits(format_of(name), source.text):
            known = best.get(hit.start_line)
            if known is None or known.confidence.rank < hit.confidence.rank:
                best[hit.start_line] = hit
    yield from (best[line] for line in sorted(best))


def stopped(source: Source) -> bool:
    """Whether a template has more tags than are looked at, or one that is too long."""
    for name in formats_of(source.path, source.text):
        tags, more = _tags(name, source.text)
        if more or any(tag.expression is not None and len(tag.expression) > MAX_EXPRESSION for tag in tags):
            return True
    return False


@lru_cache(maxsize=8)
def _tags(name: str, text: str) -> tuple[tuple[Tag, ...], bool]:
    """The tags of a file, and whether there are more than are looked at."""
    found: list[Tag] = []
    for tag in format_of(name).tags(text):
        if len(found) == MAX_TAGS:
            return tuple(found), True
        found.append(tag)
    return tuple(found), False


def _hits(template: Format, text: str) -> Iterator[Hit]:
    tags, _ = _tags(template.name, text)
    reading = Reading(template.syntax, template.assigned(text), template.followed)
    breaks = [found.start() for found in _BREAK.finditer(text)]
    for tag, place in placed(text, tags):
        if place is Place.ELSEWHERE or tag.expression is None or len(tag.expression) > MAX_EXPRESSION:
            continue
        told = _judged(tag.expression, tag, place, reading)
        if told is not None:
            wording, confidence = told
            lines = bisect_left(breaks, tag.start) + 1, bisect_left(breaks, tag.end - 1) + 1
            yield make_hit(_WEAKNESS, wording, lines, confidence)


def _judged(expression: str, tag: Tag, place: Place, reading: Reading) -> tuple[Wording, Confidence] | None:
    if not (tag.raw or place in _RISKY or _SAFE_WORDS.search(expression)):
        return None
    node = parse_expression(expression, reading.syntax)
    raw = _raw_values(node, tag)
    if raw:
        return _of_raw(raw, tag, place, reading)
    return _of_escaped(node, place, reading) if place in _RISKY else None


def _raw_values(node: Node, tag: Tag) -> tuple[Node, ...]:
    declared = tuple(declared_safe(node))
    return declared or ((node,) if tag.raw else ())


def _of_raw(values: tuple[Node, ...], tag: Tag, place: Place, reading: Reading) -> tuple[Wording, Confidence] | None:
    if place is Place.SCRIPT:
        json = max((_of_json(value, reading) for value in values), default=Writes.NOTHING)
        if json:
            return _JSON, _SURE[json]
    writes = max(written(value, reading) for value in values)
    if writes is Writes.NOTHING or (writes is Writes.UNKNOWN and not tag.certain):
        return None
    confidence = _SURE[writes]
    if not tag.certain or (place is Place.COMMENT and writes is not Writes.REQUEST):
        confidence = _LOWER[confidence]
    return _RAW, confidence


def _of_json(node: Node, reading: Reading) -> Writes:
    """What JSON holds that is written by a function which leaves ``</script>`` as it is."""
    if node.kind is not Kind.CALL or not _PLAIN_JSON.match(node.path()) or not node.parts:
        return Writes.NOTHING
    writes = written(node.parts[0], reading)
    if writes is Writes.UNKNOWN and _STATE.search(node.parts[0].path()):
        return Writes.DATA
    return writes


def _of_escaped(node: Node, place: Place, reading: Reading) -> tuple[Wording, Confidence] | None:
    writes = written(node, reading)
    if writes <= Writes.UNKNOWN:
        return None
    if place is Place.UNQUOTED:
        return _UNQUOTED, Confidence.MEDIUM if writes is Writes.REQUEST else Confidence.LOW
    if place is Place.SCRIPT:  # only numbers and JSON work there
        return _IN_SCRIPT, Confidence.HIGH if writes is Writes.REQUEST else Confidence.LOW
    return _IN_HANDLER, _SURE[writes]


RULE = Rule("template-output", "cross-site-scripting", frozenset(), check, stopped)
