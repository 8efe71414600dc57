"""What our own account has said on a pull request, read with one GraphQL query a page.

Only GraphQL knows threads, and whether a comment is the reader's own: a marker in anybody else's comment
is text. Bots have other logins in REST than in GraphQL, so logins are not compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import github
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from devpulse.adapters.github.exchange import exchange
from devpulse.adapters.github.failures import graphql_error, unreadable
from devpulse.adapters.github.pull import PullRequestId
from devpulse.adapters.github.retrying import ATTEMPTS_MORE, Patience
from devpulse.core.commands import read_ignore_command
from devpulse.errors import GitHubUnavailable
from devpulse.output.comments.decisions import read_ignore
from devpulse.output.comments.marker import (
    SUMMARY_HEADING,
    read_finding_marker,
    read_finding_source,
    read_note_marker,
    read_summary_marker,
)
from devpulse.output.comments.standing import Ignore, IgnoreRequest, Standing, StandingComment, StandingSummary

QUERY = """\
query Standing(
  $owner: String!, $name: String!, $number: Int!,
  $readThreads: Boolean!, $afterThread: String, $readComments: Boolean!, $afterComment: String
) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      headRefOid
      reviewThreads(first: 100, after: $afterThread) @include(if: $readThreads) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id isResolved viewerCanResolve path line
          resolvedBy { login }
          comments(first: 100) { nodes { fullDatabaseId viewerDidAuthor body url author { __typename login } } }
        }
      }
      comments(first: 100, after: $afterComment) @include(if: $readComments) {
        pageInfo { hasNextPage endCursor }
        nodes { fullDatabaseId viewerDidAuthor body url author { __typename login } }
      }
    }
  }
}
"""

_PERMISSION = "pull-requests: read"
_NOBODY = "ghost"
"""As GitHub calls an account that was deleted."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Account(_Model):
    kind: str = Field(default="", alias="__typename")
    login: str


class _Comment(_Model):
    id: int = Field(alias="fullDatabaseId")
    own: bool = Field(alias="viewerDidAuthor")
    body: str
    url: str
    author: _Account | None

    @property
    def by_person(self) -> bool:
        """Whether somebody else wrote it who is no program. Nobody is named where the account is gone."""
        return not self.own and (self.author is None or self.author.kind != "Bot")


class _Comments(_Model):
    nodes: tuple[_Comment | None, ...]


class _Thread(_Model):
    id: str
    resolved: bool = Field(alias="isResolved")
    resolved_by: _Account | None = Field(alias="resolvedBy")
    can_resolve: bool = Field(default=True, alias="viewerCanResolve")
    path: str
    line: int | None
    comments: _Comments


class _PageInfo(_Model):
    has_next: bool = Field(alias="hasNextPage")
    end: str | None = Field(alias="endCursor")


class _ThreadPage(_Model):
    page: _PageInfo = Field(alias="pageInfo")
    nodes: tuple[_Thread | None, ...]


class _CommentPage(_Model):
    page: _PageInfo = Field(alias="pageInfo")
    nodes: tuple[_Comment | None, ...]


class _PullRequest(_Model):
    head_sha: str = Field(alias="headRefOid")
    threads: _ThreadPage | None = Field(default=None, alias="reviewThreads")
    comments: _CommentPage | None = None


class _Repository(_Model):
    pull_request: _PullRequest = Field(alias="pullRequest")


class _Data(_Model):
    repository: _Repository


class _Answer(_Model):
    data: _Data


