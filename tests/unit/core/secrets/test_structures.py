from __future__ import annotations

import pytest
from planted_secrets import made

from devpulse.core.categories import Confidence
from devpulse.core.redaction import find_secrets, redact
from devpulse.core.secrets.structures import find_private_keys

ROWS = [made(f"row{number}", 64) for number in range(4)]
END = "-----END RSA PRIVATE KEY-----"


def shown(text: str, path: str = "notes.txt") -> str:
    return redact(text, find_secrets(path, text))


@pytest.mark.parametrize(
    "text",
    [
        "\n".join([*ROWS, END]),
        "k: |\n"
        + "".join(f"    {row}\n" for row in ["-----BEGIN PRIVATE KEY-----", *ROWS, "-----END PRIVATE KEY-----"]),
        "\n".join(["-----BEGIN OPENSSH PRIVATE KEY-----", *ROWS]),
        "---- BEGIN SSH2 PRIVATE KEY ----\n" + "\n".join(ROWS) + "\n---- END SSH2 PRIVATE KEY ----",
        "MIIEpAIBAAKC" + "\n".join(ROWS),
        "b3BlbnNzaC1rZXktdjE" + "\n".join(ROWS),
        f'K = "-----BEGIN PRIVATE KEY-----\\n{ROWS[0]}\\n{ROWS[1]}\\n-----END PRIVATE KEY-----"',
        "Private-Lines: 2\n" + "\n".join(ROWS[:2]) + "\n",
        f'{{"kty": "RSA", "n": "abc", "d": "{ROWS[0]}"}}',
    ],
)
def test_find_private_keys__in_every_frame_or_without_one(text: str):
    assert not [row for row in ROWS if row in shown(text)]
    assert len(shown(text)) == len(text)
    assert shown(shown(text)) == shown(text)


def test_find_private_keys__lines_of_a_key_file_without_its_ends():
    assert not [row for row in ROWS if row in shown("\n".join(ROWS), "deploy/server.key")]
    assert shown("\n".join(ROWS)) == "\n".join(ROWS)


def test_find_private_keys__what_is_public_or_left_out__is_not_one():
    for text in (
        "-----BEGIN CERTIFICATE-----\n" + "\n".join(ROWS) + "\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\n" + "\n".join(ROWS) + "\n-----END PUBLIC KEY-----",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "text about -----BEGIN PRIVATE KEY----- and its end",
    ):
        assert list(find_private_keys(text)) == []


def test_find_private_keys__encrypted__is_hidden_and_not_reported():
    text = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + ROWS[0] + "\n-----END ENCRYPTED PRIVATE KEY-----"
    assert [span.confidence for span in find_private_keys(text)] == [Confidence.LOW]
