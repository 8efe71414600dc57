"""Does the index keep every definition, each with its exact lines?

    python bench/select_definitions.py NAME=FOLDER ... [--files 1500] [--show 20]

Truth is ``ast`` for Python, and universal-ctags for every other language. A definition counts as kept when the file
is among the candidates for its name (that is what a search finds without parsing) and parsing that file gives a
symbol of that name around that line; each symbol answers for one definition. "exact" compares first and last line,
where the truth has them: ``ast`` always (decorators included), ctags for ends alone, and not in every language.

Left out, because the two differ on what they are: variables, fields and properties, constants, labels, imports,
packages, prototypes; names that are no identifiers (lambdas, quoted keys, operators); members of object literals
(``key: value``) and the literals themselves, which ctags calls classes; construct signatures (``new ()``); macros
with nothing behind them (include guards) and modules that stand in another file (Rust's ``mod x;``). Left out as well
is what ctags takes for a definition and is none: a macro that defines something in C++ (``TEST(suite, name)``), the
object in Ruby's ``def object.name``, and by rules on the line it names, whose number stands in "left out":

  any language           the name does not stand there (``Companion`` of an object without a name)
  C, C++                 a macro's call behind the parameters of another function: ``void f() LOCKS(mutex) {``
  Ruby                   it stands in a here-document: code that is written to a file or evaluated, text for the parser
  Kotlin                 no ``fun``, ``class``, ``interface`` or ``object`` stands there: loop variables, parameters of
                         lambdas and catch clauses, ``when (val x = …)``
  JavaScript, TypeScript no class, function, method or function value of that name stands there: objects called
                         classes, calls called methods, keys in a minified line, ``exports``; the function's own name
                         in ``a = function b () {}``; the second of two with one name on one line

Files of more than a megabyte, and files that the index calls vendored or generated, are left out; a random sample of
FILES files is taken where there are more.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from devpulse.adapters.git.layout import find_layout
from devpulse.adapters.git.tracked import tracked_tree
from devpulse.core.candidates import ask, candidate_files, complete_languages
from devpulse.core.corpus import build_corpus, is_text
from devpulse.core.languages import language_of
from devpulse.core.name_scan import scan_names
from devpulse.core.ranking import remoteness
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of
from devpulse.core.text import decode

KEPT = 0.995
VENDORED = 2

KINDS: Mapping[str, frozenset[str]] = {
    "c": frozenset({"function", "struct", "union", "enum", "typedef", "macro"}),
    "cpp": frozenset({"function", "class", "struct", "union", "enum", "namespace"}),
    "csharp": frozenset({"class", "interface", "struct", "enum", "method"}),
    "go": frozenset({"func", "struct", "interface", "type"}),
    "java": frozenset({"class", "interface", "enum", "method", "annotation"}),
    "javascript": frozenset({"function", "class", "method"}),
    "kotlin": frozenset({"class", "interface", "object", "method"}),
    "php": frozenset({"class", "interface", "trait", "enum", "function"}),
    "ruby": frozenset({"class", "module", "method", "singletonMethod"}),
    "rust": frozenset({"function", "method", "struct", "enum", "interface", "module", "macro"}),
    "tsx": frozenset({"function", "class", "interface", "enum", "method"}),
    "typescript": frozenset({"function", "class", "interface", "enum", "method"}),
}
"""The kinds of ctags that the index knows too, by language."""

_CTAGS = ("ctags", "--quiet", "--output-format=json", "--fields=+neK", "--extras=-F", "--pattern-length-limit=0")

_NAME = re.compile(r"(?!__anon|anonymous|Anonymous(Function|Class)|new$)~?[A-Za-z_$][\w$]*[?!=]?")
_OTHER = re.compile(
    r"^# *define +\w+$|^(pub(\([^)]*\))? +)?mod +\w+;$|^[A-Z][A-Z0-9_]+\(|^[\w$]+\??: |= *\{$|\bcatch\b"
)
"""Lines whose definition is not judged."""

_BEHIND_PARAMETERS = r"\) *{0} *\("
_HEREDOC = re.compile(r"<<[~-]?([\"'`]?)([A-Z_]\w*)\1")
_KOTLIN = re.compile(r"\b(fun|class|interface|object)\b")
_ECMASCRIPT = frozenset({"javascript", "typescript", "tsx"})
_CODE = (
    r"\b(?:class|interface|enum|namespace|module|type|function *\*?) *{0}(?![\w$])|(?<![.\w$]){0} *[(<?]"
    r"|(?<![\w$]){0}['\"\]]* *(?::[^=]*)?[:=] *(?:async\b *)?(?:function\b|class\b|\(|<|[\w$]+ *=>)"
)
"""How a line of JavaScript or TypeScript defines a name with a body."""

_OWN_NAME = r"[:=] *(?:async +)?function *\*? *{0}(?![\w$])"


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of the truth; lines from 1, 0 where the truth does not say."""

    name: str
    line: int
    first: int = 0
    last: int = 0


