"""``devpulse action`` as the runner starts it: in the workspace, with the runner's variables and no others."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from fakes.github import FakeGitHub
from repos import Repo

from devpulse.cli import run

INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)
SAFE = "from flask import request\n\n\ndef lookup(db):\n    return db.execute('select 1')\n"
KEY = "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab"
_ASSIGNMENT = re.compile(r"([a-z-]+)<<(\S+)\n(.*?)\n\2\n", re.DOTALL)


@dataclass
class Ran:
    """A finished step: what it printed and what it left for the runner and for later steps."""

    status: int
    out: str
    err: str
    outputs: dict[str, str]
    summary: str
    workspace: Path

    def artifact(self, name: str) -> Any:
        text = (self.workspace / "devpulse-artifacts" / name).read_text(encoding="utf-8")
        return json.loads(text) if name.endswith((".json", ".sarif")) else text

    def commands(self) -> list[str]:
        """The workflow commands that the runner would obey."""
        obeyed, stopped = [], ""
        for line in self.out.split("\n"):
            if stopped:
                stopped = "" if line == f"::{stopped}::" else stopped
            elif line.startswith("::stop-commands::"):
                stopped = line.removeprefix("::stop-commands::")
            elif line.startswith("::") or "##[" in line:
                obeyed.append(line)
        return obeyed


class Runner:
    """A runner with a temporary folder and a workspace."""

    def __init__(self, folder: Path, workspace: Path) -> None:
        self.folder = folder
        self.workspace = workspace
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "home").mkdir(exist_ok=True)

    def environment(
        self,
        hub: FakeGitHub,
        event: Mapping[str, Any],
        *,
        name: str = "pull_request",
        inputs: Mapping[str, str] | None = None,
        **variables: str,
    ) -> dict[str, str]:
        """The variables of a step; every declared input is set, most of them to nothing."""
        (self.folder / "event.json").write_text(json.dumps(event))
        for file in ("output", "summary"):
            (self.folder / file).write_text("")
        given = {"github-token": hub.token, "fail-on": "", "max-comments": "", **(inputs or {})}
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_REPOSITORY": hub.pull.repository,
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_API_URL": hub.url,
            "GITHUB_SERVER_URL": hub.site,
            "GITHUB_GRAPHQL_URL": hub.graphql_url,
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_RUN_ID": "41",
            "RUNNER_TEMP": str(self.folder / "temp"),
            **{f"INPUT_{input_name.upper()}": value for input_name, value in given.items()},
            **variables,
        }

    def start(self, environment: Mapping[str, str]) -> subprocess.Popen[str]:
        """Start the step."""
        return subprocess.Popen(
            [sys.executable, "-m", "devpulse", "action"],
            cwd=self.workspace,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, hub: FakeGitHub, event: Mapping[str, Any], **options: Any) -> Ran:
        """Run the step to its end in this process, which spares the start of another one."""
        environ = self.environment(hub, event, **options)
        out, err = io.StringIO(), io.StringIO()
        said = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
        with patch.dict(os.environ, environ, clear=True), contextlib.chdir(self.workspace), said[0], said[1]:
            status = run(["action"])
        return self.left(status, out.getvalue(), err.getvalue())

    def run_process(self, hub: FakeGitHub, event: Mapping[str, Any], **options: Any) -> Ran:
        """Run the step to its end as a process of its own."""
        return self.ended(self.start(self.environment(hub, event, **options)))

    def ended(self, process: subprocess.Popen[str]) -> Ran:
        """Wait for a started step."""
        out, err = process.communicate(timeout=100)
        return self.left(process.returncode, out, err)

    def left(self, status: int, out: str, err: str) -> Ran:
        """A finished step, with what it left in the runner's files."""
        outputs = {
            name: value for name, _, value in _ASSIGNMENT.findall((self.folder / "output").read_text(encoding="utf-8"))
        }
        summary = (self.folder / "summary").read_text(encoding="utf-8")
        return Ran(status, out, err, outputs, summary, self.workspace)


def merged_checkout(repo: Repo, folder: Path, *, depth: int = 0) -> Path:
    """What actions/checkout leaves for a pull request: the merge commit, detached, with or without the history."""
    repo.git("switch", "--quiet", "--detach", "main")
    repo.git("merge", "--quiet", "--no-ff", "--message", "merge", "work")
    repo.git("update-ref", "refs/pull/7/merge", "HEAD")
    repo.git("switch", "--quiet", "work")
    clone = Repo(folder)
    clone.git("remote", "add", "origin", f"file://{repo.root}")
    what = [f"--depth={depth}"] if depth else ["+refs/heads/*:refs/remotes/origin/*"]
    clone.git("fetch", "--quiet", *what[:depth], "origin", *what[depth:], "refs/pull/7/merge:refs/remotes/pull/7/merge")
    clone.git("checkout", "--quiet", "--detach", "refs/remotes/pull/7/merge")
    return folder


def places(hub: FakeGitHub) -> list[tuple[str, str, int | None]]:
    """Where the comments stand: path, side, line."""
    return sorted((t.path, t.side, t.line) for t in hub.threads)
