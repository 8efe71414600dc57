"""The child's tools: each answer redacted, capped, fenced as data, and noted for the resume store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from devpulse.core.budget import CHARACTERS_PER_TOKEN
from devpulse.core.fence import Fence
from devpulse.core.languages import language_of
from devpulse.core.lookup import Lookup, question
from devpulse.core.messages import Json, ToolCall
from devpulse.core.prompt import digest
from devpulse.core.shown import ShownText, show_line, show_path
from devpulse.core.symbols import Found, Reference, Symbol, SymbolSearch
from devpulse.core.syntax import symbols_of
from devpulse.core.tool_specs import SUBMIT_REVIEW, TOOLS
from devpulse.errors import ToolDenied
from devpulse.pipeline.gate import PathGate

MAX_ANSWER_TOKENS = 2_000
MAX_ROWS = 10
_DOCSTRING_CHARACTERS = 100
_NAMES = ", ".join(spec.name for spec in TOOLS)


@dataclass(frozen=True, slots=True)
class Library:
    """What the tools of every child read from; shared, and safe to use from several threads.

    ``shown`` gives a head text by path, ``diff`` the annotated diff of a changed file, ``mask``
    replaces known secrets in single lines.
    """

    gate: PathGate
    index: SymbolSearch
    shown: Callable[[str], ShownText | None]
    diff: Callable[[str], str | None]
    mask: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Answer:
    """A tool's answer. ``refused`` is the reason when it was denied or could not be carried out."""

    text: str
    refused: str = ""


