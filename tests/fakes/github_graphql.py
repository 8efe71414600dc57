"""The fake GitHub's GraphQL: the published schema, cut down, with its fields read from the fake's memory.

The schema is tests/data/contracts/github.graphql. A query it refuses is answered as GitHub answers one, with status
200 and ``errors``.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fakes.github_contract import CONTRACTS
from fakes.github_faults import INTEGRATION, Faults
from fakes.github_http import Answer
from fakes.github_json import JsonOf, repository_id
from fakes.github_state import Comment, Person, ReviewComment, Thread, node_id
from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    GraphQLSchema,
    build_schema,
    execute_sync,
    parse,
    validate,
)

_Node = dict[str, Any]


@functools.cache
def schema() -> GraphQLSchema:
    """The published schema, read once."""
    return build_schema((CONTRACTS / "github.graphql").read_text(encoding="utf-8"))


@functools.cache
def _read(query: str) -> DocumentNode | tuple[GraphQLError, ...]:
    """A query, or why the schema refuses it. The same few are sent over and over, with other variables."""
    try:
        document = parse(query)
    except GraphQLError as error:
        return (error,)
    return tuple(validate(schema(), document)) or document


def query_faults(query: str) -> list[str]:
    """Why the schema refuses a query."""
    read = _read(query)
    return [each.message for each in read] if isinstance(read, tuple) else []


def execute(body: Mapping[str, Any], json_of: JsonOf, actor: Person, faults: Faults) -> Answer:
    """Run a query or mutation as ``actor``."""
    read = _read(body.get("query", ""))
    if isinstance(read, tuple):
        result = ExecutionResult(None, list(read))
    else:
        result = execute_sync(
            schema(),
            read,
            root_value=_Root(json_of, actor, faults).fields(),
            variable_values=body.get("variables"),
            operation_name=body.get("operationName"),
        )
    reply: dict[str, Any] = {} if result.data is None else {"data": result.data}
    if result.errors:
        reply["errors"] = [_shown(each) for each in result.errors]
    return Answer(200, reply)


def _shown(error: GraphQLError) -> dict[str, Any]:
    """An error in GitHub's form, where its type is a field of its own."""
    shown: dict[str, Any] = {**error.formatted}
    shown.update(shown.pop("extensions", {}))
    return shown


