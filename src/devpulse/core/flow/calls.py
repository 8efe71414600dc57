"""Calls: what they record, what they give, prove and change, and what a look into their function tells."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from tree_sitter import Node

from devpulse.core.flow import constants, containers
from devpulse.core.flow import facts as proof
from devpulse.core.flow import operations as ops
from devpulse.core.flow.effects import as_method, filled, result_of
from devpulse.core.flow.facts import NOTHING, Fact, Facts
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.inlining import Bound, Outcome
from devpulse.core.flow.labels import shown_name
from devpulse.core.flow.parts import KEYED, key_read
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.state import State
from devpulse.core.flow.syntax_nodes import end_line_of
from devpulse.core.flow.transfers import CHECKS, cleaned_by
from devpulse.core.flow.values import (
    CLEAN,
    Ask,
    Level,
    Value,
    asking,
    join,
    step,
    tainted,
    truth,
)

_RAISING_CASTS = frozenset({"int", "float", "UUID", "ip_address", "ip_network", "Decimal"})

_CLEANS = re.compile(r"(?i)^_*(?:sanit|make_safe)")
"""Functions that give back something clean: ``log(sanitize(command))`` says nothing of the command itself."""

WRAPPER = "wrapped request"
"""The role of an object made around a request, which hands on what was sent."""

_WRAPPING = re.compile(r"(?i)(?:wrap\w*|request|req|input|params?|context|adapter|proxy|reader|parser|helper)$")
_COLLECTING = frozenset({"io", "collections", "configparser", "StringIO"})
"""Modules whose classes are known also where their import is not seen."""

_REQUEST = re.compile(r"(?:^|\.)(?:request|req)$")
_STAYS_REQUEST = re.compile(r"(?i)^(?:with|clone|copy|duplicate|wrap|add|set)|req(?:uest)?$")
"""Functions that are given a request and give one back; what any other makes of it is something else."""

_READS_REQUEST = re.compile(
    r"(?i)(?:(?:get|read|fetch|parse|extract|load|decode|retrieve|require)_?\w{0,30}?|(?:http_?)?req(?:uest)?_?(?:\w{1,12}_)?)?"
    r"(?:(?:query|form|path|url|post|get|string|str|text|json)_?(?:param(?:eter)?|arg(?:ument)?|field|value|string|data|body)|"
    r"param(?:eter)?|arg(?:ument)?|body|header|cookie|payload|input)s?(?:_?(?:as_?)?(?:value|string|str|text|data))?"
)
"""Functions that are given the request: by their names they read a part of it."""

_NO_TEXT = re.compile(
    r"(?i)int(?!o|er)|long|bool|float|double|num|date|uuid|enum|count|size|page|limit|offset|local|lang"
)
"""Names of those among them that give a number, a date or one of a few words."""

_READ_OFF = ("args", "query", "getParameter", "FormValue")

Cleaning = Callable[[str], frozenset[Purpose]]
"""Says of a callee what its result is safe for."""

CallInto = Callable[[Node, ops.Call, Value | None, tuple[Passed, ...]], tuple[Outcome, Bound] | None]
"""Evaluates the function that a call means with the call's arguments; ``None`` when it is not known."""


