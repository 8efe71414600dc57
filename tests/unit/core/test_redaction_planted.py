from __future__ import annotations

import base64
import hashlib
import random
import uuid

from hypothesis import given, settings
from hypothesis import strategies as st
from planted_secrets import PLANTED, TOKENS, Planted, forms, made
from tables import for_each

from devpulse.core.redaction import Redactor, find_secrets, redact


def redactor_of(*planted: Planted) -> Redactor:
    redactor = Redactor()
    for one in planted:
        redactor.learn(find_secrets(one.path, one.line))
    return redactor


ALL = redactor_of(*PLANTED)


def test_planted__are_at_least_forty_kinds():
    assert len({one.kind for one in PLANTED}) >= 70
    assert len(TOKENS) >= 40


@for_each(PLANTED, lambda planted: planted.kind)
def test_redact__planted__keeps_lines_and_columns_and_finds_nothing_again(planted: Planted):
    text = f"before\n{planted.line}\nafter\n"
    shown = redact(text, find_secrets(planted.path, text))
    assert planted.value not in shown
    assert [len(line) for line in shown.split("\n")] == [len(line) for line in text.split("\n")]
    assert redact(shown, find_secrets(planted.path, shown)) == shown


@for_each(PLANTED, lambda planted: planted.kind)
def test_mask__every_form_of_a_planted_value__is_gone(planted: Planted):
    redactor = redactor_of(planted)
    for form, told in forms(planted.value):
        assert told not in redactor.mask(f"x={form}&y")


@for_each(TOKENS)
def test_mask__token_never_seen_before__is_gone(kind: str):
    assert TOKENS[kind] not in Redactor().mask(f"401 for {TOKENS[kind]} at once")


@for_each(PLANTED, lambda planted: planted.kind)
def test_mask__value_cut_at_either_end__leaves_no_half(planted: Planted):
    half = (len(planted.value) + 1) // 2
    redactor = redactor_of(planted)
    assert planted.value[:half] not in redactor.mask(f"said {planted.value[: half + 2]}")
    assert planted.value[-half:] not in redactor.mask(f"{planted.value[-half - 2 :]} was said")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(PLANTED), min_size=1, max_size=4), st.text(max_size=30), st.data())
def test_mask__any_mixture__leaves_no_form(chosen: list[Planted], noise: str, data: st.DataObject):
    parts = [data.draw(st.sampled_from(sorted(forms(one.value)))) for one in chosen]
    shown = ALL.mask(f"{noise} ".join(form for form, _ in parts))
    assert not [told for _, told in parts if told in shown]
    assert ALL.mask(shown) == shown


def _harmless(chance: random.Random) -> str:
    digits = f"{chance.getrandbits(256):064x}"
    packed = base64.b64encode(chance.randbytes(48)).decode()
    return chance.choice(
        [
            f"commit {digits[:40]}",
            f"    --hash=sha256:{digits} \\",
            f'"integrity": "sha512-{packed}",',
            f"id: {uuid.UUID(int=chance.getrandbits(128))}",
            f"github.com/a/b v1.2.3 h1:{packed[:43]}=",
            f'<img src="data:image/png;base64,{packed * 4}">',
            f".css-{digits[:8]}{{background:url(/f/{digits[:20]}.woff2)}}",
            f"uses: actions/checkout@{digits[:40]} # v4",
            f"FROM python:3.12@sha256:{digits}",
            f"ssh-ed25519 {packed} me@host",
            f'expected = "{digits}"',
            f"function a(t,e){{return t.{digits[:6]}('{digits[:24]}',e)}}",
            f"-----BEGIN CERTIFICATE-----\n{packed}\n-----END CERTIFICATE-----",
            f"'messages.{digits[:6]}.title': 'Titel {digits[:4]}'",
            f"google_{hashlib.md5(digits.encode()).hexdigest()}.html",
        ]
    )


def test_redact__harmless_random_text__is_left():
    chance = random.Random(11)
    lines = [_harmless(chance) for _ in range(3_000)]
    paths = ["a.py", "a.js", "a.yml", "notes.txt"]
    changed = [line for line in lines if redact(line, find_secrets(chance.choice(paths), line)) != line]
    assert len(changed) <= len(lines) // 100
    assert sum(ALL.mask(line) != line for line in lines) <= len(lines) // 100


def test_learn__thousands_of_values__each_is_masked():
    redactor = Redactor()
    values = [made(f"many{number}", 24) for number in range(1_000)]
    redactor.learn(find_secrets("a.env", "".join(f"API_TOKEN={value}\n" for value in values)))
    shown = redactor.mask(" ".join(values))
    assert not any(value in shown for value in values)
