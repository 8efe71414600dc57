"""Where functions begin and end, and what is defined where, found without any of the product's own parsing.

Python files are read with ``ast``; where that refuses (older Python) and in every other language
universal-ctags names the functions and, where it knows, their ends. Where it does not, the end is the
bracket that closes the first ``{`` after the name, comments and strings masked. Anonymous functions do
not count: the function around them does.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FUNCTIONS = frozenset({"function", "method", "func", "member", "singletonMethod", "subroutine", "constructor"})
_MASKED = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Span:
    """A named function and its lines, decorators included."""

    name: str
    first: int
    last: int

    @property
    def lines(self) -> range:
        """Its line numbers."""
        return range(self.first, self.last + 1)


def functions_of(path: str, text: str) -> list[Span]:
    """The named functions of a file."""
    if path.endswith(".py"):
        with suppress(SyntaxError, ValueError):
            return _python(text)
    lines = text.split("\n")
    spans = [_span(tag, lines) for tag in tags_of({path: text}) if tag["kind"] in _FUNCTIONS]
    return [span for span in spans if span is not None]


def innermost(spans: Iterable[Span], first: int, last: int) -> Span | None:
    """The innermost function around two lines."""
    around = [span for span in spans if span.first <= first and last <= span.last]
    return max(around, key=lambda span: (span.first, -span.last), default=None)


def _python(text: str) -> list[Span]:
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found.append(Span(node.name, first, node.end_lineno or node.lineno))
    return found


def _span(tag: Mapping[str, object], lines: list[str]) -> Span | None:
    name, first = str(tag["name"]), int(str(tag["line"]))
    if name.startswith(("AnonymousFunction", "anonymousFunction")):
        return None
    last = int(str(tag["end"])) if "end" in tag else _closing(lines, first)
    return None if last is None or last < first else Span(name, first, last)


def _closing(lines: list[str], first: int) -> int | None:
    """The line of the bracket that closes the first one from ``first`` on; a ``;`` before it ends a declaration."""
    text = "\n".join(lines[first - 1 :])
    masked = _MASKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    depth = parentheses = 0
    for offset, character in enumerate(masked):
        if character in "()":
            parentheses += 1 if character == "(" else -1
        elif character == "{" and not parentheses:
            depth += 1
        elif character == "}" and not parentheses:
            depth -= 1
            if depth <= 0:
                return first + masked.count("\n", 0, offset)
        elif character == ";" and not depth and not parentheses:
            return None
    return None


def tags_of(texts: Mapping[str, str]) -> list[dict[str, object]]:
    """What universal-ctags finds in some files; paths are as given."""
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for number, (path, text) in enumerate(texts.items()):
            file = Path(folder, f"{number}_{Path(path).name}")
            file.write_text(text, encoding="utf-8", errors="surrogateescape")
            names[str(file)] = path
        command = ["ctags", "--output-format=json", "--fields=+neK", "-f", "-", *names]
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  (only file names of our own)
    rows = [json.loads(line) for line in done.stdout.decode("utf-8", "replace").splitlines() if line.startswith("{")]
    return [{**row, "path": names[row["path"]]} for row in rows if row.get("path") in names and "line" in row]


@cache
def ctags_is_there() -> bool:
    """Whether universal-ctags with JSON output can be run."""
    try:
        command = ["ctags", "--list-features"]
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  (a constant)
    except OSError:
        return False
    return b"json" in done.stdout
