"""Rules that are imported with the first file they can say something of: that takes longer than most such files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module

from devpulse.core.called_sinks import sinks_written
from devpulse.core.finding import Hit
from devpulse.core.flow.neighbours import may_hand_on
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

FOLLOWED = frozenset({"python", "javascript", "typescript", "tsx", "java", "go", "php", "ruby"})
"""The languages with data flow: those of ``core.flow.engine.ADAPTERS``, said here so that nothing of it is imported."""


@dataclass(frozen=True, slots=True)
class Later:
    """The check of the rule that a module below ``core/rules`` defines."""

    module: str

    def __call__(self, source: Source, resolver: Resolver) -> Iterable[Hit]:
        """What the rule's own check says."""
        return self.rule().check(source, resolver)

    def stopped(self, source: Source) -> bool:
        """As the rule."""
        return self.rule().stopped(source)

    def rule(self) -> Rule:
        """The rule itself."""
        rule: Rule = import_module(f"devpulse.core.rules.{self.module}").RULE
        return rule


@dataclass(frozen=True, slots=True)
class LaterFlow(Later):
    """As ``Later``, of a rule over data flow: silent without it about a file in which no sink of the category is
    written and whose values go to no other file, since there nothing would be followed."""

    category: str

    def __call__(self, source: Source, resolver: Resolver) -> Iterable[Hit]:
        """What the rule's own check says; nothing where it would follow nothing."""
        language = source.language or ""
        if not self._is_written(source) and not may_hand_on(language, source.text):
            return ()
        return self.rule().check(source, resolver)

    def stopped(self, source: Source) -> bool:
        """As the rule."""
        return self._is_written(source) and self.rule().stopped(source)

    def _is_written(self, source: Source) -> bool:
        return any(category == self.category for category, _ in sinks_written(source.language or "", source.text))


@dataclass(frozen=True, slots=True)
class LaterChange(Later):
    """As ``Later``, of a rule that compares both sides of a file: silent where nothing was removed."""

    def __call__(self, source: Source, resolver: Resolver) -> Iterable[Hit]:
        """What the rule's own check says; nothing where there is nothing to compare."""
        return self.rule().check(source, resolver) if _compares(source) else ()

    def stopped(self, source: Source) -> bool:
        """As the rule."""
        return _compares(source) and self.rule().stopped(source)


@dataclass(frozen=True, slots=True)
class LaterWhere(Later):
    """As ``Later``, of a rule over files that are told by their paths: silent about all others."""

    applies: Callable[[Source], bool]

    def __call__(self, source: Source, resolver: Resolver) -> Iterable[Hit]:
        """What the rule's own check says; nothing of other files."""
        return self.rule().check(source, resolver) if self.applies(source) else ()

    def stopped(self, source: Source) -> bool:
        """As the rule."""
        return self.applies(source) and self.rule().stopped(source)


def _compares(source: Source) -> bool:
    return source.before is not None and bool(source.before.changed)


def later(rule_id: str, category: str, languages: frozenset[str], module: str) -> Rule:
    """A rule under the same id, category and languages as the one in the module."""
    check = Later(module)
    return Rule(rule_id, category, languages, check, check.stopped)


def flow_later(module: str) -> Rule:
    """The rule over data flow of the category that the module is called after."""
    category = module.replace("_", "-")
    check = LaterFlow(module, category)
    return Rule(category, category, FOLLOWED, check, check.stopped)


def change_later(rule_id: str, category: str, module: str) -> Rule:
    """A rule over what a change takes away, in any language, from the module."""
    check = LaterChange(module)
    return Rule(rule_id, category, frozenset(), check, check.stopped)


def later_where(rule_id: str, category: str, applies: Callable[[Source], bool], module: str) -> Rule:
    """A rule over the files of which ``applies`` is true, whatever their language, from the module."""
    check = LaterWhere(module, applies)
    return Rule(rule_id, category, frozenset(), check, check.stopped)
