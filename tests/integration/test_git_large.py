import time

import pytest
from repos import Repo

from devpulse.adapters.git import GitRangeSource, GitScanSource, Repository, WorkingTreeSource

FILES = 3000
RENAMED = 200


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    repo = Repo(tmp_path_factory.mktemp("large") / "repo")
    for number in range(FILES):
        repo.write(
            f"src/{number % 50}/f{number}.py", "".join(f"value_{number}_{line} = {line}\n" for line in range(120))
        )
    repo.write("data.txt", "".join(f"an old line of ordinary length, number {line:08}\n" for line in range(200_000)))
    repo.commit("base")
    repo.git("switch", "-q", "-c", "work")
    for number in range(FILES):
        path = repo.root / f"src/{number % 50}/f{number}.py"
        path.write_text(path.read_text().replace("= 60\n", "= input()\n"))
        if number < RENAMED:
            path.rename(path.with_name(f"g{number}.py"))
    repo.write("data.txt", "".join(f"a new line of ordinary length, number {line:08}\n" for line in range(200_000)))
    repo.commit("work")
    return repo


def timed(label, run):
    start = time.perf_counter()
    result = run()
    print(f"{label}: {time.perf_counter() - start:.2f} s")  # noqa: T201  (pytest -s shows the figures)
    return result


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_sources__three_thousand_files_and_twenty_megabytes(repo):
    with Repository.open(repo.root) as repository:
        source = GitRangeSource(repository, "main", "work")
        files = timed("range of 3,001 files, 20 MB", source.load).files
        assert len(files) == FILES + 1
        assert sum(change.previous_path is not None for change in files) == RENAMED
        assert sum(len(change.hunks) for change in files) == FILES + 1
        tree = source.head()
        paths = timed("listing", tree.paths)
        contents = timed("all blobs", lambda: dict(tree.read_many(paths)))
        assert len(contents) == FILES + 1
        working = timed("working tree", WorkingTreeSource(repository).load)
        assert working.files == files
        scanned = timed("scan", GitScanSource(repository).load)
        assert len(scanned.files) == FILES + 1
