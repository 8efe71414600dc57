import pytest
from fakes import github_pull
from fakes.github import FakeGitHub
from pull_requests import by_git, opened, shown_by_json, workspace
from repos import Repo

from devpulse.adapters.github import blobs, listing, reads
from devpulse.adapters.github.client import Calls
from devpulse.core.change import FileStatus
from devpulse.core.event import PullRequestState
from devpulse.errors import GitHubForbidden, GitHubNotFound, GitHubUnavailable
from devpulse.pipeline.plan import skip_reason

LIMIT = "its lines were not compared: too large, or not readable"
CASES = [
    ("none", True),
    ("none", False),
    ("empty", True),
    ("full", True),
    ("merge commit", True),
    ("merge commit", False),
    ("base commit", True),
    ("head commit", True),
    ("partial", True),
]


def reason_of(change):
    reason = skip_reason(change)
    return None if reason is None else reason.reason


def raw(repo, sha):
    return repo.git("cat-file", "blob", sha).encode("utf-8", "surrogateescape")


@pytest.mark.parametrize(("kind", "patches"), CASES)
def test_pull_request_source__same_change_as_git(odd, hub, tmp_path, kind, patches):
    expected = by_git(odd)
    if not patches:
        hub.pull.missing_patches |= {file.path for file in hub.pull.files()}
    with opened(hub, workspace(odd, tmp_path, kind)) as source:
        found = source.load()
        local = kind in ("full", "merge commit", "head commit", "partial")  # a place that knows the odd name
        assert found.files == (expected.files if local else shown_by_json(expected.files))
        assert found.rung == ("local git" if kind == "full" else "GitHub API")
        assert ("UTF-8" in found.rung_reason) == (not local)
        assert found.pull_request.base_sha == expected.pull_request.base_sha
        for change in found.files:
            for version, tree in ((change.base, source.base()), (change.head, source.head())):
                if version is not None and version.mode.startswith("100"):
                    assert tree.read(version.path).strip() == raw(odd, version.blob)


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("full", {"compare": 1}),
        ("merge commit", {"compare": 1, "git/trees": 2, "/files": 1}),
        ("head commit", {"compare": 1, "git/trees": 1, "/files": 1}),
        ("none", {"compare": 1, "git/trees": 2, "/files": 1}),
    ],
)
def test_pull_request_source__calls(odd, hub, tmp_path, kind, asked):
    calls = Calls()
    with opened(hub, workspace(odd, tmp_path, kind), calls=calls) as source:
        source.load()
        assert source.pull.number == 7
        assert calls.made == len(hub.requests)
    for part in ("compare", "git/trees", "/files"):
        assert len(hub.calls(part)) == asked.get(part, 0)
    assert len(hub.calls("pulls/7$")) == 1
    # What is at head as well as at the merge commit, and what patches lead to, is not asked for.
    most = {"full": 0, "merge commit": 2, "head commit": 2, "none": 12}
    assert len(hub.calls("git/blobs")) == most[kind]


def test_pull_request_source__why_git_could_not_compare(odd, hub, tmp_path):
    with opened(hub, workspace(odd, tmp_path, "partial")) as source:
        reason = source.load().rung_reason
    assert reason.startswith("git could not compare them in the checkout (")
    assert "unable to read" in reason.partition("; ")[0]


def test_pull_request_source__head_has_moved(odd, hub):
    older = odd.git("rev-parse", "work")
    odd.git("switch", "-q", "work")
    odd.commit("another push", **{"later.py": "x = 1\n"})
    hub.moved()
    try:
        with opened(hub, head=older) as source:
            found = source.load()
            assert (found.pull_request.head_sha, source.pull.head_sha) == (older, hub.head_sha)
            assert found.files == shown_by_json(by_git(odd, head=older).files)
            assert "later.py" not in source.head().paths()
            assert hub.calls("/files") == []
    finally:
        odd.git("switch", "-q", "--detach")
        odd.git("branch", "-f", "work", older)


