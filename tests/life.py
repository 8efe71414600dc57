"""A pull request that lives on: pushes, and a run of the action after each, in this process."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fakes.github import FakeGitHub
from fakes.github_state import Thread
from repos import Repo
from runner import Runner, merged_checkout

from devpulse.main import guard
from devpulse.main.action import run_action
from devpulse.output.comments.marker import read_finding_marker
from devpulse.requests import ActionRequest


@dataclass
class Step:
    """What one run came to: its exit status, and the requests it made."""

    status: int
    calls: int
    writes: list[str]


@dataclass
class Life:
    """The repository, its pull request, and who looks at it."""

    repo: Repo
    hub: FakeGitHub
    folder: Path
    runs: int = 0
    steps: list[Step] = field(default_factory=list)

    def run(self, event: str = "synchronize", **inputs: str) -> Step:
        """Run the action on the newest head, on a runner that has never seen the pull request.

        ``event`` is what happened to the pull request, or ``issue_comment`` for the newest comment.
        """
        self.runs += 1
        home = self.folder / f"run{self.runs}"
        runner = Runner(home, merged_checkout(self.repo, home / "shop"))
        name = event if event == "issue_comment" else "pull_request"
        payload = self.hub.event(event=name) if name == event else self.hub.event(event)
        environment = runner.environment(self.hub, payload, name=name, inputs=inputs, GITHUB_RUN_ID=str(self.runs))
        before, written = len(self.hub.calls()), len(self.hub.writes())
        status = guard(lambda: run_action(ActionRequest({}), environment))
        writes = [_short(each) for each in self.hub.writes()[written:]]
        self.steps.append(Step(status, len(self.hub.calls()) - before, writes))
        return self.steps[-1]

    def push(self, **files: str | None) -> None:
        """Commit files to the branch, by the name of the module; ``None`` deletes one."""
        for name, text in files.items():
            path = f"app/{name}.py"
            if text is None:
                self.repo.git("rm", "--quiet", path)
            else:
                self.repo.write(path, text)
        self.repo.commit("push")
        self.hub.moved()

    def page(self) -> Path:
        """The artifacts of the last run."""
        return self.folder / f"run{self.runs}" / "shop" / "devpulse-artifacts"

    @property
    def summary(self) -> str:
        """The only comment of ours in the conversation."""
        (only,) = [each for each in self.hub.comments if each.author == self.hub.actor]
        return only.body

    def thread(self, path: str) -> Thread:
        """The only thread of ours in a file."""
        (only,) = [
            each for each in self.hub.threads if each.path == path and read_finding_marker(each.comments[0].body)
        ]
        return only


def said(thread: Thread) -> list[str]:
    """The first words of what stands in a thread below our comment, with who wrote them."""
    return [f"{each.author.login}: {' '.join(each.body.split()[:2])}" for each in thread.comments[1:]]


def _short(request: Any) -> str:
    if request.path == "/graphql":
        return str(request.body["query"]).split("(")[0]
    return f"{request.method} {request.path.removeprefix('/repos/octo/shop')}"
