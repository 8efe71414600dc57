"""Rules over data flow: a category's sinks come from the knowledge of a language, the rule judges what reaches them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.engine import ADAPTERS, analyse_in, analyse_sinks
from devpulse.core.flow.neighbours import may_hand_on
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import Level, Taint, Value
from devpulse.core.imports import imported_callee
from devpulse.core.knowledge import knowledge_of
from devpulse.core.knowledge.model import EVERY, RECEIVER, Condition, Sink
from devpulse.core.rules.handed_on import (
    NEVER_CUT,
    Runner,
    are_cut,
    field_of,
    handed_to,
    keeps_requests,
    runner_of,
    set_to,
    whole_field,
    with_requests,
)
from devpulse.core.rules.hits import Reach, flow_hit
from devpulse.core.rules.live_sinks import live_sinks
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.text import lines_of

_LONGEST_CALL = 10_000
"""Characters: on one long line of a minified file thousands of calls have the same text."""


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """The calls of one function in the order of the text; one and the same for all uses in it.

    ``fields``, one and the same for the file: those of the own object that its uses of the category come from.
    """

    calls: list[CallRecord]
    fields: set[str]


@dataclass(frozen=True, slots=True)
class Use:
    """A call of a sink, the value at the argument that does harm, and the function and file they stand in."""

    call: CallRecord
    sink: Sink
    value: Value
    source: Source
    function: Inside

    @property
    def text(self) -> str:
        """The lines of the call, as much of them as a person would write there."""
        return "\n".join(lines_of(self.source.text)[self.call.start_line - 1 : self.call.end_line])[:_LONGEST_CALL]


@dataclass(frozen=True, slots=True)
class Danger:
    """What a rule says of a category. ``judge`` gives how sure it is that a taint of a use does harm, or ``None``
    when it does none; it is asked once for each taint. ``kinds`` gives other words for some kinds of sinks.
    ``handed``: what a field was set to and what a runner is called with count like what the sink is given itself.
    ``always`` says how sure a use is a flaw that no taint makes one. ``once``: a parameter is told of where it is
    first used, what is done with it after that repeats it. ``plausible`` says of a kind of sinks whether a file can
    have what ``judge`` wants for it: cheap, since where it cannot the data flow is not followed at all.
    """

    weakness: Weakness
    wording: Wording
    judge: Callable[[Taint, Use], Reach | None]
    kinds: tuple[tuple[str, Weakness, Wording], ...] = ()
    always: Callable[[Use], Confidence | None] | None = None
    once: bool = False
    handed: bool = False
    plausible: Callable[[str, Source], bool] | None = None

    def mentioned(self, source: Source) -> bool:
        """Whether a file may call a sink of the category in a way that does harm."""
        return any(category == self.weakness.category for category, _ in live_sinks(source.language or "", source.text))

    def said(self, kind: str) -> tuple[Weakness, Wording]:
        """The weakness and the words for a kind of sink."""
        return next(
            ((weakness, wording) for name, weakness, wording in self.kinds if name == kind),
            (self.weakness, self.wording),
        )


@dataclass(frozen=True, slots=True)
class FlowCheck:
    """The check of a rule over data flow: a value, so that rules can be handed to other processes."""

    danger: Danger

    def __call__(self, source: Source, resolver: Resolver) -> Iterator[Hit]:
        """One hit a line, the surest, for the uses of the category's sinks that do harm."""
        lines: dict[int, Hit] = {}
        told: set[int] = set()
        for use in uses_of(self.danger, source, resolver):
            known = lines.get(use.call.start_line)
            if known is not None and known.confidence is not Confidence.LOW:
                continue
            hit = _hit(self.danger, use, source, resolver, told)
            if hit is not None and (known is None or hit.confidence.rank > known.confidence.rank):
                lines[use.call.start_line] = hit
        yield from lines.values()

    def stopped(self, source: Source) -> bool:
        """Whether the data flow was followed through a part of the file only."""
        language, text = source.language or "", source.text
        if not self.danger.mentioned(source):
            return False
        alone = analyse_sinks(language, text, live_sinks(language, text))
        return alone.exhausted or self._lost_fields(source, alone.calls)

    def _lost_fields(self, source: Source, calls: list[CallRecord]) -> bool:
        """Whether fields that a use comes from were looked for in a part of the file only."""
        if len(source.text) <= NEVER_CUT:
            return False
        found, _ = _found(self.danger.weakness.category, calls, source)
        fields = frozenset(found[0].function.fields) if found else frozenset[str]()
        wholly = self.danger.handed and any(whole_field(use.value) for use in found)
        return bool(fields) and (wholly or keeps_requests(source)) and are_cut(source, fields)


