"""Over HTTP: a service that takes two requests at a time, and what a client with eight threads makes of it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini, GeminiRequest
from fakes.gemini_replies import Reply

from devpulse.adapters.gemini.config import GeminiConfig
from devpulse.adapters.gemini.model import GeminiModel
from devpulse.adapters.gemini.retrying import RetryPolicy
from devpulse.core.messages import ModelRequest, SystemMessage, UserMessage
from devpulse.core.pacing import Limits

KEY = "AIza" + "x" * 35


def request(number: int) -> ModelRequest:
    return ModelRequest((SystemMessage("Be brief."), UserMessage("Hello.")), (), 100, f"t{number}", 1)


class Crowded:
    """Refuses what comes while ``room`` requests are under way; knows how many were, early and late.

    The first ``together`` are answered when all of them are there, however slowly the client's threads start.
    """

    def __init__(self, room: int, together: int = 0) -> None:
        self.room = room
        self._first = threading.Barrier(together) if together else None
        self._left = together
        self.under_way = 0
        self.seen: list[int] = []
        self.refused: list[bool] = []
        self._lock = threading.Lock()

    def __call__(self, _request: GeminiRequest) -> Reply:
        with self._lock:
            self.under_way += 1
            self.seen.append(self.under_way)
            crowded = self.under_way > self.room
            self.refused.append(crowded)
            first, self._left = self._left > 0, self._left - 1
        if first and self._first is not None:
            self._first.wait(timeout=30)
        time.sleep(0.03)
        with self._lock:
            self.under_way -= 1
        return replies.http_error(429) if crowded else replies.text("Hello.")


def test_gemini__too_much_is_answered_with_less_and_nothing_is_lost():
    service = Crowded(room=2, together=8)
    with FakeGemini(service) as fake:
        config = GeminiConfig(
            KEY, "gemini-3.8-flash", fake.url, retry=RetryPolicy(20, 0.01, 0.02), limits=Limits(parallel=8)
        )
        model = GeminiModel(config)
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda number: model.complete(request(number)), range(40)))
    assert [answer.text for answer in answers] == ["Hello."] * 40
    assert service.seen[:8] == list(range(1, 9)), "it begins with all that is allowed"
    assert model.pacer.least <= 2
    # A service that is asked eight at a time all along refuses three of four.
    assert sum(service.refused[20:]) < len(service.refused[20:]) / 2


def test_gemini__never_more_at_once_than_max_parallel():
    service = Crowded(room=64)
    with FakeGemini(service) as fake:
        model = GeminiModel(GeminiConfig(KEY, "gemini-3.8-flash", fake.url, limits=Limits(parallel=3)))
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: model.complete(request(number)), range(12)))
    assert max(service.seen) <= 3


def test_gemini__requests_a_minute_are_kept_to_on_the_wire():
    slept: list[float] = []
    now = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    arrived: list[float] = []

    def respond(_request: GeminiRequest) -> Reply:
        arrived.append(now[0])
        return replies.text("Hello.")

    with FakeGemini(respond) as fake:
        config = GeminiConfig(KEY, "gemini-3.8-flash", fake.url, limits=Limits(8, requests=2))
        model = GeminiModel(config, sleep=sleep, clock=lambda: now[0])
        for number in range(5):
            model.complete(request(number))
    assert arrived == [0.0, 0.0, 60.0, 60.0, 120.0]
