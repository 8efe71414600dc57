"""What went wrong with a request to GitHub, in the program's own words: never a token, a header or a proxy's address.

Statuses are those of GitHub's REST documentation. GraphQL answers 200 with ``errors``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import requests
import urllib3.exceptions
from github.GithubException import GithubException

from devpulse.adapters.github.retrying import PASSING, UNSAID_WAIT_SECONDS, rate_limit_wait
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
_UNREADABLE_HINT = "If it happens again, check that GITHUB_API_URL is a GitHub API."
_PROXY_HINT = "Put the user and the password for the proxy into HTTPS_PROXY, or GitHub's host into NO_PROXY."
_REFUSED_HINT = "This is a fault of the request; please report it."
_REDIRECTED = "redirected"
"""What tells PyGithub's error for an answer that leads elsewhere from its other RuntimeErrors."""
_MESSAGE_CHARACTERS = 300
_TOO_QUICKLY = "submitted too quickly"
"""What GitHub says with a 422 when one account writes too much at once."""
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
    except (ValueError, RecursionError) as error:  # a body or a header that is not what it must be
        raise unreadable(doing) from error
    except RuntimeError as error:
        if _REDIRECTED not in str(error):
            raise
        raise _elsewhere(doing) from error


def graphql_error(
    faults: Sequence[Any], headers: Mapping[str, Any], doing: str, *, permission: str = ""
) -> GitHubError:
    """What the ``errors`` of a GraphQL answer mean. Without a type and a code GitHub itself has failed: it gave up on
    the query, or something went wrong.
    """
    told = [fault for fault in faults if isinstance(fault, Mapping)]
    types = {str(fault.get("type")) for fault in told}
    said = _clean("; ".join(_messages(faults)))
    answered = f"GitHub's GraphQL answered with an error{f' ({said})' if said else ''}, while {doing}."
    if "RATE_LIMITED" in types:
        return _rate_limited(doing, rate_limit_wait(429, _lower(headers), said, time.time()))
    if types & _FORBIDDEN_TYPES:
        return GitHubForbidden(answered, hint=_permission_hint(_lower(headers), permission))
    if types == {"NOT_FOUND"}:
        return GitHubNotFound(answered, hint=_NOT_FOUND_HINT)
    if any(_has_code(fault) for fault in told):
        return GitHubRefused(answered, hint=_REFUSED_HINT, messages=tuple(_messages(faults)), status=200)
    return GitHubUnavailable(answered, hint=_LATER_HINT)


def unreadable(doing: str) -> GitHubUnavailable:
    """The error for an answer that is none of GitHub's, or not of the shape that its API promises."""
    return GitHubUnavailable(f"GitHub's answer cannot be read, while {doing}.", hint=_UNREADABLE_HINT)


def no_answer(status: int, doing: str) -> GitHubUnavailable:
    """The error for a status that neither grants nor refuses: a redirection that is not followed."""
    said = f"GitHub answered {status}, which does not say what became of the request, while {doing}."
    return GitHubUnavailable(said, hint=f"{_REACH_HINT} A repository that was renamed is at another address.")


def _has_code(fault: Mapping[str, Any]) -> bool:
    """Whether the query itself was at fault: GitHub then gives a code, such as ``undefinedField``."""
    extensions = fault.get("extensions")
    return isinstance(extensions, Mapping) and bool(extensions.get("code"))


def _elsewhere(doing: str) -> GitHubError:
    return GitHubError(f"GitHub points to another server, while {doing}.", hint=_REACH_HINT)


def _of_answer(error: GithubException, doing: str, permission: str) -> GitHubError:
    body = error.data if isinstance(error.data, Mapping) else {}
    headers, message = _lower(error.headers or {}), str(body.get("message") or "")
    messages = tuple(_messages(_errors_of(body)))
    wait = _limit_wait(error.status, headers, message, messages)
    if wait < math.inf:
        return _rate_limited(doing, wait)
    answered = f"GitHub answered {error.status}{f' ({_clean(message)})' if message else ''}, while {doing}."
    if error.status in (401, 403):
        hint = _TOKEN_HINT if error.status == 401 else _permission_hint(headers, permission)
        return GitHubForbidden(answered, hint=hint)
    if error.status == 404:
        return GitHubNotFound(answered, hint=_NOT_FOUND_HINT)
    if error.status == 407:
        return _proxy_login(doing)
    if error.status >= 500 or error.status in PASSING:
        return GitHubUnavailable(answered, hint=_LATER_HINT)
    reasons = f" Its reasons: {_clean('; '.join(messages))}" if messages else ""
    return GitHubRefused(answered + reasons, hint=_REFUSED_HINT, messages=messages, status=error.status)


