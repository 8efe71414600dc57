from __future__ import annotations

import pytest
from rule_tables import suggested

SUGGESTED = {
    "module": (
        "const cp = require('child_process');\n",
        "cp.exec(`ping -c 1 ${req.query.host}`, (err, out) => res.send(out));",
        'cp.execFile("ping", ["-c", "1", String(req.query.host)], (err, out) => res.send(out));',
    ),
    "imported beside it": (
        "import { exec, execFile } from 'node:child_process';\n",
        "exec('du -s ' + req.body.folder, done);",
        'execFile("du", ["-s", String(req.body.folder)], done);',
    ),
    "synchronous with options": (
        "const child_process = require('child_process');\n",
        "child_process.execSync(`git show ${req.params.id}`, { cwd: repo });",
        'child_process.execFileSync("git", ["show", String(req.params.id)], { cwd: repo });',
    ),
}
NOTHING = {
    "not imported": ("const { exec } = require('child_process');\n", "exec('du -s ' + req.body.folder, done);"),
    "a shell of its own": (
        "const cp = require('child_process');\n",
        "cp.exec(`ls ${req.query.a}`, { shell: '/bin/bash' }, done);",
    ),
    "pipe": ("const cp = require('child_process');\n", "cp.exec(`ls ${req.query.a} | wc -l`, done);"),
    "promise": (
        "const cp = require('child_process');\nconst execAsync = util.promisify(cp.exec);\n",
        "execAsync(`ls ${req.query.a}`);",
    ),
}


def _written(head: str, statement: str) -> list[str]:
    return suggested(f"{head}app.get('/t', (req, res) => {{\n  {statement}\n}});\n", path="src/app.js")


@pytest.mark.parametrize(("head", "statement", "expected"), SUGGESTED.values(), ids=SUGGESTED)
def test_suggest__arguments(head: str, statement: str, expected: str) -> None:
    assert _written(head, statement) == [expected]


@pytest.mark.parametrize(("head", "statement"), NOTHING.values(), ids=NOTHING)
def test_suggest__nothing_that_needs_a_decision(head: str, statement: str) -> None:
    assert _written(head, statement) == []