def flow_rule(danger: Danger) -> Rule:
    """The rule of a category for every language with data flow; its id is the category's name."""
    category = danger.weakness.category
    check = FlowCheck(danger)
    return Rule(category, category, frozenset(ADAPTERS), check, check.stopped, danger.plausible)


def _hit(danger: Danger, use: Use, source: Source, resolver: Resolver, told: set[int]) -> Hit | None:
    reaches = [reach for taint in use.value.taints if (reach := danger.judge(taint, use)) is not None]
    if danger.once and reaches and all(reach.taint.origin.level is Level.PARAMETER for reach in reaches):
        origins = {reach.taint.origin.id for reach in reaches}
        if origins <= told:
            return None
        told |= origins
    weakness, wording = danger.said(use.sink.kind)
    hit = flow_hit(weakness, wording, use.call, reaches, source, resolver) if reaches else None
    confidence = None
    if hit is None and danger.always is not None and use.call.elsewhere is None:
        confidence = danger.always(use)
    if confidence is None:
        return hit
    return make_hit(weakness, wording, (use.call.start_line, use.call.end_line), confidence)


def uses_of(danger: Danger, source: Source, resolver: Resolver) -> Iterator[Use]:
    """Every use of the category's sinks in a file with the values that reach it, in the order of the text."""
    category = danger.weakness.category
    if knowledge_of(source.language) is None or source.language is None:
        return
    mentioned = danger.mentioned(source)
    if not mentioned and not may_hand_on(source.language, source.text):
        return
    calls = analyse_in(source, resolver, live_sinks(source.language, source.text)).calls
    runners: dict[Runner, Use] = {}
    found, functions = _found(category, calls, source, elsewhere=not mentioned)
    near = frozenset(found[0].function.fields) if found else frozenset[str]()
    for told in found:
        use = replace(told, value=with_requests(told.value, source, near))
        yield use
        if danger.handed:
            runner = runner_of(use.call, use.value)
            if runner is not None:
                runners.setdefault(runner, use)
            yield from _of_field(use)
    for runner, inner in runners.items():
        yield from (
            replace(inner, call=call, value=value, function=functions[id(call.scope)])
            for call, value in handed_to(runner, calls)
        )


def _found(
    category: str, calls: list[CallRecord], source: Source, *, elsewhere: bool = False
) -> tuple[list[Use], dict[int, Inside]]:
    """The uses that the calls of a file are, of those in other files alone if asked for, and what stands around them
    by the scope's identity."""
    functions: dict[int, Inside] = {}
    fields: set[str] = set()
    for call in calls:
        functions.setdefault(id(call.scope), Inside([], fields)).calls.append(call)
    judged = (call for call in calls if not elsewhere or call.elsewhere is not None)
    found = [use for call in judged for use in _uses_at(category, call, source, functions[id(call.scope)])]
    fields.update(field for use in found for taint in use.value.taints if (field := field_of(taint)) is not None)
    return found, functions


def _uses_at(category: str, call: CallRecord, source: Source, function: Inside) -> Iterator[Use]:
    """The uses of a category's sinks that one call is."""
    knowledge, there = knowledge_of(source.language), call.elsewhere
    if knowledge is None:
        return
    imported = imported_callee(source.language, source.text, call.callee) if there is None else there.callee
    for sink in knowledge.sinks_of(category, call.callee, imported):
        if all(_holds(condition, call) for condition in sink.needs):
            yield from (Use(call, sink, value, source, function) for value in _values(call, sink))


def _of_field(use: Use) -> Iterator[Use]:
    """The same use of what a field was set to that the value is."""
    field = whole_field(use.value)
    if field is not None:
        for value in set_to(use.source, field, frozenset(use.function.fields)):
            yield replace(use, value=value)


def _values(call: CallRecord, sink: Sink) -> list[Value]:
    """The values at the sink's arguments; a keyword counts only where its position is not filled."""
    if EVERY in sink.arguments:
        return [argument.value for argument in call.arguments]
    found = [call.receiver] if RECEIVER in sink.arguments and call.receiver is not None else []
    positions = [argument for argument in sink.arguments if isinstance(argument, int)]
    keywords = [argument for argument in sink.arguments if isinstance(argument, str)]
    found += [value for position in positions if (value := call.argument(position)) is not None]
    return found + [value for keyword in keywords if (value := call.keyword(keyword)) is not None]


def _holds(condition: Condition, call: CallRecord) -> bool:
    """Whether a keyword, or a field of an options object, is one of the constants asked for."""
    given = call.keyword(condition.keyword)
    fields = (argument.value.field(condition.keyword) for argument in call.arguments)
    value = given or next((field for field in fields if field is not None), None)
    return value is not None and (value.skeleton or "").lower() in condition.values
