"""Where the change of a pull request begins: what GitHub shows as its diff, whatever the checkout is."""

import pytest
from fakes.github import FakeGitHub
from pull_requests import opened, workspace
from repos import Repo

from devpulse.errors import NoCommonAncestor


@pytest.fixture(scope="module")
def shallow(tmp_path_factory):
    """A clone whose git takes an older ancestor for the merge base, since the way to the true one was cut off."""
    repo = Repo(tmp_path_factory.mktemp("shallow") / "repo")
    repo.commit("first", **{"a.py": "one\n", "b.py": "one\n"})
    repo.git("branch", "work")
    base = repo.commit("base goes on", **{"b.py": "two\n"})
    repo.git("branch", "side")
    repo.commit("base tip", **{"c.py": "three\n"})
    repo.git("switch", "-q", "side")
    cut = repo.commit("on the side", **{"d.py": "four\n"})
    repo.git("switch", "-q", "work")
    repo.commit("work", **{"a.py": "changed\n"})
    repo.git("merge", "-q", "--no-edit", "side")
    clone = Repo(repo.root.parent / "clone")
    clone.git("fetch", "-q", f"file://{repo.root}", "main", "work")
    clone.git("checkout", "-q", repo.git("rev-parse", "work"))
    (clone.root / ".git" / "shallow").write_text(f"{cut}\n")
    assert clone.git("merge-base", repo.git("rev-parse", "main"), "HEAD") != base
    return repo, clone.root, base


def test_pull_request_source__merge_base_of_a_shallow_clone(shallow):
    repo, root, base = shallow
    with FakeGitHub(repo) as hub, opened(hub, root) as source:
        found = source.load()
        assert (found.rung, found.pull_request.base_sha) == ("local git", base)
        assert [change.path for change in found.files] == ["a.py", "d.py"]
        assert "merge base is that of main and head" in found.rung_reason
        assert source.base().read("b.py") == b"two\n"
        assert len(hub.requests) == 2


@pytest.fixture(scope="module")
def caught_up(tmp_path_factory):
    """A pull request that had the base branch merged into it after it was opened; gives the base of that day too."""
    repo = Repo(tmp_path_factory.mktemp("caught_up") / "repo")
    opened_at = repo.commit("first", **{"a.py": "one\n", "b.py": "one\n", ".devpulse.yml": "old: 1\n"})
    repo.git("branch", "work")
    repo.commit("main goes on", **{"b.py": "two\n", "c.py": "three\n", ".devpulse.yml": "new: 1\n"})
    repo.git("switch", "-q", "work")
    repo.commit("work", **{"a.py": "changed\n"})
    repo.git("merge", "-q", "--no-edit", "main")
    merged = repo.git("rev-parse", "main")
    repo.git("switch", "-q", "main")
    repo.commit("main goes on again", **{"d.py": "four\n"})
    return repo, opened_at, merged


@pytest.mark.parametrize(
    ("kind", "rung"), [("full", "local git"), ("merge commit", "GitHub API"), ("none", "GitHub API")]
)
def test_pull_request_source__base_merged_into_head(caught_up, tmp_path, kind, rung):
    repo, opened_at, merged = caught_up
    repo.git("branch", "-f", "merged", "main")
    with FakeGitHub(repo, opened_at=opened_at) as hub, opened(hub, workspace(repo, tmp_path, kind)) as source:
        found = source.load()
        assert source.pull.base_sha == opened_at
        assert (found.rung, found.pull_request.base_sha) == (rung, merged)
        assert [change.path for change in found.files] == [file.path for file in hub.pull.files()] == ["a.py"]
        assert "merge base is that of main and head" in found.rung_reason
        assert source.base().read(".devpulse.yml") == b"new: 1\n"
        assert len(hub.calls("compare")) == 1


@pytest.mark.parametrize("kind", ["full", "none"])
def test_pull_request_source__base_branch_is_gone(caught_up, tmp_path, kind):
    whole, opened_at, _ = caught_up
    repo = Repo(tmp_path / "repo")
    repo.git("fetch", "-q", "--update-head-ok", str(whole.root), "main:main", "work:work")
    root = workspace(repo, tmp_path, kind)
    with FakeGitHub(repo, opened_at=opened_at) as hub:
        repo.git("update-ref", "-d", "refs/heads/main")
        with opened(hub, root) as source:
            found = source.load()
            assert found.pull_request.base_sha == opened_at
            assert [change.path for change in found.files] == [".devpulse.yml", "a.py", "b.py", "c.py"]
            assert f"recorded base {opened_at[:12]} and head, since GitHub finds no branch main" in found.rung_reason
            assert len(hub.calls("compare")) == 2


def test_pull_request_source__merged_already(tmp_path):
    repo = Repo(tmp_path / "repo")
    before = repo.commit("base")
    repo.git("switch", "-q", "-c", "work")
    repo.commit("work", **{"a.py": "x\n"})
    repo.git("branch", "-f", "main", "work")
    with FakeGitHub(repo, opened_at=before) as hub, opened(hub) as source:
        hub.pull.state = "closed"
        hub.pull.merged = True
        found = source.load()
        assert (found.pull_request.base_sha, [change.path for change in found.files]) == (before, ["a.py"])
        assert "was merged" in found.rung_reason


def test_pull_request_source__odd_name_of_the_base_branch(tmp_path):
    name = "rel/1#2%20ü&+"
    repo = Repo(tmp_path / "repo")
    before = repo.commit("base")
    repo.git("branch", "-m", name)
    repo.git("switch", "-q", "-c", "work")
    repo.commit("work", **{"a.py": "x\n"})
    repo.git("switch", "-q", name)
    after = repo.commit("base goes on")
    repo.git("switch", "-q", "work")
    repo.git("merge", "-q", "--no-edit", name)
    with FakeGitHub(repo, base=name, opened_at=before) as hub, opened(hub) as source:
        found = source.load()
        assert (found.pull_request.base_sha, [change.path for change in found.files]) == (after, ["a.py"])
        assert len(hub.calls("compare")) == 1


def test_pull_request_source__no_common_ancestor(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.commit("base")
    repo.git("switch", "-q", "--orphan", "work")
    repo.commit("work")
    with FakeGitHub(repo) as hub, opened(hub) as source, pytest.raises(NoCommonAncestor):
        source.load()
