"""The child's tools: each answer redacted, capped, fenced as data, given once, and noted for the resume store."""

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
from devpulse.core.tool_specs import SUBMIT_REVIEW
from devpulse.errors import ToolDenied
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.tool_arguments import BadCall, number_of, text_of, unknown_tool, usage

MAX_ANSWER_TOKENS = 2_000
MAX_ROWS = 10
_DOCSTRING_CHARACTERS = 100
_NOTE_CHARACTERS = 200
"""Kept free for the sentence that says what was cut."""


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
    """A tool's answer. ``refused`` is the reason when it was denied or could not be carried out.

    ``repeated`` says that it only names an earlier answer to the same call.
    """

    text: str
    refused: str = ""
    repeated: bool = False


class ToolBox:
    """The tools of one conversation. Not shared: it remembers what was asked, and what the history already holds."""

    def __init__(self, library: Library, fence: Fence, near: str) -> None:
        self._library = library
        self._fence = fence
        self._near = near
        self._asked: dict[str, str] = {}
        self._given: dict[str, int] = {}
        self._calls = 0

    @property
    def fence(self) -> Fence:
        """What wraps the answers, and whatever else of the repository goes into the history."""
        return self._fence

    def lookups(self) -> tuple[Lookup, ...]:
        """Every different question so far with a digest of its answer."""
        return tuple(Lookup(asked, answer) for asked, answer in self._asked.items())

    def run(self, call: ToolCall) -> Answer:
        """Carry out a call. Whatever is wrong with it becomes an answer the model can act on.

        An identical call that was answered before gets a reference to that answer, which the history still holds.
        """
        self._calls += 1
        asked = question(call.name, **call.arguments)
        if (earlier := self._given.get(asked)) is not None:
            return Answer(
                f"Already answered: this is the same {call.name} call as your tool call number {earlier} above, "
                "and so is its answer.",
                repeated=True,
            )
        try:
            text = self.answer(call.name, call.arguments)
        except ToolDenied as denied:
            self._asked[asked] = digest(f"DENIED: {denied}")
            return Answer(f"DENIED: {denied}", refused=str(denied))
        except BadCall as wrong:
            return Answer(f"ERROR: {wrong}", refused=str(wrong))
        self._asked[asked] = digest(text)
        self._given[asked] = self._calls
        return Answer(self._fence.wrap("answer", text, tool=call.name))

    def forget_answers(self) -> None:
        """Give every answer in full again: to be called when answers leave the history. Look-ups stay noted."""
        self._given.clear()

    def answer(self, name: str, arguments: Json) -> str:
        """The unfenced answer to a question, the same for the same repository.

        Raises:
            ToolDenied: the path gate refuses.
        """
        try:
            return self._answer(name, arguments)
        except BadCall as wrong:
            raise BadCall(f"{wrong}{usage(name)}") from wrong

    def _answer(self, name: str, arguments: Json) -> str:
        if name == "search_codebase":
            return self._search(text_of(arguments, "query"), self._folder(arguments))
        if name == "load_symbol_source":
            return self._load(text_of(arguments, "symbol_name"), self._folder(arguments))
        if name == "find_references":
            return self._references(text_of(arguments, "symbol_name"), self._folder(arguments))
        if name == "get_file_diff":
            return self._diff(self._library.gate.check_name(self._path(text_of(arguments, "path"))))
        if name == "read_lines":
            path = self._file(self._path(text_of(arguments, "path")))
            return self._lines(path, number_of(arguments, "start_line"), number_of(arguments, "end_line"))
        if name == SUBMIT_REVIEW:
            raise BadCall("submit_review ends the task and must be called alone")
        raise BadCall(unknown_tool(name))

    def _folder(self, arguments: Json) -> str | None:
        path = arguments.get("path")
        if path in (None, "", ".", "/"):
            return None
        if not isinstance(path, str):
            raise BadCall("path must be a string")
        return self._library.gate.check_name(self._path(path))

    def _file(self, path: str) -> str:
        gate = self._library.gate
        try:
            return gate.check_file(path)
        except ToolDenied as denied:
            alike = ", ".join(map(show_path, gate.closest(path)))
            if not alike:
                raise
            raise ToolDenied(show_line(f"{denied}; closest: {alike}")) from denied

    def _path(self, shown: str) -> str:
        # A child can only name its own file as it was shown to it, which differs for odd names.
        return self._near if shown == show_path(self._near) else shown

    def _search(self, query: str, path: str | None) -> str:
        found = self._library.index.search(query, path=path, near=self._near, limit=MAX_ROWS)
        if not found.rows:
            return f"No definition matches {query!r}. Try a shorter part of the name, or find_references."
        note = "" if found.exact else f"No exact match for {query!r}; closest:\n"
        rows = [self._row(symbol) for symbol in found.rows]
        return note + _capped(rows, found.total, lambda _: "give more of the name, or a path")

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
            place = f" in {show_path(path)}" if path else ""
            return f"No definition is called {name!r}{place}. {self._alike(name)}"
        symbol, *others = found.rows
        shown = self._library.shown(symbol.path)
        if shown is None:
            return f"{show_path(symbol.path)} can no longer be read."
        head = f"{symbol.kind} {symbol.qualified_name} in {show_path(symbol.path)}"
        rows = _numbered(shown, symbol.start_line, symbol.end_line)

        def rest(kept: int) -> str:
            return f"read_lines from start_line {symbol.start_line + kept - 1} to {symbol.end_line} shows them"

        return _capped([show_line(head), *rows], len(rows) + 1, rest, _others(found, others))

    def _alike(self, name: str) -> str:
        """What a name that is not defined may have meant."""
        found = self._library.index.search(name, near=self._near, limit=4)
        if not found.rows:
            return "Use search_codebase with a part of the name."
        rows = [self._row(symbol) for symbol in found.rows]
        return "Closest:\n" + _capped(rows, found.total, lambda _: "search_codebase finds them")

    def _references(self, name: str, path: str | None) -> str:
        found = self._library.index.references(name, path=path, limit=MAX_ROWS)
        if not found.rows:
            return f"Nothing mentions {name!r} as a whole word. {self._alike(name)}"
        rows = [self._reference(row) for row in found.rows]
        return _capped(rows, found.total, lambda _: "pass a path to see those in that file or folder first")

    def _reference(self, row: Reference) -> str:
        shown = self._library.shown(row.path)
        code = (shown.line(row.line) if shown is not None else None) or ""
        place = f" in {row.symbol}" if row.symbol else ""
        return show_line(f"{show_path(row.path)}:{row.line}{place}: {code.strip()}")

    def _diff(self, path: str) -> str:
        diff = self._library.diff(path)
        if diff is None:
            return f"{show_path(path)} is not part of this change; read_lines shows files as they are at head."
        rows = diff.split("\n")
        return _capped(rows, len(rows), lambda _: "use read_lines for the rest")

    def _lines(self, path: str, start: int, end: int) -> str:
        shown = self._library.shown(path)
        if shown is None:
            raise ToolDenied("the file cannot be read as text")
        if start > len(shown.lines):
            return f"{show_path(path)} has {len(shown.lines)} lines."
        last = min(max(start, end), len(shown.lines))
        rows = _numbered(shown, start, last)
        lines = len(shown.lines)
        return _capped(
            rows, len(rows), lambda kept: f"the file has {lines} lines in all, go on at start_line {start + kept}"
        )


