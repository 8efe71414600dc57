"""What went wrong with a request to GitHub, in the program's own words: never a token, a header or a proxy's address.

Statuses are those of GitHub's REST documentation. GraphQL answers 200 with ``errors``, whose types are told here too.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import requests
import urllib3.exceptions
from github.GithubException import BadAttributeException, GithubException

from devpulse.adapters.github.retrying import rate_limit_wait
from devpulse.errors import (
    GitHubError,
    GitHubForbidden,
    GitHubNotFound,
    GitHubRateLimited,
    GitHubRefused,
    GitHubUnavailable,
)

_LATER_HINT = "Run again later; https://www.githubstatus.com says whether GitHub is well."
_REACH_HINT = "Check GITHUB_API_URL, and HTTPS_PROXY and NO_PROXY where there is a proxy."
_CERTIFICATE_HINT = "If a proxy inspects TLS, point REQUESTS_CA_BUNDLE to a file with its certificate authority."
_TOKEN_HINT = "Set github-token to a valid token; in a workflow ${{ github.token }} is one."  # noqa: S105  (a hint)
_NOT_FOUND_HINT = "Check repository and number. A token that may not read the repository is answered the same way."
_MESSAGE_CHARACTERS = 300
_FORBIDDEN_TYPES = frozenset({"FORBIDDEN", "INSUFFICIENT_SCOPES"})


@contextmanager
def github_errors(doing: str, *, permission: str = "") -> Iterator[None]:
    """Raise the program's errors in place of PyGithub's and of the HTTP client's.

    ``doing`` completes "GitHub ... while", for example ``reading the files of o/r#5``. ``permission`` is what the
    token needs for it, in a workflow's words (``pull-requests: write``); GitHub's own word on it comes first.

    Raises:
        GitHubUnavailable: no answer, a cut or unreadable one, or a server error. A write may have been applied.
        GitHubForbidden: the token is wrong or lacks a permission.
        GitHubNotFound: it is not there, or not visible.
        GitHubRateLimited: the wait would be too long.
        GitHubRefused: the request is not accepted.
        GitHubError: something else.
    """
    try:
        yield
    except GithubException as error:
        raise _of_answer(error, doing, permission) from error
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise _of_network(error, doing) from error
    except (BadAttributeException, json.JSONDecodeError, UnicodeDecodeError) as error:
        hint = "If it happens again, check that GITHUB_API_URL is a GitHub API."
        raise GitHubUnavailable(f"GitHub's answer cannot be read, while {doing}.", hint=hint) from error
    except RuntimeError as error:
        if "redirected" not in str(error):
            raise
        raise GitHubError(f"GitHub points to another server, while {doing}.", hint=_REACH_HINT) from error


def _of_answer(error: GithubException, doing: str, permission: str) -> GitHubError:
    body = error.data if isinstance(error.data, Mapping) else {}
    headers = {str(name).lower(): str(value) for name, value in (error.headers or {}).items()}
    said = _clean(str(body.get("message") or error.message or ""))
    answered = f"GitHub answered {error.status}{f' ({said})' if said else ''}, while {doing}."
    types = {str(each.get("type")) for each in _errors_of(body) if isinstance(each, Mapping)}
    wait = rate_limit_wait(error.status, headers, said, time.time()) if error.status in (403, 429) else math.inf
    if wait < math.inf or "RATE_LIMITED" in types:
        return _rate_limited(doing, wait)
    if error.status == 401:
        return GitHubForbidden(answered, hint=_TOKEN_HINT)
    if error.status == 403 or types & _FORBIDDEN_TYPES:
        return GitHubForbidden(answered, hint=_permission_hint(headers, permission))
    if error.status == 404 or types == {"NOT_FOUND"}:
        return GitHubNotFound(answered, hint=_NOT_FOUND_HINT)
    if error.status >= 500:
        return GitHubUnavailable(answered, hint=_LATER_HINT)
    messages = tuple(_messages(body))
    reasons = f" Its reasons: {_clean('; '.join(messages))}" if messages else ""
    hint = "This is a fault of the request; please report it."
    return GitHubRefused(answered + reasons, hint=hint, messages=messages, status=error.status)


def _rate_limited(doing: str, wait: float) -> GitHubRateLimited:
    when = f" for another {math.ceil(wait)} seconds" if wait < math.inf else ""
    message = f"GitHub accepts no more requests of this token{when} (rate limit), while {doing}."
    return GitHubRateLimited(message, hint="Run again later, and avoid runs of several workflows at the same time.")


def _permission_hint(headers: Mapping[str, str], permission: str) -> str:
    accepted = headers.get("x-accepted-github-permissions", "").replace("_", "-").replace("=", ": ")
    needed = _clean(accepted) or permission
    if not needed:
        return "Give the token the permission, or name the organisation's rule that forbids it."
    return (
        f"The token needs {needed}: set it under permissions in the workflow. "
        "A pull request from a fork gets a token that can only read."
    )


def _of_network(error: Exception, doing: str) -> GitHubUnavailable:
    # requests' classes overlap: a connection time-out is a ConnectionError and a Timeout, TLS and proxy
    # errors are ConnectionErrors.
    if isinstance(error, requests.exceptions.SSLError):
        return GitHubUnavailable(f"GitHub's certificate is not trusted, while {doing}.", hint=_CERTIFICATE_HINT)
    if isinstance(error, requests.exceptions.ProxyError):
        return GitHubUnavailable(f"The proxy let nothing through to GitHub, while {doing}.", hint=_REACH_HINT)
    if isinstance(error, requests.exceptions.Timeout) or "ReadTimeoutError" in repr(error):
        return GitHubUnavailable(f"GitHub gave no answer in the time allowed, while {doing}.", hint=_LATER_HINT)
    if isinstance(error, (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError)):
        return GitHubUnavailable(f"GitHub's answer was cut off, while {doing}.", hint=_LATER_HINT)
    return GitHubUnavailable(f"GitHub could not be reached, while {doing}.", hint=_REACH_HINT)


def _errors_of(body: Mapping[str, Any]) -> list[Any]:
    listed = body.get("errors") or []
    return listed if isinstance(listed, list) else [listed]


def _messages(body: Mapping[str, Any]) -> Iterator[str]:
    """The reasons in a 422: texts, or objects with a message or at least a field and a code."""
    for each in _errors_of(body):
        if isinstance(each, Mapping):
            fields = (each.get(name) for name in ("resource", "field", "code"))
            yield str(each.get("message") or " ".join(str(field) for field in fields if field))
        else:
            yield str(each)


def _clean(text: str) -> str:
    """One line of bounded length."""
    words = " ".join(text.split())
    return words if len(words) <= _MESSAGE_CHARACTERS else f"{words[:_MESSAGE_CHARACTERS]}…"
