"""One walk over a file: what flows into which call, without recursion and in time linear in the text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from tree_sitter import Node

from devpulse.core.flow.environment import Environment
from devpulse.core.flow.evaluate import Cleaning, Evaluator
from devpulse.core.flow.javascript import JavascriptAdapter
from devpulse.core.flow.operations import Adapter, Bind, Branch, Function, Iterate, Plan, Visit
from devpulse.core.flow.python import PythonAdapter
from devpulse.core.flow.records import Analysis, CallRecord, Scope
from devpulse.core.flow.values import CLEAN, Level, Value
from devpulse.core.imports import imported_callee
from devpulse.core.knowledge import knowledge_of
from devpulse.core.syntax import parse

ADAPTERS: dict[str, Adapter] = {  # optional: a language may have definitions and no data flow
    "python": PythonAdapter(),
    "javascript": JavascriptAdapter(),
    "typescript": JavascriptAdapter(),
    "tsx": JavascriptAdapter(),
}

__all__ = ["ADAPTERS", "Analysis", "CallRecord", "analyse"]


@lru_cache(maxsize=32)
def analyse(language: str, text: str) -> Analysis:
    """The calls and returns of a text with their values; nothing for a language without an adapter."""
    adapter = ADAPTERS.get(language)
    if adapter is None:
        return Analysis()
    return _Walk(adapter, _cleaning(language, text)).run(parse(language, text).root_node)


def _cleaning(language: str, text: str) -> Cleaning:
    """What the result of a callee in a text is safe for."""
    knowledge = knowledge_of(language)
    if knowledge is None:
        return lambda _: frozenset()
    return lambda callee: knowledge.purposes_of(callee, imported_callee(language, text, callee))


@dataclass(slots=True)
class _Open:
    """A branching statement that is being walked; ``failed`` are the conditions of its earlier branches."""

    plan: Plan
    failed: list[Node] = field(default_factory=list)
    left: list[Node] = field(default_factory=list)


_Work = tuple[str, Node | None, object]


class _Walk:
    def __init__(self, adapter: Adapter, cleaning: Cleaning) -> None:
        self._adapter = adapter
        self._evaluator = Evaluator(adapter, cleaning)
        self._work: list[_Work] = []
        self._open: list[_Open] = []
        self._callbacks: dict[int, Node | None] = {}

    def run(self, root: Node) -> Analysis:
        self._evaluator.enter(Scope("", ()), Environment())
        self._work.append(("enter", root, None))
        while self._work:
            stage, node, extra = self._work.pop()
            getattr(self, f"_{stage}")(node, extra)
        return self._evaluator.analysis

    def _enter(self, node: Node, _: object) -> None:
        function = self._adapter.function(node)
        if function is not None:
            self._work.append(("leave_function", node, function))
            self._work.append(("enter", function.body, None))
            self._work.append(("open_function", node, function))
            return
        plan = self._adapter.plan(node)
        if plan is not None:
            self._schedule(node, plan)
            return
        self._callbacks.update((function.id, items) for function, items in self._adapter.callbacks(node))
        self._work.append(("leave", node, None))
        self._work.extend(("enter", child, None) for child in reversed(self._adapter.children(node)))

    def _schedule(self, node: Node, plan: Plan) -> None:
        self._work.append(("close_choice", node, None))
        for item in reversed(plan.steps):
            if isinstance(item, Visit):
                self._work.append(("enter", item.node, None))
            elif isinstance(item, Bind):
                self._work.append(("bind", item.node, None))
            else:
                self._work.append(("close_branch", node, item))
                self._work.extend(("enter", child, None) for child in reversed(item.nodes))
                self._work.append(("open_branch", node, item))
        self._work.append(("open_choice", node, plan))

    def _open_choice(self, _node: Node, plan: Plan) -> None:
        self._evaluator.environment.open_choice()
        self._open.append(_Open(plan))

    def _open_branch(self, _node: Node, branch: Branch) -> None:
        self._evaluator.environment.open_branch()
        current = self._open[-1]
        for failed in current.failed:
            self._evaluator.assume(failed, holds=False)
        if branch.condition is not None:
            self._evaluator.assume(branch.condition, holds=True)
            # Only the latest few matter, and a chain of thousands must stay linear.
            current.failed = [*current.failed[-3:], branch.condition]

    def _close_branch(self, _node: Node, branch: Branch) -> None:
        self._evaluator.environment.close_branch(exits=branch.exits)
        if branch.exits and branch.condition is not None:
            self._open[-1].left.append(branch.condition)

    def _close_choice(self, _node: Node, _: object) -> None:
        closed = self._open.pop()
        self._evaluator.environment.close_choice(exhaustive=closed.plan.exhaustive)
        for condition in closed.left:
            self._evaluator.assume(condition, holds=False)

    def _bind(self, node: Node, _: object) -> None:
        operation = self._adapter.operation(node)
        if isinstance(operation, Iterate):
            self._evaluator.bind(operation.target, self._evaluator.item_of(operation.iterable))

    def _open_function(self, node: Node, function: Function) -> None:
        outer = self._evaluator.environment
        self._evaluator.enter(Scope(function.name, function.parameters), Environment(outer))
        called_back = node.id in self._callbacks
        items = self._callbacks.get(node.id)
        given = self._evaluator.value(items) if items is not None else CLEAN
        for index, parameter in enumerate(function.parameters):
            value = Value(role=parameter.role)
            if index == 0 and given.taints:
                value = replace(given, fields=(), collection=False)
            elif parameter.level is Level.REQUEST or (parameter.level is not None and not called_back):
                value = self._evaluator.parameter(parameter)
            self._evaluator.environment.set(parameter.name, value)

    def _leave_function(self, _node: Node, function: Function) -> None:
        self._evaluator.give_back(function.body)  # an arrow or lambda gives back its expression
        self._evaluator.leave()

    def _leave(self, node: Node, _: object) -> None:
        self._evaluator.evaluate(node)
