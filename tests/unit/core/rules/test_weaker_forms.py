"""Lines that stand there again in a weaker form."""

from __future__ import annotations

from compared_texts import compared
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_tables import MemoryResolver
from tables import for_each
from work import assert_work_in_step

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.removed_validation import RULE
from devpulse.core.rules.weaker_forms import weaker_in

COMMAND, PATH, XSS = "command-injection", "path-traversal", "cross-site-scripting"
XML, COOKIE = "xml-external-entity", "insecure-cookie"

REPORTED = [
    ("a.go", 'cmd := run("git", "log", "--", name)', 'cmd := run("git", "log", name)', COMMAND),
    ("a.go", 'args = append(args, "--end-of-options", ref)', "args = append(args, ref)", COMMAND),
    ("a.py", "ok = full.startswith(root + os.sep)", "ok = full.startswith(root)", PATH),
    ("a.js", "if (!full.startsWith(root + path.sep)) deny()", "if (!full.startsWith(root)) deny()", PATH),
    (
        "a.go",
        "ok := strings.HasPrefix(full, root+string(os.PathSeparator))",
        "ok := strings.HasPrefix(full, root)",
        PATH,
    ),
    ("a.py", 'ok = path.startswith(base + "/")', "ok = path.startswith(base)", PATH),
    ("A.java", "Path home = dir.getCanonicalFile().toPath();", "String home = dir.getCanonicalPath();", PATH),
    (
        "A.java",
        "if (f.getCanonicalFile().toPath().startsWith(d.getCanonicalFile().toPath())) {",
        "if (f.getCanonicalPath().startsWith(d.getCanonicalPath())) {",
        PATH,
    ),
    ("a.py", "full = safe_join(root, name)", "full = os.path.join(root, name)", PATH),
    ("a.py", "full = self._safe_join(name)", "full = os.path.normpath(os.path.join(self.root, name))", PATH),
    ("a.go", "reply, err := web.NewSSRFSafeClient().Do(ask)", "reply, err := (&http.Client{}).Do(ask)", "ssrf"),
    ("a.go", "reply, err := safeClient.Get(to)", "reply, err := http.Get(to)", "ssrf"),
    ("a.js", "cell.text(row.title);", "cell.html(row.title);", XSS),
    ("a.js", "show($('<b>').text(file.name).html());", "show(file.name);", XSS),
    ("a.js", "cell.textContent = row.title;", "cell.innerHTML = row.title;", XSS),
    ("a.py", "env = make(loader=disk, autoescape=True)", "env = make(loader=disk, autoescape=False)", XSS),
    (
        "a.py",
        "make(\n    autoescape=select_autoescape(),\n    trim=True,\n)",
        "make(\n    autoescape=False,\n    trim=True,\n)",
        XSS,
    ),
    ("a.py", "tree = defusedxml.ElementTree.parse(name)", "tree = xml.etree.ElementTree.parse(name)", XML),
    ("a.py", "p = parser(resolve_entities=False, huge=True)", "p = parser(huge=True)", XML),
    ("a.php", "<?php\n$db->query('x LIMIT ' . (int) $n);", "<?php\n$db->query('x LIMIT ' . $n);", "sql-injection"),
    ("a.php", "<?php\n$db->query('x LIMIT ' . intval($n));", "<?php\n$db->query('x LIMIT ' . $n);", "sql-injection"),
    ("a.py", "reply.set_cookie('k', v, httponly=True)", "reply.set_cookie('k', v)", COOKIE),
]

QUIET = [
    # the other way round is asked of every row above; these are changes of something else
    ("a.go", 'cmd := run("git", "log", "-n", name)', 'cmd := run("git", "log", name)'),
    ("a.go", 'cmd := run("git", "log", "--", name)', 'cmd := run("git", "show", name)'),
    ("a.go", 'cmd := run("git", "log", "--", name)', "log()"),
    ("a.py", "ok = full.startswith(root + os.sep)", "ok = full.startswith(os.path.join(root, ''))"),
    ("a.py", "name = root + os.sep", "name = root"),
    ("a.py", 'ok = word.startswith(stem + "/")', "ok = word.startswith(stem)"),
    ("A.java", "Path home = find(dir);", "String home = find(dir);"),
    ("A.java", "Path home = dir.getCanonicalFile().toPath();", "Path home = dir.toRealPath();"),
    ("a.py", "full = os.path.join(root, name)", "full = os.path.join(root, other)"),
    ("a.py", "full = safe_join(root, name)", "full = os.path.basename(name)"),
    ("a.py", "full = safe_join(root, name)", "text = os.path.join(root, name)"),
    ("a.go", "reply, err := slowClient.Get(to)", "reply, err := http.Get(to)"),
    ("a.go", "reply, err := safeClient.Get(to)", "text := http.Get(to)"),
    ("a.js", "cell.text('Title');", "cell.html('Title');"),
    ("a.js", "show(cell.text());", "show(cell.html());"),
    ("a.js", "cell.textContent = 'a';", "cell.innerHTML = 'a';"),
    ("a.js", "if (cell.textContent == row) go();", "if (cell.innerHTML == row) go();"),
    ("a.py", "# full = safe_join(root, name)", "# full = os.path.join(root, name)"),
    ("a.py", "send(key, httponly=True)", "send(key)"),
    ("a.php", "<?php\n$all[] = (int) $n;", "<?php\n$all[] = $n;"),
    ("a.js", "count(parseInt(text, 10));", "count(text);"),
    ("tests/a.py", "full = safe_join(root, name)", "full = os.path.join(root, name)"),
]


def _run(path: str, old: str, new: str) -> list[Hit]:
    return list(RULE.run(compared(path, old, new), MemoryResolver()))


@for_each(REPORTED)
def test_weaker_forms__is_reported(row: tuple[str, str, str, str]) -> None:
    path, old, new, category = row
    (hit,) = _run(path, old, new)
    assert (hit.category, hit.side) == (category, Side.LEFT)


@for_each(REPORTED)
def test_weaker_forms__the_stronger_form_is_quiet(row: tuple[str, str, str, str]) -> None:
    path, old, new, _ = row
    assert _run(path, new, old) == []


@for_each(QUIET)
def test_weaker_forms__is_quiet(row: tuple[str, str, str]) -> None:
    assert _run(*row) == []


_PIECES = [
    '"--", ',
    ".text(",
    "a",
    ")",
    " + os.sep",
    "startswith(",
    "safe_join(",
    "\n",
    "autoescape=True",
    "defusedxml.",
]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(_PIECES), max_size=20).map("".join),
    st.lists(st.sampled_from(_PIECES), max_size=20).map("".join),
)
def test_weaker_forms__any_texts(old: str, new: str) -> None:
    for hit in _run("a.py", old, new):
        assert 1 <= hit.start_line <= old.count("\n") + 1


@for_each(
    [
        lambda n: '"--", ' * n,
        lambda n: "a." * n + "safe_join(",
        lambda n: "x + os.sep startswith(" * n,
        lambda n: ".text(a" * n,
    ]
)
def test_weaker_forms__work_in_step_with_the_text(row) -> None:
    def work(text: str) -> list[object]:
        lines = tuple((number, text[start : start + 300]) for number, start in enumerate(range(0, len(text), 300), 1))
        return list(weaker_in(Run(lines, ((1, "other"),))))

    assert_work_in_step(work, row, 60)
