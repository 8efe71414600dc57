"""One check for all readers: siblings without a guard, objects of others, and guards that the change removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from devpulse.core.finding import Hit
from devpulse.core.knowledge import access_words
from devpulse.core.rules.access import Endpoint, missing_guards, removed_guards, untied_loads
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver
from devpulse.core.text import split_lines

Reader = Callable[[Source, Resolver], Sequence[Endpoint]]
"""Every route and function of a file with its guards."""


@dataclass(frozen=True, slots=True)
class AccessCheck:
    """The check of a language. ``routes`` is what a text with routes has; others are not parsed for them."""

    read: Reader
    routes: re.Pattern[str]

    def __call__(self, source: Source, resolver: Resolver) -> Iterator[Hit]:
        """Routes that lack what their siblings have, and guards that the change removed."""
        if self.routes.search(source.text):
            after = self.read(source, resolver)
            yield from missing_guards(after, guarded_as_a_whole=False)
            yield from untied_loads(after)
        if source.before is not None and source.text and _may_lose_guards(source.before):
            yield from removed_guards(source, self.read(source.before, resolver), self.read(source, resolver))


def _may_lose_guards(before: Source) -> bool:
    if before.language is None:
        return False
    words = access_words(before.language)
    lines = split_lines(before.text)
    gone = "\n".join(lines[line - 1] for line in sorted(before.changed) if line <= len(lines))
    return any(pattern.search(gone) for pattern in (words.marks, words.calls, words.refusals, words.callers))
