"""The real Gemini engine against the fake service, with time and chance replaced."""

from __future__ import annotations

from typing import Any

from fakes.gemini import FakeGemini

from devpulse.adapters.gemini.config import GeminiConfig
from devpulse.adapters.gemini.model import GeminiModel
from devpulse.core.messages import Message, ModelRequest, SystemMessage, UserMessage
from devpulse.core.tool_specs import TOOLS

KEY = "AIzaSy-test-key-0123456789"
MODEL = "gemini-3.8-flash"
OPENING: tuple[Message, ...] = (SystemMessage("You review code."), UserMessage("The diff of app.py"))


class Sleeps(list[float]):
    """Notes how long the engine wanted to sleep, and does not."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def gemini_for(fake: FakeGemini | str, *, sleeps: Sleeps | None = None, **options: Any) -> GeminiModel:
    """An engine for the fake (or a URL); ``options`` go to the configuration or, if they are its own, to the engine."""
    own = {name: options.pop(name) for name in ("remaining", "on_request", "clock") if name in options}
    url = fake if isinstance(fake, str) else fake.url
    config = GeminiConfig(**{"api_key": KEY, "model": MODEL, "base_url": url, "timeout_seconds": 10.0, **options})
    return GeminiModel(config, sleep=sleeps if sleeps is not None else Sleeps(), jitter=lambda: 0.0, **own)


def a_request(*more: Message, **changes: Any) -> ModelRequest:
    """The opening of a child, ``more`` messages after it, and all tools."""
    values: dict[str, Any] = {
        "messages": (*OPENING, *more),
        "tools": TOOLS,
        "max_output_tokens": 6400,
        "task": "task-1",
        "step": 1,
        **changes,
    }
    return ModelRequest(**values)
