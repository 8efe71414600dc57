from __future__ import annotations

import base64
import json
import string
import threading
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from work import assert_time_in_step, assert_work_in_step

from devpulse.core import redaction
from devpulse.core.categories import Confidence
from devpulse.core.redaction import Redactor, find_secrets, redact
from devpulse.core.secrets.model import Secret

AWS = "AKIA" + "Q3EG" * 2 + "J7T2KLMN"
GITHUB = "ghp_" + "aB3dE6gH9j" * 3 + "K1m2N3"
PASSWORD = "Tr0ub4dor&3"


def redacted(text: str, path: str = "src/app.py") -> str:
    return redact(text, find_secrets(path, text))


def test_find_secrets__gives_exact_place_and_hides_value():
    text = f'first = 1\nkey = "{AWS}"\n'
    (secret,) = find_secrets("src/app.py", text)
    assert (secret.kind, secret.start_line, secret.end_line) == ("aws-key", 2, 2)
    assert text.split("\n")[1][secret.start_column : secret.end_column] == AWS == secret.value
    assert secret.confidence is Confidence.HIGH
    assert AWS not in repr(secret)


def test_redact__keeps_length_and_names_the_kind():
    assert redacted(f'key = "{AWS}"  # note') == 'key = "[redacted:aws-key**]"  # note'
    assert redacted('password = "hunter2"') == 'password = "*******"'


def test_redact__multi_line_key_line_by_line():
    body = ["    MIIEowIBAAKCAQEAx7dTq9uJ", "    q83hFzV1Lk92mNs8Pw==\r"]
    text = "\n".join(
        ["K = '''", "-----BEGIN RSA PRIVATE KEY-----\r", *body, "-----END RSA PRIVATE KEY-----", "'''", ""]
    )
    shown = redacted(text)
    assert shown.count("\n") == text.count("\n")
    assert [len(line) for line in shown.split("\n")] == [len(line) for line in text.split("\n")]
    assert "MIIE" not in shown
    assert "q83h" not in shown
    assert "    [redacted:private-key" in shown
    assert shown.split("\n")[3].endswith("\r")


def test_redact__key_that_is_cut_off():
    text = "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAx7dTq9uJ\nabcdefghij0123456789\n"
    assert "MIIE" not in redacted(text)
    assert "abcdefghij" not in redacted(text)


def test_redact__overlapping_secrets_are_covered_once():
    text = f'password = "pre-{AWS}-post9"'
    assert AWS not in redacted(text)
    assert len(redacted(text)) == len(text)


@settings(max_examples=75, deadline=None)
@given(
    st.text(alphabet=string.printable + "äß日\u2028\x85", max_size=80),
    st.sampled_from([AWS, GITHUB, "sk_live_" + "4eC39HqLyjWD" * 2]),
    st.sampled_from(['{0}"{1}"\n', "{0}\n{1}\r\n", "{1} {0}", "x = '{1}'\n{0}", "{0}\r\n\t{1}\n"]),
)
def test_redact__properties(noise: str, secret: str, shape: str):
    text = shape.format(noise, " " + secret + " ")
    found = find_secrets("notes.txt", text)
    shown = redact(text, found)
    assert secret not in shown
    assert [len(line) for line in shown.split("\n")] == [len(line) for line in text.split("\n")]
    assert find_secrets("notes.txt", shown) == ()


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.sampled_from(["password", "=", ":", '"', "'", "token", AWS, "s3cr3t!pw", "\n", "://u:", "@h", " ", GITHUB]),
        max_size=30,
    )
)
def test_redact__is_idempotent_on_any_arrangement(words: list[str]):
    for path in ("a.py", "a.env"):
        text = "".join(words)
        assert find_secrets(path, redacted(text, path)) == ()


BAITS = {
    "password='": "",
    "a": " password",
    "eyJ": "",
    "aws key ": "",
    "\\": "",
    "postgres://": "",
}


