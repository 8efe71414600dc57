"""The sinks that a file may call in a way that their rules have a use for: where there are none nothing is followed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module

from devpulse.core.called_sinks import Kinds, sinks_written
from devpulse.core.source import Rule, Source


@lru_cache(maxsize=8)
def live_sinks(language: str, text: str) -> Kinds:
    """Category and kind of each sink that a text may call in a way that its rule has a use for."""
    source = Source("", language, text, frozenset())
    return frozenset(
        (category, kind)
        for category, kind in sinks_written(language, text)
        if (plausible := _plausible(category)) is None or plausible(kind, source)
    )


@cache
def _plausible(category: str) -> Callable[[str, Source], bool] | None:
    """What the rule of a category, in the module called after it, says of a kind of sinks."""
    rule: Rule = import_module(f"devpulse.core.rules.{category.replace('-', '_')}").RULE
    return rule.plausible
