"""Statements among removed lines that checked or cleaned a value."""

from __future__ import annotations

from tables import for_each

from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.dropped_checks import dropped_in, weakened_in
from devpulse.core.source import Source

CHECKS = [
    ("x = html.escape(x)", ("cross-site-scripting", {"x"})),
    ("$a['note'] = strip_tags($a['note']);", ("cross-site-scripting", {"note"})),
    ("$x = (int) $x;", ("", {"x"})),
    ("name = name.replace('..', '')", ("path-traversal", {"name"})),
    ('name = name.replace("\'", "\'\'")', ("sql-injection", {"name"})),
    ("$this->validateInput('page', $_GET);", ("", {"page"})),
    ("if (host === 'localhost') {\n  throw new Error();", ("ssrf", {"host", "localhost"})),
    ("if '..' in path:\n    raise Refused", ("path-traversal", {"path"})),
]

NONE = [
    "x = html.escape(y)",
    "x = upper(x)",
    "# x = html.escape(x)",
    "$a = str_replace('a', 'b', $a);",
    "checkForUpdates(name);",
    "verifyToken(name);",
    "show(name);",
    "if (host === 'localhost') {\n  log(host);",
    "if (user) {\n  return;",
    "if not request.session:\n    raise Refused",
]


def _removed(text: str) -> list[tuple[int, str]]:
    return list(enumerate(text.split("\n"), 7))


def _before(text: str) -> Source:
    return Source("a.php", "php" if "$" in text else "python", text, frozenset())


@for_each(CHECKS)
def test_dropped_in__finds(row: tuple[str, tuple[str, set[str]]]) -> None:
    text, (category, words) = row
    found = list(dropped_in(_removed(text), _before(text)))
    assert [(one.category, set(one.words)) for one in found] == [(category, words)]
    assert (found[0].first, found[0].last) == (7, 7 + text.count("\n"))


@for_each(NONE)
def test_dropped_in__is_silent(text: str) -> None:
    assert list(dropped_in(_removed(text), _before(text))) == []


@for_each(
    [
        ("if (a && canEdit(b)) {", "if (a) {", True),
        ("if (a && canEdit(b) && c) {", "if (a && c) {", True),
        ("if a and user.is_admin():", "if a:", True),
        ("if (a && canEdit(b)) {", "if (b) {", False),
        ("if (a && count(b)) {", "if (a) {", False),
        ("if (a || canEdit(b)) {", "if (a) {", False),
        ("if (canEdit(b)) {", "if (b) {", False),
    ]
)
def test_weakened_in(row: tuple[str, str, bool]) -> None:
    old, new, found = row
    assert bool(list(weakened_in(Run(((1, old),), ((1, new),))))) is found