def bait_of(unit: str, size: int) -> str:
    return ('password = "' if unit == "\\" else "") + unit * (size // len(unit)) + BAITS[unit]


@pytest.mark.parametrize("unit", BAITS)
def test_find_secrets__takes_work_in_step_with_the_text(unit: str):
    assert_work_in_step(lambda text: find_secrets("a.py", text), lambda size: bait_of(unit, size), 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("unit", BAITS)
def test_find_secrets__takes_time_in_step_with_the_text(unit: str):
    assert_time_in_step(lambda text: find_secrets("a.py", text), lambda size: bait_of(unit, size), 60_000)


def make_redactor(value: str = PASSWORD) -> Redactor:
    redactor = Redactor()
    redactor.learn(find_secrets("src/app.py", f"db_password = {json.dumps(value)}"))
    return redactor


@pytest.mark.parametrize(
    "form",
    [
        PASSWORD,
        quote(PASSWORD, safe=""),
        base64.b64encode(PASSWORD.encode()).decode(),
        base64.urlsafe_b64encode(PASSWORD.encode()).decode().rstrip("="),
    ],
)
def test_mask__remembered_value_in_any_form(form: str):
    assert form not in make_redactor().mask(f"login with {form} failed")


def test_mask__json_escaped_value():
    value = 'q9"x8zW7!'
    redactor = Redactor()
    redactor.learn(find_secrets("config.yml", f"password: '{value}'"))
    shown = redactor.mask(json.dumps({"log": value}))
    assert json.dumps(value)[1:-1] not in shown
    assert shown.startswith('{"log": "')


def test_mask__one_line_of_a_remembered_key():
    redactor = Redactor()
    text = "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAx7dTq9uJ\nabcdefghij0123456789\n-----END PRIVATE KEY-----\n"
    redactor.learn(find_secrets("id.pem", text))
    assert "MIIEowIB" not in redactor.mask("line 2: MIIEowIBAAKCAQEAx7dTq9uJ")


def test_mask__provider_format_it_never_saw():
    assert Redactor().mask(f"401 for {GITHUB}").startswith("401 for [redacted:github-token*")


def test_mask__short_and_doubtful_values_are_not_remembered():
    redactor = make_redactor("hunt3r")
    redactor.learn(find_secrets("src/app.py", 'password = "required"'))
    assert redactor.mask("the hunt3r is required") == "the hunt3r is required"


def test_mask__is_stable_and_leaves_ordinary_text():
    redactor = make_redactor()
    shown = redactor.mask(f"{PASSWORD} and {AWS}")
    assert redactor.mask(shown) == shown
    assert redactor.mask("password is wrong for user bob") == "password is wrong for user bob"


def test_learn__from_several_threads():
    redactor = Redactor()
    values = [f"Zk9{index:05d}!pQw" for index in range(60)]
    threads = [
        threading.Thread(target=redactor.learn, args=(find_secrets("a.py", f'password = "{value}"'),))
        for value in values
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shown = redactor.mask(" ".join(values))
    assert not any(value in shown for value in values)


def test_learn__a_single_word_is_not_looked_for_elsewhere() -> None:
    """The password of a sample database is often the project's name, which stands in every path."""
    redactor = Redactor()
    for value in ("petclinic", "orchard7!Xq2"):
        redactor.learn([Secret("password", 1, 0, 1, len(value), Confidence.HIGH, value)])
    assert redactor.mask("src/samples/petclinic/Owner.java") == "src/samples/petclinic/Owner.java"
    assert "orchard7!Xq2" not in redactor.mask("password orchard7!Xq2")


def test_mask__answers_of_before_are_forgotten_when_something_is_learnt() -> None:
    redactor = Redactor()
    value = "kX9-2fLq7!Zp"
    texts = [f"path/{value}", f"{value} in a long text " + "x " * 200]
    assert [redactor.mask(text) for text in texts * 2] == texts * 2
    redactor.learn([Secret("password", 1, 0, 1, len(value), Confidence.HIGH, value)])
    masked = [redactor.mask(text) for text in texts * 2]
    assert masked[:2] == masked[2:]
    assert all(value not in text for text in masked)
    assert list(map(len, masked[:2])) == list(map(len, texts))


def test_mask__the_number_of_remembered_answers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "_MAX_REMEMBERED", 3)
    redactor = Redactor()
    texts = [f"text {number}" for number in range(10)]
    assert [redactor.mask(text) for text in texts * 2] == texts * 2
    assert len(redactor._answers) == 3
