from functools import partial

import pytest
from fakes.github import FakeGitHub
from life import Life
from repos import Repo
from runner import INJECTION, SAFE, Runner, merged_checkout
from two_jobs import TwoJobs

from devpulse.adapters.github.publisher import publish
from devpulse.adapters.github.writes import Pauses


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "origin")
    repo.write("app/users.py", SAFE)
    repo.write("README.md", "Shop\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("app/users.py", INJECTION)
    repo.commit("head")
    return repo


@pytest.fixture
def runner(repo, tmp_path):
    """A runner over what actions/checkout leaves of the pull request, with its history."""
    return Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    """No waits: the second that GitHub wants between writes is tested where publishing is."""
    publishing = partial(publish, pauses=Pauses(between_writes=0.0, read_back=0.0, first_retry=0.0))
    monkeypatch.setattr("devpulse.main.publishing.publish", publishing)


@pytest.fixture
def life(repo, tmp_path):
    """A pull request that lives on; ada may write, eve may not."""
    with FakeGitHub(repo, permissions={"ada": "write", "eve": "read"}) as hub:
        yield Life(repo, hub, tmp_path / "life")


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory):
    """The repository of the pull request, and the artifacts of an honest review of it by a job without rights."""
    folder = tmp_path_factory.mktemp("reviewed")
    repo = Repo(folder / "origin")
    repo.write("app/users.py", SAFE)
    repo.write("README.md", "Shop\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("app/users.py", INJECTION)
    repo.commit("head")
    with FakeGitHub(repo, head_repository="eve/shop") as hub:
        jobs = TwoJobs(repo, folder / "jobs", hub)
        ran = jobs.review()
        assert ran.status == 0, ran.err
        assert hub.writes() == []
    return repo, jobs.incoming


@pytest.fixture
def jobs(reviewed, tmp_path):
    repo, artifacts = reviewed
    with FakeGitHub(repo, head_repository="eve/shop", permissions={"ada": "write"}) as hub:
        jobs = TwoJobs(repo, tmp_path / "jobs", hub)
        jobs.receive(artifacts)
        yield jobs
