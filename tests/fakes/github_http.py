"""Requests, answers and routes of the fake GitHub."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")

_DOCS = "https://docs.github.com/rest"


@dataclass(frozen=True)
class GitHubRequest:
    """A request as it arrived. ``path`` is without the API's base path, with the repository's name, not its number."""

    method: str
    path: str
    query: Mapping[str, str]
    body: Any
    headers: Mapping[str, str]

    def __str__(self) -> str:
        query = f"?{urllib.parse.urlencode(self.query)}" if self.query else ""
        return f"{self.method} {self.path}{query}"


@dataclass(frozen=True)
class Answer:
    """What to answer; ``body`` is JSON, or bytes as they are."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Refused(Exception):
    """The request is answered with an error."""

    def __init__(
        self, status: int, message: str, errors: Sequence[Any] = (), headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        body: dict[str, Any] = {"message": message, "documentation_url": _DOCS, "status": str(status)}
        if errors:
            body["errors"] = list(errors)
        self.answer = Answer(status, body, headers or {})


Endpoint = Callable[..., Answer]


class Routes:
    """Which function answers what. A ``{name}`` takes one segment of the path, a ``{name*}`` the rest."""

    def __init__(self) -> None:
        self._routes: list[tuple[str, re.Pattern[str], Endpoint]] = []

    def add(self, method: str, template: str) -> Callable[[Endpoint], Endpoint]:
        pattern = re.sub(r"\{(\w+)\*\}", r"(?P<\1>.+)", re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template))

        def register(endpoint: Endpoint) -> Endpoint:
            self._routes.append((method, re.compile(pattern), endpoint))
            return endpoint

        return register

    def find(self, request: GitHubRequest) -> tuple[Endpoint, dict[str, str]] | None:
        """The function for a request, and what stood in the path."""
        for method, pattern, endpoint in self._routes:
            if method == request.method and (match := pattern.fullmatch(request.path)):
                return endpoint, {name: urllib.parse.unquote(value) for name, value in match.groupdict().items()}
        return None


def page_bounds(query: Mapping[str, str]) -> tuple[int, int]:
    """Page number and size; GitHub takes 30 when unsaid and 100 at most."""
    size = min(max(int(query.get("per_page", 30)), 1), 100)
    return max(int(query.get("page", 1)), 1), size


def one_page(items: Sequence[T], request: GitHubRequest, url: str) -> tuple[list[T], dict[str, str]]:
    """The page asked for, and the Link header that leads to the others."""
    page, size = page_bounds(request.query)
    last = max((len(items) + size - 1) // size, 1)
    targets = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
    wanted = [*(["prev", "first"] if page > 1 else []), *(["next", "last"] if page < last else [])]
    links = [
        f'<{url}?{urllib.parse.urlencode({**request.query, "page": targets[each]})}>; rel="{each}"' for each in wanted
    ]
    return list(items[(page - 1) * size : page * size]), {"link": ", ".join(links)} if links else {}
