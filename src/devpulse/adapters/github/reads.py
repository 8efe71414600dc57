"""The questions about one repository that GitHub is asked; every answer is checked before it is used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

import github
from pydantic import BaseModel, TypeAdapter, ValidationError

from devpulse.adapters.github.client import PER_PAGE
from devpulse.adapters.github.exchange import exchange
from devpulse.adapters.github.failures import unreadable
from devpulse.adapters.github.pull import PullRequestFacts, PullRequestId
from devpulse.adapters.github.replies import BlobReply, CompareReply, ListedFile, PermissionReply, PullReply, TreeReply
from devpulse.core.content import blob_id
from devpulse.errors import GitHubNotFound, NoCommonAncestor

MAX_ROWS = 3000
"""GitHub lists no more files of a pull request, and says nothing when there are more."""

_WRITERS = ("admin", "write")
_PERMISSION = "contents: read and pull-requests: read"
_PULLS = TypeAdapter(list[PullReply])
_ROWS = TypeAdapter(list[ListedFile])
_Reply = TypeVar("_Reply", bound=BaseModel)
_Value = TypeVar("_Value")


class Reads:
    """Asks one question at a time, as GitHub wants it. Safe to use from several threads.

    Every method raises a GitHubError when there is no usable answer.
    """

    def __init__(self, client: github.Github, repository: str) -> None:
        self._requester = client.requester
        self._repository = repository
        self._lock = threading.Lock()

    def pull(self, number: int) -> PullRequestFacts:
        """A pull request as it is now."""
        doing = f"reading pull request {PullRequestId(self._repository, number)}"
        return self._ask(f"/pulls/{number}", {}, doing, PullReply).facts(self._repository)

    def pulls_from(self, head_repository: str, branch: str) -> list[PullRequestFacts]:
        """The open pull requests from a branch of a repository (``owner/name``), a hundred at most."""
        owner = head_repository.partition("/")[0]
        doing = f"looking for the pull request from {owner}:{branch} in {self._repository}"
        query = {"state": "open", "head": f"{owner}:{branch}", "per_page": PER_PAGE}
        rows = _checked(_PULLS.validate_python, self._get("/pulls", query, doing)[1], doing)
        found = [row.facts(self._repository) for row in rows]
        # Where a head cannot be found, GitHub lists all pull requests.
        return [pull for pull in found if (pull.head_repository or "").lower() == head_repository.lower()]

    def merge_base(self, base: str, head: str) -> str:
        """The best common ancestor of two commits, each given by its id or the name of a branch.

        Raises:
            NoCommonAncestor: there is none.
        """
        doing = f"comparing {base} with {head} in {self._repository}"
        if ".." in base or ".." in head:  # two names to GitHub, or a way to another address; git allows no such name
            raise GitHubNotFound(
                f"No branch can have the name, while {doing}.", hint="Check the names of the branches."
            )
        ends = "...".join(quote(each, safe="", errors="replace") for each in (base, head))
        try:
            # One commit a page: only the merge base is of interest.
            reply = self._ask(f"/compare/{ends}", {"per_page": 1}, doing, CompareReply)
        except GitHubNotFound as error:
            if "ancestor" not in str(error):
                raise
            raise NoCommonAncestor(
                f"{base} and {head} have no common ancestor.",
                hint="Rebase the pull request onto its base branch.",
            ) from error
        return reply.merge_base_commit.sha

    def rows(self, number: int) -> Iterator[ListedFile]:
        """The changed files of a pull request, ``MAX_ROWS`` at most; each page is asked for when it is needed."""
        doing = f"reading the files of {PullRequestId(self._repository, number)}"
        for page in range(1, MAX_ROWS // PER_PAGE + 1):
            headers, data = self._get(f"/pulls/{number}/files", {"per_page": PER_PAGE, "page": page}, doing)
            yield from _checked(_ROWS.validate_python, data, doing)
            if 'rel="next"' not in str(headers.get("link", "")):
                return

    def may_write(self, login: str) -> bool:
        """Whether somebody has write permission; not so who is unknown to the repository."""
        doing = f"asking what {login} may do in {self._repository}"
        try:
            reply = self._ask(f"/collaborators/{quote(login, safe='')}/permission", {}, doing, PermissionReply)
        except GitHubNotFound:
            return False
        return reply.permission in _WRITERS

    def tree(self, sha: str, *, recursive: bool) -> TreeReply:
        """The tree of a commit or tree."""
        doing = f"listing the files of {sha[:12]} in {self._repository}"
        return self._ask(f"/git/trees/{quote(sha)}", {"recursive": 1} if recursive else {}, doing, TreeReply)

    def blob(self, sha: str) -> bytes:
        """The content of a file, which is what its id says."""
        doing = f"reading object {sha[:12]} of {self._repository}"
        data = self._ask(f"/git/blobs/{quote(sha)}", {}, doing, BlobReply).data()
        if data is None or blob_id(data) != sha:
            raise unreadable(doing)
        return data

    def _ask(self, path: str, parameters: Mapping[str, Any], doing: str, reply: type[_Reply]) -> _Reply:
        return _checked(reply.model_validate, self._get(path, parameters, doing)[1], doing)

    def _get(self, path: str, parameters: Mapping[str, Any], doing: str) -> tuple[Mapping[str, Any], Any]:
        url = f"/repos/{quote(self._repository)}{path}"
        with self._lock:
            return exchange(self._requester, "GET", url, parameters, doing, _PERMISSION)


def _checked(validate: Callable[[Any], _Value], data: Any, doing: str) -> _Value:
    try:
        return validate(data)
    except ValidationError as error:
        raise unreadable(doing) from error
