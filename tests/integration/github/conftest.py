import pytest
from fakes.github import FakeGitHub
from odd_change import odd_repo
from publishing import build_repo, open_shop


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A pull request with every odd file kind whose base branch has moved on, and its merge commit on ``merged``."""
    repo = odd_repo(tmp_path_factory.mktemp("odd") / "repo")
    repo.git("switch", "--quiet", "main")
    repo.commit("main goes on", other="x\n")
    repo.git("switch", "--quiet", "--create", "merged")
    repo.git("merge", "--quiet", "--no-edit", "work")
    repo.git("config", "uploadpack.allowFilter", "true")
    return repo


@pytest.fixture
def hub(odd):
    with FakeGitHub(odd) as fake:
        yield fake


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    return build_repo(tmp_path_factory.mktemp("template") / "repo")


@pytest.fixture
def shop(template, tmp_path):
    with open_shop(template, tmp_path / "repo") as opened:
        yield opened