def _limit_wait(status: int, headers: Mapping[str, str], message: str, messages: Sequence[str]) -> float:
    """Seconds to wait for a limit on how much may be sent; infinite when the answer is about something else."""
    if status in (403, 429):
        return rate_limit_wait(status, headers, message, time.time())
    too_quickly = status == 422 and any(_TOO_QUICKLY in words for words in (message, *messages))
    return UNSAID_WAIT_SECONDS if too_quickly else math.inf


def _proxy_login(doing: str) -> GitHubError:
    return GitHubError(f"The proxy asks for a user and a password (407), while {doing}.", hint=_PROXY_HINT)


def _rate_limited(doing: str, wait: float) -> GitHubRateLimited:
    when = f" for another {math.ceil(wait)} seconds" if wait < math.inf else ""
    message = f"GitHub accepts no more requests of this token{when} (rate limit), while {doing}."
    hint = "Run again later, and avoid runs of several workflows at the same time."
    return GitHubRateLimited(message, hint=hint, wait=wait)


def _permission_hint(headers: Mapping[str, str], permission: str) -> str:
    accepted = headers.get("x-accepted-github-permissions", "").replace("_", "-").replace("=", ": ")
    needed = _clean(accepted) or permission
    if not needed:
        return "Give the token the permission, or name the organisation's rule that forbids it."
    return (
        f"The token needs {needed}: set it under permissions in the workflow. "
        "A pull request from a fork gets a token that can only read."
    )


def _of_network(error: Exception, doing: str) -> GitHubError:
    # requests' classes overlap: a connection time-out is a ConnectionError and a Timeout, TLS and proxy
    # errors are ConnectionErrors.
    if isinstance(error, requests.exceptions.SSLError):
        return GitHubUnavailable(f"GitHub's certificate is not trusted, while {doing}.", hint=_CERTIFICATE_HINT)
    if isinstance(error, requests.exceptions.ProxyError):
        if "407" in str(_cause_of(error)):
            return _proxy_login(doing)
        return GitHubUnavailable(f"The proxy let nothing through to GitHub, while {doing}.", hint=_REACH_HINT)
    if isinstance(error, requests.exceptions.Timeout) or isinstance(
        _cause_of(error), urllib3.exceptions.ReadTimeoutError
    ):
        return GitHubUnavailable(f"GitHub gave no answer in the time allowed, while {doing}.", hint=_LATER_HINT)
    if isinstance(error, (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError)):
        return GitHubUnavailable(f"GitHub's answer was cut off, while {doing}.", hint=_LATER_HINT)
    return GitHubUnavailable(f"GitHub could not be reached, while {doing}.", hint=_REACH_HINT)


def _cause_of(error: Exception) -> object:
    """What urllib3 said: requests wraps it, and so does urllib3 when it was to try again."""
    cause = error.args[0] if error.args else None
    return cause.reason if isinstance(cause, urllib3.exceptions.MaxRetryError) else cause


def _lower(headers: Mapping[str, Any]) -> dict[str, str]:
    return {str(name).lower(): str(value) for name, value in headers.items()}


def _errors_of(body: Mapping[str, Any]) -> list[Any]:
    listed = body.get("errors") or []
    return listed if isinstance(listed, list) else [listed]


def _messages(errors: Sequence[Any]) -> Iterator[str]:
    """The reasons in an answer: texts, or objects with a message or at least a field and a code."""
    for each in errors:
        if isinstance(each, Mapping):
            fields = (each.get(name) for name in ("resource", "field", "code"))
            yield str(each.get("message") or " ".join(str(field) for field in fields if field))
        else:
            yield str(each)


def _clean(text: str) -> str:
    """One line of bounded length."""
    words = " ".join(text.split())
    return words if len(words) <= _MESSAGE_CHARACTERS else f"{words[:_MESSAGE_CHARACTERS]}…"
