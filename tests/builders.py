"""Shared builders: domain objects with good defaults, and the ports kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from threading import Lock
from typing import Any

from devpulse.core.categories import CATEGORIES, Confidence, Severity
from devpulse.core.change import DiffLine, FileChange, FileKind, FileStatus, FileVersion, Hunk, PullRequest, Side
from devpulse.core.finding import Finding, FindingSource, FindingStatus, Hit, HitKind, Lead
from devpulse.core.messages import ModelReply, ModelRequest, StopReason, ToolCall, Usage
from devpulse.core.review import Coverage, Report, Reviewed, ReviewTask
from devpulse.core.symbols import Found, Reference, Symbol
from devpulse.core.text import split_lines
from devpulse.core.tool_specs import SUBMIT_REVIEW
from devpulse.core.verdict import overall_risk
from devpulse.errors import ModelError
from devpulse.pipeline.texts import text_of_hunks

DRAWING = """\
 import db
 def find(name):
-    return db.get(name)
+    return db.run("select " + name)
"""


def make_hunk(drawing: str = DRAWING, *, old_start: int = 1, new_start: int = 1) -> Hunk:
    """A hunk from lines that start with a blank, ``+`` or ``-``; starts are those of the first line on each side."""
    lines: list[DiffLine] = []
    old, new = old_start, new_start
    for row in split_lines(drawing):
        sign, text = row[:1] or " ", row[1:]
        in_old, in_new = sign in " -", sign in " +"
        lines.append(DiffLine(old if in_old else None, new if in_new else None, text))
        old, new = old + in_old, new + in_new
    old_length, new_length = old - old_start, new - new_start
    # As in git, a side without lines starts at the line before.
    return Hunk(old_start - (not old_length), old_length, new_start - (not new_length), new_length, tuple(lines))


def make_change(
    path: str = "app/db.py",
    drawing: str = DRAWING,
    *,
    status: FileStatus = FileStatus.MODIFIED,
    previous: str | None = None,
    hunks: Sequence[Hunk] | None = None,
    kind: FileKind = FileKind.TEXT,
    modes: tuple[str, str] = ("100644", "100644"),
    blobs: tuple[str | None, str | None] = (None, None),
) -> FileChange:
    """A changed file; ``drawing`` is its only hunk unless ``hunks`` are given."""
    base = FileVersion(previous or path, modes[0], blobs[0], kind)
    head = FileVersion(path, modes[1], blobs[1], kind)
    return FileChange(
        status,
        None if status is FileStatus.ADDED else base,
        None if status is FileStatus.DELETED else head,
        (make_hunk(drawing),) if hunks is None else tuple(hunks),
    )


def trees_of(*changes: FileChange, **others: str) -> tuple[DictTree, DictTree]:
    """Base and head trees that hold what the hunks of the changes show; ``others`` stand on both sides."""
    base = {c.base.path: text_of_hunks(c.hunks, Side.LEFT) for c in changes if c.base is not None}
    head = {c.head.path: text_of_hunks(c.hunks, Side.RIGHT) for c in changes if c.head is not None}
    return DictTree({**others, **base}), DictTree({**others, **head})


def make_finding(**overrides: Any) -> Finding:
    """An open finding of the model in ``app/db.py``."""
    values: dict[str, Any] = {
        "fingerprint": "0123456789abcdef",
        "category": "sql-injection",
        "cwe": 89,
        "severity": Severity.HIGH,
        "confidence": Confidence.HIGH,
        "path": "app/db.py",
        "start_line": 4,
        "end_line": 4,
        "side": Side.RIGHT,
        "symbol": "find_user",
        "title": "SQL built from a request parameter",
        "description": "The name of the caller is joined into the statement.",
        "fix": "Pass the name as a bound parameter.",
        "evidence": "    cursor.execute(sql + name)",
        "source": FindingSource.MODEL,
        "status": FindingStatus.OPEN,
    }
    return Finding(**values | overrides)


def make_report(*found: Finding, **overrides: Any) -> Report:
    """The report of a complete offline run over one file; the risk is that of the findings."""
    values: dict[str, Any] = {
        "pull_request": PullRequest("a" * 40, "b" * 40, "octo/shop", 17),
        "engine": "offline",
        "model": None,
        "risk": overall_risk(found),
        "summary": "",
        "coverage": (Coverage("app/db.py", Reviewed(), 1, 900),),
        "findings": found,
        "usage": Usage(),
        "context_tokens": 900,
        "rung": "local git",
        "rung_reason": "base and head objects are both here",
        "incomplete": False,
    }
    return Report(**values | overrides)


def make_hit(category: str = "sql-injection", **overrides: Any) -> Hit:
    """A lead of a rule at line 3 of the head."""
    values: dict[str, Any] = {
        "rule_id": f"python-{category}",
        "kind": HitKind.LEAD,
        "category": category,
        "cwe": next(iter(CATEGORIES[category].cwes), None),
        "severity": CATEGORIES[category].severity,
        "confidence": Confidence.HIGH,
        "start_line": 3,
        "end_line": 3,
        "side": Side.RIGHT,
        "title": CATEGORIES[category].title,
        "description": "The name reaches the query as text.",
        "fix": "Bind the value.",
    }
    return Hit(**{**values, **overrides})


def make_lead(
    number: int = 1, evidence: str = '    return db.run("select " + name)', hit: Hit | None = None, **overrides: Any
) -> Lead:
    """A lead ``L1`` with its evidence; ``overrides`` are those of its hit."""
    return Lead(f"L{number}", hit or make_hit(**overrides), evidence)


def make_task(change: FileChange | None = None, **overrides: Any) -> ReviewTask:
    """The only part of a changed file."""
    change = change or make_change()
    values = {"id": "db-1", "change": change, "hunks": change.hunks, "part": 1, "parts": 1, "content_tokens": 10}
    return ReviewTask(**{**values, **overrides})


def make_symbol(name: str = "find", path: str = "app/db.py", **overrides: Any) -> Symbol:
    """A function on lines 2 to 3."""
    values: dict[str, Any] = {
        "name": name.rpartition(".")[2],
        "qualified_name": name,
        "kind": "function",
        "path": path,
        "start_line": 2,
        "end_line": 3,
        "signature": f"def {name}(name)",
        "docstring": "",
    }
    return Symbol(**{**values, **overrides})


_numbers = count(1)


def call(name: str, /, **arguments: Any) -> ToolCall:
    """A tool call with an id of its own."""
    return ToolCall(f"call-{next(_numbers)}", name, arguments)


def submitted_finding(**overrides: Any) -> dict[str, Any]:
    """A valid item of ``submit_review``'s ``findings`` for the default change."""
    values = {
        "category": "sql-injection",
        "severity": "critical",
        "confidence": "high",
        "start_line": 3,
        "end_line": 3,
        "title": "SQL injection",
        "description": "The name reaches the query as text.",
        "fix": "Bind the value.",
        "evidence": 'return db.run("select " + name)',
    }
    return {**values, **overrides}