def read_standing(
    client: github.Github,
    pull: PullRequestId,
    *,
    patience: Patience | None = None,
    sleep: Callable[[float], None] = time.sleep,
    first_pause: float = 0.5,
    heading: str = SUMMARY_HEADING,
) -> Standing:
    """Read the inline comments and the summary of the account that ``client`` speaks for, and where the head is.

    A query is a read, so it is sent again a few times when GitHub does not answer, after ``first_pause`` seconds and
    then twice as many, as long as there is ``patience``. Of several summaries the oldest with the first line
    ``heading`` counts.

    Raises:
        GitHubError: it cannot be read.
    """
    owner, _, name = pull.repository.partition("/")
    variables: dict[str, Any] = {"owner": owner, "name": name, "number": pull.number}
    variables |= {"readThreads": True, "afterThread": None, "readComments": True, "afterComment": None}
    doing = f"reading the comments of {pull}"
    threads: list[_Thread] = []
    comments: list[_Comment] = []
    head_sha = ""
    while variables["readThreads"] or variables["readComments"]:
        ask = partial(_ask, client, variables, doing)
        page = _persist(ask, patience or Patience(), sleep, first_pause).repository.pull_request
        head_sha = page.head_sha
        threads += filter(None, page.threads.nodes if page.threads else ())
        comments += filter(None, page.comments.nodes if page.comments else ())
        variables |= _following("Thread", page.threads) | _following("Comment", page.comments)
    inline = sorted(_inline(threads), key=lambda comment: comment.id)
    summaries = sorted(_summaries(comments, heading), key=lambda summary: summary.id)
    requests = tuple(_requests(sorted(comments, key=lambda comment: comment.id)))
    return Standing(tuple(inline), summaries[0] if summaries else None, head_sha, requests)


def _persist(ask: Callable[[], _Data], patience: Patience, sleep: Callable[[float], None], pause: float) -> _Data:
    for _ in range(ATTEMPTS_MORE):
        try:
            return ask()
        except GitHubUnavailable:
            if not patience.take(pause):
                raise
            sleep(pause)
            pause *= 2
    return ask()


def _ask(client: github.Github, variables: dict[str, Any], doing: str) -> _Data:
    requester, query = client.requester, {"query": QUERY, "variables": variables}
    headers, answer = exchange(requester, "POST", requester.graphql_url, query, doing, _PERMISSION)
    faults = answer.get("errors") if isinstance(answer, dict) else None
    if faults:
        raise graphql_error(faults if isinstance(faults, list) else [faults], headers, doing, permission=_PERMISSION)
    try:
        return _Answer.model_validate(answer).data
    except ValidationError as error:
        raise unreadable(doing) from error


def _following(what: str, page: _ThreadPage | _CommentPage | None) -> dict[str, Any]:
    more = page is not None and page.page.has_next
    return {f"read{what}s": more, f"after{what}": page.page.end if page is not None else None}


def _inline(threads: list[_Thread]) -> Iterator[StandingComment]:
    """The threads we opened. What somebody else opened is theirs, whatever we answered in it."""
    for thread in threads:
        written = [each for each in thread.comments.nodes if each]
        first = next(iter(written), None)
        fingerprint = read_finding_marker(first.body) if first is not None and first.own else None
        if first is None or fingerprint is None:
            continue
        people = [each for each in written if each.by_person]
        notes = [note for each in written[1:] if each.own and (note := read_note_marker(each.body)) is not None]
        yield StandingComment(
            id=first.id,
            thread_id=thread.id,
            fingerprint=fingerprint,
            path=thread.path,
            line=thread.line,
            resolved=thread.resolved,
            resolved_by=thread.resolved_by.login if thread.resolved_by else "",
            answered_by=tuple(sorted({_login(each) for each in people})),
            url=first.url,
            own=_login(first),
            ignores=tuple(_ignores(people)),
            note=notes[-1] if notes else None,
            source=read_finding_source(first.body),
            can_resolve=thread.can_resolve,
        )


def _login(comment: _Comment) -> str:
    return comment.author.login if comment.author else _NOBODY


def _ignores(comments: list[_Comment]) -> Iterator[Ignore]:
    for comment in comments:
        why = read_ignore(comment.body)
        if why is not None and comment.author is not None:
            yield Ignore(comment.author.login, why)


def _requests(comments: list[_Comment]) -> Iterator[IgnoreRequest]:
    for comment in comments:
        asked = read_ignore_command(comment.body) if comment.by_person else None
        if asked is not None and comment.author is not None:
            yield IgnoreRequest(comment.author.login, asked.beginning, asked.why)


def _summaries(comments: list[_Comment], heading: str) -> Iterator[StandingSummary]:
    for comment in comments:
        mark = read_summary_marker(comment.body, heading) if comment.own else None
        if mark is not None:
            yield StandingSummary(comment.id, mark, comment.url)
