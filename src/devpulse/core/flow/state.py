"""What is known at one point of the walk: the functions on the way, the values of nodes and names, what is verified."""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from devpulse.core.flow import containers
from devpulse.core.flow import operations as ops
from devpulse.core.flow.environment import SETTLED, Environment
from devpulse.core.flow.facts import ALLOWED, LITERAL, NOTHING, OF_THIS_SITE, Fact, Facts
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.frames import Exit, Frame
from devpulse.core.flow.labels import label_of, shown_name
from devpulse.core.flow.parts import KEYED, Parts
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import Analysis, CallRecord, Elsewhere, Return
from devpulse.core.flow.syntax_nodes import end_line_of, short_text
from devpulse.core.flow.values import (
    CLEAN,
    HOLE,
    MAX_FIELDS,
    Ask,
    Level,
    Origin,
    Taint,
    Value,
    cleaned,
    shallow,
    step,
    tainted,
    text,
    trail_of,
    unite,
    with_taints,
)

MAX_INDEXES = 5
MAX_IDENTITY = 200
"""Characters by which two expressions are told apart; longer ones are alike only where they are the same one."""

_PURPOSES = frozenset(Purpose)
_ASSIGNED = "assigned to "
DOUBT = "doubt"
"""What is verified of an origin in a way that may not hold."""

NOBODY = Ask("", check=True)
"""A check that was made here, and that no function's body can tell more about."""


_KEEPS_TEXT = re.compile(r"\.(?:lower|upper|strip|casefold|toLowerCase|toUpperCase|trim|toString|encode)$")


