"""What was looked up while a file was reviewed, so that stored work can be checked against today's answers."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from devpulse.core.prompt import digest
from devpulse.core.symbols import Found, Reference, Resolver, Symbol


@dataclass(frozen=True, slots=True)
class Lookup:
    """One question to the rest of the repository, as JSON text, and a digest of its answer."""

    question: str
    answer: str


def question(name: str, /, **arguments: Any) -> str:
    """A question in its one canonical form."""
    return json.dumps([name, arguments], sort_keys=True)


class RecordingResolver:
    """A resolver that notes each question. One per file and thread; not shared."""

    def __init__(self, inner: Resolver) -> None:
        self._inner = inner
        self._asked: dict[str, str] = {}

    def lookups(self) -> tuple[Lookup, ...]:
        """Every different question so far, in the order first asked."""
        return tuple(Lookup(asked, answer) for asked, answer in self._asked.items())

    def _note(self, name: str, answer: object, /, **arguments: Any) -> None:
        self._asked[question(name, **arguments)] = digest(repr(answer))

    def definitions(self, name: str, *, near: str | None = None, limit: int = 3) -> Found[Symbol]:
        """As ``Resolver.definitions``."""
        found = self._inner.definitions(name, near=near, limit=limit)
        self._note("definitions", found, name=name, near=near, limit=limit)
        return found

    def references(self, name: str, *, path: str | None = None, limit: int = 10) -> Found[Reference]:
        """As ``Resolver.references``."""
        found = self._inner.references(name, path=path, limit=limit)
        self._note("references", found, name=name, path=path, limit=limit)
        return found

    def enclosing(self, path: str, line: int) -> Symbol | None:
        """As ``Resolver.enclosing``."""
        symbol = self._inner.enclosing(path, line)
        self._note("enclosing", symbol, path=path, line=line)
        return symbol

    def source(self, symbol: Symbol) -> str | None:
        """As ``Resolver.source``."""
        body = self._inner.source(symbol)
        self._note("source", body, symbol=asdict(symbol))
        return body

    def defines(self, path: str, qualified_name: str) -> bool:
        """As ``Resolver.defines``."""
        there = self._inner.defines(path, qualified_name)
        self._note("defines", there, path=path, qualified_name=qualified_name)
        return there

    def ask_again(self, asked: str) -> None:
        """Ask a stored question anew and note today's answer.

        Raises:
            LookupError: the question is of a kind that this version does not know.
        """
        name, arguments = json.loads(asked)
        if name == "definitions":
            self.definitions(arguments["name"], near=arguments["near"], limit=arguments["limit"])
        elif name == "references":
            self.references(arguments["name"], path=arguments["path"], limit=arguments["limit"])
        elif name == "enclosing":
            self.enclosing(arguments["path"], arguments["line"])
        elif name == "defines":
            self.defines(arguments["path"], arguments["qualified_name"])
        elif name == "source":
            self.source(Symbol(**arguments["symbol"]))
        else:
            raise LookupError(name)
