"""One walk over a syntax tree, without recursion over it: branches, loops, functions looked into for their calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tree_sitter import Node

from devpulse.core.flow import operations as ops
from devpulse.core.flow.branching import Branching
from devpulse.core.flow.calls import Cleaning
from devpulse.core.flow.definitions import Definition, Definitions, definitions_of
from devpulse.core.flow.environment import Environment
from devpulse.core.flow.evaluate import Evaluator
from devpulse.core.flow.facts import NOTHING
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.frames import Frame
from devpulse.core.flow.inlining import Bound, Outcome, bind_arguments, conclude
from devpulse.core.flow.operations import Adapter, Function
from devpulse.core.flow.records import Analysis, CallRecord, Scope, Site
from devpulse.core.flow.slicing import Slice
from devpulse.core.flow.values import CLEAN, NULL, Level, Value, step, without_trail
from devpulse.core.languages import LANGUAGES

BUDGET = 150_000
"""Steps that are taken in one text, two for each node: enough for what is wanted of an ordinary text of 15,000 lines.
Bundles and minified libraries of more than 300 KB may need more."""

FIELD_BUDGET = 50_000
"""Steps for what sets the fields of a text's objects: they come on top, and one walk asks for a few fields only."""

CALL_BUDGET = 4
"""How many times the nodes of a text may be looked at again for calls of its functions, as long as the budget lasts for
the text itself, and at least so many steps:"""

LEAST_FOR_CALLS = 20_000
MAX_DEPTH = 2
MAX_VARIANTS = 24
"""Different arguments with which one function is evaluated; for more its calls are taken as those of an unknown one."""

_NULL = Value(role=NULL)

Outside = Callable[[tuple[Site, ...], Site, tuple[Passed, ...], Value | None], tuple[Outcome, Bound] | None]
"""Evaluates a function of another file for a call: the calls on the way there, the call, its arguments, its receiver.
Nodes of the outcome are those of no function here."""


