from __future__ import annotations

from planted_secrets import TOKENS
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.secrets.providers import PROVIDERS, find_formats

SAMPLES = {kind: value for kind, value in TOKENS.items() if " " not in kind}


@for_each(TOKENS)
def test_find_formats__tells_the_kind_and_the_exact_place(kind: str):
    spans = list(find_formats(f"x {TOKENS[kind]} y"))
    assert kind.partition(" ")[0] in [span.kind for span in spans if span.confidence is Confidence.HIGH]
    assert (2, 2 + len(TOKENS[kind])) in [(span.start, span.end) for span in spans]


@for_each(SAMPLES)
def test_find_formats__not_inside_a_longer_word(kind: str):
    assert kind not in [span.kind for span in find_formats(f"data{TOKENS[kind]}") if span.start == 4]


def test_find_formats__example_or_pattern__is_doubtful():
    for value in (
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "xoxb-1234-1234-ab12cd34ef56",
    ):
        assert {span.confidence for span in find_formats(value)} <= {Confidence.LOW}


def test_providers__every_format_has_hints_that_are_plain_text():
    assert all(provider.hints for provider in PROVIDERS)
    assert len({provider.kind for provider in PROVIDERS}) > 90
    assert all(provider.pattern.search("") is None for provider in PROVIDERS)
