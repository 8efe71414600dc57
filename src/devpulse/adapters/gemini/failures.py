"""What went wrong with one attempt, in the program's own words: never a key, a header or a query of a URL.

Statuses and their meaning are those of Google's API error model (google.rpc) and of the Gemini API's error page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from devpulse.errors import ContextOverflow, ModelError, ModelMisconfigured, ModelUnavailable

_KEY_HINT = "Set gemini-api-key (or GEMINI_API_KEY) to a valid key from Google AI Studio."
_PROJECT_HINT = "The key's project cannot use this API from here: its region, billing or plan."
_URL_HINT = "Check the model's name and, where one is set, GOOGLE_GEMINI_BASE_URL."
_PROXY_HINT = "Check HTTPS_PROXY and NO_PROXY, with the user name and password the proxy wants."
_CERTIFICATE_HINT = "If a proxy inspects TLS, point SSL_CERT_FILE to a file with its certificate authority."
_LATER_HINT = "Run again later; finished files are kept. engine: auto goes on with the rules alone."
_UNREADABLE_HINT = "If it happens again, check that GOOGLE_GEMINI_BASE_URL is a Gemini API."
_MESSAGE_CHARACTERS = 300
_TRANSIENT = frozenset({408, 409, 429})
_CROWDED = frozenset({429, 503})
_FINAL_SERVER_ERRORS = frozenset({501, 505})
_BAD_KEY = re.compile(r"api[ _]key.{0,20}(?:not valid|invalid|expired|not found)|api_key_invalid", re.IGNORECASE)
_OVERFLOW = re.compile(
    r"exceeds the maximum number of tokens|token limit|payload size exceeds|prompt is too long", re.IGNORECASE
)
_DURATION = re.compile(r"(\d+(?:\.\d+)?)s")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt gave no reply. ``wait`` is what the service asks for before the next, in seconds; ``crowded``
    that it is asked too much at once."""

    error: ModelError
    transient: bool = False
    wait: float | None = None
    crowded: bool = False


@dataclass(frozen=True, slots=True)
class HttpError:
    """An answer that is no success, as the library hands it over; ``details`` is the decoded body, of any shape."""

    status: int
    details: Any
    retry_after: str | None = None


@dataclass(frozen=True, slots=True)
class Addressee:
    """Whom the request went to, for messages; the key only in order to take it out of them."""

    model: str
    host: str
    key: str

    def clean(self, text: str) -> str:
        """``text`` on one line, of bounded length, without the key."""
        words = " ".join(text.replace(self.key, "[key]").split())
        return words if len(words) <= _MESSAGE_CHARACTERS else f"{words[:_MESSAGE_CHARACTERS]}…"


def http_failure(answer: HttpError, to: Addressee) -> Failure:
    """Tell one error status from the other."""
    body = _error_object(answer.details)
    told = to.clean(str(body.get("message") or ""))
    said = f"Gemini answered {answer.status}{f': {told}' if told else ''}"
    if answer.status in _TRANSIENT or (answer.status >= 500 and answer.status not in _FINAL_SERVER_ERRORS):
        return _transient(answer, body, said)
    return Failure(_final(answer, body, said, to))


def _final(answer: HttpError, body: Mapping[str, Any], said: str, to: Addressee) -> ModelError:
    text = f"{body.get('message')} {' '.join(_reasons(body))}"
    if answer.status == 413 or (answer.status == 400 and _OVERFLOW.search(text)):
        return ContextOverflow(said, hint="Lower context-window.")
    if answer.status in (401, 403) or (answer.status == 400 and _BAD_KEY.search(text)):
        return ModelMisconfigured(said, hint=_KEY_HINT)
    if answer.status == 400 and body.get("status") == "FAILED_PRECONDITION":
        return ModelMisconfigured(said, hint=_PROJECT_HINT)
    if answer.status == 404 or 300 <= answer.status < 400:
        return ModelMisconfigured(f"model {to.model} at {to.host}: {said}", hint=_URL_HINT)
    if answer.status == 407:
        return ModelMisconfigured("the proxy asks for a user name and password", hint=_PROXY_HINT)
    return ModelError(said, hint="This is a fault of the request, so it is not tried again; please report it.")