class Walk(Branching):
    """A walk over one text."""

    def __init__(
        self,
        adapter: Adapter,
        cleaning: Cleaning,
        language: str,
        root: Node,
        outside: Outside | None = None,
        budget: int | None = None,
    ) -> None:
        super().__init__(adapter, Evaluator(adapter, cleaning, self._call_into))
        self._outside = outside
        self._language = language
        self._root = root
        self._definitions = definitions_of(root, adapter, LANGUAGES[language].grammar())
        self._slice: Slice | None = None
        self._callbacks: dict[int, Node | None] = {}
        self._left = BUDGET if budget is None else budget
        nodes = root.descendant_count
        self._left_for_calls = max(LEAST_FOR_CALLS, min(CALL_BUDGET * nodes, self._left - 2 * nodes))
        self._memo: dict[int, dict[object, Outcome | None]] = {}
        self._active: list[int] = []
        self._chunks: list[list[CallRecord]] = []
        self._called: dict[int, list[CallRecord]] = {}
        self._sites: dict[int, set[int]] = {}
        self._unseen: set[int] = set()
        self._kept: set[int] = set()  # records that their outcomes keep alive
        self._deferred_nodes: set[int] = set()
        self._met: set[int] = set()  # those further down may still turn out to be deferred
        self._deferred: list[tuple[Definition, Environment, str, list[CallRecord]]] = []

    def run(self, cut: Callable[[Node, Definitions], Slice] | None = None) -> Analysis:
        """Everything the text does; with ``cut`` without the functions that it has no use for."""
        if cut is not None:
            self._slice = cut(self._root, self._definitions)
        analysis = self._evaluator.analysis
        self._evaluator.enter(Frame(Scope("", ()), Environment(), self._chunk()))
        analysis.exhausted = not self._go(self._enter, self._root)
        self._run_deferred()
        analysis.exhausted = analysis.exhausted or self._left <= 0
        analysis.calls = [call for chunk in self._chunks for call in chunk]
        return analysis

    def call_first(self, site: Site, given: tuple[Passed, ...], receiver: Value | None) -> Outcome | None:
        """The first function of the text, evaluated for a call that stands in another file."""
        definition = next(iter(self._definitions.by_node.values()), None)
        told = self._call_defined(definition, (), site, given, receiver) if definition is not None else None
        return told[0] if told is not None else None

    def call_named(
        self, name: str, via: tuple[Site, ...], site: Site, given: tuple[Passed, ...], receiver: Value | None
    ) -> tuple[Outcome, Bound] | None:
        """The one function of the text with a qualified name, evaluated for a call that stands in another file."""
        owner, _, last = name.rpartition(".")
        found = [item for item in self._definitions.by_name.get(last, ()) if item.owner == owner.rpartition(".")[2]]
        return self._call_defined(found[0], via, site, given, receiver) if len(found) == 1 else None

    def _call_defined(
        self, definition: Definition, via: tuple[Site, ...], site: Site, given: tuple[Passed, ...],
        receiver: Value | None,
    ) -> tuple[Outcome, Bound] | None:  # fmt: skip
        self._evaluator.enter(Frame(Scope("", ()), Environment(), [], via=via))
        self._evaluator.start_after(given, receiver)
        bound = bind_arguments(definition.function.parameters, given, receiver)
        outcome = self._evaluate(definition, bound, site, line=site.line)
        return (outcome, bound) if outcome is not None else None

    def _chunk(self) -> list[CallRecord]:
        self._chunks.append([])
        return self._chunks[-1]

    def _go(self, stage: Callable[[Node, Any], None], node: Node, extra: object = None) -> bool:
        """Do a piece of work with all that comes of it; false when the budget did not last."""
        outer, self._work = self._work, [(stage, node, extra)]
        opened, self._open = self._open, []
        loops, self._loops = self._loops, 0
        work = self._work
        while work and self._left > 0:
            self._left -= 1
            stage, node, extra = work.pop()
            stage(node, extra)
        self._work, self._open, self._loops = outer, opened, loops
        return not work

    def _enter(self, node: Node, _: object) -> None:
        adapter = self._adapter
        children, plan = adapter.children(node), adapter.plan(node)
        if not (children or plan or node.child_count):
            self._leave(node, None)  # half of all nodes: names, numbers, keywords
            return
        function = adapter.function(node)
        if function is not None:
            self._meet(node, function)
            return
        if plan is not None:
            self._schedule(node, plan)
            return
        callbacks = adapter.callbacks(node)
        if callbacks:
            self._callbacks.update((function.id, items) for function, items in callbacks)
        if not children:
            self._leave(node, None)
            return
        self._work.append((self._leave, node, None))
        self._work += [(self._enter, child, None) for child in reversed(children)]

    # Functions

    def _meet(self, node: Node, function: Function) -> None:
        """A function that is defined: looked at by itself now, or later when its callers show what it is given."""
        definition = self._definitions.by_node.get(node.id)
        frame = self._evaluator.frames[-1]
        self._met.add(node.id)
        if frame.called or self._evaluator.quiet:
            if definition is None:
                self._walk_function(node, function)
            return
        if self._slice is not None and not self._slice.wants(node):
            return
        if definition is not None and self._definitions.only_called(
            definition, self._definitions.words[definition.name] - 1
        ):
            chunk: list[CallRecord] = []
            self._chunks.extend((self._called.setdefault(node.id, []), chunk))
            frame.calls = self._chunk()
            self._deferred_nodes.add(node.id)
            self._deferred.append((definition, frame.environment, frame.owner, chunk))
            return
        self._walk_function(node, function)

    def _walk_function(self, node: Node, function: Function) -> None:
        self._work.append((self._leave_function, node, function))
        self._work.append((self._enter, function.body, None))
        self._work.append((self._open_function, node, function))

    def _open_function(self, node: Node, function: Function) -> None:
        outer = self._evaluator.frames[-1]
        calls = outer.calls
        if not outer.called:
            called = self._called.setdefault(node.id, [])
            called[:] = [record for record in called if record.distrusted]
            self._chunks.append(called)
            calls = self._chunk()
        given = self._given(node)
        definition = self._definitions.by_node.get(node.id)
        owner = definition.owner if definition is not None and definition.owner else outer.owner
        frame = Frame(
            Scope(function.name, function.parameters, answers=function.answers), Environment(outer.environment), calls,
            owner, node.id,
            called=outer.called, via=outer.via, watched=outer.watched, line=outer.line,
        )  # fmt: skip
        self._evaluator.enter(frame)
        called_back = node.id in self._callbacks
        for index, parameter in enumerate(function.parameters):
            value = Value(role=parameter.role)
            if index == 0 and given.taints:
                value = replace(given, fields=(), collection=False, exact=False)
            elif parameter.level is Level.REQUEST or (parameter.level is not None and not called_back):
                value = self._evaluator.parameter(parameter)
            self._evaluator.environment.set(parameter.name, value)

    def _given(self, node: Node) -> Value:
        items = self._callbacks.get(node.id)
        return self._evaluator.value(items) if items is not None else CLEAN

    def _leave_function(self, _node: Node, function: Function) -> None:
        # An arrow or lambda gives back its expression.
        self._evaluator.give_back(function.body, always=function.implicit)
        left = self._evaluator.frames[-1]
        self._evaluator.leave()
        outer = self._evaluator.frames[-1]
        if outer.called:
            outer.inner.extend(left.inner)
        else:
            outer.calls = self._chunk()

    def _run_deferred(self) -> None:
        """Functions that only the file calls: parameters that every call was seen to give are trusted."""
        waiting = self._deferred
        while waiting and self._left > 0:
            seen = [item for item in waiting if self._all_seen(item[0])]
            for item in seen or waiting:
                # Those before it may have called it meanwhile.
                self._run_alone(*item, trusted=bool(seen) or self._all_seen(item[0]))
            waiting = [item for item in waiting if item not in seen] if seen else []

    def _all_seen(self, definition: Definition) -> bool:
        sites = self._sites.get(definition.node.id, ())
        return definition.node.id not in self._unseen and self._definitions.only_called(definition, len(sites))

    def _run_alone(
        self, definition: Definition, outer: Environment, owner: str, calls: list[CallRecord], *, trusted: bool
    ) -> None:
        if not trusted:
            self._called[definition.node.id][:] = [
                record for record in self._called[definition.node.id] if record.distrusted
            ]
        function = definition.function
        frame = Frame(
            Scope(function.name, function.parameters, answers=function.answers), Environment(outer), calls,
            definition.owner or owner, definition.node.id,
        )  # fmt: skip
        self._evaluator.enter(frame)
        for parameter in function.parameters:
            distrusted = parameter.level is not None and (not trusted or parameter.level is Level.REQUEST)
            value = self._evaluator.parameter(parameter) if distrusted else Value(role=parameter.role)
            self._evaluator.environment.set(parameter.name, value)
        self._go(self._enter, function.body)
        self._evaluator.give_back(function.body, always=function.implicit)
        self._evaluator.leave()

    # Calls

    def _call_into(
        self, node: Node, operation: ops.Call, receiver: Value | None, passed: tuple[Passed, ...]
    ) -> tuple[Outcome, Bound] | None:
        frames = self._evaluator.frames
        owner = operation.callee.partition(".")[0]
        bound_to = frames[-1].environment.get(owner)
        if bound_to is not None and bound_to.role == "module":
            return self._call_outside(node, operation, receiver, passed)
        definition = self._definitions.find(operation.callee, frames)
        if definition is None:
            return self._call_outside(node, operation, receiver, passed)
        bound = bind_arguments(definition.function.parameters, passed, receiver)
        line = frames[-1].line
        site = Site(operation.callee, self._adapter.line(node) if line is None else line)
        outcome = self._evaluate(definition, bound, site, line=line)
        if outcome is None:
            self._unseen.add(definition.node.id)
            return None
        self._sites.setdefault(definition.node.id, set()).add(node.id)
        return outcome, bound

    def _call_outside(
        self, node: Node, operation: ops.Call, receiver: Value | None, passed: tuple[Passed, ...]
    ) -> tuple[Outcome, Bound] | None:
        """What a function of another file does with values that are more to be distrusted than a parameter."""
        frame = self._evaluator.frames[-1]
        if (
            self._outside is None
            or len(frame.via) >= MAX_DEPTH
            or not any(_is_distrusted(item.value) for item in passed)
        ):
            return None
        line = self._adapter.line(node) if frame.line is None else frame.line
        told = self._outside(frame.via, Site(operation.callee, line), passed, receiver)
        if told is None:
            return None
        outcome, bound = told
        outcome = replace(outcome, value=self._evaluator.own(outcome.value, (*passed, Passed(None, receiver or CLEAN))))
        if not self._evaluator.quiet:
            self._keep(outcome)
        return outcome, bound

    def _evaluate(self, definition: Definition, bound: Bound, site: Site, *, line: int | None) -> Outcome | None:
        """What a function does with the given values; ``None`` at the bounds, and for one that calls itself."""
        node, frames = definition.node, self._evaluator.frames
        depth = len(frames[-1].via)
        if depth >= MAX_DEPTH or node.id in self._active or self._left_for_calls <= 0:
            return None
        variants = self._memo.setdefault(node.id, {})
        key = (depth, tuple(without_trail(value) for value in bound.values.values()))
        if key not in variants:
            if len(variants) >= MAX_VARIANTS:
                return None
            variants[key] = None
            before = self._left
            variants[key] = self._evaluate_now(definition, bound, (*frames[-1].via, site), line)
            self._left_for_calls -= before - self._left
        outcome = variants[key]
        if outcome is not None and not self._evaluator.quiet:
            self._keep(outcome)
        return outcome

    def _evaluate_now(
        self, definition: Definition, bound: Bound, via: tuple[Site, ...], line: int | None
    ) -> Outcome | None:
        function, frames = definition.function, self._evaluator.frames
        around = next((frame for frame in reversed(frames) if frame.node == definition.within), frames[0])
        last = via[-1]
        entry = {name: step(value, last.line, f"into {definition.name}()") for name, value in bound.values.items()}
        watched = frozenset(taint.origin.id for value in entry.values() for taint in value.taints)
        frame = Frame(
            Scope(function.name, function.parameters), Environment(around.environment), [],
            definition.owner or around.owner, definition.node.id, called=True, via=via, watched=watched, entry=entry,
            line=line,
        )  # fmt: skip
        self._active.append(definition.node.id)
        self._evaluator.enter(frame)
        for name, value in entry.items():
            frame.environment.set(name, value)
        quiet, self._evaluator.quiet = self._evaluator.quiet, 0
        complete = self._go(self._enter, function.body)
        self._evaluator.quiet = quiet
        if complete:
            expression = function.body.type.endswith(("block", "body")) is False
            self._evaluator.give_back(function.body, always=function.implicit or expression)
            if not frame.environment.left:
                frame.exits.append(self._evaluator.way_out(_NULL, NOTHING))
        self._evaluator.leave()
        self._active.pop()
        return conclude(frame) if complete else None

    def _keep(self, outcome: Outcome) -> None:
        """Hand what a call recorded to the function that called, or, from there, to the function it stands in."""
        frame = self._evaluator.frames[-1]
        if frame.called:
            frame.inner.extend(outcome.records)
            return
        for node, record in outcome.records:
            if id(record) in self._kept:  # the same arguments again
                continue
            self._kept.add(id(record))
            if node not in self._definitions.by_node:
                frame.calls.append(record)
            elif node in self._deferred_nodes or node not in self._met or record.distrusted:
                self._called.setdefault(node, []).append(record)


def _is_distrusted(value: Value) -> bool:
    return any(taint.origin.level > Level.PARAMETER for taint in value.taints)
