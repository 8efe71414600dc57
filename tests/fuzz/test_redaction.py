"""Secrets: found again nowhere, whatever stands around them and however the text is written down."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

from fuzz.mutation import ODD, mutated
from fuzz.profile import fuzzed
from hypothesis import assume, given
from hypothesis import strategies as st

from devpulse.core.redaction import Redactor, find_secrets, redact

ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
SECRETS = st.one_of(
    st.text(ALPHABET, min_size=36, max_size=36).map(lambda body: f"ghp_{body}"),
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", min_size=16, max_size=16).map(lambda body: f"AKIA{body}"),
    st.text(ALPHABET, min_size=24, max_size=24).map(lambda body: f"sk_live_{body}"),
).filter(lambda secret: len(set(secret)) > 14)
AROUND = st.lists(st.sampled_from([*ODD, *"ab \"'=:/\n{}[]<>\\%", "-", "_"]), max_size=20).map("".join)
CODE = [
    'password = "Tr0ub4dor&3x"\nurl = "postgres://u:p4ssw0rdX@h/db"\n',
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx7dTq9uJ\nq83hFzV1Lk92mNs8Pw==\n-----END RSA PRIVATE KEY-----\n",
    "API_KEY=4f3c2b1a9d8e7f6a5b4c3d2e1f0a9b8c\n",
    "TOKEN: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U\n",
]
PATHS = st.sampled_from(["app.py", ".env", "conf.yml", "a.json", "x.tf", "deploy.sh", "test/t.py"])


@fuzzed
@given(PATHS, mutated(CODE, ["key", "token=", '"', "://", "-----BEGIN PRIVATE KEY-----"]) | st.text(max_size=120))
def test_redact__any_text_keeps_its_shape(path, text):
    found = find_secrets(path, text)
    covered = redact(text, found)
    assert [len(line) for line in covered.split("\n")] == [len(line) for line in text.split("\n")]
    assert all(secret.value in text for secret in found)
    places = [(secret.start_line, secret.start_column) for secret in found]
    assert places == sorted(places)


@fuzzed
@given(SECRETS, AROUND, AROUND, st.sampled_from(["app.py", ".env", "conf.yml"]))
def test_secret__is_found_and_masked_in_every_form(secret, before, after, path):
    assume(not (before[-1:].isalnum() or after[:1].isalnum() or before[-1:] in "_-%\\" or after[:1] in "_-"))
    text = f"{before} {secret} {after}"
    found = find_secrets(path, text)
    assume(found)  # a few look like the placeholders of manuals
    assert secret not in redact(text, found)
    redactor = Redactor()
    redactor.learn(found)
    encoded = base64.b64encode(secret.encode()).decode().rstrip("=")
    for form in (secret, json.dumps(text), quote(text.encode("utf-8", "surrogatepass")), encoded, f"x{secret}y"):
        masked = redactor.mask(form)
        assert secret not in masked
        assert encoded not in masked
        assert redactor.mask(masked) == masked


@fuzzed
@given(st.lists(SECRETS, max_size=3), st.text(max_size=80))
def test_mask__json_stays_json(secrets, noise):
    redactor = Redactor()
    for secret in secrets:
        redactor.learn(find_secrets(".env", f"TOKEN={secret}"))
    value = {"a": [*secrets, noise], noise: " ".join(secrets)}
    masked = json.loads(redactor.mask(json.dumps(value)))
    assert isinstance(masked, dict)
