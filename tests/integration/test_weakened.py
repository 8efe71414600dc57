"""Changes that make old code dangerous without touching the dangerous line."""

import json

import pytest
from repos import Repo

from devpulse.cli import run

GUARDED = """import os

from flask import abort, request


def show():
    path = os.path.realpath('/srv/files/' + request.args['name'])
    log_it(path)
    count_it(path)
    note_it(path)
    watch_it(path)
    if not path.startswith('/srv/files/'):
        abort(400)
    a = 1
    b = 2
    c = 3
    d = 4
    return open(path).read()
"""
OLD_FLAW = """from flask import request


def lookup(db):
    return db.execute('select * from users where name = ' + request.args['name'])


def other():
    return 1
"""


@pytest.fixture
def changed(tmp_path, capsys):
    """Reviews a change of files; gives the findings."""

    def go(before, after, *arguments):
        repo = Repo(tmp_path / "repo")
        repo.commit("base", **before)
        repo.git("switch", "--quiet", "--create", "work")
        for path in before.keys() - after.keys():
            repo.git("rm", "--quiet", path)
        repo.commit("head", **after)
        assert run(["review", str(repo.root), "--base", "main", "--head", "work", *arguments]) in (0, 1)
        capsys.readouterr()
        report = json.loads((repo.root / "devpulse-artifacts" / "findings.json").read_text())
        return [(f["path"], f["category"], f["start_line"], f["status"]) for f in report["findings"]]

    return go


def test_removed_check__is_reported_where_it_stood(changed):
    after = GUARDED.replace("    if not path.startswith('/srv/files/'):\n        abort(400)\n", "")
    found = changed({"app.py": GUARDED}, {"app.py": after})
    assert found == [("app.py", "path-traversal", 12, "open")]


def test_removed_cleaner__is_reported_where_it_stood(changed):
    line = "    name = escape_string(name)\n"
    before = (
        "from flask import request\n\n\ndef lookup(db):\n    name = request.args['name']\n"
        + line
        + "    db.note('looked up')\n    return db.execute('select * from users where name = ' + name)\n"
    )
    found = changed({"app.py": before}, {"app.py": before.replace(line, "")})
    assert found == [("app.py", "sql-injection", 6, "open")]


def test_weakened_check__the_unchanged_sink_is_reported(changed):
    found = changed({"app.py": GUARDED}, {"app.py": GUARDED.replace("abort(400)", "log_it('odd')")})
    assert "path-traversal" in [category for _, category, *_ in found]


def test_untouched_flaw__is_not_the_changes(changed):
    assert changed({"app.py": OLD_FLAW}, {"app.py": OLD_FLAW.replace("return 1", "return 2")}) == []


def test_moved_flaw__is_not_the_changes(changed):
    assert changed({"app.py": OLD_FLAW}, {"app.py": "# a comment\n\n" + OLD_FLAW}) == []


def test_rename_into_code__is_reviewed_whole(changed):
    found = changed({"notes.txt": OLD_FLAW}, {"app.py": OLD_FLAW})
    assert found == [("app.py", "sql-injection", 5, "open")]


def test_secret_of_another_file__is_hidden_everywhere_and_hides_no_finding(changed, tmp_path):
    secret = "Zx81kQpw77" + "LmNvv9"
    settings = f'DB_PASSWORD = "{secret}"\nDEBUG = False\n'
    flaw = f"def lookup(db, request):\n    return db.execute('select {secret} ' + request.args['name'])\n"
    found = changed(
        {"z_settings.py": settings},
        {"z_settings.py": settings.replace("False", "True"), "a_first.py": f"from flask import request\n{flaw}"},
        "--max-parallel", "1",
    )  # fmt: skip
    assert ("a_first.py", "sql-injection", 3, "open") in found
    for folder in (tmp_path / "repo" / "devpulse-artifacts", tmp_path):
        for file in folder.rglob("*"):
            if file.is_file() and ".git" not in file.parts and file.suffix != ".py":
                assert secret not in file.read_text(errors="replace"), file


NOTES = """from html import escape

from flask import request


def save(note):
    note.text = escape(request.form['text'])
    note.save()
"""


def test_removed_escape__is_reported_on_the_line_that_had_it(changed, tmp_path):
    found = changed(
        {"app.py": NOTES}, {"app.py": NOTES.replace("escape(request.form['text'])", "request.form['text']")}
    )
    assert found == [("app.py", "cross-site-scripting", 7, "open")]
    report = json.loads((tmp_path / "repo" / "devpulse-artifacts" / "findings.json").read_text())
    assert [(f["side"], f["rule_id"]) for f in report["findings"]] == [("LEFT", "removed-escape")]


def test_removed_escape__that_data_flow_follows_is_told_once(changed):
    before = NOTES.replace("note.text = ", "page = ").replace("note.save()", "return Markup(page)")
    before = before.replace("import request", "import Markup, request")
    found = changed(
        {"app.py": before}, {"app.py": before.replace("escape(request.form['text'])", "request.form['text']")}
    )
    assert [category for _, category, *_ in found] == ["cross-site-scripting"]
