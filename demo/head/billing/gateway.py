"""Talks to the payment provider."""

import hashlib
import hmac
import os

import requests

PROVIDER = "https://payments.example/v1"
STRIPE_API_KEY = "@@STRIPE_KEY@@"
WEBHOOK_KEY = os.environ["WEBHOOK_KEY"]


def charge(amount: int, currency: str, card: str) -> dict:
    """Charges a stored card; the amount is in the smallest unit of the currency."""
    reply = requests.post(
        f"{PROVIDER}/charges",
        json={"amount": amount, "currency": currency, "source": card},
        auth=(STRIPE_API_KEY, ""),
        timeout=10,
    )
    reply.raise_for_status()
    return reply.json()


def signature_matches(body: bytes, signature: str) -> bool:
    """Whether a notice of the provider is genuine."""
    expected = hmac.new(WEBHOOK_KEY.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)
