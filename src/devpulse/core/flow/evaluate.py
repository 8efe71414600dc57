"""The value of each syntax node, from the values of the nodes below it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tree_sitter import Node

from devpulse.core.flow import constants, containers
from devpulse.core.flow import facts as proof
from devpulse.core.flow import operations as ops
from devpulse.core.flow.calls import CallInto, CallRules, Cleaning
from devpulse.core.flow.facts import ALLOWED, NOTHING, Facts
from devpulse.core.flow.formatting import Passed, format_percent
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.state import DOUBT, NOBODY, member_of
from devpulse.core.flow.syntax_nodes import end_line_of, node_text
from devpulse.core.flow.transfers import join_paths
from devpulse.core.flow.values import (
    CLEAN,
    HOLE,
    MAX_FIELDS,
    NULL,
    Ask,
    Level,
    Place,
    Value,
    asking,
    cleaned,
    concatenate,
    join,
    shallow,
    step,
    tainted,
    taken_out,
    text,
    truth,
    unite,
)

_CONSTANT_NAME = re.compile(r"^_*[A-Z][A-Z0-9_]*$")
_KEPT_TEXT = re.compile(r"(?:^|[._])(?:[A-Z0-9]+_)*(?:SQL|QUERY|STATEMENT|CMD|COMMAND|HTML|TEMPLATE)(?:_[A-Z0-9]+)*$")
"""A constant that holds a text with places, by its name."""

_NUMBER_NAME = re.compile(
    r"(?i)^(?:id|pk|\w+_id|\w+Id|count|limit|offset|port|size|length|len|year|num\w*|version|status|level|index)$"
)
_KEYS = frozenset({"_id", "insertId", "insertedId", "lastID", "lastInsertRowid"})
"""What databases call the key that they gave a record themselves."""

_HOSTS = frozenset({"netloc", "hostname", "host", "origin", "Host"})
_NULL = Value(role=NULL)
MAX_NAME = 80
"""Characters of the name of a member that is set."""


_INSIDE = re.compile(r"\[\s*1\s*:\s*-\s*1\s*\]$")


def _is_inside(written: str) -> bool:
    """Whether an expression is a text without its first and last character."""
    return _INSIDE.search(written[-20:]) is not None


def _is_separator(value: Value) -> bool:
    """Whether a text is what stands between the parts of a path."""
    return value.constant in ("/", "\\") or any(taint.origin.label.endswith(".sep") for taint in value.taints)


class Evaluator(CallRules):
    """The rules for every operation."""

    def __init__(self, adapter: ops.Adapter, cleaning: Cleaning, call_into: CallInto) -> None:
        super().__init__(adapter, cleaning, call_into)
        self._rules: dict[type, Callable[[Node, Any], Value]] = {
            ops.Constant: self._constant, ops.Name: self._name, ops.Member: self._member, ops.Call: self._call,
            ops.Template: self._template, ops.Binary: self._binary, ops.Collect: self._collect,
            ops.Choice: self._choice, ops.Same: self._same, ops.Assign: self._assign, ops.Iterate: self._iterate,
            ops.Leave: self._leave, ops.Not: self._not, ops.Logic: self._logic, ops.Compare: self._compare,
            ops.Require: self._require, ops.Import: self._import, ops.Abandon: self._abandon, ops.Break: self._break,
        }  # fmt: skip

    def matches(self, subject: Node, cases: tuple[Node, ...]) -> bool | None:
        """Whether a constant subject is one of the cases, of which none means what is left; ``None``: not known."""
        value = self.value(subject)
        if value.constant is None:
            return None
        if not cases:
            return True
        known = [self._constant_of(case) for case in cases]
        if any(constant == value.constant for constant in known):
            return True
        return False if None not in known else None

    def one_of(self, subject: Node, cases: tuple[Node, ...]) -> Facts:
        """What it proves of a subject that it is one of the cases: something when all of them are constants."""
        known = all(self._constant_of(case) is not None for case in cases)
        return Facts(proof.allowed(self._tested(subject))) if known else NOTHING

    def _constant_of(self, node: Node) -> str | int | float | None:
        for _ in range(3):  # a pattern may be wrapped
            operation = self._adapter.operation(node)
            if isinstance(operation, ops.Constant):
                return self._constant(node, operation).constant
            if len(node.named_children) != 1:
                return None
            node = node.named_children[0]
        return None

    def evaluate(self, node: Node) -> None:
        """Find the value of a node whose parts are evaluated."""
        operation = self._adapter.operation(node)
        if operation is not None:
            self._facts.pop(node.id, None)  # of the time before, in a loop
            value = self._rules[type(operation)](node, operation)
            if value is not CLEAN:
                self._values[node.id] = value
            else:
                self._values.pop(node.id, None)

    def _constant(self, node: Node, operation: ops.Constant) -> Value:
        known = constants.literal(node.type, operation.text or node_text(node))
        if known is not None:
            return known
        return text(operation.text) if operation.text is not None else Value(skeleton="0")

    def _name(self, node: Node, operation: ops.Name) -> Value:
        self._facts[node.id] = self._named_facts.get(operation.name, NOTHING)
        known = self.environment.get(operation.name)
        if known is not None:
            return known
        if operation.name in ("True", "False", "undefined"):
            return constants.literal(operation.name.lower(), operation.name) or CLEAN
        level = self._adapter.request_field("", operation.name)
        if level is not None:
            return tainted(self._origin(level, operation.name, self._line(node)))
        if _CONSTANT_NAME.match(operation.name):
            return CLEAN
        call = ops.Call(operation.name, None, ())
        told = self._call_into(node, call, None, ()) if operation.callable else None
        if told is not None:
            return self._concluded(node, call, (), told)
        return tainted(self._origin(Level.UNKNOWN, operation.name, self._line(node)))

    def _member(self, node: Node, operation: ops.Member) -> Value:
        owner, name = self._adapter.key(operation.object), operation.name
        if owner is not None and name is not None:
            known = self.environment.get(f"{owner}.{name}")
            level = self._level(owner, self.value(operation.object), name)
            if known is not None:
                return known
            if level is not None:
                source = tainted(self._origin(level, f"{owner}.{name}", self._line(node)))
                return self._parts.within(source, self.value(operation.object))
        value = self.value(operation.object)
        at = self._element(value, operation)
        if at is not None:
            return at
        if operation.index is not None:
            keys = (self._path_of(operation.index), None)
            self._facts[node.id] = proof.of_comparison("in", self.value(operation.index), value, keys)
        if any(taint.origin.level > Level.UNKNOWN for taint in value.taints):
            return self._part(node, value, name)
        if self._is_settled(value, owner, name):
            return (value.field(name) if name is not None else None) or CLEAN
        return tainted(self._origin_at(Level.UNKNOWN, node, member=True))

    def _part(self, node: Node, value: Value, name: str | None) -> Value:
        """A member of something that is not to be trusted."""
        part = value.field(name) if name is not None else None
        if part is not None:
            return part
        if name in _HOSTS:
            self._facts[node.id] = Facts((), proof.same_host(value))
            return replace(taken_out(member_of(value)), role=proof.HOST)
        taints = taken_out(value).taints
        if name in _KEYS and all(taint.asks for taint in value.taints):
            return CLEAN  # of what was stored, by the function that the value was given to
        if not taints:
            return replace(member_of(value), path=value.path and name in ("parent", "parents"), resolved=value.resolved)
        path = value.path and name in ("parent", "parents")
        if value.path and name in ("name", "stem", "suffix"):
            return cleaned(Value(taints, HOLE), Purpose.PATH)
        part = Value(taints, HOLE, joined=value.joined, resolved=value.resolved, path=path)
        return part if name is None or value.path else self._parts.read_out(part, name)

    def _element(self, value: Value, operation: ops.Member) -> Value | None:
        """A member that is known by itself."""
        if operation.computed is not None:
            key = self.value(operation.computed)
            return constants.index(value, key) or containers.element(value, key)
        if operation.name is not None and value.exact:
            return value.field(operation.name) or CLEAN
        return None

    def _is_settled(self, value: Value, owner: str | None, name: str | None) -> bool:
        """Whether a member is the program's own: of a literal table or a constant, or named like a number."""
        if value.fields or (value.collection and not value.taints):
            return True
        if name is None:
            return owner is not None and _CONSTANT_NAME.match(owner) is not None
        return bool(_CONSTANT_NAME.match(name) or _NUMBER_NAME.match(name))

    def _template(self, node: Node, operation: ops.Template) -> Value:
        parts = [text(part) if isinstance(part, str) else self.value(part) for part in operation.parts]
        return step(concatenate(parts), self._line(node), "put into a text")

    def _binary(self, node: Node, operation: ops.Binary) -> Value:
        left, right = self.value(operation.left), self.value(operation.right)
        known = constants.calculate(operation.operator, left, right)
        if known is not None:
            return known
        line = self._line(node)
        if operation.operator == "+":
            if left.collection or right.collection:
                return replace(join((left, right)), fields=())
            ended = left.resolved and _is_separator(right)  # a resolved path, made ready to be compared with a folder
            return step(replace(concatenate((left, right)), resolved=ended), line, "put into a text")
        if operation.operator == "%" and (left.skeleton is not None or left is CLEAN):
            return self._filled(operation.left, left, right, line)
        if operation.operator == "/" and (left.path or right.taints) and left.skeleton != "0":
            return replace(join_paths((left, right)), path=True)
        repeated = operation.operator == "*" and (left.skeleton is not None or left.collection)
        both = join((left, right)) if operation.operator in ("|", ",") else CLEAN
        return replace(left, constant=None, exact=False) if repeated else both

    def _filled(self, node: Node, template: Value, value: Value, line: int) -> Value:
        """A text with values put into it; it may be kept under the name of a constant elsewhere."""
        if template.skeleton is not None:
            items = [item for place, item in value.fields if place.isdigit()] if value.collection else None
            return step(format_percent(template, value, items or None), line, "put into a text")
        key = self._adapter.key(node)
        if key is None or not value.taints or _KEPT_TEXT.search(key) is None:
            return CLEAN
        placed = tuple(replace(taint, place=Place.UNCLEAR) for taint in value.taints)
        return step(asking(Value(placed, HOLE), Ask(f"{key}.format")), line, "put into a text")

    def _collect(self, node: Node, operation: ops.Collect) -> Value:
        keys = [str(index) if key is None else key for index, (key, _) in enumerate(operation.items)]
        values = [(key, shallow(self.value(item))) for key, (_, item) in zip(keys, operation.items, strict=True)]
        exact = len(values) <= MAX_FIELDS and not operation.open and len(set(keys)) == len(keys)
        self._facts[node.id] = (
            self._facts.get(operation.items[0][1].id, NOTHING) if operation.open and values else NOTHING
        )
        return Value(
            taints=unite(taint for _, value in values for taint in value.taints),
            skeleton=next((value.skeleton for _, value in values if value.skeleton is not None), None),
            fields=tuple(values[:MAX_FIELDS]),
            collection=True,
            exact=exact,
        )

    def _choice(self, _node: Node, operation: ops.Choice) -> Value:
        values = [self.value(option) for option in operation.options]
        if operation.condition is not None and len(values) == 2:
            decided = truth(self.value(operation.condition))
            if decided is not None:
                return values[0 if decided else 1]
            facts = self._facts.get(operation.condition.id, NOTHING)
            for index, proven in enumerate((facts.if_true, facts.if_false)):
                key = self._path_of(self._converted(operation.options[index]))
                if key is not None and any(fact.what == ALLOWED and fact.key == key for fact in proven):
                    values[index] = CLEAN
        return join(values)

    def _converted(self, node: Node) -> Node:
        """What a call without arguments is of: ``type.to_sym`` is as known as ``type``. Other nodes stay."""
        operation = self._adapter.operation(node)
        if isinstance(operation, ops.Call) and operation.receiver is not None and not operation.arguments:
            return operation.receiver
        return node

    def _same(self, node: Node, operation: ops.Same) -> Value:
        self._facts[node.id] = self._facts.get(operation.node.id, NOTHING)
        return self.value(operation.node)

    def _assign(self, node: Node, operation: ops.Assign) -> Value:
        value = self.value(operation.value)
        key = self._adapter.key(operation.target)
        if operation.operator and key is not None:
            current = self.environment.get(key) or CLEAN
            value = constants.calculate(operation.operator, current, value) or (
                concatenate((current, value))
                if operation.operator == "+" and not current.collection
                else join((current, value))
            )
        told = self._adapter.key(operation.verdict) if operation.verdict is not None else key
        if told is not None:
            self._named_facts[told] = self._facts.get(operation.value.id, NOTHING)
        self.bind(operation.target, value)
        self._record_setter(node, operation.target, value)
        return value

    def _record_setter(self, node: Node, target: Node, value: Value) -> None:
        """Setting a member, an item or ``@name`` of Ruby is a call as well: of ``owner.name=`` with one argument."""
        setter = self._adapter.operation(target) if value.taints and not self.quiet else None
        own = isinstance(setter, ops.Name) and setter.name.startswith("@")  # a field of the own object in Ruby
        if not own and (not isinstance(setter, ops.Member) or setter.name is None):
            return
        if isinstance(setter, ops.Member):
            callee = f"{self._adapter.key(setter.object) or ''}.{(setter.name or '')[:MAX_NAME]}="
            receiver = self.value(setter.object)
        else:
            callee, receiver = f"{self._adapter.key(target) or ''}=", CLEAN
        lines = (self._line(node), end_line_of(node))
        given = (Passed(None, self._checked(value)),)
        self._record(CallRecord(callee, receiver, given, *lines, self._stack[-1].scope), node)

    def _iterate(self, _node: Node, operation: ops.Iterate) -> Value:
        self.bind_items(operation.target, operation.iterable)
        return CLEAN

    def _leave(self, node: Node, operation: ops.Leave) -> Value:
        if operation.value is not None:
            facts = self._facts.get(operation.value.id, NOTHING)
            self._stack[-1].scope.checks |= facts.checks
            self._return(node, self._checked(self.value(operation.value)), facts)
        elif self._stack[-1].called:
            self._return(node, _NULL, NOTHING)
        else:
            self.environment.leave()
        return CLEAN

    def _abandon(self, _node: Node, _operation: ops.Abandon) -> Value:
        self.environment.leave()
        return CLEAN

    def _break(self, _node: Node, _operation: ops.Break) -> Value:
        self.environment.break_out()
        return CLEAN

    def _not(self, node: Node, operation: ops.Not) -> Value:
        self._facts[node.id] = self._facts.get(operation.node.id, NOTHING).negated()
        return constants.negated(self.value(operation.node)) or CLEAN

    def _logic(self, node: Node, operation: ops.Logic) -> Value:
        left, right = (self._facts.get(side.id, NOTHING) for side in (operation.left, operation.right))
        self._facts[node.id] = proof.both(left, right, conjunction=operation.conjunction)
        decided = truth(self.value(operation.left))
        if decided is not None:
            return self.value(operation.right if decided is operation.conjunction else operation.left)
        if operation.conjunction:
            return replace(self.value(operation.right), constant=None)
        return join((self.value(operation.left), self.value(operation.right)))

    def _compare(self, node: Node, operation: ops.Compare) -> Value:
        keys = (self._tested(operation.left), self._tested(operation.right))
        left, right = self.value(operation.left), self.value(operation.right)
        verdict = proof.of_verdict(operation.operator, self._facts.get(operation.left.id, NOTHING), right)
        self._facts[node.id] = verdict or proof.of_comparison(operation.operator, left, right, keys)
        if operation.operator in ("in", "not in"):
            self._facts[node.id] = self._of_character(node, operation, (left, right), keys[0])
        elif operation.operator in ("<=", ">="):
            sides = (left, right, operation.left) if operation.operator == "<=" else (right, left, operation.right)
            self._facts[node.id] = proof.of_subset(*sides[:2], self._characters_of(sides[2]))
        return constants.compare(operation.operator, left, right) or CLEAN

    def _of_character(self, node: Node, operation: ops.Compare, sides: tuple[Value, Value], key: str | None) -> Facts:
        """What a test of one character proves: that it is of a known few, or no quote inside of a text."""
        facts, negative = self._facts[node.id], operation.operator == "not in"
        if key in self._stack[-1].items and proof.is_constant(sides[1]):
            of_few = Facts(proof.allowed(key))
            return of_few.negated() if negative else of_few
        if facts != NOTHING and (sides[0].skeleton or "") in proof.QUOTES and _is_inside(node_text(operation.right)):
            facts = Facts((), proof.inside_unquoted(sides[1]))
            return facts.negated() if negative else facts
        return facts

    def _require(self, _node: Node, operation: ops.Require) -> Value:
        """An assertion is a doubt, not a proof: it is not there when the program runs optimised."""
        for fact in self._facts.get(operation.condition.id, NOTHING).if_true:
            value = self.environment.get(fact.key) if fact.key else None
            if fact.key and value is not None:
                self.environment.set(fact.key, asking(value, NOBODY))
            for origin in fact.origins:
                self.environment.check(origin, DOUBT)
        return CLEAN

    def _import(self, _node: Node, operation: ops.Import) -> Value:
        for name in operation.names:
            self.environment.set(name, Value(role="module"))
        return CLEAN
