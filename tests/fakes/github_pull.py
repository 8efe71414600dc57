"""The pull request a fake GitHub serves: two branches of a real git repository and what was written about them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fakes.github_git import ChangedFile, GitReader
from fakes.github_state import PullState, Thread
from repos import Repo

MAX_FILES = 3000
"""Files the API lists at most (GitHub Docs, REST, "List pull requests files")."""
# Lines after which a page of files loses its patches and counts, with no flag (community discussion 213491).
_PAGE_LINES = 20_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thread stands in the newest diff."""

    line: int
    start_line: int | None
    position: int


@dataclass
class FakePull:
    """A pull request from ``head`` into ``base``; ``head_repository`` is set when it comes from a fork.

    ``opened_at`` is the commit that ``base.sha`` goes on naming while the base branch moves on, as it does on GitHub
    (github/docs#431, NomicFoundation/slang#1718); by default the branch's tip. The diff does not depend on it.
    ``missing_patches`` are paths listed without patch and with zero counts, ``refuse_lines`` (path, line) pairs that
    are refused though they are inside the diff.
    """

    repo: Repo
    repository: str
    number: int
    base: str
    head: str
    head_repository: str
    title: str
    body: str | None
    draft: bool
    author: str
    opened_at: str | None = None
    state: str = "open"
    merged: bool = False
    truncated_trees: bool = False
    missing_patches: set[str] = field(default_factory=set)
    refuse_lines: set[tuple[str, int]] = field(default_factory=set)
    notes: PullState = field(default_factory=PullState)

    def __post_init__(self) -> None:
        self.git = GitReader(self.repo)
        self.head_sha = ""
        self.moved()

    def moved(self) -> None:
        """Look at the branches again, as after a push."""
        base, head = self.git.resolve(self.base), self.git.resolve(self.head)
        assert base, f"the repository has no branch {self.base}"
        assert head, f"the repository has no branch {self.head}"
        self.before_sha = self.head_sha
        self.base_tip, self.head_sha = base, head
        self.base_sha = (self.git.resolve(self.opened_at) if self.opened_at else None) or base
        self.merge_base = self.git.merge_base(base, head) or base

    @property
    def is_fork(self) -> bool:
        return self.head_repository != self.repository

    def commits(self) -> list[str]:
        return self.git.commits(self.merge_base, self.head_sha)

    def files(self, commit: str | None = None) -> tuple[ChangedFile, ...]:
        """What differs between the merge base and a commit of the pull request, by default its head."""
        commit = commit or self.head_sha
        return self.git.files(self.git.merge_base(self.base_tip, commit) or self.base_tip, commit)

    def file(self, path: str, commit: str | None = None) -> ChangedFile | None:
        return next((each for each in self.files(commit) if each.path == path), None)

    def listed(self, files: tuple[ChangedFile, ...]) -> list[ChangedFile]:
        """One page of files as the API shows them: some without their patches."""
        shown, lines = [], 0
        for each in files:
            lines += len(each.rows)
            hidden = each.path in self.missing_patches or lines > _PAGE_LINES
            shown.append(replace(each, patch=None, rows=()) if hidden else each)
        return shown

    def place(self, thread: Thread) -> Place | None:
        """Where a thread stands at the newest head; None when it is outdated or on a whole file."""
        if thread.line is None:
            return None
        line, start = self._carried(thread, thread.line), thread.start_line
        carried = self._carried(thread, start) if start is not None else None
        file = self.file(thread.path)
        row = file.row(thread.side, line) if file is not None and line is not None else None
        if row is None or line is None or (start is not None and carried is None):
            return None
        return Place(line, carried, row.position)

    def is_outdated(self, thread: Thread) -> bool:
        return thread.line is not None and self.place(thread) is None

    def _carried(self, thread: Thread, line: int) -> int | None:
        """The line today, when the commits since the thread's left it as it was."""
        if thread.commit == self.head_sha:
            return line
        if thread.side == "LEFT":
            old, new = self.git.merge_base(self.base_tip, thread.commit), self.merge_base
            file = self.file(thread.path)
            path = (file.previous or file.path) if file else thread.path
        else:
            old, new, path = thread.commit, self.head_sha, thread.path
        if old is None:
            return None
        changed = next((each for each in self.git.files(old, new) if path in (each.path, each.previous)), None)
        if changed is None:
            return line
        return changed.moved(line) if changed.path == path and changed.status != "removed" else None
