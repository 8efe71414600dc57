"""Rules of one language, imported with the first file in it: their patterns take longer to compile than such a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from devpulse.core.finding import Hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver


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


def later(rule_id: str, category: str, languages: frozenset[str], module: str) -> Rule:
    """A rule under the same id, category and languages as the one in the module."""
    return Rule(rule_id, category, languages, Later(module))
