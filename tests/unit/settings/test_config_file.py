from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.errors import ConfigurationError
from devpulse.settings.config_file import MAX_BYTES, Entry, read_config

NAME = ".devpulse.yml"


def failure(text):
    with pytest.raises(ConfigurationError) as caught:
        read_config(text, NAME)
    assert caught.value.hint
    return str(caught.value)


@pytest.mark.parametrize("text", ["", "  \n", "# only a comment\n", "---\n", "~", "null", "{}"])
def test_read_config__nothing_said(text):
    assert read_config(text, NAME) == {}


def test_read_config__scalars_stay_texts_with_their_line():
    entries = read_config("# top\nfail-on: no\nmax-parallel: 0x10\nverify: Yes\nmodel: 'x'\nprice-input: 1_000\n", NAME)
    assert entries == {
        "fail-on": Entry("no", 2),
        "max-parallel": Entry("0x10", 3),
        "verify": Entry("Yes", 4),
        "model": Entry("x", 5),
        "price-input": Entry("1_000", 6),
    }


@pytest.mark.parametrize("nothing", ["", " ~", " null", ' ""'])
def test_read_config__null_is_an_empty_text(nothing):
    assert read_config(f"fail-on:{nothing}\n", NAME) == {"fail-on": Entry("", 1)}


def test_read_config__lists_and_mappings():
    text = "include: [a, 'b,c']\nseverity-overrides:\n  csrf: high\nignore:\n- {path: a/, reason: }\n"
    assert {key: entry.value for key, entry in read_config(text, NAME).items()} == {
        "include": ["a", "b,c"],
        "severity-overrides": {"csrf": "high"},
        "ignore": [{"path": "a/", "reason": ""}],
    }


def test_read_config__a_byte_order_mark_is_skipped():
    assert read_config("\ufefffail-on: high\r\n", NAME) == {"fail-on": Entry("high", 1)}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- a\n", "is not a mapping of keys to values"),
        ("just words", "is not a mapping of keys to values"),
        ("!!set {a, b}", "is not a mapping of keys to values"),
        ("a: 1\nb: 2\na: 3\n", 'line 3: "a" stands there twice, first in line 1'),
        ("a:\n  b: 1\n  b: 2\n", 'line 3: "b" stands there twice, first in line 2'),
        ("a: &x 1\nb: *x\n", "line 2: aliases are not allowed"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "line 3: aliases are not allowed"),
        ("a: !!python/object/apply:os.system [id]\n", "line 1: tags are not allowed"),
        ("a: !!binary aGk=\n", "line 1: tags are not allowed"),
        ("a: !secret x\n", "line 1: tags are not allowed"),
        ("? [a]\n: b\n", "line 1: a key is not a word"),
        ("a: b: c\n", "line 1: mapping values are not allowed here"),
        ("a: 1\n---\nb: 1\n", "line 2: expected a single document in the stream"),
        ("a: [\n", "line 2: "),
        ("a: \x00\n", "a character that YAML does not allow, after 3 characters"),
        ("a: \ud800\n", "a character that YAML does not allow, after 3 characters"),
        ("\ta: 1\n", "line 1: "),
    ],
)
def test_read_config__says_what_is_wrong(text, problem):
    message = failure(text)
    assert message.startswith(NAME)
    assert problem in message


def test_read_config__too_large_is_refused_and_the_limit_itself_is_not():
    line = "# " + "x" * 61 + "\n"
    assert read_config(line * (MAX_BYTES // 64), NAME) == {}
    assert "65537 bytes; at most 65536" in failure(line * (MAX_BYTES // 64) + "\n")
    assert "bytes; at most" in failure("# " + "é" * (MAX_BYTES // 2)), "bytes count, not characters"


def test_read_config__messages_quote_no_line_of_the_file():
    assert "hunter2" not in failure('model: "hunter2\n')
    assert "hunter2" not in failure("a: hunter2: b\n")


def test_read_config__a_bomb_of_aliases_costs_nothing():
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 30))
    assert "aliases are not allowed" in failure("l0: &l0 [x, x]\n" + levels)


@pytest.mark.parametrize("piece", ["[", "- ", "? ", "{a: "])
def test_read_config__deep_nesting_is_refused(piece):
    text = piece * (MAX_BYTES // len(piece))
    assert "nested too deeply" in failure(text)


def test_read_config__the_nesting_of_real_files_is_fine():
    assert read_config("ignore:\n- path: a\n  reason: b\n", NAME)["ignore"].value == [{"path": "a", "reason": "b"}]


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("ab:-?[]{}&*!|>'\"%@`#, \n\t~<=\\u0d8\x00é"), max_size=40))
def test_read_config__any_text_is_read_or_refused(text):
    try:
        entries = read_config(text, NAME)
    except ConfigurationError:
        return
    assert all(entry.line >= 1 for entry in entries.values())
