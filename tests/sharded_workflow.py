"""The reusable workflow over shards, played step by step as its file says: whatever it hands to the action is used."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from fakes.github import FakeGitHub
from repos import Repo
from runner import Ran, Runner, merged_checkout

from devpulse.main import guard
from devpulse.main.action import run_action
from devpulse.requests import ActionRequest

WORKFLOW = Path(__file__).parents[1] / ".github" / "workflows" / "sharded-review.yml"
_EXPRESSION = re.compile(r"\$\{\{ *([a-z.-]+) *\}\}")


@dataclass
class ShardedRun:
    """One run of the workflow, called with ``inputs``, each job on a runner of its own."""

    repo: Repo
    hub: FakeGitHub
    folder: Path
    inputs: dict[str, Any]
    number: int = 1
    jobs: dict[str, Any] = field(init=False)
    started: int = field(default=0, init=False)
    uploaded: dict[str, Path] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
        self.jobs = workflow["jobs"]
        declared = workflow[True]["workflow_call"]["inputs"]  # YAML 1.1 reads "on" as a boolean
        self.inputs = {name: each.get("default", "") for name, each in declared.items()} | self.inputs

    def run(self) -> Ran:
        """All jobs in their order; gives the last one."""
        planned = self.job("plan", {})
        assert planned.status == 0, planned.err
        for row in json.loads(planned.outputs["matrix"])["include"]:
            ran = self.job("review", row)
            assert ran.status == 0, ran.err
            self.uploaded[f"devpulse-shard-{row['number']}"] = ran.workspace / "devpulse-artifacts"
        return self.job("merge", {})

    def job(self, name: str, row: dict[str, Any]) -> Ran:
        """The one step of a job that is ours, after the downloads before it."""
        steps = self.jobs[name]["steps"]
        (ours,) = [step for step in steps if step.get("uses", "").startswith("./")]
        self.started += 1
        home = self.folder / f"{self.number}-{self.started}"
        runner = Runner(home, merged_checkout(self.repo, home / "shop"))
        for step in steps:
            if step.get("uses", "").startswith("actions/download-artifact@"):
                for artifact, content in self.uploaded.items():
                    shutil.copytree(content, runner.workspace / step["with"]["path"] / artifact)
        given = {key: self._filled(str(value), row) for key, value in ours["with"].items()}
        number = str(self.number)
        environ = runner.environment(self.hub, self.hub.event("synchronize"), inputs=given, GITHUB_RUN_ID=number)
        out, err = io.StringIO(), io.StringIO()
        # The token may write where the job says so, and nowhere else.
        self.hub.faults.read_only = self.jobs[name]["permissions"].get("pull-requests") != "write"
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = guard(lambda: run_action(ActionRequest(flags={}), environ))
        return runner.left(status, out.getvalue(), err.getvalue())

    def _filled(self, value: str, row: dict[str, Any]) -> str:
        context = {f"inputs.{name}": each for name, each in self.inputs.items()}
        context |= {f"matrix.{name}": each for name, each in row.items()}
        context["secrets.gemini-api-key"] = ""
        return _EXPRESSION.sub(lambda match: str(context[match[1]]), value)
