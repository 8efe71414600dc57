"""The change as GitHub tells it, with whatever objects the checkout has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from devpulse.adapters.git.assembly import Listed
from devpulse.adapters.git.repository import Repository
from devpulse.adapters.github.blobs import Blobs
from devpulse.adapters.github.diffing import Compared, compare
from devpulse.adapters.github.listing import Differing, as_in_json, differing, listed, walk
from devpulse.adapters.github.pull import PullRequestFacts
from devpulse.adapters.github.reads import Reads
from devpulse.adapters.github.replies import ListedFile
from devpulse.adapters.github.tree import RemoteTree
from devpulse.errors import SourceError


@dataclass(frozen=True, slots=True)
class Remote:
    """The files and both sides; ``notes`` say what is less than it could be."""

    compared: Compared
    base: RemoteTree
    head: RemoteTree
    notes: tuple[str, ...]


def load_remote(reads: Reads, repository: Repository, pull: PullRequestFacts, base: str, head: str) -> Remote:
    """Compare two commits that are not both here in full.

    Raises:
        GitHubError: GitHub does not give what it takes.
        SourceError: git failed.
    """
    assembly = repository.assembly()
    sides = _Sides(reads, repository, (base, head))
    found = sides.differing()
    blobs = Blobs(assembly, reads)

    def rows() -> Sequence[ListedFile]:
        # The list is of the newest head; for an older one under review it would be about other files.
        return tuple(reads.rows(pull.number)) if pull.head_sha == head else ()

    compared = compare(found, rows, assembly, blobs, sides.size_of)
    trees = [RemoteTree(sides.files(sha), blobs, sides.size_of) for sha in (base, head)]
    return Remote(compared, trees[0], trees[1], _notes(pull, head, compared, found, blobs.problem))


def _notes(pull: PullRequestFacts, head: str, compared: Compared, found: Differing, problem: str) -> tuple[str, ...]:
    notes = []
    if compared.unread:
        notes.append(f"{len(compared.unread)} files could not be read{f' ({problem})' if problem else ''}")
    mangled = sum("\ufffd" in change.path for change in compared.files)
    if mangled:
        notes.append(f"{mangled} names are not UTF-8 and are as GitHub shows them")
    if not found.complete:
        total = f"{pull.changed_files:,}" if pull.head_sha == head else "an unknown number of"
        notes.append(f"the repository is too large to be listed: {len(compared.files):,} of {total} files are known")
    return tuple(notes)


class _Sides:
    """What is known of the two trees, from the checkout where it has the commit, else from GitHub."""

    def __init__(self, reads: Reads, repository: Repository, shas: tuple[str, str]) -> None:
        self._reads = reads
        self._shas = shas
        here = {sha: files for sha in shas if (files := _listing(repository, sha)) is not None}
        at_hand = list(here.values()) or [_listing(repository, "HEAD") or {}]
        # Names that are not UTF-8 are known from the checkout only, whatever commit of it has them.
        self._known = {name: entry for each in at_hand for name, entry in each.items() if as_in_json(name) != name}
        self._files = dict(here)
        self._sizes: dict[str, int | None] | None = None
        self._truncated = False
        for sha in shas:
            if sha not in self._files:
                self._files[sha] = self._ask(sha)

    def files(self, sha: str) -> Mapping[str, Listed]:
        """The files of a side; not all of them when the tree is too long to be listed."""
        return self._files[sha]

    def differing(self) -> Differing:
        """The files that differ. Where a list was cut, what the search turns up is added to it."""
        base, head = self._shas
        if not self._truncated:
            return differing(self._files[base], self._files[head])
        found = walk(self._reads, base, head, self._known)
        self._files = {base: {**self._files[base], **found.old}, head: {**self._files[head], **found.new}}
        return found

    def size_of(self, sha: str) -> int | None:
        """The size of an object that a partial clone does not know, from GitHub's lists of both sides."""
        if self._sizes is None:
            lists = [self._reads.tree(side, recursive=True).tree for side in self._shas]
            self._sizes = {item.sha: item.size for items in lists for item in items}
        return self._sizes.get(sha)

    def _ask(self, sha: str) -> dict[str, Listed]:
        reply = self._reads.tree(sha, recursive=True)
        self._truncated = self._truncated or reply.truncated
        return listed(reply.tree, self._known)


def _listing(repository: Repository, revision: str) -> dict[str, Listed] | None:
    """The files of a commit of the checkout; ``None`` when it, or a tree of it, is not there."""
    commit = repository.find(revision)
    with suppress(SourceError):
        return None if commit is None else repository.assembly().listing(commit)
    return None
