import pytest
from repos import Repo
from runner import INJECTION, SAFE, Runner, merged_checkout


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