@dataclass
class Count:
    """What was kept of one language."""

    known: int = 0
    kept: int = 0
    exact: int = 0
    spans: int = 0
    names: Counter[str] = field(default_factory=Counter)
    left_out: int = 0
    missed: list[str] = field(default_factory=list)


def by_ast(text: str) -> list[Definition]:
    """Functions and classes of a Python file."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found.append(Definition(node.name, node.lineno, first, node.end_lineno or 0))
    return found


def by_ctags(root: Path, paths: Sequence[str]) -> Iterator[tuple[str, Definition | None]]:
    """Definitions of other files, by path; ``None`` for one that the rules on its line leave out."""
    done = subprocess.run(  # noqa: S603  (a fixed command)
        [*_CTAGS, "-f", "-", "-L", "-"],
        input="\n".join(paths).encode("utf-8", "surrogateescape"),
        cwd=root,
        capture_output=True,
        check=True,
    )
    seen: set[tuple[str, str, int]] = set()
    for line in done.stdout.splitlines():
        tag = json.loads(line)
        language = language_of(tag["path"])
        if language and tag.get("kind") in KINDS[language] and _NAME.fullmatch(tag["name"]):
            shown = tag.get("pattern", "").removeprefix("/^").removesuffix("/").removesuffix("$").strip()
            if _OTHER.search(shown) or f"def {tag['name']}." in shown:
                continue
            place = (tag["path"], tag["name"], tag["line"])
            twice = language in _ECMASCRIPT and place in seen
            seen.add(place)
            kept = not twice and _shows(language, tag["name"], shown)
            yield tag["path"], Definition(tag["name"], tag["line"], 0, tag.get("end", 0)) if kept else None


def _shows(language: str, name: str, line: str) -> bool:
    """Whether a line shows the definition that ctags sees on it."""
    if language in {"c", "cpp"} and re.search(_BEHIND_PARAMETERS.format(re.escape(name)), line):
        return False
    if language == "kotlin" and not _KOTLIN.search(line):
        return False
    if language in _ECMASCRIPT:
        if name == "exports":
            return False
        plain = re.escape(name)
        code = re.search(_CODE.format(plain), line) is not None
        return code and (not re.search(_OWN_NAME.format(plain), line) or _is_assigned(plain, line))
    return name in line


def _is_assigned(plain: str, line: str) -> bool:
    """Whether a function expression is assigned to the very name it has."""
    return re.search(rf"(?<![\w$]){plain}['\"\]]* *[:=]", line) is not None


def compare(path: str, language: str, data: bytes, truth: Sequence[Definition], count: Count) -> None:
    """Count what the index has of one file."""
    corpus = build_corpus({language: [(path, data)]})
    table = scan_names(corpus, complete_languages(corpus))
    symbols = list(symbols_of(path, language, corpus.text(0)))
    for definition in truth:
        count.known += 1
        count.names[definition.name] += 1
        around = [
            symbol
            for symbol in symbols
            if symbol.name == definition.name and symbol.start_line <= definition.line <= symbol.end_line
        ]
        symbol = max(around, key=lambda symbol: symbol.start_line, default=None)
        if symbol is None or not candidate_files(corpus, table.of(definition.name), ask(definition.name)):
            why = "not parsed" if symbol is None else "no candidate"
            count.missed.append(f"{path}:{definition.line} {definition.name} ({why})")
            continue
        symbols.remove(symbol)
        count.kept += 1
        if definition.last:
            count.spans += 1
            count.exact += _is_exact(symbol, definition)


def _is_exact(symbol: Symbol, definition: Definition) -> bool:
    return symbol.end_line == definition.last and definition.first in {0, symbol.start_line}


def in_heredocs(text: str) -> set[int]:
    """The lines of a Ruby text that stand in here-documents."""
    inside: set[int] = set()
    waiting: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if waiting:
            inside.add(number)
            if line.strip() == waiting[0]:
                waiting.pop(0)
        else:
            waiting = [found[2] for found in _HEREDOC.finditer(line)]
    return inside


def measure(root: Path, most: int) -> dict[str, Count]:
    """Compare a random sample of the files of a repository, by language."""
    tree = tracked_tree(find_layout(root))
    paths = [path for path in tree.paths() if language_of(path) and remoteness(path) < VENDORED]
    random.Random(3).shuffle(paths)  # noqa: S311  (a sample, not a secret)
    sources = {path: data for path, data in tree.read_many(paths[:most]) if is_text(data)}
    truth: dict[str, list[Definition]] = {path: [] for path in sources}
    for path, data in sources.items():
        if language_of(path) == "python":
            try:
                truth[path] = by_ast(decode(data))
            except (SyntaxError, ValueError):
                del truth[path]
    counts: dict[str, Count] = {}
    heredocs = {path: in_heredocs(decode(data)) for path, data in sources.items() if language_of(path) == "ruby"}
    for path, definition in by_ctags(root, [path for path in truth if language_of(path) != "python"]):
        if path in truth and definition is not None and definition.line not in heredocs.get(path, ()):
            truth[path].append(definition)
        elif path in truth:
            counts.setdefault(language_of(path) or "", Count()).left_out += 1
    for path, definitions in truth.items():
        language = language_of(path)
        if language and definitions:
            compare(path, language, sources[path], definitions, counts.setdefault(language, Count()))
    return counts


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--files", type=int, default=1500)
    parser.add_argument("--show", type=int, default=0, help="print so many definitions that were missed")
    asked = parser.parse_args(arguments)
    if shutil.which("ctags") is None:
        print("universal-ctags is not installed: only Python can be judged")
    print(f"\nDefinitions kept\n{'':<36}{'truth':>9}{'left out':>9}{'kept':>9}{'exact':>9}{'by dict':>9}")
    for repository in asked.repositories:
        name, _, place = repository.partition("=")
        if not place or not (Path(place) / ".git").exists():
            print(f"{name}: skipped, {place or 'no folder'} is not a git checkout")
            continue
        for language, count in sorted(measure(Path(place), asked.files).items()):
            share = count.kept / count.known if count.known else 1.0
            exact = f"{count.exact / count.spans:>9.2%}" if count.spans else f"{'-':>9}"
            kept_by_dict = len(count.names) / max(count.known, 1)
            missed = "" if share >= KEPT else "  <-- MISSED"
            judged = f"{count.known:>9,}{count.left_out:>9,}{share:>9.2%}"
            print(f"{name + ', ' + language:<36}{judged}{exact}{kept_by_dict:>9.1%}{missed}")
            print("".join(f"    {line}\n" for line in count.missed[: asked.show]), end="")
    print(f"asked for: kept {KEPT:.1%}")


if __name__ == "__main__":
    main()