def _numbered(shown: ShownText, first: int, last: int) -> list[str]:
    rows = ((number, shown.line(number)) for number in range(first, last + 1))
    return [f"{number:>5} {code}" for number, code in rows if code is not None]


def _capped(rows: list[str], total: int, rest: Callable[[int], str], tail: str = "") -> str:
    """Rows and ``tail`` within the cap. What was cut is said, with ``rest`` (of the rows kept) how to get it."""
    kept: list[str] = []
    room = MAX_ANSWER_TOKENS * CHARACTERS_PER_TOKEN - _NOTE_CHARACTERS - len(tail)
    for row in rows:
        room -= len(row) + 1
        if kept and room < 0:
            break
        kept.append(row)
    text = "\n".join(kept)
    if len(kept) >= total:
        return text + tail
    return f"{text}\n({total - len(kept)} more not shown; {rest(len(kept))}){tail}"


def _others(found: Found[Symbol], others: list[Symbol]) -> str:
    if not others:
        return ""
    places = ", ".join(f"{show_path(symbol.path)}:{symbol.start_line}" for symbol in others)
    hidden = found.total - 1 - len(others)
    return "\n" + show_line(
        f"Also defined at {places}{f' and {hidden} more' if hidden > 0 else ''}; pass path to choose."
    )
