"""The connection to GitHub's REST and GraphQL interfaces: PyGithub, with retries that repeat no write."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import github
from github.Auth import Auth

from devpulse.adapters.github.retrying import Calls, Patience, ReadRetry
from devpulse.errors import ConfigurationError

__all__ = ["Calls", "Pace", "Patience", "connect"]

PER_PAGE = 100
"""The most GitHub gives in one answer."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long is waited, in seconds.

    ``timeout``: for the connection, and for each piece of an answer. ``first_retry`` doubles with each further one.
    """

    timeout: int = 30
    first_retry: float = 0.5


def connect(
    api_url: str,
    token: str | None,
    *,
    pace: Pace = Pace(),
    calls: Calls | None = None,
    patience: Patience | None = None,
) -> github.Github:
    """A client for ``api_url`` (``GITHUB_API_URL``); nothing is sent yet. To be closed, or used as a context manager.

    Objects are lazy: they cost a request when a field is read, not before. Proxies and certificates are taken
    from the environment as the requests library does. Only reads are sent again after a failure; waits for a
    rate limit count as such. ``calls`` counts what is sent, ``patience`` the seconds that are waited.

    Raises:
        ConfigurationError: the URL or the token cannot be used.
    """
    counted = calls or Calls()
    return github.Github(
        base_url=_checked_url(api_url),
        auth=_CountedToken(_checked_token(token), counted),
        timeout=pace.timeout,
        user_agent="devpulse",
        per_page=PER_PAGE,
        retry=ReadRetry(calls=counted, patience=patience or Patience(), backoff=pace.first_retry),
        seconds_between_requests=None,
        # It takes every query for a write, and would let a second pass between a look and the write it is for.
        seconds_between_writes=None,
        lazy=True,
    )


class _CountedToken(Auth):
    """PyGithub asks it once a request, so it counts them too. Without a token no header is sent."""

    def __init__(self, token: str, calls: Calls) -> None:
        self._token = token
        self._calls = calls

    @property
    def token_type(self) -> str:
        """The scheme in the header."""
        return "token"

    @property
    def token(self) -> str:
        """The token; empty when there is none."""
        return self._token

    def authentication(self, headers: dict[str, str]) -> None:
        """Add the header."""
        self._calls.add()
        if self._token:
            headers["Authorization"] = f"{self.token_type} {self._token}"


def _checked_url(api_url: str) -> str:
    url = api_url.rstrip("/")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number
        usable = False
    if not usable:
        raise ConfigurationError(
            f"{api_url!r} is not the URL of a GitHub API.",
            hint="GITHUB_API_URL is https://api.github.com, or https://HOST/api/v3 for GitHub Enterprise Server.",
        )
    return url


def _checked_token(token: str | None) -> str:
    stripped = (token or "").strip()
    if not (stripped.isascii() and stripped.isprintable()) or " " in stripped:
        raise ConfigurationError(
            "The GitHub token holds characters no token has.",
            hint="Set github-token to the token alone, for example ${{ github.token }}.",
        )
    return stripped
