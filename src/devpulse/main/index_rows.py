"""Symbols as ``devpulse index`` may print them: without secrets, with nothing a terminal would obey."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import language_of
from devpulse.core.redaction import Redactor, find_secrets, redact
from devpulse.core.shown import ShownText, show_line, show_path
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of
from devpulse.output.characters import visible
from devpulse.output.paths import display_path

_Span = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class _ShownFile:
    """A file without its secrets, and its symbols as they are read out of that text."""

    text: ShownText
    symbols: dict[_Span, Symbol]


@dataclass(frozen=True, slots=True)
class IndexRows:
    """Rows of an index, redacted. Each file is searched for secrets once."""

    index: SymbolIndex
    redactor: Redactor = field(default_factory=Redactor)
    _files: dict[str, _ShownFile] = field(default_factory=dict)

    def row(self, symbol: Symbol) -> dict[str, object]:
        """A symbol as JSON."""
        shown = self._shown(symbol)
        return {
            "name": shown.qualified_name,
            "kind": symbol.kind,
            "path": display_path(symbol.path),
            "start_line": symbol.start_line,
            "end_line": symbol.end_line,
            "signature": shown.signature,
            "docstring": shown.docstring,
        }

    def line(self, symbol: Symbol) -> str:
        """A symbol as one line of text."""
        shown = self._shown(symbol)
        span = f"{place(symbol)}-{symbol.end_line}"
        return f"{span}  {symbol.kind} {_one_line(shown.qualified_name)}  {_one_line(shown.signature)}\n"

    def source(self, symbol: Symbol) -> tuple[str, ...] | None:
        """The lines of a symbol, or ``None`` when its file is gone or has become shorter."""
        if self.index.source(symbol) is None:
            return None
        lines = self._file(symbol.path).text.lines[symbol.start_line - 1 : symbol.end_line]
        return lines if len(lines) == symbol.end_line - symbol.start_line + 1 else None

    def _shown(self, symbol: Symbol) -> Symbol:
        found = self._file(symbol.path).symbols.get(_span(symbol))
        # Where redaction changed the outline of the file, the words are left out rather than trusted.
        found = replace(symbol, signature="", docstring="") if found is None else found
        return replace(
            found,
            qualified_name=self._safe(found.qualified_name),
            signature=self._safe(found.signature),
            docstring=self._safe(found.docstring),
        )

    def _safe(self, text: str) -> str:
        return visible(self.redactor.mask(text))

    def _file(self, path: str) -> _ShownFile:
        known = self._files.get(path)
        if known is None:
            known = self._files[path] = self._read(path)
        return known

    def _read(self, path: str) -> _ShownFile:
        text, language = self.index.text(path) or "", language_of(path)
        secrets = find_secrets(path, text)
        self.redactor.learn(secrets)
        redacted = self.redactor.mask(redact(text, secrets))
        symbols = symbols_of(path, language, redacted) if language else ()
        return _ShownFile(ShownText.of(redacted, str), {_span(symbol): symbol for symbol in symbols})


def place(symbol: Symbol) -> str:
    """Where a symbol starts, for people."""
    return f"{show_path(symbol.path)}:{symbol.start_line}"


def _one_line(text: str) -> str:
    return show_line(" ".join(text.split()))


def _span(symbol: Symbol) -> _Span:
    return symbol.name, symbol.start_line, symbol.end_line
