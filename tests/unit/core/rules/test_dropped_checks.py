"""Statements among removed lines that checked or cleaned a value."""

from __future__ import annotations

from tables import for_each

from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.dropped_checks import dropped_in
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


MADE = [
    ("full = root.join(name)\nif not is_within(root, full):\n    raise E", {"full", "root", "name"}),
    (
        "String fullPath = file.getCanonicalPath();\nif (!fullPath.startsWith(home)) {\n  throw e;",
        {"fullPath", "home", "file"},
    ),
    ('p := filepath.Join(dir, "a", name)\nif !tree.IsSubPath(dir, p) {\n\treturn', {"tree", "dir", "p", "name"}),
]


def _removed(text: str) -> Run:
    return Run(tuple(enumerate(text.split("\n"), 7)), ())


def _before(text: str) -> Source:
    return Source("a.php", "php" if "$" in text else "python", text, frozenset())


@for_each(CHECKS)
def test_dropped_in__finds(row: tuple[str, tuple[str, set[str]]]) -> None:
    text, (category, words) = row
    found = list(dropped_in(_removed(text), _before(text)))
    assert [(one.category, set(one.words)) for one in found] == [(category, words)]
    assert (found[0].first, found[0].last) == (7, 7 + text.count("\n"))


@for_each(MADE)
def test_dropped_in__names_what_removed_names_were_made_of(row: tuple[str, set[str]]) -> None:
    text, words = row
    (found,) = dropped_in(_removed(text), _before(text))
    assert (found.category, set(found.words)) == ("path-traversal", words)


def test_dropped_in__a_block_without_its_condition() -> None:
    lines = tuple(enumerate(["if is_global_host(name):", "    load(name)"], 7))
    (found,) = dropped_in(Run(lines, ((7, "load(name)"),)), _before(""))
    assert (found.category, found.first, found.last) == ("ssrf", 7, 7)
    assert list(dropped_in(Run(lines, ((7, "other()"),)), _before(""))) == []


@for_each(NONE)
def test_dropped_in__is_silent(text: str) -> None:
    assert list(dropped_in(_removed(text), _before(text))) == []
