"""Where a secret stands says how real it is: tests, examples and documentation are full of made-up ones."""

from __future__ import annotations

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.secrets.convincing import looks_random
from devpulse.core.secrets.model import Span

_TEST_PATH = lazy(
    r"(?i:(?:^|[/_.-])(?:tests?|specs?|fixtures?|examples?|mocks?|docs?|samples?|testdata|e2e|guides?)(?:[/_.-]|$))|[a-z]Tests?[/.]"
)
_PROSE = lazy(r"(?i)\.(?:md|rst|adoc|mdx)$")
_COMMENT = lazy(r"[ \t]*(?:#|//|\*|/\*|--|;|<!--|>)")
_MADE_UP = frozenset(["private-key", "connection-password", "command-password", "authorization", "session-cookie",
                      "basic-credentials", "bearer-token", "jwt"])  # fmt: skip


def is_of_tests(path: str) -> bool:
    """Whether a file is a test, an example or documentation by where it stands."""
    return _TEST_PATH.search(path) is not None


def weighed(span: Span, path: str, text: str) -> Span:
    """The span with the confidence that its place allows; nothing becomes surer, and nothing is left out."""
    made_up = span.kind.endswith("-literal") or span.kind in _MADE_UP
    if span.confidence is Confidence.LOW:
        return span
    if is_of_tests(path):
        return _with(span, Confidence.LOW if made_up else Confidence.MEDIUM)
    if made_up and span.kind != "private-key" and not looks_random(text[span.start : span.end]):
        line = text.rfind("\n", 0, span.start) + 1
        if _PROSE.search(path) or _COMMENT.match(text, line, span.start):
            return _with(span, Confidence.LOW)
    return span


def _with(span: Span, confidence: Confidence) -> Span:
    return Span(span.kind, span.start, span.end, confidence)
