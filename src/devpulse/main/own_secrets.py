"""Our own keys and tokens: known to the redactor before anything is read, so that they can be written nowhere."""

from __future__ import annotations

from devpulse.core.categories import Confidence
from devpulse.core.redaction import Redactor
from devpulse.core.secrets.model import Secret
from devpulse.settings import Settings


def learn_own_secrets(settings: Settings, redactor: Redactor) -> None:
    """Make the model's key and GitHub's token known to the redactor."""
    own = (("gemini-key", settings.gemini_api_key), ("github-token", settings.github_token))
    redactor.learn(
        [Secret(name, 1, 0, 1, len(value), Confidence.HIGH, value) for name, value in own if value is not None]
    )
