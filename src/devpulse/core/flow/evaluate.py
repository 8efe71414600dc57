"""The value of each syntax node, from the values of the nodes below it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tree_sitter import Node

from devpulse.core.flow import facts as proof
from devpulse.core.flow import operations as ops
from devpulse.core.flow.environment import Environment
from devpulse.core.flow.facts import ALLOWED, NOTHING, Facts
from devpulse.core.flow.formatting import Passed, format_percent
from devpulse.core.flow.labels import label_of, shown_name
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import Analysis, CallRecord, Return, Scope
from devpulse.core.flow.syntax_nodes import end_line_of, short_text
from devpulse.core.flow.transfers import call_result, cleaned_by, join_paths
from devpulse.core.flow.values import (
    CLEAN,
    HOLE,
    Ask,
    Level,
    Origin,
    Taint,
    Value,
    asking,
    concatenate,
    join,
    shallow,
    step,
    tainted,
    taken_out,
    text,
    unite,
)

MAX_FIELDS = 60
MAX_IDENTITY = 200
"""Characters by which two expressions are told apart; longer ones are alike only where they are the same one."""

_CONSTANT_NAME = re.compile(r"^_*[A-Z][A-Z0-9_]*$")
_NUMBER_NAME = re.compile(
    r"(?i)^(?:id|pk|\w+_id|\w+Id|count|limit|offset|port|size|length|len|year|num\w*|version|status|level|index)$"
)
_CHECKERS = re.compile(r"(?i)valid|safe|sanit|check|verify|allow|ensure|within|whitelist|permit|inside|contain")


Cleaning = Callable[[str], frozenset[Purpose]]
"""Says of a callee what its result is safe for."""


class Evaluator:
    """Keeps values by node, and the environment of the function that is being walked."""

    def __init__(self, adapter: ops.Adapter, cleaning: Cleaning) -> None:
        self.analysis = Analysis()
        self._adapter = adapter
        self._cleaning = cleaning
        self._values: dict[int, Value] = {}
        self._facts: dict[int, Facts] = {}
        self._named_facts: dict[str, Facts] = {}
        self._origins: dict[tuple[int, str], Origin] = {}
        self._stack: list[tuple[Scope, Environment]] = []
        self._rules: dict[type, Callable[[Node, Any], Value]] = {
            ops.Constant: self._constant, ops.Name: self._name, ops.Member: self._member, ops.Call: self._call,
            ops.Template: self._template, ops.Binary: self._binary, ops.Collect: self._collect,
            ops.Choice: self._choice, ops.Same: self._same, ops.Assign: self._assign, ops.Iterate: self._iterate,
            ops.Leave: self._leave, ops.Not: self._not, ops.Logic: self._logic, ops.Compare: self._compare,
            ops.Require: self._require, ops.Import: self._import,
        }  # fmt: skip

    @property
    def environment(self) -> Environment:
        """The state of the current function."""
        return self._stack[-1][1]

    def enter(self, scope: Scope, environment: Environment) -> None:
        """Go into a function."""
        self.analysis.scopes.append(scope)
        self._stack.append((scope, environment))

    def leave(self) -> None:
        """Come out of it again."""
        self._stack.pop()

    def value(self, node: Node) -> Value:
        """The value of a node that was evaluated; nothing is known of any other."""
        return self._values.get(node.id, CLEAN)

    def evaluate(self, node: Node) -> None:
        """Find the value of a node whose parts are evaluated."""
        operation = self._adapter.operation(node)
        if operation is not None:
            value = self._rules[type(operation)](node, operation)
            if value is not CLEAN:
                self._values[node.id] = value

    def give_back(self, body: Node) -> None:
        """Record the value of an expression body as returned."""
        if body.id in self._values:
            self.analysis.returns.append(Return(self._checked(self.value(body)), self._stack[-1][0]))

    def parameter(self, parameter: ops.Parameter) -> Value:
        """The value of a parameter that can be harmful."""
        level = parameter.level or Level.UNKNOWN
        return replace(tainted(self._origin(level, parameter.name, parameter.line)), role=parameter.role)

    def assume(self, condition: Node, *, holds: bool) -> None:
        """Go on as if a condition had turned out one way."""
        facts = self._facts.get(condition.id, NOTHING)
        for fact in facts.if_true if holds else facts.if_false:
            self._stack[-1][0].checks = True
            if fact.what == ALLOWED and fact.key:
                self.environment.set(fact.key, Value(skeleton=HOLE))
            for origin in fact.origins:
                self.environment.check(origin, fact.what)

    def bind(self, target: Node, value: Value) -> None:
        """Give a value to a target, which may take it apart."""
        targets = self._adapter.targets(target)
        for index, (node, name) in enumerate(targets):
            part = value
            if name is not None:
                part = value.field(name) or (CLEAN if value.fields and not value.taints else _member_of(value))
            elif len(targets) > 1:
                part = value.field(str(index)) or _member_of(value)
            self._store(node, part)

    def item_of(self, iterable: Node) -> Value:
        """One item of what is iterated over."""
        value = self.value(iterable)
        if value.role in ("archive", "members"):
            label = f"member of {label_of(iterable, self._adapter)}"
            return tainted(self._origin(Level.ARCHIVE, label, self._adapter.line(iterable)))
        return _member_of(value)

    def _store(self, node: Node, value: Value) -> None:
        key = self._adapter.key(node)
        if key is not None:
            self.environment.set(key, step(value, self._adapter.line(node), f"assigned to {shown_name(key)}"))
            return
        operation = self._adapter.operation(node)
        owner = self._adapter.key(operation.object) if isinstance(operation, ops.Member) else None
        if owner is not None and value.taints and isinstance(operation, ops.Member):
            current = self.environment.get(owner) or CLEAN
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

    def _origin(self, level: Level, label: str, line: int) -> Origin:
        """The same name in the same function is the same origin, so that a check of one covers the other."""
        return self._known_origin(label, Origin(0, level, shown_name(label), line))

    def _origin_at(self, level: Level, node: Node, *, member: bool = False) -> Origin:
        """The same for an expression: told apart by its whole text, called by its names."""
        whole = short_text(node, MAX_IDENTITY)
        identity = whole if len(whole) < MAX_IDENTITY else f"{whole} at {node.start_byte}"
        return self._known_origin(
            identity, Origin(0, level, label_of(node, self._adapter), self._adapter.line(node), member)
        )

    def _known_origin(self, identity: str, origin: Origin) -> Origin:
        key = (len(self.analysis.scopes), identity)
        if key not in self._origins:
            self._origins[key] = replace(origin, id=len(self._origins) + 1)
        return self._origins[key]

    def _constant(self, _node: Node, operation: ops.Constant) -> Value:
        return text(operation.text) if operation.text is not None else Value(skeleton="0")

    def _name(self, node: Node, operation: ops.Name) -> Value:
        self._facts[node.id] = self._named_facts.get(operation.name, NOTHING)
        known = self.environment.get(operation.name)
        if known is not None:
            return known
        if _CONSTANT_NAME.match(operation.name):
            return CLEAN
        return tainted(self._origin(Level.UNKNOWN, operation.name, self._adapter.line(node)))

    def _member(self, node: Node, operation: ops.Member) -> Value:
        owner, name = self._adapter.key(operation.object), operation.name
        if owner is not None and name is not None:
            known = self.environment.get(f"{owner}.{name}")
            level = self._adapter.request_field(owner, name)
            if known is not None:
                return known
            if level is not None:
                return tainted(self._origin(level, f"{owner}.{name}", self._adapter.line(node)))
        value = self.value(operation.object)
        if any(taint.origin.level > Level.UNKNOWN for taint in value.taints):
            part = value.field(name) if name is not None else None
            whole = replace(taken_out(_member_of(value)), path=value.path and name in ("parent", "parents"))
            return part or replace(whole, resolved=value.resolved)
        if self._is_settled(value, owner, name):
            return (value.field(name) if name is not None else None) or CLEAN
        return tainted(self._origin_at(Level.UNKNOWN, node, member=True))

    def _is_settled(self, value: Value, owner: str | None, name: str | None) -> bool:
        """Whether a member is the program's own: of a literal table or a constant, or named like a number."""
        if value.fields or (value.collection and not value.taints):
            return True
        if name is None:
            return owner is not None and _CONSTANT_NAME.match(owner) is not None
        return bool(_CONSTANT_NAME.match(name) or _NUMBER_NAME.match(name))

    def _call(self, node: Node, operation: ops.Call) -> Value:
        receiver = self._checked(self.value(operation.receiver)) if operation.receiver is not None else None
        owner = self._adapter.key(operation.receiver) if operation.receiver is not None else None
        passed = tuple(Passed(a.keyword, self._checked(self.value(a.node))) for a in operation.arguments)
        line = self._adapter.line(node)
        scope = self._stack[-1][0]
        self.analysis.calls.append(CallRecord(operation.callee, receiver, passed, line, end_line_of(node), scope))
        method = operation.callee.rpartition(".")[2]
        self._learn_from_call(node, operation, receiver, passed)
        level = self._adapter.request_field(owner, method) if owner is not None else None
        if operation.callee in ("input", "raw_input"):
            level = Level.LOCAL_INPUT
        if level is not None:
            return tainted(self._origin_at(level, node))
        if operation.callee == "tarfile.open" or (method == "open" and owner in ("tarfile", "zipfile")):
            return Value(role="archive")
        if not method:
            return CLEAN
        purposes = self._cleaning(operation.callee)
        result = cleaned_by(purposes, receiver, passed) or call_result(operation.callee, receiver, passed)
        return step(result, line, f"through {shown_name(method)}()")

    def _learn_from_call(
        self, node: Node, operation: ops.Call, receiver: Value | None, passed: tuple[Passed, ...]
    ) -> None:
        """What the call proves of its values, as a condition or by raising."""
        method = operation.callee.rpartition(".")[2]
        keys = (
            self._adapter.key(operation.receiver) if operation.receiver is not None else None,
            self._adapter.key(operation.arguments[-1].node) if operation.arguments else None,
        )
        proven = proof.of_call(operation.callee, receiver, [argument.value for argument in passed], keys)
        if proven is not NOTHING:
            self._facts[node.id] = proven
        if method == "relative_to" and receiver is not None and receiver.resolved:
            for fact in proof.contained(receiver):  # raises when it is outside
                for origin in fact.origins:
                    self.environment.check(origin, fact.what)
        if _CHECKERS.search(method) and not proven.if_true and not proven.if_false:
            for argument, given in zip(operation.arguments, passed, strict=True):
                key = self._path_of(argument.node)
                if key is not None and given.value.taints:
                    self.environment.set(key, asking(given.value, Ask(operation.callee, check=True)))

    def _checked(self, value: Value) -> Value:
        """The value with what was verified about its origins on the way here."""
        if not value.taints:
            return value
        taints: list[Taint] = []
        for taint in value.taints:
            checks = self.environment.checks(taint.origin.id)
            taints.append(replace(taint, cleaned=taint.cleaned | {Purpose.PATH}) if Purpose.PATH in checks else taint)
        return replace(value, taints=tuple(taints))

    def _path_of(self, node: Node) -> str | None:
        """The key of a name, a member, or an item with a constant index (``data["name"]`` is ``data.name``)."""
        key = self._adapter.key(node)
        operation = self._adapter.operation(node) if key is None else None
        if isinstance(operation, ops.Member) and operation.name is not None:
            owner = self._adapter.key(operation.object)
            return f"{owner}.{operation.name}" if owner is not None else None
        return key

    def _template(self, node: Node, operation: ops.Template) -> Value:
        parts = [text(part) if isinstance(part, str) else self.value(part) for part in operation.parts]
        return step(concatenate(parts), self._adapter.line(node), "put into a text")

    def _binary(self, node: Node, operation: ops.Binary) -> Value:
        left, right = self.value(operation.left), self.value(operation.right)
        line = self._adapter.line(node)
        if operation.operator == "+":
            if left.collection or right.collection:
                return replace(join((left, right)), fields=())
            return step(concatenate((left, right)), line, "put into a text")
        if operation.operator == "%" and left.skeleton is not None:
            items = [value for key, value in right.fields if key.isdigit()] if right.collection else None
            return step(format_percent(left, right, items or None), line, "put into a text")
        if operation.operator == "/" and (left.path or right.taints) and left.skeleton != "0":
            return replace(join_paths((left, right)), path=True)
        if operation.operator == "*":
            return left if left.skeleton is not None or left.collection else CLEAN
        return join((left, right)) if operation.operator in ("|", ",") else CLEAN

    def _collect(self, _node: Node, operation: ops.Collect) -> Value:
        values = [
            (str(index) if key is None else key, shallow(self.value(node)))
            for index, (key, node) in enumerate(operation.items)
        ]
        return Value(
            taints=unite(taint for _, value in values for taint in value.taints),
            skeleton=next((value.skeleton for _, value in values if value.skeleton is not None), None),
            fields=tuple(values[:MAX_FIELDS]),
            collection=True,
        )

    def _choice(self, _node: Node, operation: ops.Choice) -> Value:
        values = [self.value(option) for option in operation.options]
        if operation.condition is not None and len(values) == 2:
            facts = self._facts.get(operation.condition.id, NOTHING)
            for index, proven in enumerate((facts.if_true, facts.if_false)):
                key = self._adapter.key(operation.options[index])
                if key is not None and any(fact.what == ALLOWED and fact.key == key for fact in proven):
                    values[index] = CLEAN
        return join(values)

    def _same(self, node: Node, operation: ops.Same) -> Value:
        self._facts[node.id] = self._facts.get(operation.node.id, NOTHING)
        return self.value(operation.node)

    def _assign(self, _node: Node, operation: ops.Assign) -> Value:
        value = self.value(operation.value)
        key = self._adapter.key(operation.target)
        if operation.operator and key is not None:
            current = self.environment.get(key) or CLEAN
            value = (
                concatenate((current, value))
                if operation.operator == "+" and not current.collection
                else join((current, value))
            )
        if key is not None:
            self._named_facts[key] = self._facts.get(operation.value.id, NOTHING)
        self.bind(operation.target, value)
        return value

    def _iterate(self, _node: Node, operation: ops.Iterate) -> Value:
        self.bind(operation.target, self.item_of(operation.iterable))
        return CLEAN

    def _leave(self, _node: Node, operation: ops.Leave) -> Value:
        if operation.value is not None:
            value = self._checked(self.value(operation.value))
            self.analysis.returns.append(Return(value, self._stack[-1][0]))
            if self._facts.get(operation.value.id, NOTHING) != NOTHING:
                self._stack[-1][0].checks = True
        return CLEAN

    def _not(self, node: Node, operation: ops.Not) -> Value:
        self._facts[node.id] = self._facts.get(operation.node.id, NOTHING).negated()
        return CLEAN

    def _logic(self, node: Node, operation: ops.Logic) -> Value:
        left, right = (self._facts.get(side.id, NOTHING) for side in (operation.left, operation.right))
        self._facts[node.id] = proof.both(left, right, conjunction=operation.conjunction)
        if operation.conjunction:
            return self.value(operation.right)
        return join((self.value(operation.left), self.value(operation.right)))

    def _compare(self, node: Node, operation: ops.Compare) -> Value:
        keys = (self._adapter.key(operation.left), self._adapter.key(operation.right))
        left, right = self.value(operation.left), self.value(operation.right)
        self._facts[node.id] = proof.of_comparison(operation.operator, left, right, keys)
        return CLEAN

    def _require(self, _node: Node, operation: ops.Require) -> Value:
        self.assume(operation.condition, holds=True)
        return CLEAN

    def _import(self, _node: Node, operation: ops.Import) -> Value:
        for name in operation.names:
            self.environment.set(name, Value(role="module"))
        return CLEAN


def _member_of(value: Value) -> Value:
    """Something taken out of a value: as tainted, but of unknown shape."""
    if not value.taints:
        return replace(value, fields=(), collection=False, role="") if value.skeleton is not None else CLEAN
    return replace(value, fields=(), collection=False, role="", skeleton=HOLE)
