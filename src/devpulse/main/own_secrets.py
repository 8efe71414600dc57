"""Our own keys, tokens and proxy passwords: known to the redactor before anything is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import unquote, urlsplit

from devpulse.core.categories import Confidence
from devpulse.core.redaction import Redactor
from devpulse.core.secrets.model import Secret
from devpulse.settings import Settings

_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy")


def learn_own_secrets(settings: Settings, environ: Mapping[str, str], redactor: Redactor) -> None:
    """Make the model's key, GitHub's token and the passwords of proxies in ``environ`` known to the redactor."""
    own = [("gemini-key", settings.gemini_api_key), ("github-token", settings.github_token)]
    own += [("proxy-password", password) for password in _proxy_passwords(environ)]
    redactor.learn([Secret(name, 1, 0, 1, len(value), Confidence.HIGH, value) for name, value in own if value])


def _proxy_passwords(environ: Mapping[str, str]) -> Iterator[str]:
    """As written and as decoded; ``user:password`` too, which is what a proxy is sent in base64."""
    for name, value in environ.items():
        if name.lower() in _PROXIES:
            try:
                address = urlsplit(value if "://" in value else f"http://{value}")
            except ValueError:
                continue
            if address.password:
                yield from (address.password, unquote(address.password))
            if address.username and address.password:
                yield f"{unquote(address.username)}:{unquote(address.password)}"
