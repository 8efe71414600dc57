from __future__ import annotations

import pytest
from rule_tables import run

from devpulse.core.categories import Confidence
from devpulse.core.rules.hardcoded_secret import RULE as SECRETS
from devpulse.core.rules.weak_authentication import RULE as SIGNING
from devpulse.core.rules.weak_cryptography import RULE as ENCRYPTING

SIGNED = 'func sign(t *jwt.Token) (string, error) {\n    return t.SignedString([]byte("oak and elm"))\n}\n'


@pytest.mark.parametrize(
    ("path", "confidence"),
    [("internal/tokens.go", Confidence.MEDIUM), ("examples/tokens.go", Confidence.LOW)],
)
def test_forms__examples_are_less_sure(path: str, confidence: Confidence) -> None:
    (hit,) = run(SIGNING, SIGNED, path=path)
    assert (hit.confidence, hit.cwe, hit.category) == (confidence, 321, "hardcoded-secret")


def test_forms__leave_what_looks_like_a_secret_to_its_rule() -> None:
    code = 'var config = middleware.JWTConfig{\n    SigningKey: []byte("k3yS9d8f7Qz1LmXX"),\n}\n'
    assert [hit.start_line for hit in run(SECRETS, code, path="internal/tokens.go")] == [2]
    assert run(SIGNING, code, path="internal/tokens.go") == []


def test_forms__a_key_that_no_other_rule_tells_of() -> None:
    code = 'var config = middleware.JWTConfig{\n    SigningKey: []byte("oak and elm"),\n}\n'
    assert [hit.start_line for hit in run(SIGNING, code, path="internal/tokens.go")] == [2]


def test_ciphers__name_the_weakness() -> None:
    code = 'func hide() {\n    block, _ := aes.NewCipher([]byte("oak-and-elm-1234"))\n}\n'
    (hit,) = run(ENCRYPTING, code, path="internal/hide.go")
    assert (hit.cwe, hit.category, hit.start_line) == (321, "weak-cryptography", 2)


@pytest.mark.parametrize("key", ["DESKeySpec", "DESedeKeySpec", "PBEKeySpec", "SecretKeySpec"])
def test_ciphers__each_key_of_java_is_found_by_itself(key: str) -> None:
    code = f'class Box {{ Object key() {{ return new {key}("oak-and-elm-1234".getBytes()); }} }}\n'
    assert [hit.cwe for hit in run(ENCRYPTING, code, path="src/Box.java")] == [321]


@pytest.mark.parametrize(
    "code",
    [
        "func hide(key []byte) {\n    block, _ := aes.NewCipher(key)\n}\n",
        'func hello() ([]byte, error) {\n    return []byte("hello"), nil\n}\n',
    ],
)
def test_forms__other_bytes(code: str) -> None:
    assert run(SIGNING, code, path="internal/a.go") == []
    assert [hit for hit in run(ENCRYPTING, code, path="internal/a.go") if hit.cwe == 321] == []
