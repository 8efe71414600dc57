"""Hard-coded secrets: keys, tokens and passwords written into a file."""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit, HitKind
from devpulse.core.redaction import find_secrets
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

_WEAKNESS = Weakness("hardcoded-secret")
_NAMES = {
    "password-literal": "password",
    "secret-literal": "secret",
    "key-literal": "key or token",
    "connection-password": "password in a connection string",
    "private-key": "private key",
    "jwt": "signed token",
}
_SPELLED = {
    **{name.lower(): name for name in ("AWS", "DevOps", "GitHub", "GitLab", "HubSpot", "OpenAI", "PyPI", "RubyGems")},
    **{
        name.lower(): name for name in ("Anthropic", "Azure", "Docker", "Google", "Heroku", "Slack", "Stripe", "Twilio")
    },
}
"""Names of services as they write them; what is not here stays as the kind has it."""
_FIX = "Revoke it, read it from the environment or a secret store, and take it out of the history."


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the rule's fixed signature)
    """Every convincing secret of the text, once a place."""
    for secret in find_secrets(source.path, source.text):
        if secret.confidence is Confidence.LOW:
            continue
        name = _named(secret.kind)
        thing = f"{'An' if name[0] in 'AEIOaeio' else 'A'} {name}"
        wording = Wording(
            title=f"Hard-coded {name}",
            description=f"{thing} stands in the file; whoever can read the repository or its history can use it.",
            fix=_FIX,
        )
        last = (
            secret.end_line - 1 if secret.end_column == 0 and secret.end_line > secret.start_line else secret.end_line
        )
        end = min(last, secret.start_line + 9)
        yield make_hit(_WEAKNESS, wording, (secret.start_line, end), secret.confidence, kind=HitKind.FINDING)


def _named(kind: str) -> str:
    words = kind.split("-")
    return _NAMES.get(kind) or " ".join(_SPELLED.get(word, word) for word in words)


RULE = Rule(id="hardcoded-secret", category="hardcoded-secret", languages=frozenset(), check=check)
