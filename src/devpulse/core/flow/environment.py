"""Names to values along the way of a function, with branches that join again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import CLEAN, Value, join

Checks = frozenset[str]

SETTLED = "settled"
"""The role of a name's value that was shown to be one of a known few."""

MAX_OUTER = 32
"""Functions inside functions whose names are looked up; further out nothing is known, or time would not be linear."""


MAX_VERIFIED = 60
"""Origins whose parts a caller is told of; of more the last ones."""

MAX_BREAKS = 12
"""Ways out of one loop that are told apart."""


@dataclass(slots=True)
class _Choice:
    """The branches of one statement: what each changed, unless it left the function or loop."""

    branches: list[tuple[dict[str, Value | None], dict[int, Checks | None]]] = field(default_factory=list)
    opened: int = 0
    attempt: dict[str, Value | None] = field(default_factory=dict)


@dataclass(slots=True)
class _Frame:
    """What stood before a branch began, for the names it changed only: cost follows changes, not names."""

    values: dict[str, Value | None] = field(default_factory=dict)
    checks: dict[int, Checks | None] = field(default_factory=dict)
    left: bool = False
    loop: _Choice | None = None


class Environment:
    """The state at one point of one function. Names not bound here are looked up in ``outer``.

    ``checks`` say of an origin what was verified about it on the current way (``path``).
    """

    def __init__(self, outer: Environment | None = None) -> None:
        self.depth: int = outer.depth + 1 if outer is not None else 0
        self.outer: Environment | None = outer if self.depth % MAX_OUTER else None
        self._values: dict[str, Value | None] = {}
        self._checks: dict[int, Checks | None] = {}
        self._frames: list[_Frame] = []
        self._choices: list[_Choice] = []
        self._body = _Frame()

    @property
    def left(self) -> bool:
        """Whether nothing that follows in the current branch is reached."""
        return (self._frames[-1] if self._frames else self._body).left

    def leave(self) -> None:
        """What follows in the current branch is not reached: it returned, raised, or left the loop."""
        (self._frames[-1] if self._frames else self._body).left = True

    def break_out(self) -> None:
        """The innermost loop is left here: what it and the branches inside of it changed so far stays."""
        values: dict[str, Value | None] = {}
        checks: dict[int, Checks | None] = {}
        for frame in reversed(self._frames):
            values.update((name, self._values.get(name)) for name in frame.values)
            checks.update((origin, self._checks.get(origin)) for origin in frame.checks)
            if frame.loop is not None:
                if len(frame.loop.branches) < MAX_BREAKS:
                    frame.loop.branches.append((values, checks))
                break
        self.leave()

    def get(self, name: str) -> Value | None:
        """The value of a name, ``None`` when nothing is known of it."""
        scope: Environment | None = self
        while scope is not None:
            value = scope._values.get(name)  # noqa: SLF001  (another instance of this class)
            if value is not None:
                return value
            scope = scope.outer
        return None

    def set(self, name: str, value: Value) -> None:
        """Bind a name."""
        if self._frames:
            self._frames[-1].values.setdefault(name, self._values.get(name))
        self._values[name] = value

    def _unset(self, name: str) -> None:
        if self._frames:
            self._frames[-1].values.setdefault(name, self._values.get(name))
        self._values[name] = None

    def verified(self) -> list[int]:
        """The origins about which something was verified in this function, the last ones."""
        return list(islice(reversed(self._checks), MAX_VERIFIED))

    def checks(self, origin: int, within: tuple[int, ...] = ()) -> Checks:
        """What was verified about an origin, and about those that it was read out of."""
        if within:
            return self.checks(origin).union(*(self.checks(outer) for outer in within))
        scope: Environment | None = self
        while scope is not None:
            known = scope._checks.get(origin)  # noqa: SLF001  (another instance of this class)
            if known:
                return known
            scope = scope.outer
        return frozenset()

    @property
    def has_checks(self) -> bool:
        """Whether anything was verified about any origin on the way here."""
        scope: Environment | None = self
        while scope is not None:
            if scope._checks:  # noqa: SLF001  (another instance of this class)
                return True
            scope = scope.outer
        return False

    def check(self, origin: int, what: str) -> None:
        """Note that something was verified about an origin from here on."""
        if self._frames:
            self._frames[-1].checks.setdefault(origin, self._checks.get(origin))
        self._checks[origin] = self.checks(origin) | {what}

    def open_choice(self) -> None:
        """Begin a branching statement."""
        self._choices.append(_Choice())

    def open_branch(self, *, rescues: bool = False, loop: bool = False) -> None:
        """Begin one of its branches; one that ``rescues`` begins anywhere in the first, which went wrong.

        ``loop``: it is the body of a loop, which may be left from inside.
        """
        self._frames.append(_Frame(loop=self._choices[-1] if loop else None))
        self._choices[-1].opened += 1
        if rescues:
            for name, value in self._choices[-1].attempt.items():
                options = [option for option in (self._values.get(name), value) if option is not None]
                self.set(name, join(options))

    def close_branch(self, *, exits: bool, attempt: bool = False) -> bool:
        """End the branch and go back to what stood before it; one that exits leaves nothing behind.

        ``attempt``: others of the statement rescue this one. Says whether the branch was left.
        """
        frame = self._frames.pop()
        values = {name: self._values.get(name) for name in frame.values}
        checks = {origin: self._checks.get(origin) for origin in frame.checks}
        self._values.update(frame.values)
        self._checks.update(frame.checks)
        left = exits or frame.left
        if not left:
            self._choices[-1].branches.append((values, checks))
        if attempt:
            self._choices[-1].attempt = values
        return left

    def close_choice(self, *, exhaustive: bool, each: bool = False) -> None:
        """End the statement: each name has the values of all ways that lead here.

        ``each``: a loop over items, which verifies all of them if it verifies one; none are left when there are none.
        """
        choice = self._choices.pop()
        branches = choice.branches
        if not branches:
            if exhaustive and choice.opened:
                self.leave()
            return
        self._join(branches, len(branches) + (not exhaustive), each=each)

    def _join(
        self, branches: list[tuple[dict[str, Value | None], dict[int, Checks | None]]], ways: int, *, each: bool
    ) -> None:
        changed: dict[str, list[Value | None]] = {}
        checked: dict[int, list[Checks]] = {}
        for values, checks in branches:
            for name, value in values.items():
                changed.setdefault(name, []).append(value)
            for origin, known in checks.items():
                checked.setdefault(origin, []).append(known or frozenset())
        for name, options in changed.items():
            if len(options) < ways:
                untouched = [checks for values, checks in branches if name not in values]
                options.append(_verified(self.get(name), untouched, ways - len(options)))
            if None in options and any(option is not None and option.role == SETTLED for option in options):
                self._unset(name)  # shown to be harmless on some of the ways only
                continue
            self.set(name, join(option for option in options if option is not None) if any(options) else CLEAN)
        for origin, found in checked.items():
            if len(found) < (len(branches) if each else ways):
                found.append(self._checks.get(origin) or frozenset())
            if self._frames:
                self._frames[-1].checks.setdefault(origin, self._checks.get(origin))
            self._checks[origin] = frozenset.intersection(*found)


def _verified(value: Value | None, branches: list[dict[int, Checks | None]], ways: int) -> Value | None:
    """The value of a name that some branches gave another, with what was verified on all ways that kept it.

    ``if not safe(x): x = "/"``: afterwards it is one or the other, and each is safe.
    """
    if value is None or not value.taints or len(branches) < ways or not all(branches):
        return value
    taints = []
    for taint in value.taints:
        ids = (taint.origin.id, *taint.origin.within)
        known = frozenset.intersection(
            *(frozenset().union(*(checks.get(origin) or frozenset() for origin in ids)) for checks in branches)
        )
        safe = frozenset(purpose for purpose in Purpose if purpose in known)
        taints.append(replace(taint, cleaned=taint.cleaned | safe) if safe else taint)
    return replace(value, taints=tuple(taints))