class _Root:
    """The values of the fields. A callable is a field with arguments."""

    def __init__(self, json_of: JsonOf, actor: Person, faults: Faults) -> None:
        self._json = json_of
        self._pull = json_of.pull
        self._notes = json_of.pull.notes
        self._actor = actor
        self._faults = faults

    def fields(self) -> _Node:
        rate = {"cost": 1, "limit": 5000, "remaining": 4999, "used": 1, "resetAt": "2024-01-02T01:00:00Z"}
        return {
            "repository": self._repository,
            "node": lambda _, **arguments: self._node(arguments["id"]),
            # The viewer of a GITHUB_TOKEN keeps its suffix, unlike the author of a comment (seen in `gh auth status`).
            "viewer": {**self._account(self._actor), "__typename": "User", "login": self._actor.login},
            "rateLimit": lambda _, **__: rate,
            "resolveReviewThread": functools.partial(self._settle, resolved=True),
            "unresolveReviewThread": functools.partial(self._settle, resolved=False),
            "minimizeComment": self._minimize,
        }

    def _repository(self, _: object, **arguments: Any) -> _Node:
        name = f"{arguments['owner']}/{arguments['name']}"
        if name.lower() != self._pull.repository.lower():
            raise _not_found(f"Could not resolve to a Repository with the name '{name}'.")
        return {
            "__typename": "Repository",
            "id": node_id("R", repository_id(self._pull.repository)),
            "name": arguments["name"],
            "nameWithOwner": self._pull.repository,
            "url": f"{self._json.site}/{self._pull.repository}",
            "pullRequest": self._pull_request,
        }

    def _pull_request(self, _: object, **arguments: Any) -> _Node:
        pull = self._pull
        if arguments["number"] != pull.number:
            raise _not_found(f"Could not resolve to a PullRequest with the number of {arguments['number']}.")
        rest, author = self._json.pull_simple(), self._notes.person(pull.author)
        threads = [each for each in self._notes.threads.values() if not each.pending]
        return {
            "__typename": "PullRequest",
            **self._written(rest["node_id"], author, pull.body or "", (rest["created_at"], rest["updated_at"])),
            "fullDatabaseId": str(rest["id"]),
            "url": rest["html_url"],
            "number": pull.number,
            "title": pull.title,
            "isDraft": pull.draft,
            "isCrossRepository": pull.is_fork,
            "baseRefName": pull.base,
            "baseRefOid": pull.base_sha,
            "headRefName": pull.head,
            "headRefOid": pull.head_sha,
            "comments": _connection("comments", list(self._notes.comments.values()), self._comment),
            "reviewThreads": _connection("reviewThreads", threads, self._thread),
        }

    def _node(self, node: str) -> _Node:
        for thread in self._notes.threads.values():
            if thread.node_id == node:
                return self._thread(thread)
        for found, value in self._comments():
            if node_id("PRRC" if isinstance(found, ReviewComment) else "IC", found.id) == node:
                return value
        raise _not_found(f"Could not resolve to a node with the global id of '{node}'.")

    def _comments(self) -> list[tuple[Comment, _Node]]:
        plain = [(each, self._comment(each)) for each in self._notes.comments.values()]
        return [
            *plain,
            *((each, self._review_comment(one, each)) for one in self._notes.threads.values() for each in one.comments),
        ]

    def _thread(self, thread: Thread) -> _Node:
        place, resolver = self._pull.place(thread), thread.resolved_by

        def comment(each: ReviewComment) -> _Node:
            return self._review_comment(thread, each)

        return {
            "__typename": "PullRequestReviewThread",
            "id": thread.node_id,
            "isResolved": resolver is not None,
            "isCollapsed": resolver is not None,
            "isOutdated": self._pull.is_outdated(thread),
            "resolvedBy": {**self._account(resolver), "__typename": "User"} if resolver else None,
            "path": thread.path,
            "line": place.line if place else None,
            "startLine": place.start_line if place else None,
            "originalLine": thread.line,
            "originalStartLine": thread.start_line,
            "diffSide": thread.side,
            "startDiffSide": thread.start_side,
            "subjectType": "FILE" if thread.line is None else "LINE",
            "viewerCanReply": not self._faults.read_only,
            "viewerCanResolve": resolver is None and self._may_resolve,
            "viewerCanUnresolve": resolver is not None and self._may_resolve,
            "comments": _connection("comments", thread.comments, comment),
        }

    def _review_comment(self, thread: Thread, comment: ReviewComment) -> _Node:
        place, first = self._pull.place(thread), thread.comments[0]
        return {
            "__typename": "PullRequestReviewComment",
            **self._noted(comment, "PRRC", f"discussion_r{comment.id}"),
            "diffHunk": thread.hunk,
            "path": thread.path,
            "line": place.line if place else None,
            "startLine": place.start_line if place else None,
            "originalLine": thread.line,
            "originalStartLine": thread.start_line,
            "outdated": self._pull.is_outdated(thread),
            "replyTo": None if comment is first else self._review_comment(thread, first),
            "subjectType": "FILE" if thread.line is None else "LINE",
        }

    def _comment(self, comment: Comment) -> _Node:
        return {"__typename": "IssueComment", **self._noted(comment, "IC", f"issuecomment-{comment.id}")}

    def _noted(self, comment: Comment, kind: str, anchor: str) -> _Node:
        times = (comment.created, comment.updated)
        return {
            **self._written(node_id(kind, comment.id), comment.author, comment.body, times),
            "databaseId": comment.id,
            "fullDatabaseId": str(comment.id),
            "url": f"{self._json.pull_page}#{anchor}",
            "isMinimized": comment.minimized is not None,
            "minimizedReason": comment.minimized,
            "viewerCanMinimize": not self._faults.read_only,
        }

    def _written(self, node: str, author: Person, body: str, times: tuple[str, str]) -> _Node:
        return {
            "id": node,
            "author": self._account(author),
            "authorAssociation": "NONE" if author.is_bot else "CONTRIBUTOR",
            "body": body,
            "createdAt": times[0],
            "updatedAt": times[1],
            "viewerDidAuthor": author == self._actor,
        }

    def _account(self, person: Person) -> _Node:
        return {
            "__typename": "Bot" if person.is_bot else "User",
            "id": node_id("U", person.id),
            "databaseId": person.id,
            "login": person.graphql_login,
            "url": self._json.person(person)["html_url"],
        }

    @property
    def _may_resolve(self) -> bool:
        return not (self._faults.read_only or self._faults.may_not_resolve)

    def _settle(self, _: object, *, resolved: bool, **arguments: Any) -> _Node:
        """Resolve a thread or open it again; needs contents: write (github/gh-aw#35726)."""
        wanted = arguments["input"]
        if not self._may_resolve:
            raise GraphQLError(INTEGRATION, extensions={"type": "FORBIDDEN"})
        for thread in self._notes.threads.values():
            if thread.node_id == wanted["threadId"]:
                thread.resolved_by = self._actor if resolved else None
                return {"clientMutationId": wanted.get("clientMutationId"), "thread": self._thread(thread)}
        raise _not_found(f"Could not resolve to a node with the global id of '{wanted['threadId']}'.")

    def _minimize(self, _: object, **arguments: Any) -> _Node:
        wanted = arguments["input"]
        if self._faults.read_only:
            raise GraphQLError(INTEGRATION, extensions={"type": "FORBIDDEN"})
        for comment, value in self._comments():
            if value["id"] == wanted["subjectId"]:
                comment.minimized = wanted["classifier"].lower().replace("_", "-")
                return {
                    "clientMutationId": wanted.get("clientMutationId"),
                    "minimizedComment": self._node(value["id"]),
                }
        raise _not_found(f"Could not resolve to a node with the global id of '{wanted['subjectId']}'.")


