"""What goes wrong in a chaos run, drawn from its seed: the same request, asked for the same time, fails the same way.

A draw depends on the seed, the request and how often it came before, not on the order of the threads that ask.
"""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chaos import scene
from fakes import gemini_replies as say
from fakes.gemini import GeminiRequest
from fakes.gemini_replies import Call, Reply
from fakes.github import FakeGitHub
from fakes.http_server import Fault, HttpReply, HttpRequest
from marking import finding
from repos import Repo

RATE = 0.3
_STORM = range(4, 24)
"""Which of its requests a service that is down for a while does not answer."""
SILENCE = 3.0
"""Seconds; longer than any time-out of a chaos run."""

_SECONDARY = b'{"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}'
_PRIMARY = b'{"message": "API rate limit exceeded for installation ID 1."}'
_INTEGRATION = b'{"message": "Resource not accessible by integration"}'
_REFUSED = b'{"message": "Unprocessable Entity", "errors": ["line must be part of the diff"]}'


@dataclass
class Dice:
    """The chances of one run. ``thrown`` counts requests and what became of them; ``calm`` stops all faults.

    In every seventh run the model's service is down altogether for a while.
    """

    seed: int
    rate: float = RATE
    calm: bool = False
    thrown: Counter[str] = field(default_factory=Counter)
    refused: set[str] = field(default_factory=set)
    _seen: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def throw(self, what: str, faults: Mapping[str, int]) -> tuple[str, random.Random]:
        """The name of a fault, drawn by its weight, or nothing; and chances to draw its details from."""
        with self._lock:
            service = what.partition(" ")[0]
            self._seen.update((what, service))
            chances = random.Random(f"{self.seed} {what} {self._seen[what]}")
            name = ""
            if self.seed % 7 == 0 and service == "gemini" and self._seen[service] in _STORM and not self.calm:
                name = "status"
            elif not self.calm and chances.random() < self.rate:
                name = chances.choices(list(faults), list(faults.values()))[0]
            self.thrown[name or "fine"] += 1
            if name == "refused":
                self.refused.add(what)
            return name, chances


_GEMINI: dict[str, tuple[int, Callable[[random.Random], Reply]]] = {
    "status": (14, lambda c: say.http_error(c.choice([408, 409, 429, 500, 502, 503, 504]))),
    "asked to wait": (6, lambda c: say.http_error(c.choice([429, 503]), retry_after="2", retry_info="1.5s")),
    "asked to wait long": (1, lambda _c: say.http_error(429, retry_info="4000s")),
    "refused": (1, lambda c: say.http_error(c.choice([401, 403, 404]))),
    "bad request": (2, lambda c: say.http_error(c.choice([400, 422]))),
    "overflow": (2, lambda _c: say.http_error(400, "The input token count exceeds the maximum number of tokens")),
    "reset": (8, lambda _c: say.reset()),
    "cut": (8, lambda _c: say.cut_connection()),
    "silent": (1, lambda _c: say.slow(SILENCE)),
    "slow": (5, lambda _c: say.slow(0.05)),
    "garbage": (3, lambda c: say.raw(c.randbytes(300))),
    "html": (3, lambda c: say.raw(b"<html>Please sign in</html>", c.choice([200, 502]), "text/html")),
    "empty": (3, lambda c: c.choice([say.empty(), say.no_candidates(), say.raw(b"")])),
    "blocked": (2, lambda c: c.choice([say.blocked_prompt(), say.blocked_answer(), say.recitation()])),
    "malformed": (3, lambda _c: say.malformed_call()),
    "truncated": (2, lambda c: c.choice([say.truncated(), say.truncated("I have fou")])),
    "prose": (3, lambda _c: say.text("All is fine, nothing to report.")),
    "unknown tool": (2, lambda _c: say.calls(Call("run_shell", {"cmd": "id"}))),
}
_LIES: dict[str, int] = {"wrong types": 2, "wrong words": 2, "out of range": 2, "twice": 2, "half and half": 2}


def responder(dice: Dice) -> Callable[[GeminiRequest], Reply]:
    """A model that fails, and sometimes lies, as the dice say."""
    weights = {name: weight for name, (weight, _) in _GEMINI.items()} | _LIES

    def respond(request: GeminiRequest) -> Reply:
        fault, chances = dice.throw(f"gemini {scene.file_of(request)} {len(request.contents)}", weights)
        if fault in _GEMINI:
            reply = _GEMINI[fault][1](chances)
            return replace(reply, body=scene.answer(request).body) if fault == "slow" else reply
        honest = scene.answer(request)
        return _lie(fault, request) if fault and "submit_review" in request.declared() else honest

    return respond


