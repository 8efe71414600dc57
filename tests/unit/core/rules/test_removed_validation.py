from __future__ import annotations

from compared_texts import compared
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_tables import MemoryResolver
from tables import for_each
from work import assert_work_in_step

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.removed_validation import MAX_RUN, RULE
from devpulse.core.source import Source

XSS, SQL, PATH, SSRF = "cross-site-scripting", "sql-injection", "path-traversal", "ssrf"
REDIRECT, ACCESS = "open-redirect", "broken-access-control"

REPORTED = [
    # a statement that put the clean value in the place of the value
    ("a.php", "<?php\n$t = htmlspecialchars($t);\nlog();\necho $t;", "<?php\nlog();\necho $t;", XSS, 2),
    ("a.php", "<?php\n$n = Cleaner::sql($n);\nfind($n);", "<?php\nfind($n);", SQL, 2),
    ("a.php", "<?php\n$f = preg_replace('/\\.\\./', '', $f);\nopen_it($f);", "<?php\nopen_it($f);", PATH, 2),
    (
        "a.php",
        '<?php\n$nr = intval($nr);\nquery("SELECT a FROM b WHERE c = $nr");',
        '<?php\nquery("SELECT a FROM b WHERE c = $nr");',
        SQL,
        2,
    ),
    (
        "a.php",
        '<?php\n$nr = (int) $nr;\n$all = get_results("x LIMIT $nr");',
        '<?php\n$all = get_results("x LIMIT $nr");',
        SQL,
        2,
    ),
    ("a.py", "import html\nt = html.escape(t)\nlog()\nshow(t)", "import html\nlog()\nshow(t)", XSS, 2),
    ("a.js", "text = escapeHtml(text);\nshow(text);", "show(text);", XSS, 1),
    # a check that is a call
    (
        "a.php",
        "<?php\ncheck_input('tag', $_GET, PATTERN);\n$s = 'x WHERE tag = '.$_GET['tag'];",
        "<?php\n$s = 'x WHERE tag = '.$_GET['tag'];",
        SQL,
        2,
    ),
    ("a.js", "validateName(name);\nfs.readFile(name, done);", "fs.readFile(name, done);", PATH, 1),
    # a condition that leaves
    (
        "A.java",
        "void put(Entry e) {\n  if (!f.getCanonicalPath().startsWith(r)) {\n    throw new E();\n  }\n  f.make();\n}",
        "void put(Entry e) {\n  f.make();\n}",
        PATH,
        2,
    ),
    (
        "a.go",
        'func put(name string) {\n\tif strings.Contains(name, "..") {\n\t\treturn\n\t}\n\tmake(name)\n}',
        "func put(name string) {\n\tmake(name)\n}",
        PATH,
        2,
    ),
    (
        "a.py",
        "def get(url):\n    if is_private(url):\n        raise Refused(url)\n    load(url)",
        "def get(url):\n    load(url)",
        SSRF,
        2,
    ),
    (
        "a.py",
        "def go(target):\n    if not is_safe_url(target):\n        return abort(400)\n    leave(target)",
        "def go(target):\n    leave(target)",
        REDIRECT,
        2,
    ),
    (
        "a.php",
        "<?php\nif (!preg_match('/^\\w+$/', $col)) {\n  exit;\n}\n$rows = query('x ORDER BY '.$col);",
        "<?php\n$rows = query('x ORDER BY '.$col);",
        SQL,
        2,
    ),
    (
        "a.js",
        "function put(all, key, value) {\n  if (key === '__proto__') return;\n  all[key] = value;\n}",
        "function put(all, key, value) {\n  all[key] = value;\n}",
        "other",
        2,
    ),
    (
        "a.go",
        'func run(ref string) {\n\tif strings.HasPrefix(ref, "-") {\n\t\treturn\n\t}\n\tgit(ref)\n}',
        "func run(ref string) {\n\tgit(ref)\n}",
        "command-injection",
        2,
    ),
    (
        "a.go",
        "func put(home, n) {\n\tfull := home + n\n\tif !IsSubPath(home, full) {\n\t\treturn\n\t}\n\tmake(full)\n}",
        "func put(home, n) {\n\tfull := home + n\n\tmake(full)\n}",
        PATH,
        3,
    ),
    ("a.py", "def f(up):\n    sanitize_path(up.name)\n    put(up.name)", "def f(up):\n    put(up.name)", PATH, 2),
    # a part of a condition that asked about a value
    (
        "a.js",
        "if (to && to.match(/^x/)) {\n  res.redirect(to);\n}",
        "if (to) {\n  res.redirect(to);\n}",
        REDIRECT,
        1,
    ),
    # a part of a condition
    ("a.php", "<?php\nif ($do == 'x' && AllowEdit())\n  drop();", "<?php\nif ($do == 'x')\n  drop();", ACCESS, 2),
    ("a.py", "if user and user.can_delete(post):\n    drop()", "if user:\n    drop()", ACCESS, 1),
    ("a.js", "if (isAdmin(user) && post.id) {\n  drop();\n}", "if (post.id) {\n  drop();\n}", ACCESS, 1),
]

