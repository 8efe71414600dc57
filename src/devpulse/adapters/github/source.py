"""A pull request as a change: from the checkout's objects where they are all there, else with GitHub's help."""

from __future__ import annotations

from functools import cached_property

import github

from devpulse.adapters.git.assembly import blank_layout
from devpulse.adapters.git.repository import Repository
from devpulse.adapters.github.pull import PullRequestFacts, PullRequestId
from devpulse.adapters.github.reads import Reads
from devpulse.adapters.github.remote import load_remote
from devpulse.adapters.scratch_folder import ScratchFolder
from devpulse.core.change import ChangeSet, PullRequest
from devpulse.core.event import PullRequestState
from devpulse.core.source_tree import SourceTree
from devpulse.errors import GitHubNotFound, SourceError

LOCAL_RUNG = "local git"
GITHUB_RUNG = "GitHub API"


class PullRequestSource:
    """The change of one pull request, from the merge base to the head under review.

    ``repository`` is the checkout, of whatever it is a checkout, or ``None``. ``expected_head`` is the commit the
    review is about (the event's); without it, the newest. Close the source when its trees are no longer needed.
    """

    def __init__(
        self,
        pull: PullRequestId,
        client: github.Github,
        repository: Repository | None,
        expected_head: str | None = None,
    ) -> None:
        self._id = pull
        self._reads = Reads(client, pull.repository)
        # GitHub's objects are named by SHA-1, so another kind of repository can hold none of them.
        self._checkout = repository if repository is not None and repository.object_format == "sha1" else None
        self._expected_head = expected_head
        self._blank: tuple[ScratchFolder, Repository] | None = None
        self._sides: tuple[SourceTree, SourceTree] | None = None

    @cached_property
    def pull(self) -> PullRequestFacts:
        """The pull request, asked for once.

        Raises:
            GitHubError: it cannot be had.
        """
        return self._reads.pull(self._id.number)

    def close(self) -> None:
        """Delete what was fetched, if there is no checkout whose store holds it."""
        if self._blank is not None:
            folder, repository = self._blank
            repository.close()
            folder.remove()
            self._blank = None

    def load(self) -> ChangeSet:
        """Read the change.

        Raises:
            GitHubError: GitHub does not give what it takes.
            NoCommonAncestor: base and head share no history.
            SourceError: git failed.
        """
        pull, checkout = self.pull, self._checkout
        head = self._expected_head or pull.head_sha
        base, how = self._merge_base(pull, head)
        request = PullRequest(base, head, self._id.repository, pull.number, pull.title, pull.trusted)
        lacking = self._lacking(base, head)
        if checkout is not None and not lacking:
            try:
                files = checkout.changes(base, head)
            except SourceError as error:
                lacking = f"git could not compare them in the checkout ({str(error).rstrip('.')})"
            else:
                self._sides = checkout.tree(base), checkout.tree(head)
                return ChangeSet(request, files, LOCAL_RUNG, f"base and head objects are both here; {how}")
        remote = load_remote(self._reads, self._store(), pull, base, head)
        self._sides = remote.base, remote.head
        files, unread = remote.compared.files, remote.compared.unread
        fragments = frozenset(change.path for change in files if change.hunks and change.path in unread)
        return ChangeSet(request, files, GITHUB_RUNG, "; ".join((lacking, how, *remote.notes)), fragments)

    def head(self) -> SourceTree:
        """The tree of the head side; valid after ``load``."""
        return self._loaded()[1]

    def base(self) -> SourceTree:
        """The tree of the base side (the merge base); valid after ``load``."""
        return self._loaded()[0]

    def _loaded(self) -> tuple[SourceTree, SourceTree]:
        if self._sides is None:
            raise ValueError("load the source before asking for its trees")
        return self._sides

    def _merge_base(self, pull: PullRequestFacts, head: str) -> tuple[str, str]:
        """The merge base, and of what it is one: what GitHub shows begins at that of the branch as it is now.

        The commit that a pull request names as its base is often the branch's tip of the day it was opened. Once the
        branch was merged into the head, the ancestor they share is too old, and the branch's own changes would be
        reviewed. Nor is git asked: it cannot know the branch of today, and in a shallow clone gives too old a commit.
        """
        if pull.state is PullRequestState.MERGED:  # the branch now holds the head itself
            why = "the pull request was merged"
        else:
            try:
                base = self._reads.merge_base(pull.base_ref, head)
            except GitHubNotFound:
                why = f"GitHub finds no branch {pull.base_ref}"
            else:
                return base, f"the merge base is that of {pull.base_ref} and head"
        base = self._reads.merge_base(pull.base_sha, head)
        return base, f"the merge base is that of the recorded base {pull.base_sha[:12]} and head, since {why}"

    def _lacking(self, base: str, head: str) -> str:
        """What keeps git from comparing here; empty when nothing is known to."""
        checkout = self._checkout
        if checkout is None:
            return "there is no checkout"
        sides = (("head", head), ("merge base", base))
        absent = [f"the {name} is not in the checkout" for name, sha in sides if checkout.find(sha) is None]
        return ", ".join(absent)

    def _store(self) -> Repository:
        """The checkout, or in its place a repository of our own."""
        if self._checkout is not None:
            return self._checkout
        if self._blank is None:
            folder = ScratchFolder("blank")
            self._blank = folder, Repository(blank_layout(folder.path))
        return self._blank[1]
