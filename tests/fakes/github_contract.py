"""What GitHub's published description says about a REST request and its reply.

The description is tests/data/contracts/github.json; openapi-core does the judging. It knows shapes only: the rules
about lines, lengths and people are in `github_rules`.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from fakes.github_http import Answer, GitHubRequest
from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.exceptions import OpenAPIError
from openapi_core.templating.responses.exceptions import ResponseNotFound
from werkzeug.datastructures import Headers, ImmutableMultiDict

CONTRACTS = Path(__file__).parent.parent / "data" / "contracts"
_HOST = "https://api.github.com"
# The description gives these as integers, but an outdated comment has null there (seen from the real service).
_REALLY_NULLABLE = ("line", "position")
# Parameters that may hold slashes, which openapi-core does not let a parameter hold.
_LONG = ("path", "basehead", "ref", "tree_sha")
_METHODS = ("get", "post", "patch", "put", "delete")


@dataclass
class _Request:
    """A request as openapi-core wants it."""

    method: str
    path: str
    body: bytes | None
    parameters: RequestParameters
    host_url: str = _HOST
    content_type: str = "application/json"


@dataclass
class _Response:
    data: bytes | None
    status_code: int
    content_type: str = "application/json"
    headers: Mapping[str, Any] = field(default_factory=dict)


@functools.cache
def _description() -> dict[str, Any]:
    description: dict[str, Any] = json.loads((CONTRACTS / "github.json").read_text(encoding="utf-8"))
    comment = description["components"]["schemas"]["pull-request-review-comment"]["properties"]
    for name in _REALLY_NULLABLE:
        comment[name]["nullable"] = True
    _let_null_be_null(description["components"])
    return description


def _let_null_be_null(node: Any) -> None:
    """Where GitHub writes nullable beside a list of values or schemas, the format wants null in the list too."""
    if isinstance(node, dict):
        if node.get("nullable") is True and isinstance(node.get("enum"), list):
            node["enum"].append(None)
        if node.get("nullable") is True and isinstance(node.get("oneOf"), list):
            node["oneOf"].append({"nullable": True, "enum": [None]})
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        _let_null_be_null(child)


@functools.cache
def _templates() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(_pattern(path)), path) for path in _description()["paths"]]


def _pattern(template: str) -> str:
    def parameter(match: re.Match[str]) -> str:
        return f"(?P<{match[1]}>{'.+' if match[1] in _LONG else '[^/]+'})"

    return re.sub(r"\{(\w+)\}", parameter, template)


@functools.cache
def _checker(template: str) -> OpenAPI:
    """The description of one path; with all of them, finding the path would cost most of the time."""
    description = {**_description(), "paths": {template: _description()["paths"][template]}}
    return OpenAPI.from_dict(description, config=Config(spec_validator_cls=cast("Any", None)))


def operations() -> set[tuple[str, str]]:
    """Method and path of every operation that is described."""
    paths = _description()["paths"]
    return {(method.upper(), path) for path, methods in paths.items() for method in methods if method in _METHODS}


def _found(request: GitHubRequest) -> tuple[OpenAPI, _Request] | None:
    for pattern, template in _templates():
        match = pattern.fullmatch(request.path)
        if match and request.method.lower() in _description()["paths"][template]:
            names = {name: value.replace("/", "%2F") for name, value in match.groupdict().items()}
            body = None if request.body is None else json.dumps(request.body).encode()
            header = Headers(dict(request.headers))
            parameters = RequestParameters(ImmutableMultiDict(request.query), header, ImmutableMultiDict())
            return _checker(template), _Request(request.method.lower(), template.format(**names), body, parameters)
    return None


def request_faults(request: GitHubRequest) -> list[str]:
    """Why a request does not fit the description."""
    found = _found(request)
    if found is None:
        return [f"{request}: not in tests/data/contracts/github.json"]
    try:
        found[0].validate_request(found[1])
    except OpenAPIError as error:
        return [f"{request}: the request: {why}" for why in _reasons(error)]
    return []


def reply_faults(request: GitHubRequest, answer: Answer) -> list[str]:
    """Why an answer is not one the description allows for this request."""
    found = _found(request)
    if found is None:
        return []
    data = None if answer.body is None else json.dumps(answer.body).encode()
    try:
        found[0].validate_response(found[1], _Response(data, answer.status))
    except ResponseNotFound as error:
        # The description names only some of the errors.
        return [] if answer.status >= 400 else [f"{request}: {error}"]
    except OpenAPIError as error:
        return [f"{request}: the reply {answer.status}: {why}" for why in _reasons(error)]
    return []


def _reasons(error: BaseException) -> Iterator[str]:
    """What is wrong and where; the library's own text repeats the whole value."""
    schema_errors = getattr(error.__cause__, "schema_errors", ())
    if not schema_errors:
        yield f"{error} ({error.__cause__})" if error.__cause__ else str(error)
    for each in schema_errors:
        yield f"{each.json_path}: {each.message[-300:]}"