def _not_found(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"type": "NOT_FOUND"})


def _connection(name: str, items: Sequence[Any], node: Callable[[Any], _Node]) -> Callable[..., _Node]:
    """A list in pages; ``first`` or ``last`` must be there and be at most 100 (GitHub Docs, GraphQL, "Node limit")."""

    def page(_: object, **arguments: Any) -> _Node:
        first, last = arguments.get("first"), arguments.get("last")
        if first is None and last is None:
            message = f"You must provide a `first` or `last` value to properly paginate the `{name}` connection."
            raise GraphQLError(message, extensions={"type": "MISSING_PAGINATION_BOUNDARIES"})
        size: int = next(each for each in (first, last) if each is not None)
        if not 1 <= size <= 100:
            word = "first" if first is not None else "last"
            message = f"Requesting {size} records on the `{name}` connection exceeds the `{word}` limit of 100 records."
            raise GraphQLError(message, extensions={"type": "EXCESSIVE_PAGINATION"})
        low = _place(arguments["after"]) + 1 if arguments.get("after") else 0
        high = _place(arguments["before"]) if arguments.get("before") else len(items)
        if first is not None:
            high = min(high, low + size)
        else:
            low = max(low, high - size)
        edges = [{"cursor": _cursor(n), "node": node(items[n])} for n in range(low, high)]
        info = {
            "hasPreviousPage": low > 0,
            "hasNextPage": high < len(items),
            "startCursor": edges[0]["cursor"] if edges else None,
            "endCursor": edges[-1]["cursor"] if edges else None,
        }
        return {"edges": edges, "nodes": [each["node"] for each in edges], "pageInfo": info, "totalCount": len(items)}

    return page


def _cursor(place: int) -> str:
    return base64.b64encode(f"cursor:{place}".encode()).decode()


def _place(cursor: str) -> int:
    return int(base64.b64decode(cursor).decode().removeprefix("cursor:"))