def test_pull_request_source__facts(odd):
    with FakeGitHub(odd, head_repository="eve/shop", title="T", body=None, draft=True, api_path="/api/v3") as hub:
        with opened(hub) as source:
            request = source.load().pull_request
            pull = source.pull
        assert (request.repository, request.number, request.title, request.trusted) == ("octo/shop", 7, "T", False)
        assert (pull.title, pull.draft, pull.state) == ("T", True, PullRequestState.OPEN)
        assert (pull.head_repository, pull.base_repository, pull.base_ref) == ("eve/shop", "octo/shop", "main")
        assert (pull.head_sha, pull.base_sha, pull.changed_files) == (hub.head_sha, hub.base_sha, len(hub.pull.files()))


def test_pull_request_source__own_branch_is_trusted(hub):
    with opened(hub) as source:
        assert source.load().pull_request.trusted


def test_pull_request_source__more_files_than_github_lists(tmp_path, monkeypatch):
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **{"0.py": "x\n"})
    repo.git("switch", "-q", "-c", "work")
    repo.commit("work", **{f"{number}.py": f"y{number}\n" for number in range(14)})
    monkeypatch.setattr(github_pull, "MAX_FILES", 10)
    monkeypatch.setattr("fakes.github_rest.MAX_FILES", 10)
    monkeypatch.setattr(reads, "MAX_ROWS", 10)
    monkeypatch.setattr(reads, "PER_PAGE", 5)
    with FakeGitHub(repo) as hub, opened(hub) as source:
        assert source.load().files == by_git(repo).files
        assert len(hub.calls("/files")) == 2
        assert len(hub.calls("git/blobs")) == 5


def test_pull_request_source__tree_too_long_to_be_listed(odd, hub):
    hub.pull.truncated_trees = True
    with opened(hub) as source:
        found = source.load()
        assert found.files == shown_by_json(by_git(odd).files)
        assert source.head().read("übung/naïve.ts")


def test_pull_request_source__too_many_folders_to_search(hub, monkeypatch):
    hub.pull.truncated_trees = True
    monkeypatch.setattr(listing, "MAX_FOLDERS", 2)
    with opened(hub) as source:
        found = source.load()
        (left,) = (change for change in found.files if change.path == "übung/naïve.ts")
        assert reason_of(left) == LIMIT
        assert f"{len(found.files)} of {len(found.files)} files are known" in found.rung_reason
        assert len(found.files) == len(hub.pull.files())


def test_pull_request_source__large_file_is_not_fetched_but_named(hub, monkeypatch):
    monkeypatch.setattr(blobs, "DIFF_LIMIT_BYTES", 1000)
    hub.pull.missing_patches.add("big.py")
    with opened(hub) as source:
        found = source.load()
        (big,) = (change for change in found.files if change.path == "big.py")
        assert (big.status, big.hunks, reason_of(big)) == (FileStatus.ADDED, (), LIMIT)
        assert "1 files could not be read" in found.rung_reason
        assert source.head().read("big.py") is None
        assert hub.calls(big.head.blob) == []
        assert {change.path for change in found.files} == {file.path for file in hub.pull.files()}


@pytest.mark.parametrize("used_up", [False, True])
def test_pull_request_source__no_more_files_than_a_token_may_ask_for(odd, hub, monkeypatch, used_up):
    monkeypatch.setattr(blobs, "MAX_FETCHED", 3)
    if used_up:
        hub.faults.primary_limit("git/blobs", reset=99_999_999_999)
    with opened(hub) as source:
        found = source.load()
    assert len(hub.calls("git/blobs")) == (1 if used_up else 3)
    why = "GitHub accepts no more requests" if used_up else "GitHub is asked for 3 files at most"
    assert f"files could not be read ({why}" in found.rung_reason
    whole = {change.path: change for change in shown_by_json(by_git(odd).files)}
    assert whole.keys() == {change.path for change in found.files}
    # Patches stand in for the lines; what has none is not taken for empty or unchanged.
    assert {"moved to.py", "plain.py", "latin.py"} & found.fragments
    for change in found.files:
        expected = whole[change.path]
        assert (change.status, change.previous_path) == (expected.status, expected.previous_path)
        if change.hunks != expected.hunks:
            assert change.path == "latin.py" or reason_of(change) in {LIMIT, "symlink"}