DOTS = "def f(n):\n    if '..' in n:\n        raise E\n"

QUIET = [
    # moved, or another one in its place
    ("a.php", "<?php\n$t = htmlspecialchars($t);\na();\necho $t;", "<?php\na();\n$t = htmlspecialchars($t);\necho $t;"),
    ("a.php", "<?php\n$t = htmlspecialchars($t);\nlog();\necho $t;", "<?php\nlog();\necho esc_html($t);"),
    ("a.py", f"{DOTS}    use(n)", "def f(n):\n    n = safe_name(n)\n    use(n)"),
    ("a.py", f"{DOTS}    use(n)", "def f(n):\n    if n.startswith('/'):\n        raise E\n    use(n)"),
    ("a.js", "validateName(name);\nfs.readFile(name, done);", "checkName(name);\nfs.readFile(name, done);"),
    # the value is gone, too
    ("a.php", "<?php\n$t = htmlspecialchars($t);\necho $t;\nlog();", "<?php\nlog();"),
    ("a.py", f"{DOTS}    use(n)", "def f(m):\n    use(m)"),
    ("a.js", "validateName(name);\nfs.readFile(name, done);", "fs.readFile(other, done);"),
    # nothing that is known reaches anything
    ("a.js", "validateName(name);\ncount(name);", "count(name);"),
    ("a.php", "<?php\n$nr = intval($nr);\nadd($nr);", "<?php\nadd($nr);"),
    ("a.php", "<?php\n$n = intval($n);\nquery('WHERE n = '.esc_sql($n));", "<?php\nquery('WHERE n = '.esc_sql($n));"),
    ("a.js", "if (key === '__proto__') return;\nall[key] = value;", "if (isUnsafe(key)) return;\nall[key] = value;"),
    ("a.js", "if (key === '__proto__') return;\nall[key] = value;", "all.push(value);"),
    ("a.go", 'if strings.HasPrefix(ref, "-") {\n\treturn\n}\ngit(ref)', "git(other)"),
    ("a.js", "if (to && to.match(/^x/)) {\n  show(to);\n}", "if (to) {\n  show(to);\n}"),
    ("a.py", "def f(up):\n    sanitize_path(up.name)\n    put(up.name)", "def f(up):\n    put(safe_path(up))"),
    ("a.go", "Check(err)\nq := query(err)", "q := query(err)"),
    # no check of a value
    ("a.py", "def f(n):\n    if n is None:\n        return\n    open(n)", "def f(n):\n    open(n)"),
    ("a.py", "def f(n):\n    if isinstance(n, Node):\n        return\n    open(n)", "def f(n):\n    open(n)"),
    ("a.py", "def f(n):\n    if len(n) > 3:\n        return\n    open(n)", "def f(n):\n    open(n)"),
    ("a.js", "checkForUpdates(name);\nfs.readFile(name, done);", "fs.readFile(name, done);"),
    ("a.js", "if (path.startsWith('/')) {\n  log(path);\n}\nopen(path);", "open(path);"),
    ("a.php", "<?php\n$a = str_replace('a', 'b', $a);\necho $a;", "<?php\necho $a;"),
    ("a.php", "<?php\n// $t = htmlspecialchars($t);\necho $t;", "<?php\necho $t;"),
    ("a.php", "<?php\nif ($a && $b)\n  go();", "<?php\nif ($a)\n  go();"),
    ("a.php", "<?php\nif ($a && AllowEdit())\n  go();", "<?php\nif ($b && AllowEdit())\n  go();"),
    ("a.php", "<?php\nif ($a && AllowEdit())\n  go();", "<?php\nif (AllowEdit() && $a)\n  go();"),
    ("a.php", "<?php\nif ($a)\n  go();", "<?php\nif ($a && AllowEdit())\n  go();"),
    # code that is no program's
    ("tests/a.php", "<?php\n$t = htmlspecialchars($t);\necho $t;", "<?php\necho $t;"),
    ("vendor/a.php", "<?php\n$t = htmlspecialchars($t);\necho $t;", "<?php\necho $t;"),
]  # fmt: skip


