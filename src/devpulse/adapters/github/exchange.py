"""One request to GitHub and its answer: only a success with JSON is one. Its content is the asker's to check."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import requests
from github.GithubException import GithubException
from github.Requester import Requester

from devpulse.adapters.github.failures import github_errors, no_answer


def exchange(
    requester: Requester,
    verb: str,
    url: str,
    content: Mapping[str, Any],
    doing: str,
    permission: str,
) -> tuple[Mapping[str, Any], Any]:
    """Send ``content``, with a GET in the URL, else as JSON; gives the headers, their names in lower case, and the
    content of the answer, ``None`` for what is deleted.

    ``doing`` and ``permission`` are as for ``github_errors``.

    Raises:
        GitHubError: there is no such answer; after GitHubUnavailable a write may have been applied.
    """
    with github_errors(doing, permission=permission):
        status, headers, text = _sent(requester, verb, url, content)
        if status >= HTTPStatus.BAD_REQUEST:
            raise GithubException(status, _content_of_error(text), headers)
        if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            raise no_answer(status, doing)
        empty = status == HTTPStatus.NO_CONTENT and verb == "DELETE"
        return headers, None if empty else json.loads(text)


def _sent(requester: Requester, verb: str, url: str, content: Mapping[str, Any]) -> tuple[int, dict[str, Any], str]:
    if verb != "GET":
        return requester.requestJson(verb, url, input=content)
    try:
        return requester.requestJson(verb, url, dict(content))
    except requests.exceptions.ChunkedEncodingError:
        # Cut off in the body, where the client's retries do not reach.
        return requester.requestJson(verb, url, dict(content))


def _content_of_error(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # a proxy's page, say
        return None
