from dataclasses import dataclass
from pathlib import Path

import pytest
from container_step import IMAGE, Ended, Step
from fakes.github import FakeGitHub
from repos import Repo
from runner import INJECTION, SAFE, merged_checkout


def pytest_collection_modifyitems(items):
    """Without an image there is nothing to try; ``make test-container`` builds one."""
    if not IMAGE:
        for item in items:
            if item.get_closest_marker("container"):
                item.add_marker(pytest.mark.skip(reason="DEVPULSE_IMAGE names no image"))


@dataclass(frozen=True)
class Reviewed:
    """A step that has run: where, what stood there before, what it left, and the threads it opened."""

    step: Step
    before: frozenset[Path]
    ended: Ended
    threads: tuple[str, ...]


def injected(folder):
    """A pull request that brings an injection."""
    repo = Repo(folder)
    repo.write("app/users.py", SAFE)
    repo.write("README.md", "Shop\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("app/users.py", INJECTION)
    repo.commit("head")
    return repo


@pytest.fixture
def repo(tmp_path):
    return injected(tmp_path / "origin")


@pytest.fixture
def hub(repo):
    with FakeGitHub(repo) as hub:
        yield hub


@pytest.fixture
def step(repo, tmp_path):
    """A step over what actions/checkout leaves of the pull request, with its history."""
    return Step(tmp_path, merged_checkout(repo, tmp_path / "checkout"))


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory):
    """One run, looked at from several sides: a start of a container is dear."""
    folder = tmp_path_factory.mktemp("reviewed")
    repo = injected(folder / "origin")
    step = Step(folder, merged_checkout(repo, folder / "checkout"))
    before = frozenset(path.relative_to(step.workspace) for path in step.workspace.rglob("*"))
    with FakeGitHub(repo) as hub:
        ended = step.run(hub, inputs={"fail-on": "critical", "fail-onn": "high", "max-comments": "1"})
        return Reviewed(step, before, ended, tuple(thread.path for thread in hub.threads))
