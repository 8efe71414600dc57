"""A pull request on the fake GitHub, and reviews of it to publish."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import github
from builders import make_finding, make_report
from fakes.github import FakeGitHub
from fakes.github_state import Comment
from repos import Repo

from devpulse.adapters.github.client import Calls, Pace, Patience, connect
from devpulse.adapters.github.publisher import Publication, publish
from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.github.writes import Pauses
from devpulse.core.change import PullRequest
from devpulse.core.diff import parse_patch
from devpulse.core.finding import Finding, FindingSource
from devpulse.core.review import Coverage, Report, Reviewed
from devpulse.output.comments.reanchor import FileAt
from devpulse.output.comments.record import Published


def numbered(first: int, last: int, word: str = "line") -> str:
    """Text of one line for each number."""
    return "".join(f"{word} {number}\n" for number in range(first, last + 1))


def finding(number: int, line: int | None = None, **overrides: Any) -> Finding:
    """A finding in ``app/wide.py``, which has 40 added lines; on the line of its number unless one is given."""
    place = line or number
    values: dict[str, Any] = {
        "path": "app/wide.py",
        "start_line": place,
        "end_line": place,
        "fingerprint": f"{number:032x}",
    }
    values["source"] = FindingSource.RULE
    return make_finding(**values | overrides)


@dataclass
class Shop:
    """The pull request, and how it is spoken to. ``waits`` are the seconds that publishing wanted to wait."""

    repo: Repo
    hub: FakeGitHub
    client: github.Github
    calls: Calls
    patience: Patience
    waits: list[float] = field(default_factory=list)
    between_writes: float = 0.0

    def report(self, *found: Finding, head: str | None = None, **overrides: Any) -> Report:
        """A complete review of the newest head, or of ``head``."""
        files = [each.path for each in self.hub.pull.files()]
        values: dict[str, Any] = {
            "pull_request": PullRequest(self.hub.base_sha, head or self.hub.head_sha, "octo/shop", 7),
            "coverage": tuple(Coverage(path, Reviewed(), 1, 10) for path in files),
        }
        return make_report(*found, **values | overrides)

    def reviewed(self) -> Mapping[str, FileAt]:
        """The files as they are at the newest head."""
        patch = self.repo.git("diff", "--full-index", "--find-renames", "main...work")
        return {change.path: FileAt.of(change) for change in parse_patch(patch + "\n")}

    def publish(self, *found: Finding, report: Report | None = None, **options: Any) -> Published:
        """Publish a review with these findings, or ``report``."""
        values = {"reviewed": {}, "run_url": f"{self.hub.site}/octo/shop/actions/runs/1"} | options
        publication = Publication(report or self.report(*found), **values)
        pauses = Pauses(between_writes=self.between_writes, read_back=2.0, first_retry=0.5, sleep=self.waits.append)
        pull = PullRequestId("octo/shop", 7)
        return publish(self.client, pull, publication, calls=self.calls, patience=self.patience, pauses=pauses)

    def stand_in(self, report: Report, reviewed: Mapping[str, FileAt]) -> None:
        """Publish as another run would, with a connection of its own; also from within an answer of the fake."""
        with contextlib.closing(connect(self.hub.url, self.hub.token, pace=Pace(first_retry=0))) as client:
            Shop(self.repo, self.hub, client, Calls(), Patience()).publish(report=report, reviewed=reviewed)

    def push(self, path: str = "README.md", text: str = "Read me.\n") -> str:
        """Commit one file to the pull request's branch; gives the new head."""
        self.repo.write(path, text)
        head = self.repo.commit("push")
        self.hub.moved()
        return head

    @property
    def summary(self) -> Comment:
        """The only comment of ours in the conversation."""
        (only,) = [each for each in self.hub.comments if each.author == self.hub.actor]
        return only

    def lines(self) -> list[int | None]:
        """Where our threads stand, in the order they were opened."""
        return [each.line for each in self.hub.threads if each.comments[0].author == self.hub.actor]

    def writes(self) -> list[str]:
        """The requests that changed something, or were to."""
        return [f"{each.method} {each.path.removeprefix('/repos/octo/shop')}" for each in self.hub.writes()]


def build_repo(root: Path) -> Path:
    """A repository whose branch ``work`` adds a file, removes lines, renames a file and deletes one."""
    repo = Repo(root)
    repo.write("app/admin.py", numbered(1, 40))
    repo.write("app/old.py", numbered(1, 40))
    repo.write("app/gone.py", numbered(1, 5, "gone"))
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("app/wide.py", numbered(1, 40, "wide"))
    repo.write("app/admin.py", numbered(1, 9) + numbered(13, 40))
    repo.git("mv", "app/old.py", "app/new.py")
    repo.write("app/new.py", numbered(1, 19) + "changed\n" + numbered(21, 40))
    repo.git("rm", "--quiet", "app/gone.py")
    repo.commit("change")
    return root


@contextlib.contextmanager
def open_shop(template: Path, root: Path) -> Iterator[Shop]:
    """The pull request of ``work`` into ``main``, over a copy of the repository at ``template``."""
    shutil.copytree(template, root)
    repo = Repo(root)
    calls, patience = Calls(), Patience()
    with FakeGitHub(repo) as hub:
        pace = Pace(first_retry=0)
        client = connect(hub.url, hub.token, pace=pace, calls=calls, patience=patience)
        with contextlib.closing(client):
            yield Shop(repo, hub, client, calls, patience)