class State:
    """Keeps values by node, and the environment of the function that is being walked."""

    def __init__(self, adapter: ops.Adapter) -> None:
        self.analysis = Analysis()
        self.quiet = 0
        self._adapter = adapter
        self._values: dict[int, Value] = {}
        self._facts: dict[int, Facts] = {}
        self._named_facts: dict[str, Facts] = {}
        self._grown: dict[int, str] = {}  # by a call that changed it, the name it changed
        self._origins: dict[str, Origin] = {}
        self._last_origin = 0
        self._parts = Parts(self._next_origin)
        self._stack: list[Frame] = []

    @property
    def environment(self) -> Environment:
        """The state of the current function."""
        return self._stack[-1].environment

    @property
    def frames(self) -> list[Frame]:
        """The functions on the way to where the walk is."""
        return self._stack

    def enter(self, frame: Frame) -> None:
        """Go into a function."""
        if not frame.called:
            self.analysis.scopes.append(frame.scope)
        self._stack.append(frame)
        self._open(frame)

    def leave(self) -> None:
        """Come out of it again."""
        self._stack.pop()
        if self._stack:
            self._open(self._stack[-1])

    def _open(self, frame: Frame) -> None:
        self._values, self._facts, self._named_facts = frame.values, frame.facts, frame.named
        self._grown, self._origins = frame.grown, frame.origins

    def start_after(self, given: tuple[Passed, ...], receiver: Value | None) -> None:
        """Give new origins numbers that those handed in do not have."""
        values = [receiver or CLEAN, *(argument.value for argument in given)]
        self._last_origin = max((taint.origin.id for value in values for taint in value.taints), default=0)

    def own(self, value: Value, given: tuple[Passed, ...]) -> Value:
        """A value from another file whose origins, but for those handed in, get numbers of their own here."""
        known = {taint.origin.id for item in given for taint in item.value.taints}
        return replace(value, fields=() if value.fields else value.fields, exact=False, taints=tuple(
            taint if taint.origin.id in known else
            replace(taint, origin=self._known_origin(f"{taint.origin.label} elsewhere", replace(
                taint.origin, within=tuple(outer for outer in taint.origin.within if outer in known)
            )))
            for taint in value.taints
        ))  # fmt: skip

    def forget(self) -> None:
        """Drop what is known of nodes: the statement they are part of has ended."""
        self._values.clear()
        self._facts.clear()
        self._grown.clear()

    def value(self, node: Node) -> Value:
        """The value of a node that was evaluated; nothing is known of any other."""
        return self._values.get(node.id, CLEAN)

    def facts(self, node: Node) -> Facts:
        """What a condition that was evaluated proves."""
        return self._facts.get(node.id, NOTHING)

    def give_back(self, body: Node, *, always: bool = False) -> None:
        """Record the value of an expression body as returned; without ``always`` not that nothing is known of it."""
        if always or body.id in self._values:
            self._return(body, self._checked(self.value(body)), self._facts.get(body.id, NOTHING))

    def _return(self, node: Node, value: Value, facts: Facts) -> None:
        frame = self._stack[-1]
        if not self.environment.left and not self.quiet:
            if frame.called:
                frame.exits.append(self.way_out(value, facts))
            else:
                lines = (self._line(node), end_line_of(node))
                self.analysis.returns.append(Return(value, frame.scope, *lines))
                if frame.scope.answers and value.taints:
                    answer = CallRecord(frame.scope.answers, None, (Passed(None, value),), *lines, frame.scope)
                    self._record(answer, node)
        self.environment.leave()

    def way_out(self, value: Value, facts: Facts) -> Exit:
        """Leaving the current function here."""
        frame, environment = self._stack[-1], self.environment
        checks = {origin: known for origin in frame.watched if (known := environment.checks(origin))}
        for part in environment.verified() if frame.watched else ():
            whole = self._parts.whole_of(part, frame.watched)
            if whole is not None:  # of what stands in another file the caller knows the whole only
                told = part if frame.line is None else whole
                checks[told] = checks.get(told, frozenset()) | environment.checks(part)
        if frame.line is not None:
            facts = self._parts.of_wholes(facts, frame.watched)
        settled = frozenset(name for name in frame.entry if (environment.get(name) or CLEAN).role == SETTLED)
        return Exit(value, facts, checks, settled)

    def parameter(self, parameter: ops.Parameter) -> Value:
        """The value of a parameter that can be harmful."""
        level = parameter.level or Level.UNKNOWN
        return replace(tainted(self._origin(level, parameter.name, parameter.line)), role=parameter.role)

    def assume(self, facts: Facts, *, holds: bool) -> None:
        """Go on as if a condition had turned out one way."""
        self._accept(facts.if_true if holds else facts.if_false)

    def _accept(self, proven: tuple[Fact, ...]) -> None:
        for fact in proven:
            self._stack[-1].scope.checks |= not fact.idle
            if fact.what == ALLOWED and fact.key:
                self._settle(self.environment.get(fact.key))
                self.environment.set(fact.key, Value(skeleton=HOLE, role=SETTLED))
            elif fact.key:
                self._clean_key(fact.key, fact.what)
            for origin in fact.origins:
                self.environment.check(origin, fact.what)
                if fact.what in OF_THIS_SITE and self.environment.checks(origin) >= OF_THIS_SITE:
                    self.environment.check(origin, Purpose.URL)

    def _settle(self, value: Value | None) -> None:
        """What is shown of a name that holds what was sent as it is, is shown of the same when it is read again."""
        if value is None or len(value.taints) != 1 or value.skeleton != HOLE:
            return
        taint = value.taints[0]
        if taint.origin.level is Level.REQUEST and all(mark.note.startswith(_ASSIGNED) for mark in trail_of(taint)):
            for purpose in _PURPOSES:
                self.environment.check(taint.origin.id, purpose)

    def _clean_key(self, key: str, what: str) -> None:
        value = self.environment.get(key)
        if value is not None and value.taints and what in _PURPOSES:
            self.environment.set(key, cleaned(value, Purpose(what)))

    def bind(self, target: Node, value: Value) -> None:
        """Give a value to a target, which may take it apart."""
        targets = self._adapter.targets(target)
        for index, (node, name) in enumerate(targets):
            part = value
            if name is not None:
                part = value.field(name) or (
                    CLEAN if value.fields and not value.taints else self._parts.read_out(member_of(value), name)
                )
            elif len(targets) > 1:
                part = value.field(str(index)) or member_of(value)
            self._store(node, part)

    def bind_items(self, target: Node, iterable: Node) -> None:
        """Give a target each of the items of something."""
        one, whole = self._adapter.key(target), self._path_of(iterable)
        if one is not None and whole is not None:
            self._stack[-1].items[one] = whole
        self.bind(target, self.item_of(iterable))

    def item_of(self, iterable: Node) -> Value:
        """One item of what is iterated over."""
        value = self.value(iterable)
        if value.role in ("archive", "members"):
            label = f"member of {label_of(iterable, self._adapter)}"
            return tainted(self._origin(Level.ARCHIVE, label, self._line(iterable)))
        return member_of(value)

    def _store(self, node: Node, value: Value) -> None:
        key = self._adapter.key(node)
        if key is not None:
            self.environment.set(key, step(value, self._line(node), f"{_ASSIGNED}{shown_name(key)}"))
            return
        operation = self._adapter.operation(node)
        owner = self._adapter.key(operation.object) if isinstance(operation, ops.Member) else None
        for _ in range(MAX_INDEXES):  # ``a[i][j] = value`` is put into ``a``
            if owner is not None or not isinstance(operation, ops.Member):
                break
            operation = self._adapter.operation(operation.object)
            owner = self._adapter.key(operation.object) if isinstance(operation, ops.Member) else None
        if owner is not None and isinstance(operation, ops.Member):
            self._store_member(owner, operation, value)

    def _store_member(self, owner: str, operation: ops.Member, value: Value) -> None:
        current = self.environment.get(owner) or CLEAN
        named = operation.computed is None and operation.name is not None
        key = text(operation.name) if named and operation.name is not None else CLEAN
        if operation.computed is not None:
            key = self.value(operation.computed)
        if current.collection and (current.exact or containers.key_of(current, key) is not None):
            self.environment.set(owner, containers.put(current, key, value))
        elif value.taints:
            fields = {**dict(current.fields), **({operation.name: shallow(value)} if operation.name else {})}
            self.environment.set(
                owner,
                replace(
                    current,
                    taints=unite((*current.taints, *value.taints)),
                    fields=tuple(fields.items())[:MAX_FIELDS],
                    collection=True,
                ),
            )

    def _line(self, node: Node) -> int:
        line = self._stack[-1].line
        return line if line is not None else self._adapter.line(node)

    def _origin(self, level: Level, label: str, line: int) -> Origin:
        """The same name in the same function is the same origin, so that a check of one covers the other."""
        known = self._origins.get(label)
        return known if known is not None else self._known_origin(label, Origin(0, level, shown_name(label), line))

    def _origin_at(self, level: Level, node: Node, *, member: bool = False) -> Origin:
        """The same for an expression: told apart by its whole text, called by its names."""
        whole = short_text(node, MAX_IDENTITY)
        identity = whole if len(whole) < MAX_IDENTITY else f"{whole} at {node.start_byte}"
        known = self._origins.get(identity)
        if known is not None:
            return known
        return self._known_origin(identity, Origin(0, level, label_of(node, self._adapter), self._line(node), member))

    def _known_origin(self, identity: str, origin: Origin) -> Origin:
        known = self._origins.get(identity)
        if known is None:
            known = self._origins[identity] = replace(origin, id=self._next_origin())
        return known

    def _next_origin(self) -> int:
        self._last_origin += 1
        return self._last_origin

    def _record(self, record: CallRecord, node: Node) -> None:
        frame = self._stack[-1]
        if self.quiet:
            return
        if not frame.called:
            frame.calls.append(record)
            return
        values = [record.receiver or CLEAN, *(argument.value for argument in record.arguments)]
        if any(taint.origin.comes_of(frame.watched) for value in values for taint in value.taints):
            if frame.line is not None:
                there = Elsewhere("", self._adapter.line(node), record.callee)
                record = replace(record, elsewhere=there, end_line=record.start_line)
            frame.calls.append(replace(record, via=frame.via))

    def _checked(self, value: Value) -> Value:
        """The value with what was verified about its origins on the way here."""
        if not value.taints or not self.environment.has_checks:
            return value
        taints: list[Taint] = []
        for taint in value.taints:
            checks = self.environment.checks(taint.origin.id, taint.origin.within)
            doubted = _asking_nobody(taint) if DOUBT in checks else taint
            safe = frozenset(purpose for purpose in Purpose if purpose in checks) if checks else frozenset()
            safe = safe | {Purpose.CODE} if checks >= LITERAL else safe
            taints.append(replace(doubted, cleaned=doubted.cleaned | safe) if safe else doubted)
        return with_taints(value, tuple(taints))

    def _tested(self, node: Node) -> str | None:
        """The key of what a condition tests: of a name also behind a change of case, or where it is just bound."""
        for _ in range(MAX_INDEXES):
            key = self._path_of(node)
            operation = self._adapter.operation(node) if key is None else None
            if isinstance(operation, ops.Same):
                node = operation.node
            elif isinstance(operation, ops.Assign):
                node = operation.target
            elif isinstance(operation, ops.Call) and operation.receiver and _KEEPS_TEXT.search(operation.callee):
                node = operation.receiver
            else:
                return key
        return None

    def _path_of(self, node: Node) -> str | None:
        """The key of a name, a member, or an item with a constant index (``data["name"]`` is ``data.name``)."""
        key = self._adapter.key(node)
        operation = self._adapter.operation(node) if key is None else None
        if isinstance(operation, ops.Member) and operation.name is not None:
            owner = self._adapter.key(operation.object)
            return f"{owner}.{operation.name}" if owner is not None else None
        if isinstance(operation, ops.Call) and len(operation.arguments) == 1:
            return self._path_of_read(operation)
        return key

    def _path_of_read(self, operation: ops.Call) -> str | None:
        """The key of what is read by a constant name: ``args.get("name")``."""
        owner, _, method = operation.callee.rpartition(".")
        if not owner or method not in KEYED:
            return None
        given = self._adapter.operation(operation.arguments[0].node)
        if not isinstance(given, ops.Constant) or given.text is None:
            return None
        return f"{operation.callee}({given.text})"


def _asking_nobody(taint: Taint) -> Taint:
    return replace(taint, asks=(*taint.asks, NOBODY)) if NOBODY not in taint.asks else taint


def member_of(value: Value) -> Value:
    """Something taken out of a value: as tainted, but of unknown shape."""
    if not value.taints:
        return (
            replace(value, fields=(), collection=False, role="", constant=None, exact=False)
            if value.skeleton is not None
            else CLEAN
        )
    return Value(value.taints, HOLE, joined=value.joined, resolved=value.resolved, path=value.path)