def _run(path: str, old: str, new: str) -> list[Hit]:
    return list(RULE.run(compared(path, old, new), MemoryResolver()))


@for_each(REPORTED)
def test_removed_validation__is_reported(row: tuple[str, str, str, str, int]) -> None:
    path, old, new, category, line = row
    (hit,) = _run(path, old, new)
    assert (hit.category, hit.side, hit.start_line) == (category, Side.LEFT, line)
    assert hit.confidence is Confidence.MEDIUM
    assert hit.guards == tuple(range(hit.start_line, hit.end_line + 1))


@for_each(QUIET)
def test_removed_validation__is_quiet(row: tuple[str, str, str]) -> None:
    assert _run(*row) == []


@for_each(REPORTED)
def test_removed_validation__an_added_check_is_none(row: tuple[str, str, str, str, int]) -> None:
    path, old, new, *_ = row
    assert _run(path, new, old) == []


def test_removed_validation__needs_a_base() -> None:
    text = "show(t)\n"
    assert list(RULE.run(Source("a.py", "python", text, frozenset({1})), MemoryResolver())) == []


@for_each([(MAX_RUN, False), (MAX_RUN + 1, True)])
def test_removed_validation__says_when_a_place_is_too_long(row: tuple[int, bool]) -> None:
    lines, too_much = row
    text = "t = escapeHtml(t);\n" * lines
    old = Source("a.js", "javascript", text, frozenset(range(1, lines + 1)))
    assert RULE.stopped(Source("a.js", "javascript", "show(t);\n", frozenset(), before=old)) is too_much


_WORDS = [
    "if (",
    "if ",
    " && ",
    " and ",
    "escape(",
    ")",
    "$t = ",
    "t",
    "'",
    "\n",
    "..",
    "return",
    "intval(",
    "{",
    "\x00",
]
_PIECES = st.lists(st.sampled_from([*_WORDS, "check_x(", "can_edit()"]), max_size=30).map("".join)


@settings(max_examples=60, deadline=None)
@given(_PIECES, _PIECES, st.sampled_from(["a.py", "a.php", "a.html", "a.js", "notes.txt"]))
def test_removed_validation__any_texts(old: str, new: str, path: str) -> None:
    for hit in _run(path, old, new):
        assert 1 <= hit.start_line <= hit.end_line <= old.count("\n") + 1


@for_each(
    [
        lambda n: "t = escapeHtml(t);\nlog()\n" * n,
        lambda n: "if (x && canEdit()) {\nlog()\n" * n,
        lambda n: "if (name.includes('..')) {\n" * n,
        lambda n: "validateName(name);\nlog()\n" * n,
        lambda n: "if (" + "a && " * n + "canEdit())\nlog()\n",
        lambda n: "if (" + "path " * n,
        lambda n: "if (name.includes('..')) {\n" + "path" * n + "\nreturn\n",
        lambda n: "if (" + "a" * n + "(x)) {\nreturn\n",
        lambda n: "if (a && canEdit()) {\nlog" + " " * n + "x\n",
        lambda n: "if (a == 1\n || x =" + " " * n + "\n",
    ]
)
def test_removed_validation__work_in_step_with_the_text(row) -> None:
    def work(text: str) -> list[Hit]:
        lines = frozenset(n for n, line in enumerate(text.split("\n"), 1) if "log" not in line)
        old = Source("a.js", "javascript", text, lines)
        new = "".join(f"{line}\n" for line in text.split("\n") if "log" in line)
        head = Source("a.js", "javascript", new + "show(t);\n", frozenset(), before=old)
        return list(RULE.run(head, MemoryResolver()))

    assert_work_in_step(work, row, 60)