def test_pull_request_source__one_file_that_github_fails_to_give(odd, hub):
    hub.pull.missing_patches |= {file.path for file in hub.pull.files()}
    bad = odd.git("rev-parse", "work:plain.py")
    hub.faults.fail(f"git/blobs/{bad}", 403, message="This API returns blobs up to 100 MB", times=None)
    whole = {change.path: change for change in shown_by_json(by_git(odd).files)}
    with opened(hub) as source:
        found = source.load()
        assert "1 files could not be read (GitHub answered 403" in found.rung_reason
    assert {change.path for change in found.files if change.hunks != whole[change.path].hunks} == {"plain.py"}
    assert reason_of(next(change for change in found.files if change.path == "plain.py")) == LIMIT


def test_pull_request_source__gives_up_when_github_gives_no_file(odd, hub):
    hub.faults.fail("git/blobs", 502, times=None)
    with opened(hub) as source:
        found = source.load()
        attempts = len(hub.calls("git/blobs"))
        assert len({request.path for request in hub.calls("git/blobs")}) == 3
        assert "files could not be read (GitHub answered 502" in found.rung_reason
        assert source.head().read("same.py") is None
        assert len(hub.calls("git/blobs")) == attempts
    assert {change.path for change in found.files} == {change.path for change in shown_by_json(by_git(odd).files)}


def test_pull_request_source__trees(odd, hub, tmp_path):
    root = workspace(odd, tmp_path, "base commit")
    with opened(hub, root) as source:
        source.load()
        tree, before = source.head(), len(hub.requests)
        assert "becomes_link" not in tree.paths()
        assert list(tree.paths()) == sorted(tree.paths())
        read = dict(tree.read_many([*tree.paths(), "no"]))
        assert read["same.py"] == tree.read("same.py")
        assert (tree.size("same.py"), tree.size("no"), tree.read("no")) == (len(read["same.py"]), None, None)
        assert len(hub.requests) == before


def test_pull_request_source__unchanged_file_is_fetched_once(hub):
    with opened(hub) as source:
        source.load()
        tree, before = source.head(), len(hub.requests)
        assert "same.py" not in dict(tree.read_many(tree.paths()))
        assert len(hub.requests) == before
        first = tree.read("same.py")
        assert first is not None
        assert tree.read("same.py") == source.base().read("same.py") == first
        assert len(hub.requests) == before + 1
        assert dict(tree.read_many(["same.py"])) == {"same.py": first}


def test_pull_request_source__unchanged_file_that_cannot_be_had(hub):
    with opened(hub) as source:
        source.load()
        hub.faults.fail("git/blobs", 502, times=None)
        assert source.head().read("same.py") is None
        asked = len(hub.requests)
        assert source.head().read("same.py") is None
        assert len(hub.requests) == asked


@pytest.mark.parametrize(
    ("match", "status", "error"),
    [("pulls/7$", 404, GitHubNotFound), ("compare", 403, GitHubForbidden), ("git/trees", 502, GitHubUnavailable)],
)
def test_pull_request_source__github_does_not_answer(hub, match, status, error):
    hub.faults.fail(match, status, message="No", times=None)
    with opened(hub) as source, pytest.raises(error, match="octo/shop"):
        source.load()


def test_pull_request_source__trees_before_load(hub):
    with opened(hub) as source, pytest.raises(ValueError, match="load"):
        source.head()


def test_pull_request_source__close_leaves_nothing(hub, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with opened(hub) as source:
        source.load()
        assert list(tmp_path.iterdir())
    assert list(tmp_path.iterdir()) == []
