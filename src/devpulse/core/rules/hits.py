"""Building hits of what data flow finds: confidence comes from how sure a rule is, and from the callees on the way."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from devpulse.core.categories import Confidence
from devpulse.core.embedded.masking import OUTPUT
from devpulse.core.finding import Hit, Step, Trace
from devpulse.core.flow.callees import Verdict, judge_callee
from devpulse.core.flow.engine import analyse
from devpulse.core.flow.labels import shown_name
from devpulse.core.flow.purposes import PURPOSES, Purpose
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.transfers import CHECKS, decides
from devpulse.core.flow.values import Ask, Level, Taint, trail_of
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver

_LOWER = {Confidence.HIGH: Confidence.MEDIUM, Confidence.MEDIUM: Confidence.LOW, Confidence.LOW: Confidence.LOW}
_FETCHES = re.compile(r"(?i)_*(?:get|find|fetch|load|read|query|select|lookup|search|list|retrieve)")
_ORIGIN_NOTES = {
    Level.REQUEST: "read from the request",
    Level.ARCHIVE: "a name stored in an archive",
    Level.LOCAL_INPUT: "given by the user of the command",
    Level.PARAMETER: "given by the caller",
    Level.UNKNOWN: "not a constant",
}


@dataclass(frozen=True, slots=True)
class Reach:
    """A taint that reaches a sink, and how sure that is before its callees are asked.

    ``firm``: that the value was fetched by a function that is not known makes it no less sure. ``instead``:
    another weakness than the rule's, with its words.
    """

    taint: Taint
    confidence: Confidence
    firm: bool = False
    instead: tuple[Weakness, Wording] | None = None


def flow_hit(
    weakness: Weakness, wording: Wording, call: CallRecord, reaches: list[Reach], source: Source, resolver: Resolver
) -> Hit | None:
    """The hit for the surest taint of a call; ``None`` when every one of them is made safe on its way.

    ``asks`` of the hit name the functions on the way that are still to be read.

    Raises:
        KeyError: the category has no purpose in ``PURPOSES``.
    """
    purpose = PURPOSES[weakness.category]
    decided: list[tuple[Confidence, Reach, tuple[str, ...]]] = []
    for reach in reaches:
        asks = None if purpose in reach.taint.cleaned else open_asks(reach.taint, purpose, source, resolver)
        if asks is None:
            continue
        names = tuple(dict.fromkeys(name for listed in asks.values() for name in listed))
        decided.append((_doubted(reach, tuple(asks)), reach, names))
    if not decided:
        return None
    confidence, best, names = max(
        decided, key=lambda item: (item[0].rank, item[1].taint.origin.level, -item[1].taint.origin.id)
    )
    weakness, wording = best.instead or (weakness, wording)
    hit = make_hit(weakness, wording, (call.start_line, call.end_line), confidence)
    return replace(hit, trace=trace_of(best.taint, call, source.path), asks=names)


def _doubted(reach: Reach, asks: tuple[Ask, ...]) -> Confidence:
    """A check of the very value probably does what its name says; any other function may or may not."""
    confidence = reach.confidence
    names = [ask.callee.rpartition(".")[2] for ask in asks if not ask.check or ask.whole]
    if any(ask.check and ask.whole and CHECKS.search(ask.callee) for ask in asks):
        return Confidence.LOW
    if confidence is Confidence.MEDIUM and not any(
        decides(name) or (_FETCHES.match(name) and not reach.firm) for name in names
    ):
        return confidence
    return _LOWER[confidence] if asks else confidence


def open_asks(taint: Taint, purpose: Purpose, source: Source, resolver: Resolver) -> dict[Ask, tuple[str, ...]] | None:
    """The functions that still decide with the names that find them; ``None`` when one makes the value safe."""
    left: dict[Ask, tuple[str, ...]] = {}
    for ask in taint.asks:
        judgement = judge_callee(ask, purpose, source, resolver, analyse)
        if judgement.verdict is Verdict.CLEANS:
            return None
        if judgement.verdict is Verdict.OPEN:
            left[ask] = judgement.names
    return left


def trace_of(taint: Taint, call: CallRecord, path: str) -> Trace:
    """Source, steps and sink of a taint that reaches a call."""
    origin = taint.origin
    steps = tuple(Step(path, mark.line, mark.note) for mark in trail_of(taint) if mark.line not in (call.start_line,))
    sink = Step(path, call.start_line, _sink_note(call))
    if call.elsewhere is not None:
        into = shown_name(call.elsewhere.through.rpartition(".")[2])
        steps = (*steps, Step(path, call.start_line, f"into {into}()"))
        sink = Step(call.elsewhere.path, call.elsewhere.line, _sink_note(call))
    return Trace(Step(path, origin.line, f"`{origin.label}`: {_ORIGIN_NOTES[origin.level]}"), steps, sink)


def _sink_note(call: CallRecord) -> str:
    if call.returns:
        return "is sent as the answer"
    if call.callee == OUTPUT:
        return "is put into the page as it is"
    name = shown_name(call.callee.lstrip(".").removesuffix("="))
    return f"is set as `{name}`" if call.sets else f"reaches `{name}()`"
