"""Values that were bound to a statement and are written into its text now."""

from __future__ import annotations

from compared_texts import compared
from rule_tables import MemoryResolver
from tables import for_each
from work import assert_work_in_step

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.removed_validation import RULE
from devpulse.core.rules.unbound_parameters import unbound_in

REPORTED = [
    ("a.py", 'db.run("SELECT a FROM b WHERE n = ?", [name])', "db.run(f\"SELECT a FROM b WHERE n = '{name}'\")"),
    ("a.py", 'db.run("SELECT a FROM b WHERE n = %s", (name,))', "db.run(\"SELECT a FROM b WHERE n = '%s'\" % name)"),
    ("a.js", "db.run('SELECT a FROM b WHERE n = $1', [name]);", "db.run(`SELECT a FROM b WHERE n = '${name}'`);"),
    (
        "a.js",
        "q('SELECT a FROM b WHERE n = :name', {\n  name: body.name\n});",
        "q('SELECT a FROM b WHERE n = ' + body.name);",
    ),
    ("a.go", 'q := "DELETE FROM t WHERE k = ?"\nrun(q, key)', 'q := "DELETE FROM t WHERE k = \'" + key + "\'"\nrun(q)'),
    (
        "a.php",
        '<?php\n$q = $db->run("SELECT a FROM b WHERE n = ?", [$n2]);',
        '<?php\n$q = $db->run("SELECT a FROM b WHERE n = $n2");',
    ),
]

QUIET = [
    ("a.py", 'db.run("SELECT a FROM b WHERE n = ?", [name])', 'db.run("SELECT a FROM b WHERE n = %s", [name])'),
    ("a.py", 'db.run("SELECT a FROM b WHERE n = ?", [name])', 'db.run("SELECT a FROM b WHERE n = 3")'),
    (
        "a.py",
        'db.run("SELECT a FROM b WHERE n = ?", [name])',
        'db.run(f"SELECT {cols} FROM t WHERE n = ?", [name])',
    ),
    (
        "a.py",
        'db.run("SELECT a FROM b WHERE n = ?", [name])',
        "db.run(f\"SELECT a FROM b WHERE n = '{other}'\")",
    ),
    (
        "a.py",
        "db.run(f\"SELECT a FROM b WHERE n = '{name}'\")",
        "db.run(f\"SELECT b FROM t WHERE n = '{name}'\")",
    ),
    ("a.js", "const hint = x > 3 ? name : '';", "const hint = `${name}`;"),
    ("a.js", "open('/a?b=' + name);", "open(`/a?b=${name}`);"),
    (
        "tests/a.py",
        'db.run("SELECT a FROM b WHERE n = ?", [nn])',
        "db.run(f\"SELECT a FROM b WHERE n = '{nn}'\")",
    ),
]


def _run(path: str, old: str, new: str) -> list[Hit]:
    return list(RULE.run(compared(path, old, new), MemoryResolver()))


@for_each(REPORTED)
def test_unbound_parameters__is_reported(row: tuple[str, str, str]) -> None:
    assert [(hit.category, hit.side) for hit in _run(*row)] == [("sql-injection", Side.LEFT)]


@for_each(REPORTED)
def test_unbound_parameters__a_parameter_bound_is_quiet(row: tuple[str, str, str]) -> None:
    path, old, new = row
    assert _run(path, new, old) == []


@for_each(QUIET)
def test_unbound_parameters__is_quiet(row: tuple[str, str, str]) -> None:
    assert _run(*row) == []


@for_each([lambda n: "WHERE a = ? " * n, lambda n: "select " * n, lambda n: "WHERE a = '${b} " * n])
def test_unbound_parameters__work_in_step_with_the_text(row) -> None:
    def work(text: str) -> list[object]:
        lines = tuple((number, text[start : start + 300]) for number, start in enumerate(range(0, len(text), 300), 1))
        return list(unbound_in(Run(lines, lines[:40])))

    assert_work_in_step(work, row, 60)