def submit(*findings: object, **others: Any) -> ToolCall:
    """A call of ``submit_review``."""
    return call(SUBMIT_REVIEW, **{"findings": list(findings), "overall_risk": "none", "summary": "", **others})


def reply(*calls: ToolCall, text: str = "", stop: StopReason | None = None, usage: Usage | None = None) -> ModelReply:
    """A model's answer that ends in tool calls, or without any."""
    stop = stop or (StopReason.TOOL_CALLS if calls else StopReason.STOP)
    return ModelReply(text, calls, stop, usage or Usage(), model="scripted-1")


class ScriptedModel:
    """A ``ReviewModel`` whose answers are a function of the request; every request is kept."""

    name = "scripted"
    version = "1"

    def __init__(
        self,
        respond: Callable[[ModelRequest], ModelReply | ModelError],
        source: FindingSource = FindingSource.MODEL,
    ) -> None:
        self.source = source
        self.requests: list[ModelRequest] = []
        self._respond = respond
        self._lock = Lock()

    @classmethod
    def of(cls, *replies: ModelReply | ModelError) -> ScriptedModel:
        """Gives the replies one after the other."""
        queue = iter(replies)
        return cls(lambda _request: next(queue))

    def complete(self, request: ModelRequest) -> ModelReply:
        """As ``ReviewModel.complete``."""
        with self._lock:
            self.requests.append(request)
            answer = self._respond(request)
        if isinstance(answer, ModelError):
            raise answer
        return answer


