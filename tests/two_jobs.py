"""A pull request from a fork in two jobs: one that may only read and reviews, one that publishes what it left."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fakes.github import FakeGitHub
from repos import Repo
from runner import Ran, Runner, merged_checkout

from devpulse.main import guard
from devpulse.main.action import run_action
from devpulse.requests import ActionRequest

Document = dict[str, Any]


class TwoJobs:
    """Both jobs over one fake GitHub; the folder ``incoming`` is where the second finds the artifacts of the first.

    The steps run in this process, with no environment but the runner's.
    """

    def __init__(self, repo: Repo, folder: Path, hub: FakeGitHub) -> None:
        self.repo = repo
        self.hub = hub
        self.folder = folder
        base = Repo(folder / "base")
        base.git("fetch", "--quiet", f"file://{repo.root}", "main")
        base.git("checkout", "--quiet", "--detach", "FETCH_HEAD")
        self.workspace = base.root
        self.incoming = base.root / "incoming"

    def review(self, **options: Any) -> Ran:
        """The job without rights; its artifacts are handed over."""
        checkout = merged_checkout(self.repo, self.folder / "fork")
        self.hub.faults.read_only = True
        inputs = {"command": "review", **options.pop("inputs", {})}
        ran = self.run("review", checkout, self.hub.event(), inputs=inputs, **options)
        self.hub.faults.read_only = False
        self.receive(checkout / "devpulse-artifacts")
        return ran

    def receive(self, artifacts: Path) -> None:
        """Artifacts of the first job are downloaded."""
        shutil.copytree(artifacts, self.incoming)

    def publish(self, event: Document | None = None, **options: Any) -> Ran:
        """The job with rights."""
        inputs = {"command": "publish", "from": "incoming", **options.pop("inputs", {})}
        options = {"name": "workflow_run", **options}
        return self.run(
            "publish", self.workspace, event or self.hub.event(event="workflow_run"), inputs=inputs, **options
        )

    def run(self, name_of_job: str, workspace: Path, event: Document, **options: Any) -> Ran:
        """A step of a job."""
        runner = Runner(self.folder / name_of_job, workspace)
        environ = runner.environment(self.hub, event, **options)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = guard(lambda: run_action(ActionRequest(flags={}), environ))
        return runner.left(status, out.getvalue(), err.getvalue())

    def forge(self, change: Callable[[Document], object]) -> None:
        """Change ``findings.json`` in place, and take the files of single tasks away."""
        path = self.incoming / "findings.json"
        document = json.loads(path.read_text())
        change(document)
        path.write_text(json.dumps(document))
        shutil.rmtree(self.incoming / "findings")
