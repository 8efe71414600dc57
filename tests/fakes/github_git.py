"""What GitHub would say about a real git repository: changed files with their patches, trees, blobs, commits."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field

from repos import Repo, environment

_HUNK = re.compile(rb"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_STATUS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied", "T": "changed"}
# The longest patch GitHub shows of one file: 500 KB or 20,000 lines (GitHub Docs, "Limits for viewing content and
# diffs in a repository").
_MAX_PATCH_BYTES = 500_000
_MAX_PATCH_LINES = 20_000


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One line of a patch. ``old`` and ``new`` are its line numbers where that side has it."""

    old: int | None
    new: int | None
    hunk: int
    position: int

    def on(self, side: str) -> int | None:
        return self.old if side == "LEFT" else self.new


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file of a comparison, as the API lists it. ``patch`` is None for what has no hunks or too much of them."""

    path: str
    previous: str | None
    status: str
    sha: str
    patch: str | None
    rows: tuple[DiffRow, ...] = field(repr=False)

    @property
    def additions(self) -> int:
        return sum(row.old is None for row in self.rows)

    @property
    def deletions(self) -> int:
        return sum(row.new is None for row in self.rows)

    def row(self, side: str, line: int) -> DiffRow | None:
        """The row at a line of one side: added, removed or context."""
        return next((row for row in self.rows if row.on(side) == line), None)

    def hunk_text(self, row: DiffRow) -> str:
        """The row's hunk from its header down to the row, as a comment shows it."""
        lines = (self.patch or "").split("\n")
        start = max((n for n in range(row.position) if lines[n].startswith("@@ ")), default=0)
        return "\n".join(lines[start : row.position + 1])

    def moved(self, line: int) -> int | None:
        """Where a line of the old side stands on the new side; None when it was removed."""
        shift = 0
        for row in self.rows:
            if row.old == line:
                return row.new
            if row.old is not None and row.old > line:
                break
            shift += (row.old is None) - (row.new is None)
        return line + shift


@dataclass(frozen=True, slots=True)
class TreeEntry:
    mode: str
    kind: str
    sha: str
    size: int | None


@dataclass(frozen=True, slots=True)
class CommitFacts:
    tree: str
    parents: tuple[str, ...]
    name: str
    email: str
    date: str
    message: str


class GitReader:
    """Reads one repository. What is asked by commit is kept, since a commit does not change."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._kept: dict[tuple[str, ...], bytes] = {}
        self._bases: dict[tuple[str, str], str | None] = {}
        self._files: dict[tuple[str, str], tuple[ChangedFile, ...]] = {}

    def _run(self, *arguments: str) -> bytes | None:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self._repo.root,
            env=environment(self._repo.home),
            capture_output=True,
            check=False,
        )
        return done.stdout if done.returncode == 0 else None

    def _of_commit(self, *arguments: str) -> bytes:
        if arguments not in self._kept:
            output = self._run(*arguments)
            assert output is not None, arguments
            self._kept[arguments] = output
        return self._kept[arguments]

    def resolve(self, revision: str, kind: str = "commit") -> str | None:
        """The full id of a branch, tag or id, when it names such an object."""
        found = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{{kind}}}")
        return found.decode().strip() if found else None

    def merge_base(self, one: str, other: str) -> str | None:
        """The best common ancestor of two commits, if they have any."""
        if (one, other) not in self._bases:
            found = self._run("merge-base", one, other)
            self._bases[one, other] = found.decode().strip() if found else None
        return self._bases[one, other]

    def commits(self, base: str, head: str) -> list[str]:
        """The commits of ``head`` that ``base`` does not have, oldest first."""
        return self._of_commit("rev-list", "--reverse", f"{base}..{head}").decode().split()

    def commit(self, sha: str) -> CommitFacts:
        form = "%T%x00%P%x00%an%x00%ae%x00%aI%x00%B"
        fields = self._of_commit("show", "--no-patch", f"--format={form}", sha).decode("utf-8", "replace").split("\0")
        tree, parents, name, email, date, message = fields
        return CommitFacts(tree, tuple(parents.split()), name, email, date, message.strip("\n"))

    def blob(self, sha: str) -> bytes | None:
        return self._run("cat-file", "blob", sha)

    def tree(self, sha: str, *, recursive: bool = True) -> dict[str, TreeEntry]:
        """Every entry below a tree by its path; names that are not UTF-8 are shown with replacement characters."""
        options = ("-r", "-t") if recursive else ()
        listing = self._of_commit("ls-tree", *options, "-z", "--long", "--full-tree", sha)
        entries = {}
        for record in listing.split(b"\0")[:-1]:
            facts, path = record.split(b"\t", 1)
            mode, kind, blob, size = facts.decode().split()
            entries[_text(path)] = TreeEntry(mode, kind, blob, int(size) if size != "-" else None)
        return entries

    def files(self, old: str, new: str) -> tuple[ChangedFile, ...]:
        """The files that differ between two commits, in git's order, with renames found as GitHub finds them."""
        key = (old, new)
        if key not in self._files:
            diff = ("diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv", "--full-index", old, new)
            raw = self._of_commit(*diff[:1], "-z", "--raw", "--no-abbrev", *diff[1:])
            patches = _sections(self._of_commit(*diff[:1], "--patch", *diff[1:]))
            self._files[key] = tuple(_changed_files(raw, patches))
        return self._files[key]


def _changed_files(raw: bytes, patches: Iterator[bytes]) -> Iterator[ChangedFile]:
    fields = iter(raw.split(b"\0")[:-1])
    for record in fields:
        _, _, old_sha, new_sha, letter = record.decode().split()
        first = _text(next(fields))
        path, previous = (_text(next(fields)), first) if letter[0] in "RC" else (first, None)
        hunks = _hunks(next(patches))
        if letter[0] == "T":  # shown as one file removed and another added
            hunks = b"\n".join(filter(None, (hunks, _hunks(next(patches)))))
        rows = tuple(_rows(hunks))
        fits = 0 < len(hunks) <= _MAX_PATCH_BYTES and hunks.count(b"\n") < _MAX_PATCH_LINES
        sha = old_sha if letter == "D" else new_sha
        yield ChangedFile(path, previous, _STATUS[letter[0]], sha, _text(hunks) if fits else None, rows)


def _sections(patch: bytes) -> Iterator[bytes]:
    return iter(re.split(rb"^diff --git ", patch, flags=re.MULTILINE)[1:])


def _hunks(section: bytes) -> bytes:
    start = section.find(b"\n@@ ")
    return section[start + 1 :].removesuffix(b"\n") if start >= 0 else b""


def _rows(hunks: bytes) -> Iterator[DiffRow]:
    """The rows of a patch. A position counts the lines below the first hunk header, further headers included."""
    old = new = hunk = 0
    for position, line in enumerate(hunks.split(b"\n") if hunks else ()):
        if header := _HUNK.match(line):
            old, new, hunk = int(header[1]), int(header[2]), hunk + 1
            continue
        mark = line[:1]
        if mark == b"\\":
            continue
        yield DiffRow(None if mark == b"+" else old, None if mark == b"-" else new, hunk, position)
        old += mark != b"+"
        new += mark != b"-"


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
