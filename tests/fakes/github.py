"""A fake GitHub: real HTTP on loopback, over a real git repository, with a memory.

    with FakeGitHub(repo) as hub:
        github.Github(base_url=hub.url, auth=github.Auth.Token(hub.token))
        hub.add_comment("bob", "hello")
        hub.faults.lose_reply("POST .*/reviews")

Leaving the block fails the test when a route was asked for that is not served, or when a request or a reply does not
fit GitHub's published description. ``violations`` holds what went wrong so far.
"""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from fakes import github_contract, github_events, github_graphql, github_rest, github_rest_git
from fakes.github_faults import RESET, Faults
from fakes.github_http import Answer, GitHubRequest, Refused
from fakes.github_json import JsonOf, repository_id
from fakes.github_pull import FakePull
from fakes.github_state import Comment, Review, ReviewComment, Thread
from fakes.http_server import Fault, HttpReply, HttpRequest, LoopbackServer
from repos import Repo

_LIMIT = 1000
"""Requests an hour of a GITHUB_TOKEN (GitHub Docs, "Rate limits for the REST API")."""


class FakeGitHub:
    """GitHub with one repository and one pull request, from branch ``head`` into ``base`` of ``repo``.

    ``head_repository`` is the fork's full name, when it comes from one. ``actor`` is who the token stands for.
    ``permissions`` are collaborators by login (admin, write, read, none; others may read).
    ``opened_at`` is the commit at which ``base.sha`` stands still, by default the tip of ``base``.
    ``api_path="/api/v3"`` is how a GitHub Enterprise server serves it; GraphQL is then at /api/graphql.
    """

    def __init__(
        self,
        repo: Repo,
        *,
        base: str = "main",
        head: str = "work",
        number: int = 7,
        repository: str = "octo/shop",
        head_repository: str | None = None,
        token: str = "ghs_test",
        draft: bool = False,
        title: str = "Add a page",
        body: str | None = None,
        author: str = "ada",
        actor: str = "github-actions[bot]",
        opened_at: str | None = None,
        permissions: Mapping[str, str] | None = None,
        api_path: str = "",
    ) -> None:
        self.pull = FakePull(
            repo, repository, number, base, head, head_repository or repository, title, body, draft, author, opened_at
        )
        self.token = token
        self.permissions = {repository.partition("/")[0]: "admin", **(permissions or {})}
        self.faults = Faults()
        self.requests: list[GitHubRequest] = []
        self._violations: list[str] = []
        self._unchecked: dict[str, tuple[GitHubRequest, Answer]] = {}
        self._api_path = api_path
        self._lock = threading.RLock()
        self._server = LoopbackServer(self._answer)
        self._json = JsonOf(self.pull, self.url, self._server.url)
        self.actor = self.pull.notes.person(actor)
        self._rest = github_rest.Rest(self.pull, self._json, self.actor, self.permissions)

    @property
    def url(self) -> str:
        """The base URL of the API, as in GITHUB_API_URL."""
        return self._server.url + self._api_path

    @property
    def site(self) -> str:
        """The base URL of the pages, as in GITHUB_SERVER_URL."""
        return self._server.url

    @property
    def graphql_url(self) -> str:
        """As in GITHUB_GRAPHQL_URL."""
        return self._server.url + self._graphql_path

    @property
    def _graphql_path(self) -> str:
        return f"{self._api_path.removesuffix('/v3')}/graphql"

    @property
    def wire(self) -> list[HttpRequest]:
        """Every request below the API."""
        return self._server.requests

    @property
    def comments(self) -> list[Comment]:
        """The conversation, oldest first."""
        return list(self.pull.notes.comments.values())

    @property
    def threads(self) -> list[Thread]:
        return list(self.pull.notes.threads.values())

    @property
    def reviews(self) -> list[Review]:
        return list(self.pull.notes.reviews.values())

    @property
    def head_sha(self) -> str:
        return self.pull.head_sha

    @property
    def base_sha(self) -> str:
        """The commit that GitHub names as the base, which may be older than the branch's tip."""
        return self.pull.base_sha

    @property
    def violations(self) -> list[str]:
        """What went wrong so far. A test that means it empties the list."""
        with self._lock:
            # Replies are checked late: the client need not wait, and the same reply need not be checked twice.
            for request, answer in self._unchecked.values():
                self._violations += github_contract.reply_faults(request, answer)
            self._unchecked.clear()
            return self._violations

    def calls(self, match: str = "") -> list[GitHubRequest]:
        """The requests so far whose "METHOD /path?query" holds the regular expression."""
        return [each for each in self.requests if re.search(match, str(each))]

    def writes(self) -> list[GitHubRequest]:
        """The requests so far that ask for a change, GraphQL mutations included."""
        return [
            each
            for each in self.requests
            if (each.method != "GET" and each.path != "/graphql")
            or (each.path == "/graphql" and "mutation" in str((each.body or {}).get("query", "")))
        ]

    def moved(self) -> None:
        """The branches were pushed to."""
        with self._lock:
            self.pull.moved()

    def add_comment(self, author: str, body: str) -> Comment:
        """Somebody writes in the conversation."""
        with self._lock:
            return self.pull.notes.add_comment(self.pull.notes.person(author), body)

    def add_thread(
        self, author: str, path: str, line: int, body: str, *, side: str = "RIGHT", start_line: int | None = None
    ) -> Thread:
        """Somebody comments on the code of the newest head."""
        comment = {"path": path, "line": line, "side": side, "body": body, "start_line": start_line}
        with self._lock:
            person = self.pull.notes.person(author)
            review = self.pull.notes.add_review(person, "", "COMMENTED", self.head_sha)
            return github_rest.open_thread(self.pull, person, comment, self.head_sha, review.id)

    def reply(self, thread: Thread, author: str, body: str) -> ReviewComment:
        """Somebody answers in a thread."""
        with self._lock:
            return self.pull.notes.reply(thread, self.pull.notes.person(author), body, self.head_sha)

    def resolve(self, thread: Thread, author: str) -> None:
        """Somebody resolves a thread."""
        thread.resolved_by = self.pull.notes.person(author)

    def delete_comment(self, comment: int) -> None:
        """Somebody deletes a comment of either kind."""
        with self._lock:
            assert self.pull.notes.delete_comment(comment), comment

    def event(self, action: str | None = None, event: str = "pull_request", **more: Any) -> dict[str, Any]:
        """The payload a workflow finds at GITHUB_EVENT_PATH."""
        return {**github_events.payload(self._json, event, action), **more}

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.__exit__(kind, error, trace)
        if error is None and self.violations:
            raise AssertionError("GitHub was used wrongly:\n" + "\n".join(self.violations))

    def _answer(self, http: HttpRequest) -> HttpReply:
        with self._lock:
            request = self._request(http)
            self.requests.append(request)
        self.faults.run_actions(request)  # without the lock: one may ask this server for something
        with self._lock:
            try:
                self._authorise(request)
                endpoint = self._endpoint(request)
                answer = self.faults.take(request, applied=False) or self._applied(request, endpoint)
            except Refused as refused:
                answer = refused.answer
            if answer is RESET:
                return HttpReply(fault=Fault.RESET)
            return self._reply(answer)

    def _request(self, http: HttpRequest) -> GitHubRequest:
        parts = urllib.parse.urlsplit(http.target)
        path = parts.path
        if path == self._graphql_path:
            path = "/graphql"
        elif path.startswith(f"{self._api_path}/"):
            path = path.removeprefix(self._api_path)
        for name in (self.pull.repository, self.pull.head_repository):
            path = re.sub(f"^/repositories/{repository_id(name)}(?=/|$)", f"/repos/{name}", path)
        query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        try:
            body = json.loads(http.body) if http.body else None
        except ValueError:
            body = None
            self._violations.append(f"{http.method} {http.target}: the body is not JSON")
        return GitHubRequest(http.method, path, query, body, http.headers)

    def _authorise(self, request: GitHubRequest) -> None:
        if not request.headers.get("user-agent"):
            raise Refused(403, "Request forbidden by administrative rules.")
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() not in ("token", "bearer") or token != self.token:
            raise Refused(401, "Bad credentials")

    def _endpoint(self, request: GitHubRequest) -> Callable[[], Answer]:
        """What answers a request that is fit to be answered."""
        if (request.method, request.path) == ("POST", "/graphql"):
            for fault in github_graphql.query_faults(request.body.get("query", "")):
                self._violations.append(f"GraphQL: {fault}")
            return lambda: github_graphql.execute(request.body, self._json, self.actor, self.faults)
        found = github_rest.ROUTES.find(request) or github_rest_git.ROUTES.find(request)
        if found is None:
            self._violations.append(f"no such route: {request}")
            raise Refused(501, "Not Implemented")
        if re.search(r"\.(diff|patch|raw|sha|html)\b", request.headers.get("accept", "")):
            self._violations.append(f"{request}: this fake serves JSON only")
            raise Refused(501, "Not Implemented")
        if faults := github_contract.request_faults(request):
            self._violations += faults
            raise Refused(422, "Invalid request.\n\n" + "\n".join(faults))
        return lambda: self._checked_later(request, lambda: found[0](self._rest, request, **found[1]))

    def _checked_later(self, request: GitHubRequest, endpoint: Callable[[], Answer]) -> Answer:
        try:
            answer = endpoint()
        except Refused as refused:
            answer = refused.answer
        self._unchecked.setdefault(f"{request.method} {request.path} {answer.status} {answer.body}", (request, answer))
        return answer

    def _applied(self, request: GitHubRequest, endpoint: Callable[[], Answer]) -> Answer:
        """The answer after the change was made, unless it gets lost."""
        self.faults.refuse(request)
        answer = endpoint()
        return self.faults.take(request, applied=True) or answer

    def _reply(self, answer: Answer) -> HttpReply:
        used = len(self.requests)
        headers = {
            "content-type": "application/json; charset=utf-8",
            "x-github-request-id": f"0000:{used:04X}",
            "x-ratelimit-limit": str(_LIMIT),
            "x-ratelimit-remaining": str(max(_LIMIT - used, 1)),
            "x-ratelimit-used": str(used),
            "x-ratelimit-reset": str(int(time.time()) + 3600),
            "x-ratelimit-resource": "core",
            **answer.headers,
        }
        body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        body = b"" if answer.status == 204 else body
        return HttpReply(answer.status, body, headers)
