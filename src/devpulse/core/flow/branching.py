"""Branching statements on a walk: which branches run, what holds in them, and what holds after them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tree_sitter import Node

from devpulse.core.flow.evaluate import Evaluator
from devpulse.core.flow.facts import Facts
from devpulse.core.flow.operations import Adapter, Bind, Branch, Iterate, Plan, Visit
from devpulse.core.flow.values import truth


@dataclass(slots=True)
class _Open:
    """A branching statement that is being walked; ``failed`` are what its earlier branches prove by not running.

    ``decided``: a branch was found that surely runs, none after it does.
    """

    plan: Plan
    failed: list[Facts] = field(default_factory=list)
    left: list[Facts] = field(default_factory=list)
    decided: bool = False


_Work = tuple[Callable[[Node, Any], None], Node, Any]


class Branching(ABC):
    """Does its work from a stack: code may be nested thousands deep."""

    def __init__(self, adapter: Adapter, evaluator: Evaluator) -> None:
        self._adapter = adapter
        self._evaluator = evaluator
        self._work: list[_Work] = []
        self._open: list[_Open] = []
        self._loops = 0

    @abstractmethod
    def _enter(self, node: Node, _: object) -> None:
        """Begin with a node: what that means is the walk's to say."""

    def _leave(self, node: Node, _: object) -> None:
        self._evaluator.evaluate(node)
        if self._open:
            return
        kind = node.type
        if kind.endswith(("_statement", "_declaration")) and kind != "body_statement":
            self._evaluator.forget()

    def _schedule(self, node: Node, plan: Plan) -> None:
        if plan.valued:
            self._work.append((self._leave, node, None))
        self._work.extend((self._enter, child, None) for child in reversed(plan.last))
        if plan.loops and not self._loops:
            # Once to see what it changes, and once with that: only what the second time shows is recorded.
            self._schedule_steps(node, plan)
            self._work.append((self._end_first_time, node, None))
            self._schedule_steps(node, plan)
            self._work.append((self._begin_first_time, node, None))
        else:
            self._schedule_steps(node, plan)

    def _begin_first_time(self, _node: Node, _: object) -> None:
        self._evaluator.quiet += 1

    def _end_first_time(self, _node: Node, _: object) -> None:
        self._evaluator.quiet -= 1

    def _schedule_steps(self, node: Node, plan: Plan) -> None:
        self._work.append((self._close_choice, node, None))
        for item in reversed(plan.steps):
            if isinstance(item, Visit):
                self._work.append((self._enter, item.node, None))
            elif isinstance(item, Bind):
                self._work.append((self._bind, item.node, item.items))
            else:
                self._work.append((self._open_branch, node, item))
        self._work.append((self._open_choice, node, plan))

    def _open_choice(self, _node: Node, plan: Plan) -> None:
        self._loops += plan.loops
        self._evaluator.environment.open_choice()
        self._open.append(_Open(plan))

    def _open_branch(self, node: Node, branch: Branch) -> None:
        current = self._open[-1]
        runs = None if current.decided else self._runs(branch, current.plan)
        if current.decided or runs is False:
            if branch.condition is not None:
                current.failed = [*current.failed[-3:], self._evaluator.facts(branch.condition)]
            return
        current.decided = runs is True
        self._evaluator.environment.open_branch(rescues=branch.rescues, loop=current.plan.loops)
        for failed in current.failed:
            self._evaluator.assume(failed, holds=False)
        facts = None
        if branch.condition is not None:
            facts = self._evaluator.facts(branch.condition)
            self._evaluator.assume(facts, holds=True)
            # Only the latest few matter, and a chain of thousands must stay linear.
            current.failed = [*current.failed[-3:], facts]
        elif branch.cases and current.plan.subject is not None:
            self._evaluator.assume(self._evaluator.one_of(current.plan.subject, branch.cases), holds=True)
        self._work.append((self._close_branch, node, (branch, facts)))
        self._work.extend((self._enter, child, None) for child in reversed(branch.nodes))

    def _runs(self, branch: Branch, plan: Plan) -> bool | None:
        """Whether a branch surely runs, or surely does not; not asked inside inner loops, which are walked once."""
        if self._loops > 1:
            return None
        if branch.condition is not None:
            return truth(self._evaluator.value(branch.condition))
        if branch.cases is None or plan.subject is None:
            return None
        return self._evaluator.matches(plan.subject, branch.cases)

    def _close_branch(self, _node: Node, extra: tuple[Branch, Facts | None]) -> None:
        branch, facts = extra
        left = self._evaluator.environment.close_branch(exits=branch.exits, attempt=branch.attempt)
        if left and facts is not None:
            self._open[-1].left.append(facts)

    def _close_choice(self, node: Node, _: object) -> None:
        closed = self._open.pop()
        plan = closed.plan
        self._loops -= plan.loops
        exhaustive = plan.exhaustive or (closed.decided and not plan.loops)
        if not exhaustive and closed.failed and node.type.startswith(("if", "unless")):
            # None of the branches ran: what that proves, they may have made up for otherwise.
            self._evaluator.environment.open_branch()
            for failed in closed.failed:
                self._evaluator.assume(failed, holds=False)
            self._evaluator.environment.close_branch(exits=False)
            exhaustive = True
        each = plan.loops and any(isinstance(item, Bind) for item in plan.steps)
        self._evaluator.environment.close_choice(exhaustive=exhaustive, each=each)
        for facts in closed.left:
            self._evaluator.assume(facts, holds=False)
        if plan.until is not None:
            self._evaluator.assume(self._evaluator.facts(plan.until), holds=False)

    def _bind(self, node: Node, items: Iterate | None) -> None:
        operation = items or self._adapter.operation(node)
        if isinstance(operation, Iterate):
            self._evaluator.bind_items(operation.target, operation.iterable)
