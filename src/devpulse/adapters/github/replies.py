"""The parts of GitHub's answers that are used, checked as they come in (REST API, version 2022-11-28)."""

from __future__ import annotations

import base64
import binascii
from typing import Literal

from pydantic import BaseModel, PositiveInt

from devpulse.adapters.github.pull import PullRequestFacts
from devpulse.core.event import PullRequestState


class _Repository(BaseModel):
    full_name: str


class _End(BaseModel):
    sha: str
    ref: str
    repo: _Repository | None = None


class PullReply(BaseModel):
    """A pull request. Servers that know no drafts leave ``draft`` out."""

    number: int
    title: str
    draft: bool | None = None
    state: str
    merged: bool | None = None
    changed_files: int = 0
    head: _End
    base: _End

    def facts(self, repository: str) -> PullRequestFacts:
        """The answer in our words; ``repository`` is the one that was asked."""
        return PullRequestFacts(
            number=self.number,
            title=self.title,
            draft=bool(self.draft),
            state=self._state(),
            changed_files=self.changed_files,
            head_sha=self.head.sha,
            head_repository=self.head.repo.full_name if self.head.repo else None,
            base_sha=self.base.sha,
            base_ref=self.base.ref,
            base_repository=self.base.repo.full_name if self.base.repo else repository,
        )

    def _state(self) -> PullRequestState:
        if self.merged:
            return PullRequestState.MERGED
        return PullRequestState.OPEN if self.state == "open" else PullRequestState.CLOSED


class PermissionReply(BaseModel):
    """What somebody may do. GitHub maps ``maintain`` to write and ``triage`` to read here."""

    permission: Literal["admin", "write", "read", "none"]


class _Commit(BaseModel):
    sha: str


class CompareReply(BaseModel):
    """What two commits have in common; its files are not used."""

    merge_base_commit: _Commit


class ListedFile(BaseModel):
    """A changed file in a list. ``sha`` is the blob at head, at base for a removed file.

    ``patch`` is absent for binary files, renames without a change, and large ones; past some size of the
    whole page also for ordinary files, with nothing to tell them by.
    """

    filename: str
    status: str
    sha: str | None = None
    patch: str | None = None
    previous_filename: str | None = None


class TreeItem(BaseModel):
    """A file, link, submodule (``commit``) or folder (``tree``) in a tree."""

    path: str
    mode: str
    type: str
    sha: str
    size: int | None = None


class TreeReply(BaseModel):
    """A tree; ``truncated`` when it was too long (100,000 entries or 7 MB) and the rest left out."""

    tree: list[TreeItem]
    truncated: bool = False


class WrittenReply(BaseModel):
    """A review or a comment as it was written. Without its id the answer does not say that anything was."""

    id: PositiveInt
    html_url: str


class BlobReply(BaseModel):
    """The content of a file."""

    content: str
    encoding: Literal["base64", "utf-8"]

    def data(self) -> bytes | None:
        """The bytes; ``None`` when the content is not what the encoding says."""
        if self.encoding == "utf-8":
            return self.content.encode("utf-8", "surrogatepass")
        try:
            return base64.b64decode(self.content)
        except (binascii.Error, ValueError):
            return None
