"""Weak cryptography: broken hashes and ciphers, transport security switched off, secrets that can be predicted.

Each kind is a module of ``cryptography``. A place is posted where the danger shows in it, or where names say what it
protects; what may as well be a checksum or a dice is kept at low confidence.
"""

from __future__ import annotations

from devpulse.core.rules.cryptography import ciphers, hashes, randomness, transport
from devpulse.core.rules.fixed_keys import CIPHERS
from devpulse.core.rules.sites import LANGUAGES, form_rule

RULE = form_rule(
    "weak-cryptography",
    "weak-cryptography",
    LANGUAGES,
    (*transport.FORMS, *ciphers.FORMS, *CIPHERS, *hashes.FORMS, *randomness.FORMS),
)