class CallRules(State):
    """The rules for calls."""

    def __init__(self, adapter: ops.Adapter, cleaning: Cleaning, call_into: CallInto) -> None:
        super().__init__(adapter)
        self._cleaning = cleaning
        self._call_into = call_into

    def _call(self, node: Node, operation: ops.Call) -> Value:
        receiver = self._checked(self.value(operation.receiver)) if operation.receiver is not None else None
        # A function of a class or package has no receiver, but its name has an owner.
        static = operation.callee.rpartition(".")[0]
        owner = self._adapter.key(operation.receiver) if operation.receiver is not None else static
        passed = tuple(Passed(a.keyword, self._checked(self.value(a.node)), a.spread) for a in operation.arguments)
        line = self._line(node)
        scope = self._stack[-1].scope
        self._record(CallRecord(operation.callee, receiver, passed, line, end_line_of(node), scope), node)
        method = operation.callee.rpartition(".")[2]
        meant, given = as_method(operation, passed)
        subject = self._checked(self.value(meant.receiver)) if meant.receiver is not None else None
        self._learn_from_call(node, meant, subject, given)
        if operation.fills is not None:
            self._fill(operation.fills, passed)
        told = self.environment.get(self._path_of(node) or "") if given and method in KEYED else None
        level = self._level("." if owner is None else owner, receiver, method)
        if operation.callee in ("input", "raw_input"):
            level = Level.LOCAL_INPUT
        wrapped = receiver is not None and receiver.role == WRAPPER
        if told is None and (level is None or wrapped):
            told = self._inside(node, operation, receiver, passed)
        if told is not None:
            return told
        if level is not None:
            return self._changed(node, meant, (), tainted(self._origin_at(level, node)))
        made = self._of_request(node, operation)
        if made is not None:
            return made
        if operation.callee == "tarfile.open" or (method == "open" and owner in ("tarfile", "zipfile")):
            return Value(role="archive", taints=join(item.value for item in passed).taints)
        if not method:
            return CLEAN
        purposes = self._cleaning(operation.callee)
        result = result_of(meant, subject, given)
        if result.taints:  # else it is a number or the like, whatever else it is known for
            role = "" if self._is_request(result.role) and not _STAYS_REQUEST.search(method) else result.role
            result = replace(cleaned_by(purposes, receiver, passed) or result, role=role)
            key = key_read(method, subject, given)
            result = self._parts.read_out(result, key) if key is not None else result
        parts = (*([subject] if subject is not None else []), *(argument.value for argument in given))
        return self._changed(node, meant, parts, step(result, line, f"through {shown_name(method)}()"))

    def _inside(
        self, node: Node, operation: ops.Call, receiver: Value | None, passed: tuple[Passed, ...]
    ) -> Value | None:
        """What a call gives whose function could be looked into; known collections are looked into as well."""
        method = operation.callee.rpartition(".")[2]
        folded = constants.of_call(operation.callee, receiver, [argument.value for argument in passed])
        if folded is not None:
            return folded
        if receiver is None or receiver.role == "module" or operation.callee.partition(".")[0] in _COLLECTING:
            made = containers.created(operation.callee, passed)
            if made is not None:
                return made
        if receiver is not None and receiver.collection and operation.receiver is not None:
            found = containers.read(method, receiver, passed) if method != "pop" else None
            if found is not None:
                return found
            after = containers.changed(method, receiver, passed) if not operation.changes else None
            if after is not None:
                return self._set_after(operation.receiver, after)
        if receiver is not None and receiver.role == containers.BUFFER and operation.receiver is not None:
            after = containers.written(method, receiver, passed)
            if after is not None:
                return self._set_after(operation.receiver, after)
        told = self._call_into(node, operation, receiver, passed)
        return self._concluded(node, operation, passed, told) if told is not None else None

    def _of_request(self, node: Node, operation: ops.Call) -> Value | None:
        """What a function that could not be looked into gives, by its name, of the request it is given."""
        if self._reads_request(operation):
            return asking(tainted(self._origin_at(Level.REQUEST, node)), Ask(operation.callee))
        return Value(role=WRAPPER) if self._wraps_request(operation) else None

    def _wraps_request(self, operation: ops.Call) -> bool:
        """Whether a call makes an object of the program's own around the request."""
        if not _WRAPPING.search(operation.callee) or len(operation.arguments) != 1:
            return False
        given = self._adapter.key(operation.arguments[0].node)
        return given is not None and _REQUEST.search(given) is not None and self._is_request(given)

    def _reads_request(self, operation: ops.Call) -> bool:
        """Whether a function is given the request, and reads a part of it by its name."""
        method = operation.callee.rpartition(".")[2]
        if not operation.arguments or not _READS_REQUEST.fullmatch(method) or _NO_TEXT.search(method):
            return False
        if any(self.value(argument.node).collection for argument in operation.arguments[1:]):
            return False  # it is told what is allowed
        given = operation.arguments[0].node
        return self._is_request(self._adapter.key(given) or "") or self._is_request(self.value(given).role)

    def _is_request(self, name: str) -> bool:
        """Whether the request can be read off something by this name or role."""
        return bool(name) and any(self._adapter.request_field(name, part) for part in _READ_OFF)

    def _set_after(self, changed: Node, after: tuple[Value, Value]) -> Value:
        """Keep what a method changed, and go on with its result."""
        key = self._path_of(changed)
        if key is not None:
            self.environment.set(key, after[0])
        return after[1]

    def _concluded(
        self, node: Node, operation: ops.Call, passed: tuple[Passed, ...], told: tuple[Outcome, Bound]
    ) -> Value:
        """Go on after a call with what it proved and what it gave back."""
        outcome, bound = told
        keys = {name: self._path_of(operation.arguments[index].node) for name, index in bound.arguments.items()}

        def here(proven: tuple[Fact, ...]) -> tuple[Fact, ...]:
            named = (replace(fact, key=keys.get(fact.key)) if fact.key else fact for fact in proven)
            return tuple(fact for fact in named if fact.key or fact.origins)

        if not outcome.returns:
            self.environment.leave()
            return CLEAN
        self._accept(here(outcome.always))
        facts = Facts(here(outcome.facts.if_true), here(outcome.facts.if_false))
        if facts.if_true or facts.if_false:
            self._facts[node.id] = facts
        value = outcome.value
        proven = outcome.always or outcome.facts.if_true or outcome.facts.if_false
        if outcome.tested and not proven and truth(value) is None:
            # It looks at its input in a way that is not understood here: that is a doubt, not a proof.
            if value.taints:
                value = asking(value, Ask(operation.callee))
            else:
                self._doubt(operation, passed)
        name = shown_name(operation.callee.rpartition(".")[2])
        return step(value, self._line(node), f"returned by {name}()")

    def _of_items(self, node: Node, *, every: bool) -> Facts:
        """What ``all(…)`` proves when it holds, and ``any(…)`` when it does not."""
        items, told = self._stack[-1].items, self._facts.get(node.id, NOTHING)
        proven = tuple(
            replace(fact, key=items[fact.key]) if fact.key is not None else fact
            for fact in (told.if_true if every else told.if_false)
            if fact.key is None or fact.key in items
        )
        return Facts(proven) if every else Facts((), proven)

    def _of_subset(self, operation: ops.Call, receiver: Value | None, passed: tuple[Passed, ...]) -> Facts:
        """``set(text).issubset(allowed)`` and ``allowed.issuperset(text)``."""
        if receiver is None or operation.receiver is None or len(passed) != 1:
            return NOTHING
        sides = (receiver, passed[0].value, operation.receiver)
        if operation.callee.endswith("issuperset"):
            sides = (passed[0].value, receiver, operation.arguments[0].node)
        return proof.of_subset(sides[0], sides[1], self._characters_of(sides[2]))

    def _characters_of(self, node: Node) -> str | None:
        """The key of the text whose characters a node has: ``set(text)``, or the text itself."""
        made = self._adapter.operation(node)
        if isinstance(made, ops.Call) and made.callee in ("set", "frozenset") and made.arguments:
            node = made.arguments[0].node
        return self._path_of(node)

    def _doubt(self, operation: ops.Call, passed: tuple[Passed, ...]) -> None:
        for argument, given in zip(operation.arguments, passed, strict=True):
            key = self._path_of(argument.node)
            if key is not None and given.value.taints:
                self.environment.set(key, asking(given.value, Ask(operation.callee, check=True)))

    def _level(self, owner: str, holder: Value | None, name: str) -> Level | None:
        """The level of what is read from a holder, by its name or by what is known to be in it."""
        level = self._adapter.request_field(owner, name)
        known = holder is not None and holder.role
        return level if level is not None or not known else self._adapter.request_field(known, name)

    def _changed(self, node: Node, operation: ops.Call, parts: tuple[Value, ...], result: Value) -> Value:
        """The result of a call, after it has changed what it writes to."""
        target = operation.receiver if operation.changes else None
        if target is not None and not self.value(target).role:  # a known object is no text and no collection
            key = self._adapter.key(target) or self._grown.get(target.id)
            if key is not None:
                self._grown[node.id] = key
                self.environment.set(key, result)
        if not operation.outputs:
            return result
        value = filled(result, parts)
        for output in operation.outputs if value.taints else ():
            self._store(output, value)
        return CLEAN

    def _fill(self, target: Node, passed: tuple[Passed, ...]) -> None:
        """What arguments are put into is as tainted as they are."""
        added = [argument.value for argument in passed if argument.value.taints]
        if added:
            key = self._adapter.key(target)
            current = (self.environment.get(key) if key is not None else None) or CLEAN
            self._store(target, replace(join((current, *added)), collection=current.collection))

    def _keep_member(self, proven: Facts, value: Value) -> None:
        """Keep the value of a member, which else is read each time, so that what is proven of it holds later."""
        for fact in proven.if_true:
            if fact.key is not None and self.environment.get(fact.key) is None:
                self.environment.set(fact.key, value)

    def _learn_from_call(
        self, node: Node, operation: ops.Call, receiver: Value | None, passed: tuple[Passed, ...]
    ) -> None:
        """What the call proves of its values, as a condition or by raising."""
        method = operation.callee.rpartition(".")[2]
        keys = (
            self._tested(operation.receiver) if operation.receiver is not None else None,
            self._tested(operation.arguments[-1].node) if operation.arguments else None,
        )
        proven = proof.of_call(
            operation.like or operation.callee, receiver, [argument.value for argument in passed], keys
        )
        if proven is not NOTHING:
            self._facts[node.id] = proven
        if operation.like == "host_text":
            self._keep_member(proven, receiver if receiver is not None else join(item.value for item in passed))
        if method == "relative_to" and receiver is not None and receiver.resolved:
            for fact in proof.contained(receiver):  # raises when it is outside
                for origin in fact.origins:
                    self.environment.check(origin, fact.what)
        shown = _CLEANS.match(method) and node.parent is not None and node.parent.type == "argument_list"
        if CHECKS.search(method) and not proven.if_true and not proven.if_false and not shown:
            self._doubt(operation, passed)
        if operation.callee in ("all", "any") and len(operation.arguments) == 1:
            self._facts[node.id] = self._of_items(operation.arguments[0].node, every=operation.callee == "all")
        if method in ("issubset", "issuperset"):
            self._facts[node.id] = self._of_subset(operation, receiver, passed)
        if method in _RAISING_CASTS and operation.arguments and len(operation.arguments) <= 2:
            key = self._path_of(operation.arguments[0].node)
            # An address may be one inside the network, whatever else it is harmless for.
            self._accept(proof.of_host_text(key) if operation.like == "host_text" else proof.allowed(key))