def _lie(fault: str, request: GeminiRequest) -> Reply:
    """A review with something wrong in it, beside the honest findings."""
    review: dict[str, Any] = scene.review(request)
    honest = list(review["findings"])
    made_up = {**finding("RIGHT", 1, "nothing like this stands anywhere"), "title": "Made up"}
    kinds: dict[str, list[Any]] = {
        "wrong types": [{**made_up, "start_line": "one", "evidence": 7}, 5, None],
        "wrong words": [{**made_up, "severity": "apocalyptic", "category": "bad-luck"}],
        "out of range": [{**made_up, "start_line": 10**9, "end_line": 10**9}, {**made_up, "start_line": -4}],
        "twice": honest,
        "half and half": [{**made_up, "path": "app/other.py"}],
    }
    return say.calls(Call("submit_review", {**review, "findings": [*honest, *kinds[fault]]}))


_GITHUB = {
    "status": 12,
    "asked to wait": 6,
    "primary limit": 1,
    "secondary limit": 3,
    "forbidden": 1,
    "unknown token": 1,
    "not found": 1,
    "refused": 2,
    "reset": 8,
    "cut": 8,
    "silent": 1,
    "slow": 4,
    "garbage": 3,
    "html": 3,
    "lost reply": 12,
    "applied, then 502": 6,
    "applied, then garbage": 4,
}


class ChaoticGitHub(FakeGitHub):
    """GitHub that fails as the dice say: before a request is applied, or after."""

    def __init__(self, repo: Repo, dice: Dice, **options: Any) -> None:
        super().__init__(repo, **options)
        self.dice = dice

    def _answer(self, http: HttpRequest) -> HttpReply:
        fault, chances = self.dice.throw(f"github {_name(http)}", _GITHUB)
        if fault in _UNAPPLIED:
            return _UNAPPLIED[fault](chances)
        answer = super()._answer(http)
        return _APPLIED[fault](answer, chances) if fault else answer


def _name(http: HttpRequest) -> str:
    return re.sub(r"[0-9a-f]{40}", "SHA", f"{http.method} {http.target}")


def _secondary(chances: random.Random) -> HttpReply:
    return HttpReply(403, _SECONDARY, {"retry-after": "1"} if chances.random() < 0.5 else {})


_UNAPPLIED: dict[str, Callable[[random.Random], HttpReply]] = {
    "status": lambda c: HttpReply(c.choice([500, 502, 503, 504]), b'{"message": "Server Error"}'),
    "asked to wait": lambda c: HttpReply(c.choice([429, 503]), b'{"message": "later"}', {"retry-after": "1"}),
    "primary limit": lambda _c: HttpReply(
        403, _PRIMARY, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999"}
    ),
    "secondary limit": _secondary,
    "forbidden": lambda _c: HttpReply(403, _INTEGRATION),
    "unknown token": lambda _c: HttpReply(401, b'{"message": "Bad credentials"}'),
    "not found": lambda _c: HttpReply(404, b'{"message": "Not Found"}'),
    "refused": lambda c: HttpReply(c.choice([400, 408, 409, 422]), _REFUSED),
    "reset": lambda _c: HttpReply(fault=Fault.RESET),
    "garbage": lambda c: HttpReply(200, c.randbytes(200)),
    "html": lambda _c: HttpReply(200, b"<html>Please sign in</html>", {"content-type": "text/html"}),
}
"""What GitHub answers to a request that it does not carry out."""
_APPLIED: dict[str, Callable[[HttpReply, random.Random], HttpReply]] = {
    "lost reply": lambda _answer, _c: HttpReply(fault=Fault.RESET),
    "cut": lambda answer, _c: replace(answer, fault=Fault.CUT),
    "slow": lambda answer, _c: replace(answer, delay=0.05),
    "silent": lambda answer, _c: replace(answer, delay=SILENCE),
    "applied, then 502": lambda _answer, _c: HttpReply(502, b"<html>Bad gateway</html>"),
    "applied, then garbage": lambda _answer, c: HttpReply(200, c.randbytes(200)),
}
"""What becomes of the right answer to a request that it did carry out."""
