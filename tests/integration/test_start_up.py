"""What is imported and started before the first file is reviewed: each name here took its part of a second."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

import pytest
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini, GeminiRequest
from fakes.gemini_replies import Call, Reply
from repos import Repo

from devpulse.cli import run

SPY = """
import json, os, sys
leave = os._exit

def tell(status):
    print(json.dumps(sorted(sys.modules)), file=sys.stderr, flush=True)
    leave(status)

os._exit = tell
from devpulse.cli import run
run(sys.argv[1:])
"""
COMPILED = """
import re, sys
compile_pattern, seen = re.compile, []

def spy(*arguments, **named):
    seen.append(sys._getframe(1).f_globals["__name__"])
    return compile_pattern(*arguments, **named)

re.compile = spy
import devpulse.core.rules, devpulse.core.secrets.search, devpulse.core.trivial
ours = ("devpulse.core.rules", "devpulse.core.secrets", "devpulse.core.trivial")
print(*(name for name in seen if name.startswith(ours)))
"""
PLAIN = "def total(rows):\n    return sum(row.amount for row in rows)\n"
FOLLOWED = "import os\nfrom flask import request\n\n\ndef run():\n    os.system('ls ' + request.args['name'])\n"
ANSWERED = (
    "from flask import make_response, request\n\n\ndef f():\n    return make_response('<p>' + request.args['a'])\n"
)

UNUSED = (
    "email", "github", "google", "importlib.metadata", "langchain_core", "pathspec", "platformdirs",
    "pydantic", "rich", "yaml",
    "devpulse.adapters.git.repository", "devpulse.adapters.gemini", "devpulse.adapters.github",
    "devpulse.core.comparison", "devpulse.core.isolation", "devpulse.core.flow.engine", "devpulse.core.flow.operations",
    "devpulse.core.flow.python", "devpulse.core.flow.values", "devpulse.core.languages.javascript",
    "devpulse.core.rules.flow_rule", "devpulse.core.rules.sql_injection", "devpulse.core.rules.suggestions",
    "devpulse.core.rules.template_output", "devpulse.core.rules.weak_authentication",
    "devpulse.core.templates.base", "devpulse.cli.compare", "devpulse.cli.publish",
    "devpulse.main.artifacts", "devpulse.main.baseline", "devpulse.output.baseline_v1", "devpulse.output.json_v1",
    "devpulse.output.masked", "devpulse.output.report", "devpulse.output.sarif", "devpulse.output.shard_v1",
    "devpulse.output.comments.decisions", "devpulse.pipeline.conclusion", "devpulse.pipeline.merge",
    "devpulse.pipeline.submitted", "devpulse.settings.config_file",
)  # fmt: skip
"""Libraries and modules that a file in which nothing is found has no use for."""


def modules_of(folder, tmp_path):
    """What is imported when the first file of a folder is reviewed; the run ends there."""
    environment = {**os.environ, "DEVPULSE_STATE_DIR": str(tmp_path / "state")}
    environment.pop("GEMINI_API_KEY", None)
    line = [sys.executable, "-c", SPY, "scan", str(folder), "--stop-after", "1", "--engine", "offline"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert done.returncode == 70, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    return folder


def test_first_file__without_findings_imports_no_data_flow_no_git_and_no_reports(folder, tmp_path):
    (folder / "a.py").write_text(PLAIN)
    imported = modules_of(folder, tmp_path)
    assert {"devpulse.pipeline.file_review", "devpulse.core.rules.python.weak_authentication"} <= imported
    assert sorted(imported & set(UNUSED)) == []


def test_first_file__with_a_sink_imports_the_data_flow_and_the_rule(folder, tmp_path):
    (folder / "a.py").write_text(FOLLOWED)
    imported = modules_of(folder, tmp_path)
    assert {"devpulse.core.flow.engine", "devpulse.core.rules.command_injection"} <= imported
    assert not imported & {"devpulse.core.rules.path_traversal", "devpulse.core.rules.ssrf"}


def test_first_file__of_python_imports_nothing_that_only_pages_of_javascript_need(folder, tmp_path):
    (folder / "a.py").write_text(ANSWERED)
    imported = modules_of(folder, tmp_path)
    assert "devpulse.core.rules.cross_site_scripting" in imported
    assert not imported & {"devpulse.core.rules.javascript.answers", "devpulse.core.rules.javascript.page_parts"}


def test_rules__compile_no_pattern_when_they_are_imported():
    done = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []


@pytest.fixture
def started(tmp_path, monkeypatch):
    """The command lines of git that are started from here on."""
    log, real = tmp_path / "log", subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {real.strip()} "$@"\n')
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("DEVPULSE_STATE_DIR", str(tmp_path / "state"))

    def lines(*command):
        log.write_text("")
        with monkeypatch.context() as patched:
            patched.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
            assert run([*command, "--engine", "offline"]) == 0
        return log.read_text().splitlines()

    return lines


def test_git__is_not_started_for_a_plain_folder(folder, started, capsys):
    (folder / "a.py").write_text(PLAIN)
    assert started("scan", str(folder)) == []
    capsys.readouterr()


def test_git__reads_a_repository_in_few_processes(tmp_path, started, capsys):
    repo = Repo(tmp_path / "repo")
    repo.write("a.py", "x = 1\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for number in range(5):
        repo.write(f"part{number}.py", PLAIN)
    repo.commit("head")
    lines = started("review", str(repo.root), "--base", "main", "--head", "work")
    assert [line.split()[0] for line in lines].count("config") == 1
    assert len(lines) <= 9
    assert len(started("scan", str(repo.root))) <= 5
    capsys.readouterr()


def test_requests__of_two_files_begin_alike(tmp_path, monkeypatch, capsys):
    """System prompt, tools and their settings are the same bytes and come first, so that a provider can cache them."""
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **{"README.md": "Shop\n"})
    repo.git("switch", "--quiet", "--create", "work")
    repo.commit("head", **{"a.py": PLAIN, "b.py": PLAIN.replace("total", "amount")})
    answer = Call("submit_review", {"findings": [], "overall_risk": "none", "summary": ""})
    with FakeGemini(lambda _request: replies.calls(answer)) as fake:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", fake.url)
        monkeypatch.setenv("GEMINI_API_KEY", "AIza" + "x" * 35)
        assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) == 0
        first, second = (request.body for request in fake.requests)
    constant = [name for name in first if name != "contents"]
    assert {"systemInstruction", "tools"} <= set(constant)
    assert {name: first[name] for name in constant} == {name: second[name] for name in constant}
    texts = [body["contents"][0]["parts"][0]["text"] for body in (first, second)]
    openings = {text.partition("\n")[0] for text in texts}
    assert len(openings) == 1
    assert "Review this change for security." in openings.pop()
    summary = (repo.root / "devpulse-artifacts" / "summary.md").read_text()
    assert "(80 cached)" in summary
    capsys.readouterr()


def test_reports__are_made_ready_while_the_model_is_waited_for(tmp_path, monkeypatch, capsys):
    """What writes them is not loaded when the first request comes, and is when the last does."""
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **{"README.md": "Shop\n"})
    repo.git("switch", "--quiet", "--create", "work")
    repo.commit("head", **{f"part{number}.py": PLAIN.replace("total", f"total{number}") for number in range(3)})
    prepared: list[int] = []
    answered: list[int] = []
    both = threading.Event()

    def load() -> None:
        prepared.append(len(answered))
        both.set()

    def respond(_request: GeminiRequest) -> Reply:
        if answered:
            assert both.wait(30)
        answered.append(len(prepared))
        return replies.calls(Call("submit_review", {"findings": [], "overall_risk": "none", "summary": ""}))

    monkeypatch.setattr("devpulse.main.artifacts.load_renderers", load)
    with FakeGemini(respond) as fake:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", fake.url)
        monkeypatch.setenv("GEMINI_API_KEY", "AIza" + "x" * 35)
        assert run(["review", str(repo.root), "--base", "main", "--head", "work", "--max-parallel", "1"]) == 0
    assert answered == [0, 1, 1]
    assert len(prepared) == 1
    capsys.readouterr()


def test_load_renderers__leaves_nothing_of_a_report_to_be_loaded():
    script = (
        "import sys\n"
        "from devpulse.main.artifacts import load_renderers\n"
        "load_renderers()\n"
        "from devpulse.output.report import page\n"
        "print(*sorted(page._environment().cache.keys()), *sys.modules, sep='\\n')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    for name in ("page.html.j2", "finding.html.j2", "devpulse.output.sarif", "devpulse.output.terminal"):
        assert name in done.stdout
