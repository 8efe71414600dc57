"""Names that held a clean value, and their uses."""

from __future__ import annotations

from compared_texts import compared
from rule_tables import MemoryResolver
from tables import for_each
from work import assert_work_in_step

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.bare_uses import bare_uses
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.removed_validation import RULE
from devpulse.core.source import Source

XSS, SQL, PATH = "cross-site-scripting", "sql-injection", "path-traversal"

REPORTED = [
    (
        "a.py",
        'safe = name.replace("\'", "\'\'")\nsql = f"SELECT a FROM t WHERE n = \'{safe}\'"',
        "sql = f\"SELECT a FROM t WHERE n = '{name}'\"",
        SQL,
    ),
    (
        "a.py",
        "stem = secure_filename(up.name)\nput(os.path.join(root, stem + '.x'))",
        "put(os.path.join(root, up.name + '.x'))",
        PATH,
    ),
    (
        "a.js",
        "const t = escapeHtml(row.title);\nlist.append(`<b>${t}</b>`);",
        "list.append(`<b>${row.title}</b>`);",
        XSS,
    ),
    (
        "a.js",
        "const cleanName = tidySanitize(name);\nfs.writeFile(cleanName, text, done);",
        "fs.writeFile(name, text, done);",
        PATH,
    ),
    ("a.php", "<?php\n$safe = esc_html($t);\necho '<b>' . $safe;", "<?php\necho '<b>' . $t;", XSS),
    (
        "A.java",
        'String clean = Encode.forHtml(name);\nout.print("<b>" + clean);',
        'out.print("<b>" + name);',
        XSS,
    ),
]

QUIET = [
    # the name is still there, or another call makes the value safe
    ("a.js", "const t = escapeHtml(title);\nadd(`<b>${t}</b>`);", "const t = encodeHtml(title);\nadd(`<i>${t}</i>`);"),
    ("a.js", "const t = escapeHtml(title);\nadd(`<b>${t}</b>`);", "add(`<b>${escapeHtml(title)}</b>`);"),
    ("a.py", "stem = secure_filename(up)\nput(join(root, stem))", "put(join(root, safe_stem(up)))"),
    # another value, another line, or only a message
    ("a.py", "stem = secure_filename(up)\nput(join(root, stem))", "put(join(root, other))"),
    ("a.py", "stem = secure_filename(up)\nput(join(root, stem))", "take(join(base, up))"),
    ("a.py", "stem = secure_filename(up)\nlog.info('got', stem)", "log.info('got', up)"),
    ("a.js", "const t = escapeHtml(title);\nadd(t);", ""),
    # nothing was clean
    ("a.js", "const t = pick(title);\nadd(`<b>${t}</b>`);", "add(`<b>${title}</b>`);"),
    ("a.js", "const t = title.replace('a', 'b');\nadd(`<b>${t}</b>`);", "add(`<b>${title}</b>`);"),
    ("tests/a.js", "const t = escapeHtml(title);\nadd(`<b>${t}</b>`);", "add(`<b>${title}</b>`);"),
]


def _run(path: str, old: str, new: str) -> list[Hit]:
    return list(RULE.run(compared(path, old, new), MemoryResolver()))


@for_each(REPORTED)
def test_bare_uses__is_reported(row: tuple[str, str, str, str]) -> None:
    path, old, new, category = row
    assert [(hit.category, hit.side) for hit in _run(path, old, new)] == [(category, Side.LEFT)]


@for_each(REPORTED)
def test_bare_uses__a_value_made_clean_is_quiet(row: tuple[str, str, str, str]) -> None:
    path, old, new, _ = row
    assert _run(path, new, old) == []


@for_each(QUIET)
def test_bare_uses__is_quiet(row: tuple[str, str, str]) -> None:
    assert _run(*row) == []


@for_each([lambda n: "t = escapeHtml(x);\nadd(t);\n" * n, lambda n: "t = x.replace(/'/g, y)\n" * n])
def test_bare_uses__work_in_step_with_the_text(row) -> None:
    def work(text: str) -> list[object]:
        lines = list(enumerate(text.split("\n"), 1))
        runs = [Run(tuple(lines[at : at + 30]), ((1, "add(x);"),)) for at in range(0, len(lines), 30)]
        return list(bare_uses(runs, Source("a.js", "javascript", text, frozenset())))

    assert_work_in_step(work, row, 60)
