"""A fake Gemini service: real HTTP on loopback, strict about what it is sent.

    with FakeGemini(script([calls(Call("read_lines", {...})), text("done")])) as fake:
        ...the real client talks to fake.url...

Leaving the block fails the test when a request broke the published contract, lost a thought signature, parted a
result from its call, carried the API key anywhere but in its header, or went to a route that is not served.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from fakes import gemini_contract, gemini_replies
from fakes.gemini_contract import parts_of
from fakes.gemini_replies import Reply
from fakes.http_server import HttpReply, HttpRequest, LoopbackServer

KEY_HEADER = "x-goog-api-key"
_ROUTE = re.compile(r"/v1beta/models/([A-Za-z0-9._-]+):generateContent")


@dataclass(frozen=True)
class GeminiRequest:
    """A request as it arrived, with short ways to what tests ask about."""

    model: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def contents(self) -> list[Mapping[str, Any]]:
        return list(self.body.get("contents", ()))

    def system(self) -> str:
        """The system instruction."""
        return "".join(part.get("text", "") for part in parts_of(self.body.get("systemInstruction", {})))

    def text(self) -> str:
        """All text of the user's turns, system instruction and tool results apart."""
        turns = [content for content in self.contents if content.get("role") == "user"]
        return "\n".join(part["text"] for content in turns for part in parts_of(content) if "text" in part)

    def tool_results(self) -> list[tuple[str, str]]:
        """Name and text of every function response, in order."""
        responses = [part["functionResponse"] for part in self._parts() if "functionResponse" in part]
        return [(each["name"], str(each["response"].get("output", ""))) for each in responses]

    def tool_calls(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Name and arguments of every call in the history, in order."""
        return [(part["functionCall"]["name"], part["functionCall"].get("args", {})) for part in self._calls()]

    def signatures(self) -> list[str]:
        """The thought signatures of the calls in the history; empty where there is none."""
        return [part.get("thoughtSignature", "") for part in self._calls()]

    def declared(self) -> list[str]:
        """Names of the declared tools."""
        return list(self.declarations())

    def declarations(self) -> dict[str, Mapping[str, Any]]:
        """Every declared tool by its name, as declared."""
        every = [each for tool in self.body.get("tools", ()) for each in tool.get("functionDeclarations", ())]
        return {each["name"]: each for each in every}

    def forced_tool(self) -> str | None:
        """The only tool that may be called, when one is forced."""
        calling = self.body.get("toolConfig", {}).get("functionCallingConfig", {})
        allowed = calling.get("allowedFunctionNames", [])
        return allowed[0] if calling.get("mode") == "ANY" and len(allowed) == 1 else None

    def config(self) -> Mapping[str, Any]:
        """The generation configuration."""
        return dict(self.body.get("generationConfig", {}))

    def _parts(self) -> list[Mapping[str, Any]]:
        return [part for content in self.contents for part in parts_of(content)]

    def _calls(self) -> list[Mapping[str, Any]]:
        return [part for part in self._parts() if "functionCall" in part]


Respond = Callable[[GeminiRequest], Reply]


def script(replies: Iterable[Reply]) -> Respond:
    """Answer with one reply after the other; a request too many fails the test."""
    queue = list(replies)
    lock = threading.Lock()

    def respond(_: GeminiRequest) -> Reply:
        with lock:
            if not queue:
                raise AssertionError("the script has no reply left for this request")
            return queue.pop(0)

    return respond


class FakeGemini:
    """Serves ``respond`` as Gemini. ``requests`` are all that came, ``wire`` the same below the API.

    With ``signatures`` every call it makes is signed, and a history that does not bring each call back with its
    own signature is a violation. ``tls`` serves HTTPS, ``sent`` is told each reply's body.
    Safe to use from several clients at once.
    """

    def __init__(
        self,
        respond: Respond,
        *,
        signatures: bool = True,
        tls: ssl.SSLContext | None = None,
        sent: Callable[[Mapping[str, Any]], None] | None = None,
    ) -> None:
        self._respond = respond
        self._sent = sent
        self._sign = signatures
        self._issued: dict[str, tuple[str, str]] = {}
        self._lock = threading.Lock()
        self._server = LoopbackServer(self._answer, tls)
        self.requests: list[GeminiRequest] = []
        self.violations: list[str] = []

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return self._server.url

    @property
    def wire(self) -> list[HttpRequest]:
        """Every request below the API, also those that were refused."""
        return self._server.requests

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.__exit__(kind, error, trace)
        if error is None and self.violations:
            raise AssertionError("the service was used wrongly:\n" + "\n".join(self.violations))

    def _answer(self, http: HttpRequest) -> HttpReply:
        parts = urlsplit(http.target)  # absolute when the fake stands in for a proxy
        route = _ROUTE.fullmatch(parts.path)
        if http.method != "POST" or route is None or parts.query:
            return self._refuse(501, [f"no such route: {http.method} {http.target}"])
        if faults := _key_faults(http):
            return self._refuse(400, faults)
        request = GeminiRequest(route[1], json.loads(http.body), http.headers)
        with self._lock:
            self.requests.append(request)
        faults = [
            *gemini_contract.request_faults(request.body),
            *gemini_contract.turn_faults(request.contents),
            *self._signature_faults(request),
        ]
        return self._refuse(400, faults) if faults else self._send(self._respond(request))

    def _refuse(self, status: int, faults: list[str]) -> HttpReply:
        with self._lock:
            self.violations.extend(faults)
        return self._send(gemini_replies.http_error(status, "; ".join(faults)))

    def _send(self, reply: Reply) -> HttpReply:
        headers = {"content-type": "application/json; charset=UTF-8", **reply.headers}
        body = reply.raw
        if body is None:
            content = self._signed(reply.body or {})
            gemini_contract.check_reply(content)
            if self._sent:
                self._sent(content)
            body = json.dumps(content).encode()
        return HttpReply(reply.status, body, headers, reply.delay, reply.fault)

    def _signed(self, body: Mapping[str, Any]) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(json.dumps(body))
        candidates = content.get("candidates", ())
        for part in (part for each in candidates for part in each.get("content", {}).get("parts", ())):
            if self._sign and "functionCall" in part:
                with self._lock:
                    signature = f"signature {len(self._issued)}"
                    self._issued[signature] = _identity(part["functionCall"])
                part["thoughtSignature"] = base64.b64encode(signature.encode()).decode()
        return content

    def _signature_faults(self, request: GeminiRequest) -> list[str]:
        faults = []
        sent = [part.get("thoughtSignature", "") for part in request._parts()]
        if any(signature and gemini_contract.SENTINEL in (signature, _decoded(signature)) for signature in sent):
            faults.append("the signature sentinel was sent: a thought signature got lost")
        if self._sign:
            for part in request._calls():
                signature = _decoded(part.get("thoughtSignature", ""))
                if self._issued.get(signature) != _identity(part["functionCall"]):
                    faults.append(f"the call of {part['functionCall']['name']} does not carry its own signature")
        return faults


def _identity(call: Mapping[str, Any]) -> tuple[str, str]:
    return call["name"], json.dumps(call.get("args", {}), sort_keys=True)


def _decoded(signature: str) -> str:
    try:
        return base64.urlsafe_b64decode(signature.replace("+", "-").replace("/", "_")).decode("utf-8", "replace")
    except binascii.Error:
        return ""


def _key_faults(http: HttpRequest) -> list[str]:
    key = http.headers.get(KEY_HEADER, "")
    if not key:
        return ["the API key header is missing"]
    others = [f"{name}: {value}" for name, value in http.headers.items() if name != KEY_HEADER]
    if key in http.target or key.encode() in http.body or any(key in other for other in others):
        return ["the API key is elsewhere than in its header"]
    return []
