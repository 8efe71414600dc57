"""What the Gemini engine is told, checked before anything is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from devpulse.adapters.gemini.failures import Addressee
from devpulse.adapters.gemini.retrying import RetryPolicy
from devpulse.core.pacing import Limits
from devpulse.errors import ModelMisconfigured

PUBLIC_URL = "https://generativelanguage.googleapis.com"
ThinkingLevel = Literal["minimal", "low", "medium", "high"]

_KEY = re.compile(r"[\x21-\x7e]+")
_MODEL = re.compile(r"(?:models/)?[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class GeminiConfig:
    """Everything about the engine but time: ``timeout_seconds`` bounds one attempt, ``base_url`` None is the public
    service. The key is not shown by ``repr``."""

    api_key: str = field(repr=False)
    model: str
    base_url: str | None = None
    timeout_seconds: float = 120.0
    thinking_level: ThinkingLevel = "low"
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    limits: Limits = field(default_factory=Limits)

    def check(self) -> None:
        """Find what no request could succeed with.

        Raises:
            ModelMisconfigured: the key, the model's name or the base URL cannot be right.
        """
        if not _KEY.fullmatch(self.api_key):
            raise ModelMisconfigured(
                "the Gemini API key is empty or holds characters that no key has",
                hint="Set gemini-api-key (or GEMINI_API_KEY) without quotes, blanks or line ends.",
            )
        if not _MODEL.fullmatch(self.model):
            raise ModelMisconfigured(
                f"{self.model!r} is not the name of a model", hint="Set model, for example to gemini-3.8-flash."
            )
        if not self.addressee().host:
            raise ModelMisconfigured(
                "GOOGLE_GEMINI_BASE_URL is not an address",
                hint="It has to look like https://host or https://host/path.",
            )

    def url(self) -> str:
        """The base URL in use."""
        return self.base_url or PUBLIC_URL

    def addressee(self) -> Addressee:
        """Whom requests go to, for messages."""
        try:
            parts = urlsplit(self.url())
            host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or ""
        except ValueError:
            return Addressee(self.model, "", self.api_key)
        return Addressee(self.model, host if parts.scheme in ("http", "https") else "", self.api_key)


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request as it went out: whose it is, the attempt, and the body as sent (JSON). Headers are left out."""

    task: str
    step: int
    attempt: int
    body: str
