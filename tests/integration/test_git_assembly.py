import pytest
from odd_change import odd_repo

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.adapters.git.assembly import blank_layout
from devpulse.core.content import blob_id
from devpulse.errors import SourceError


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    return odd_repo(tmp_path_factory.mktemp("assembly") / "repo")


def test_listing__everything_with_sizes(repo):
    with Repository.open(repo.root) as repository:
        found = repository.assembly().listing(repository.resolve("work"))
        tree = repository.tree(repository.resolve("work"))
        assert {path for path, entry in found.items() if entry.mode.startswith("100")} == set(tree.paths())
        assert found["becomes_link"].mode == "120000"
        assert found["mode.sh"].size == tree.size("mode.sh")


def test_changes__only_what_differs_is_needed(repo, tmp_path):
    """From a store that holds nothing but the changed files, git finds what it finds in the repository."""
    (tmp_path / "blank").mkdir()
    with Repository.open(repo.root) as full, Repository(blank_layout(tmp_path / "blank")) as blank:
        expected = GitRangeSource(full, "main", "work").load().files
        sides = [full.assembly().listing(full.resolve(name)) for name in ("main", "work")]
        store = blank.assembly()
        differ = {path for path in {**sides[0], **sides[1]} if sides[0].get(path) != sides[1].get(path)}
        old, new = ({path: entry for path, entry in side.items() if path in differ} for side in sides)
        shas = {entry.sha for side in (old, new) for entry in side.values()}
        assert store.present(shas) == frozenset()
        with pytest.raises(SourceError):
            store.changes(old, new)
        for sha in shas:
            assert store.store(full.blob(sha) or b"") == sha
        assert store.present(shas) == shas
        assert store.changes(old, new) == expected
        assert store.read_many([blob_id(b"#"), sides[1]["mode.sh"].sha]) == [None, b"echo MARK-hidden\n"]
    assert blank.shallow is False


def test_listing__tree_that_is_not_there(tmp_path):
    (tmp_path / "blank").mkdir()
    with Repository(blank_layout(tmp_path / "blank")) as blank, pytest.raises(SourceError):
        blank.assembly().listing("1" * 40)
