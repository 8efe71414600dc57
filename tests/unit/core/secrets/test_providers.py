from __future__ import annotations

import pytest

from devpulse.core.secrets.providers import PROVIDERS

RANDOM = "aB3dE6gH9jK1m2N3p4Q5r6S7t8U9v0W1x2Y3z4A5b6C7d8E9f0G1h2J3k4L5m6N7o8P9"
HEX = "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c"
SAMPLES = {
    "aws-key": "AKIAQ3EGRJ7T2KLMNPQR",
    "aws-secret": f'aws_secret_access_key = "{RANDOM[:40]}"',
    "github-token": "ghp_" + RANDOM[:36],
    "gitlab-token": "glpat-" + RANDOM[:20],
    "slack-token": "xoxb-" + "1234567890-" + RANDOM[:20],
    "slack-webhook": "https://hooks.slack.com/services/T0001/B0001/" + RANDOM[:24],
    "discord-webhook": "https://discord.com/api/webhooks/123456/" + RANDOM[:60],
    "stripe-key": "sk_live_" + RANDOM[:24],
    "google-key": "AIza" + RANDOM[:35],
    "google-oauth": "GOCSPX-" + RANDOM[:28],
    "openai-key": "sk-proj-" + RANDOM[:24] + "T3BlbkFJ" + RANDOM[:24],
    "anthropic-key": "sk-ant-" + RANDOM[:40],
    "azure-key": "AccountKey=" + (RANDOM + RANDOM)[:86] + "==",
    "sendgrid-key": f"SG.{RANDOM[:22]}.{RANDOM[:43]}",
    "mailgun-key": "key-" + HEX,
    "mailchimp-key": HEX + "-us12",
    "twilio-key": "SK" + HEX,
    "npm-token": "npm_" + RANDOM[:36],
    "pypi-token": "pypi-AgEIcHlwaS" + RANDOM[:60],
    "square-key": "sq0csp-" + RANDOM[:43],
    "shopify-token": "shpat_" + HEX,
    "telegram-token": "123456789:AA" + RANDOM[:33],
    "hugging-face-token": "hf_" + RANDOM[:34],
    "digitalocean-token": "dop_v1_" + HEX + HEX,
    "databricks-token": "dapi" + HEX,
    "vault-token": "hvs." + RANDOM[:24],
    "jwt": "eyJ" + RANDOM[:20] + ".eyJ" + RANDOM[:20] + "." + RANDOM[:43],
    "bearer-token": "Bearer " + RANDOM[:40],
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_providers__match_their_format(kind: str):
    text = f"x {SAMPLES[kind]} y"
    matching = [provider for provider in PROVIDERS if provider.kind == kind and provider.pattern.search(text)]
    assert matching
    assert all(any(hint in text.lower() for hint in provider.hints) for provider in matching)


@pytest.mark.parametrize(
    "kind", [kind for kind in SAMPLES if kind not in ("slack-webhook", "discord-webhook", "bearer-token")]
)
def test_providers__not_inside_a_longer_word(kind: str):
    text = f"data{SAMPLES[kind]}"
    assert not any(provider.pattern.search(text) for provider in PROVIDERS if provider.kind == kind)


def test_providers__are_all_sampled_and_hints_are_lower_case():
    assert {provider.kind for provider in PROVIDERS} == set(SAMPLES)
    assert all(hint == hint.lower() for provider in PROVIDERS for hint in provider.hints)