class ToolBox:
    """The tools of one child. Not shared between children: it remembers what its child asked."""

    def __init__(self, library: Library, fence: Fence, near: str) -> None:
        self._library = library
        self._fence = fence
        self._near = near
        self._asked: dict[str, str] = {}

    def lookups(self) -> tuple[Lookup, ...]:
        """Every different question so far with a digest of its answer."""
        return tuple(Lookup(asked, answer) for asked, answer in self._asked.items())

    def run(self, call: ToolCall) -> Answer:
        """Carry out a call. Whatever is wrong with it becomes an answer the model can act on."""
        try:
            text = self.answer(call.name, call.arguments)
        except ToolDenied as denied:
            self._asked[question(call.name, **call.arguments)] = digest(f"DENIED: {denied}")
            return Answer(f"DENIED: {denied}", refused=str(denied))
        except _BadCall as wrong:
            return Answer(f"ERROR: {wrong}", refused=str(wrong))
        self._asked[question(call.name, **call.arguments)] = digest(text)
        return Answer(self._fence.wrap("answer", text, tool=call.name))

    def answer(self, name: str, arguments: Json) -> str:
        """The unfenced answer to a question, the same for the same repository.

        Raises:
            ToolDenied: the path gate refuses.
        """
        if name == "search_codebase":
            return self._search(_text(arguments, "query"), self._folder(arguments))
        if name == "load_symbol_source":
            return self._load(_text(arguments, "symbol_name"), self._folder(arguments))
        if name == "find_references":
            return self._references(_text(arguments, "symbol_name"), self._folder(arguments))
        if name == "get_file_diff":
            return self._diff(self._library.gate.check_name(self._path(_text(arguments, "path"))))
        if name == "read_lines":
            path = self._library.gate.check_file(self._path(_text(arguments, "path")))
            return self._lines(path, _number(arguments, "start_line"), _number(arguments, "end_line"))
        if name == SUBMIT_REVIEW:
            raise _BadCall("submit_review ends the task and must be called alone")
        raise _BadCall(f"unknown tool; the tools are {_NAMES}")

    def _folder(self, arguments: Json) -> str | None:
        path = arguments.get("path")
        if path in (None, "", ".", "/"):
            return None
        if not isinstance(path, str):
            raise _BadCall("path must be a string")
        return self._library.gate.check_name(self._path(path))

    def _path(self, shown: str) -> str:
        # A child can only name its own file as it was shown to it, which differs for odd names.
        return self._near if shown == show_path(self._near) else shown

    def _search(self, query: str, path: str | None) -> str:
        found = self._library.index.search(query, path=path, near=self._near, limit=MAX_ROWS)
        if not found.rows:
            return f"No definition matches {query!r}. Try a shorter part of the name, or find_references."
        note = "" if found.exact else f"No exact match for {query!r}; closest:\n"
        return note + self._capped([self._row(symbol) for symbol in found.rows], found.total)

    def _row(self, symbol: Symbol) -> str:
        symbol = self._redacted(symbol)
        place = f"{show_path(symbol.path)}:{symbol.start_line}-{symbol.end_line}"
        docstring = self._library.mask(symbol.docstring)[:_DOCSTRING_CHARACTERS]
        row = f"{symbol.kind} {symbol.qualified_name} {place} {symbol.signature}"
        return show_line(self._library.mask(f"{row} | {docstring}" if docstring else row))

    def _redacted(self, symbol: Symbol) -> Symbol:
        """The symbol as its shown file has it: a signature cut within a secret would show half of it."""
        shown, language = self._library.shown(symbol.path), language_of(symbol.path)
        if shown is not None and not shown.altered:
            return symbol
        text = "\n".join(shown.lines) if shown is not None else ""
        known = symbols_of(symbol.path, language, text) if language is not None else ()
        same = (s for s in known if (s.start_line, s.qualified_name) == (symbol.start_line, symbol.qualified_name))
        return next(same, replace(symbol, signature="", docstring=""))

    def _load(self, name: str, path: str | None) -> str:
        found = self._library.index.search(name, path=path, near=self._near, limit=4) if path else None
        found = found or self._library.index.definitions(name, near=self._near, limit=4)
        if not found.rows or not found.exact:
            return f"No definition is called {name!r}. Use search_codebase to find the right name."
        symbol, *others = found.rows
        shown = self._library.shown(symbol.path)
        if shown is None:
            return f"{show_path(symbol.path)} can no longer be read."
        head = f"{symbol.kind} {symbol.qualified_name} in {show_path(symbol.path)}"
        rows = _numbered(shown, symbol.start_line, symbol.end_line)
        return self._capped([show_line(head), *rows], len(rows) + 1) + _others(found, others)

    def _references(self, name: str, path: str | None) -> str:
        found = self._library.index.references(name, path=path, limit=MAX_ROWS)
        if not found.rows:
            return f"Nothing mentions {name!r} as a whole word."
        return self._capped([self._reference(row) for row in found.rows], found.total)

    def _reference(self, row: Reference) -> str:
        shown = self._library.shown(row.path)
        code = (shown.line(row.line) if shown is not None else None) or ""
        place = f" in {row.symbol}" if row.symbol else ""
        return show_line(f"{show_path(row.path)}:{row.line}{place}: {code.strip()}")

    def _diff(self, path: str) -> str:
        diff = self._library.diff(path)
        if diff is None:
            return f"{show_path(path)} is not part of this change."
        rows = diff.split("\n")
        return self._capped(rows, len(rows), more="use read_lines for the rest")

    def _lines(self, path: str, start: int, end: int) -> str:
        shown = self._library.shown(path)
        if shown is None:
            raise ToolDenied("the file cannot be read as text")
        if start > len(shown.lines):
            return f"{show_path(path)} has {len(shown.lines)} lines."
        last = min(max(start, end), len(shown.lines))
        return self._capped(_numbered(shown, start, last), last - start + 1, more=f"of {len(shown.lines)} lines in all")

    def _capped(self, rows: list[str], total: int, more: str = "") -> str:
        kept: list[str] = []
        used = 0
        for row in rows:
            used += len(row) + 1
            if kept and used > MAX_ANSWER_TOKENS * CHARACTERS_PER_TOKEN:
                break
            kept.append(row)
        text = "\n".join(kept)
        if len(kept) >= total:
            return text
        return f"{text}\n({total - len(kept)} more not shown{'; ' + more if more else '; narrow the question'})"


class _BadCall(ValueError):
    """A call whose name or arguments are wrong; the text tells the model what would be right."""


def _numbered(shown: ShownText, first: int, last: int) -> list[str]:
    rows = ((number, shown.line(number)) for number in range(first, last + 1))
    return [f"{number:>5} {code}" for number, code in rows if code is not None]


def _others(found: Found[Symbol], others: list[Symbol]) -> str:
    if not others:
        return ""
    places = ", ".join(f"{show_path(symbol.path)}:{symbol.start_line}" for symbol in others)
    hidden = found.total - 1 - len(others)
    return f"\nAlso defined at {places}{f' and {hidden} more' if hidden > 0 else ''}; pass path to choose."


def _text(arguments: Json, name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _BadCall(f"{name} must be a string that is not empty")
    return value.strip()


def _number(arguments: Json, name: str) -> int:
    value = arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _BadCall(f"{name} must be a line number")
    try:
        number = int(value)
    except (ValueError, OverflowError) as error:  # OverflowError: JSON's Infinity
        raise _BadCall(f"{name} must be a line number") from error
    if number < 1:
        raise _BadCall(f"{name} counts from 1")
    return number
