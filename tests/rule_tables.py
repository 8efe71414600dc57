"""What the tables of rule tests share: marked lines, and a resolver over definitions given in the test."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.languages import language_of
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Found, Reference, Symbol


class MemoryResolver:
    """Definitions by name, each given as source text."""

    def __init__(self, sources: Mapping[str, str] | None = None, *, path: str = "helpers.py") -> None:
        self._sources = dict(sources or {})
        self._path = path

    def definitions(self, name: str, *, near: str | None = None, limit: int = 3) -> Found[Symbol]:  # noqa: ARG002  (the protocol)
        if name not in self._sources:
            return Found((), 0)
        lines = self._sources[name].count("\n") + 1
        return Found((Symbol(name, name, "function", self._path, 1, lines, name, ""),)[:limit], 1)

    def references(self, name: str, *, path: str | None = None, limit: int = 10) -> Found[Reference]:  # noqa: ARG002  (the protocol)
        return Found((), 0)

    def enclosing(self, path: str, line: int) -> Symbol | None:  # noqa: ARG002  (the protocol)
        return None

    def source(self, symbol: Symbol) -> str | None:
        return self._sources.get(symbol.name)

    def defines(self, path: str, qualified_name: str) -> bool:
        return path == self._path and qualified_name in self._sources


def make_source(code: str, *, path: str = "src/app.py", before: str | None = None) -> Source:
    """A source; every line of ``before`` that is not in ``code`` counts as removed."""
    text = dedent(code)
    old = None
    if before is not None:
        base = dedent(before)
        kept = set(text.split("\n"))
        removed = frozenset(n for n, line in enumerate(base.split("\n"), start=1) if line not in kept)
        old = Source(path, language_of(path), base, removed)
    return Source(path, language_of(path), text, frozenset(range(1, text.count("\n") + 2)), before=old)


def marked_lines(code: str) -> list[int]:
    """The lines that end in ``# BAD`` or ``// BAD``."""
    return [
        n for n, line in enumerate(dedent(code).split("\n"), start=1) if line.rstrip().endswith(("# BAD", "// BAD"))
    ]


def run(rule: Rule, code: str, *, path: str = "src/app.py", resolver: MemoryResolver | None = None) -> list[Hit]:
    """The hits of one rule."""
    return list(rule.run(make_source(code, path=path), resolver or MemoryResolver()))


def posted_lines(rule: Rule, code: str, *, path: str = "src/app.py") -> list[int]:
    """The first lines of the hits of one rule that are posted at the default thresholds, in its order."""
    return [hit.start_line for hit in run(rule, code, path=path) if hit.confidence is not Confidence.LOW]


def lines_of(hits: list[Hit]) -> list[int]:
    """The first lines of hits, in order."""
    return sorted(hit.start_line for hit in hits)


def suggested(code: str, *, path: str = "src/app.py") -> list[str]:
    """What is suggested for a text, stripped, in the order of its lines."""
    from devpulse.core.rules import run_rules  # noqa: PLC0415  (most tables need one rule only)

    hits = run_rules(make_source(code, path=path), MemoryResolver())
    return [hit.suggestion.strip() for hit in hits if hit.suggestion is not None]