def _transient(answer: HttpError, body: Mapping[str, Any], said: str) -> Failure:
    if any("perday" in quota.lower() for quota in _quotas(body)):
        hint = "The key's quota for today is used up: run again tomorrow, or use a key of a paid plan."
        return Failure(ModelUnavailable(said, hint=hint))
    asked = [wait for wait in (_retry_info(body), _retry_after(answer.retry_after)) if wait is not None]
    crowded = answer.status in _CROWDED
    error = ModelUnavailable(said, hint=_LATER_HINT)
    return Failure(error, transient=True, wait=max(asked, default=None), crowded=crowded)


def network_failure(kind: str, text: str, to: Addressee) -> Failure:
    """Tell network errors apart by the name of the client's exception; ``text`` is searched, never shown."""
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return Failure(ModelMisconfigured(f"the certificate of {to.host} is not trusted", hint=_CERTIFICATE_HINT))
    if kind == "ProxyError" and text.lstrip().startswith("407"):
        return Failure(ModelMisconfigured("the proxy asks for a user name and password", hint=_PROXY_HINT))
    if kind in _NETWORK:
        return Failure(ModelUnavailable(f"{to.host}: {_NETWORK[kind]}", hint=_LATER_HINT), transient=True)
    return Failure(ModelError(f"{to.host}: the connection failed ({kind})", hint=_URL_HINT))


_NETWORK = {
    "ConnectError": "cannot connect (refused, or the name is unknown)",
    "ConnectTimeout": "no connection in the time allowed",
    "PoolTimeout": "no free connection in the time allowed",
    "ReadTimeout": "no answer in the time allowed",
    "WriteTimeout": "the request could not be sent in the time allowed",
    "ReadError": "the connection was reset",
    "WriteError": "the connection was reset",
    "CloseError": "the connection was reset",
    "RemoteProtocolError": "the answer was cut off",
    "ProxyError": "the proxy refused the connection",
}
"""Words for the network errors that may pass, by the names of httpx, which httpx2 shares."""


def unreadable(kind: str) -> Failure:
    """The answer arrived but is not what the API promises; ``kind`` names what the library could not do."""
    return Failure(ModelError(f"Gemini's answer cannot be read ({kind})", hint=_UNREADABLE_HINT))


def _error_object(details: Any) -> Mapping[str, Any]:
    """The error in a decoded body; a proxy or another service may send anything."""
    if not isinstance(details, Mapping):
        return {}
    inner = details.get("error")
    return inner if isinstance(inner, Mapping) else details


def _typed_details(body: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    listed = body.get("details")
    for detail in listed if isinstance(listed, list) else ():
        if isinstance(detail, Mapping) and str(detail.get("@type", "")).endswith(f"google.rpc.{kind}"):
            yield detail


def _reasons(body: Mapping[str, Any]) -> list[str]:
    return [str(detail.get("reason", "")) for detail in _typed_details(body, "ErrorInfo")]


def _quotas(body: Mapping[str, Any]) -> list[str]:
    listed = [detail.get("violations") for detail in _typed_details(body, "QuotaFailure")]
    every = [each for violations in listed if isinstance(violations, list) for each in violations]
    return [str(each.get("quotaId", "")) for each in every if isinstance(each, Mapping)]


def _retry_info(body: Mapping[str, Any]) -> float | None:
    for detail in _typed_details(body, "RetryInfo"):
        if match := _DURATION.fullmatch(str(detail.get("retryDelay", ""))):
            return float(match[1])
    return None


def _retry_after(value: str | None) -> float | None:
    """The header's seconds, or the time until its date (RFC 9110, section 10.2.3)."""
    if value is None:
        return None
    if re.fullmatch(r"\d{1,9}", value.strip()):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
