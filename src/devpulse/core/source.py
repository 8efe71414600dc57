"""A file as rules see it: its real text, parsed on demand, and which of its lines changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from devpulse.core.finding import Hit
from devpulse.core.symbols import Resolver


@dataclass(frozen=True, slots=True)
class Source:
    """One side of a file under review, unredacted. Picklable: the syntax tree is parsed on demand
    by ``core.syntax.parse`` and never stored here.

    ``language`` is a name from ``core.languages`` or ``None``. ``changed`` are the numbers of the
    lines the change added (or removed, for a base text). ``complete`` is false when the text was
    put together from hunks and lines between them are blank. ``before`` is the base side of the
    same file, ``None`` for an added file; a deleted file has an empty head text and a ``before``.
    """

    path: str
    language: str | None
    text: str
    changed: frozenset[int]
    complete: bool = True
    before: Source | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A detection rule: what it is called, for which languages, and the pure function that runs.

    ``languages`` is empty for rules that read any text. ``check`` reports every hit of the file;
    which of them belong to the change is decided afterwards. The id stands here alone: ``run``
    writes it into the hits. ``limit``, of a check that looks at so much of a file and no more, says of a source
    whether a part of it was left out. ``plausible``, of a rule over data flow, says of a kind of sinks whether a file
    can have what the rule wants of it.
    """

    id: str
    category: str
    languages: frozenset[str]
    check: Callable[[Source, Resolver], Iterable[Hit]]
    limit: Callable[[Source], bool] | None = field(default=None, compare=False)  # a bound method equals only itself
    plausible: Callable[[str, Source], bool] | None = None

    def run(self, source: Source, resolver: Resolver) -> Iterator[Hit]:
        """Every hit of a file under this rule's id; none for a file in another language."""
        if not self.languages or source.language in self.languages:
            for hit in self.check(source, resolver):
                yield replace(hit, rule_id=self.id)

    def stopped(self, source: Source) -> bool:
        """Whether the rule left a part of a file out because the file was too much for it."""
        if self.limit is None or (self.languages and source.language not in self.languages):
            return False
        return self.limit(source)