class MemorySink:
    """An ``ArtifactSink`` in memory."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self._lock = Lock()

    def write(self, name: str, text: str) -> str:
        """As ``ArtifactSink.write``."""
        with self._lock:
            self.files[name] = text
        return name

    def append(self, name: str, line: str) -> None:
        """As ``ArtifactSink.append``."""
        with self._lock:
            self.files[name] = f"{self.files.get(name, '')}{line}\n"

    def read(self, name: str) -> str | None:
        """As ``ArtifactSink.read``."""
        return self.files.get(name)


class MemoryStore:
    """A ``ResumeStore`` in memory."""

    def __init__(self) -> None:
        self.entries: dict[str, dict[str, Any]] = {}

    def load(self, key: str) -> dict[str, Any] | None:
        """As ``ResumeStore.load``."""
        return self.entries.get(key)

    def save(self, key: str, entry: dict[str, Any]) -> None:
        """As ``ResumeStore.save``."""
        self.entries[key] = entry


class MemoryLog:
    """A ``RunLog`` in memory: one dictionary an event."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def record(self, event: str, *, task: str = "", step: int = 0, **values: Any) -> None:
        """As ``RunLog.record``."""
        self.rows.append({"event": event, "task": task, "step": step, **values})

    def events(self) -> list[str]:
        """The names of all events, in order."""
        return [row["event"] for row in self.rows]

    def of(self, event: str) -> list[dict[str, Any]]:
        """All events of a name."""
        return [row for row in self.rows if row["event"] == event]


class DictTree:
    """A ``SourceTree`` over texts or bytes by path; keeps which paths were read."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.files = {path: data.encode() if isinstance(data, str) else data for path, data in files.items()}
        self.reads: list[str] = []

    def paths(self) -> Sequence[str]:
        """As ``SourceTree.paths``."""
        return sorted(self.files)

    def size(self, path: str) -> int | None:
        """As ``SourceTree.size``."""
        data = self.files.get(path)
        return None if data is None else len(data)

    def read(self, path: str) -> bytes | None:
        """As ``SourceTree.read``."""
        self.reads.append(path)
        return self.files.get(path)

    def read_many(self, paths: Iterable[str], most: int | None = None) -> Iterator[tuple[str, bytes]]:
        """As ``SourceTree.read_many``."""
        for path in paths:
            data = self.read(path)
            if data is not None and (most is None or len(data) <= most):
                yield path, data


class MemoryIndex:
    """A ``SymbolSearch`` over given symbols and texts: exact names, then parts of names."""

    def __init__(self, symbols: Iterable[Symbol] = (), texts: Mapping[str, str] | None = None) -> None:
        self.symbols = list(symbols)
        self.texts = dict(texts or {})
        self.ready = True

    def prepare(self) -> None:
        """As ``SymbolSearch.prepare``."""
        self.ready = True

    def definitions(self, name: str, *, near: str | None = None, limit: int = 3) -> Found[Symbol]:
        """As ``Resolver.definitions``."""
        rows = [symbol for symbol in self.symbols if name in (symbol.name, symbol.qualified_name)]
        rows.sort(key=lambda symbol: symbol.path != near)
        return Found(tuple(rows[:limit]), len(rows))

    def references(self, name: str, *, path: str | None = None, limit: int = 10) -> Found[Reference]:
        """As ``Resolver.references``."""
        rows = [
            Reference(place, number, line, None)
            for place, text in self.texts.items()
            for number, line in enumerate(split_lines(text), 1)
            if name in line and (path is None or place.startswith(path))
        ]
        return Found(tuple(rows[:limit]), len(rows))

    def enclosing(self, path: str, line: int) -> Symbol | None:
        """As ``Resolver.enclosing``."""
        around = [s for s in self.symbols if s.path == path and s.start_line <= line <= s.end_line]
        return max(around, key=lambda symbol: symbol.start_line, default=None)

    def defines(self, path: str, qualified_name: str) -> bool:
        """As ``Resolver.defines``."""
        return any((s.path, s.qualified_name) == (path, qualified_name) for s in self.symbols)

    def source(self, symbol: Symbol) -> str | None:
        """As ``Resolver.source``."""
        text = self.texts.get(symbol.path)
        return None if text is None else "\n".join(split_lines(text)[symbol.start_line - 1 : symbol.end_line])

    def search(self, query: str, *, path: str | None = None, near: str | None = None, limit: int = 10) -> Found[Symbol]:
        """As ``SymbolSearch.search``."""
        within = MemoryIndex([s for s in self.symbols if path is None or s.path.startswith(path)])
        exact = within.definitions(query, near=near, limit=limit)
        if exact.rows:
            return exact
        rows = [symbol for symbol in within.symbols if query.lower() in symbol.qualified_name.lower()]
        return Found(tuple(rows[:limit]), len(rows), exact=False)
