"""A container step as GitHub's runner starts it, after the source of its container action handler.

The runner's user owns the files, the container is root's; only what is mounted is there; the values of variables that
name a mounted folder are rewritten, arguments are not; and the token is not passed but as an input.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fakes.github import FakeGitHub
from runner_contract import parse_outputs

IMAGE = os.environ.get("DEVPULSE_IMAGE", "")
"""The image under test; read before a test starts, for every test clears such variables."""
_RUNNER_USER = 1001
_WORKSPACE = "/github/workspace"
_COMMANDS = ("set_output_1", "save_state_1", "set_env_1", "add_path_1", "step_summary_1")


def docker(*arguments: str, check: bool = True) -> str:
    """What a docker command prints on standard output."""
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False, timeout=100)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout


@dataclass(frozen=True)
class Ended:
    """What a step left behind; ``log`` is all that it printed."""

    status: int
    log: str
    outputs: dict[str, str]
    summary: str
    workspace: Path

    def artifact(self, name: str) -> Any:
        return json.loads((self.workspace / "devpulse-artifacts" / name).read_text(encoding="utf-8"))


class Step:
    """The host's side: folders laid out as on a hosted runner, owned by its user, over a copy of ``checkout``."""

    def __init__(self, folder: Path, checkout: Path) -> None:
        self.workspace = folder / "work" / "shop" / "shop"
        self.temp = folder / "work" / "_temp"
        self.home = self.temp / "_github_home"
        self.files = self.temp / "_runner_file_commands"
        self.name = f"devpulse-{uuid.uuid4().hex[:12]}"
        shutil.copytree(checkout, self.workspace, symlinks=True)
        for made in (self.home, self.temp / "_github_workflow", self.files):
            made.mkdir(parents=True)

    def command(
        self, hub: FakeGitHub, event: Mapping[str, Any], inputs: Mapping[str, str], network: str, *options: str
    ) -> list[str]:
        """The runner's ``docker run``, all but the arguments of the action."""
        (self.temp / "_github_workflow" / "event.json").write_text(json.dumps(event), encoding="utf-8")
        for name in _COMMANDS:
            (self.files / name).write_text("", encoding="utf-8")
        self._give_to_the_runners_user()
        mounts = {
            self.temp: "/github/runner_temp",
            self.home: "/github/home",
            self.temp / "_github_workflow": "/github/workflow",
            self.files: "/github/file_commands",
            self.workspace: _WORKSPACE,
        }
        variables = [f"{key}={_mounted(value, mounts)}" for key, value in self._variables(hub, inputs).items()]
        return [
            *("docker", "run", "--name", self.name, "--workdir", _WORKSPACE, "--rm", "--network", network),
            *(word for variable in variables for word in ("-e", variable)),
            *(word for host, inside in mounts.items() for word in ("-v", f"{host}:{inside}")),
            *(*options, IMAGE),
        ]

    def _variables(self, hub: FakeGitHub, inputs: Mapping[str, str]) -> dict[str, str]:
        given = {"github-token": hub.token, "fail-on": "", "max-comments": "", **inputs}
        return {
            "HOME": str(self.home),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": hub.url,
            "GITHUB_ENV": str(self.files / "set_env_1"),
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(self.temp / "_github_workflow" / "event.json"),
            "GITHUB_GRAPHQL_URL": hub.graphql_url,
            "GITHUB_OUTPUT": str(self.files / "set_output_1"),
            "GITHUB_PATH": str(self.files / "add_path_1"),
            "GITHUB_REPOSITORY": hub.pull.repository,
            "GITHUB_RUN_ID": "41",
            "GITHUB_SERVER_URL": hub.site,
            "GITHUB_STATE": str(self.files / "save_state_1"),
            "GITHUB_STEP_SUMMARY": str(self.files / "step_summary_1"),
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_OS": "Linux",
            "RUNNER_TEMP": str(self.temp),
            "RUNNER_TOOL_CACHE": "/opt/hostedtoolcache",  # of the host, and nowhere inside
            "RUNNER_WORKSPACE": str(self.workspace.parent),
            **{f"INPUT_{name.upper().replace(' ', '_')}": value for name, value in given.items()},
        }

    def start(
        self,
        hub: FakeGitHub,
        event: Mapping[str, Any] | None = None,
        *,
        inputs: Mapping[str, str] | None = None,
        network: str = "host",
        options: tuple[str, ...] = (),
        arguments: tuple[str, ...] = ("action",),
    ) -> subprocess.Popen[str]:
        """Start the step, without a terminal and with nothing on standard input."""
        line = self.command(hub, hub.event() if event is None else event, inputs or {}, network, *options)
        return subprocess.Popen(
            [*line, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def run(self, hub: FakeGitHub, event: Mapping[str, Any] | None = None, **options: Any) -> Ended:
        """Run the step to its end."""
        return self.ended(self.start(hub, event, **options))

    def ended(self, process: subprocess.Popen[str]) -> Ended:
        """Wait for a started step, and read what it left as the runner does, also after a failure."""
        try:
            log, _ = process.communicate(timeout=100)
        finally:
            process.kill()
        outputs = parse_outputs((self.files / "set_output_1").read_text(encoding="utf-8"))
        summary = (self.files / "step_summary_1").read_text(encoding="utf-8")
        return Ended(process.returncode, log, outputs, summary, self.workspace)

    def cancel(self, process: subprocess.Popen[str]) -> tuple[Ended, float]:
        """End it as the runner does, and say how many seconds that took."""
        began = time.monotonic()
        for signal, patience in (("INT", 7.5), ("TERM", 2.5), ("KILL", 20)):
            docker("kill", "--signal", signal, self.name, check=False)
            try:
                process.wait(patience)
                break
            except subprocess.TimeoutExpired:
                continue
        took = time.monotonic() - began
        return self.ended(process), took

    def _give_to_the_runners_user(self) -> None:
        if os.geteuid() != 0:
            return  # then they are this user's, who is not the container's either
        for folder in (self.workspace, self.temp):
            for path in (folder, *folder.rglob("*")):
                os.lchown(path, _RUNNER_USER, _RUNNER_USER)


def _mounted(value: str, mounts: Mapping[Path, str]) -> str:
    """A value as the runner passes it: the longest mounted folder that it is or begins with, as it is called inside."""
    for host in sorted(mounts, key=lambda path: -len(str(path))):
        if re.match(re.escape(str(host)) + "(/|$)", value):
            return mounts[host] + value.removeprefix(str(host))
    return value
