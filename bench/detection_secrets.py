"""Secrets in the test fixtures of public secret scanners: precision and recall, line by line.

Truth is what the fixtures say, read by machine. In the test files of semgrep's rules for secrets a line after a comment
``ruleid:`` holds a secret, one after ``ok:`` does not, and what another line holds is not known (the comments are
blanked before anything is judged). In detect-secrets'
tests a parametrised ``payload, should_flag`` is a file of one line. In gitleaks' rules the samples of one line that
are plain literals, ``tps`` and ``fps``, are each a file too. Left out are samples of what is no secret: identifiers of
accounts and clients, public keys, addresses, hashes; and files with a secret that call it an example or are filled
with one character, which some scanners want found and others not. A secret is found when a finding covers its line; a
finding that covers no secret is a false alarm.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from detection_cases import Case, CaseSet, Flags, Truth, read, spans_of

SECRET = "hardcoded-secret"  # noqa: S105  (a category)
PRECISION, RECALL = 0.90, 0.80

_NO_SECRET = re.compile(
    r"(client|access|account|user-api|key)-id\b|\bpub(lic)?\b|bcrypt|shadow|sensitive-url|ip_public"
)
_PLACEHOLDER = re.compile(r"([x*#.0-9])\1{5}|example|fake|dummy|sample|changeme|123456789", re.IGNORECASE)
_EXPECTED = re.compile(r"\s*(?://|#|/\*|<!--|;)?/?\s*(ruleid|ok|todoruleid|todook):\s*([\w, -]+)")
_RULE_ID = re.compile(r'RuleID:\s+"([^"]+)"')
_GO_LIST = re.compile(r"(?P<kind>tps|fps) *(?::=|=) *(?:\[\]string\{|append\((?:tps|fps),)")
_GO_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`|//[^\n]*|/\*.*?\*/|[{}(),]|[^\s"`/{}(),]+|/', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One file, and which of its lines hold a secret."""

    path: str
    text: str
    truth: Truth


def fixtures_of(kind: str, root: Path) -> CaseSet:
    """The fixtures of a checkout, under names that say nothing about them."""
    found = (one for one in READERS[kind](root) if not (one.truth.lines and _PLACEHOLDER.search(one.text)))
    places = {f"s{number:04}/settings{Path(one.path).suffix or '.txt'}": one for number, one in enumerate(found, 1)}
    cases = (Case(path, one.text, SECRET, bool(one.truth.lines), one.path, 798) for path, one in places.items())
    truth = {path: one.truth for path, one in places.items()}
    return CaseSet(f"secrets {kind}", tuple(cases), truth=truth)


@dataclass(frozen=True, slots=True)
class LineScore:
    """How many lines hold a secret, how many of them were found, and how many findings covered one or none."""

    secrets: int
    found: int
    right: int
    wrong: int

    @property
    def precision(self) -> float:
        """The share of findings that cover a secret."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """The share of secrets that are covered."""
        return self.found / max(1, self.secrets)

    def __add__(self, other: LineScore) -> LineScore:
        return LineScore(
            self.secrets + other.secrets, self.found + other.found, self.right + other.right, self.wrong + other.wrong
        )


def score(part: CaseSet, flags: Flags) -> LineScore:
    """Compare findings with truth."""
    total = LineScore(0, 0, 0, 0)
    for case in part.cases:
        spans, truth = spans_of(flags, case), part.truth[case.path]
        total += LineScore(len(truth.lines), truth.found(spans), truth.right(spans), truth.wrong(spans))
    return total


def print_secrets(title: str, scores: Mapping[str, LineScore]) -> None:
    """A row for each tool."""
    for tool, row in scores.items():
        shown = f"{row.secrets:>8}{row.found:>8}{row.wrong:>8}{row.precision:>11.2f}{row.recall:>9.2f}"
        print(f"{title + ', ' + tool:<36}{shown}")


def semgrep_fixtures(root: Path) -> Iterator[Fixture]:
    """The files beside semgrep's rules for secrets."""
    for path in sorted((root / "generic" / "secrets").rglob("*")):
        if not path.is_file() or path.suffix in {".yaml", ".yml"} or _NO_SECRET.search(path.stem):
            continue
        yield annotated(path.name, read(path))


def annotated(name: str, text: str) -> Fixture:
    """A file whose comments say of the line after them whether it should be flagged; they are blanked."""
    rows = text.split("\n")
    said = {number: match for number, row in enumerate(rows, 1) if (match := _EXPECTED.match(row))}
    lines = frozenset(number + 1 for number, match in said.items() if match[1] == "ruleid")
    safe = frozenset(number + 1 for number, match in said.items() if match[1] == "ok")
    shown = ("" if number in said else row for number, row in enumerate(rows, 1))
    return Fixture(name, "\n".join(shown), Truth(lines, safe))


def detect_secrets_fixtures(root: Path) -> Iterator[Fixture]:
    """The payloads of detect-secrets' tests of its detectors."""
    for path in sorted((root / "tests" / "plugins").glob("*_test.py")):
        if not _NO_SECRET.search(path.stem):
            yield from payloads(path.stem, read(path))


def payloads(name: str, text: str) -> Iterator[Fixture]:
    """Each payload of one line in a file of tests, and whether it should be flagged."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(args=[ast.Constant(value="payload, should_flag"), ast.List(elts=rows)]):
                for row in rows:
                    yield from _payload(name, row)


def _payload(name: str, row: ast.expr) -> Iterator[Fixture]:
    try:
        payload, flag = ast.literal_eval(row)
    except ValueError:
        return  # an expression: its value is known only to who runs the tests
    if isinstance(payload, str) and "\n" not in payload:
        yield Fixture(f"{name}.txt", f"{payload}\n", Truth(frozenset({1} if flag else ())))


def gitleaks_fixtures(root: Path) -> Iterator[Fixture]:
    """The samples beside gitleaks' rules."""
    for path in sorted((root / "cmd" / "generate" / "config" / "rules").glob("*.go")):
        yield from samples(read(path))


def samples(text: str) -> Iterator[Fixture]:
    """The literals of one line among the samples of the rules in a Go file."""
    for start in _GO_LIST.finditer(text):
        named = [match[1] for match in _RULE_ID.finditer(text, 0, start.start())]
        rule = named[-1] if named else "rule"
        if _NO_SECRET.search(rule):
            continue
        for element in _elements(text, start.end()):
            value = element[1:-1] if element[0] == "`" else element[1:-1].encode().decode("unicode_escape")
            if "\n" not in value and value:
                yield Fixture(f"{rule}.txt", f"{value}\n", Truth(frozenset({1} if start["kind"] == "tps" else ())))


def _elements(text: str, at: int) -> Iterator[str]:
    """The elements of a list that begins at an offset, those that are one literal."""
    depth, element = 1, list[str]()
    for token in _GO_TOKEN.finditer(text, at):
        word = token[0]
        if word.startswith(("//", "/*")):
            continue
        depth += (word in "{(") - (word in "})")
        if depth == 0 or (depth == 1 and word == ","):
            if len(element) == 1 and element[0][0] in '"`':
                yield element[0]
            element = []
            if depth == 0:
                return
        else:
            element.append(word)


READERS = {"semgrep": semgrep_fixtures, "detect-secrets": detect_secrets_fixtures, "gitleaks": gitleaks_fixtures}
