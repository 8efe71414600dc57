"""Code as it is shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.categories import Confidence
from devpulse.core.redaction import Redactor, find_secrets, redact
from devpulse.core.secrets.model import Secret
from devpulse.core.shown import MAX_LINE_CHARACTERS, ShownText, show_line, show_path
from devpulse.core.text import split_lines

KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def _plain(text: str) -> str:
    return text


@pytest.mark.parametrize("line", ["", "x = 1", "\tindented  ", "naïve 日本"])
def test_show_line__ordinary_code_stays(line):
    assert show_line(line) == line


@pytest.mark.parametrize(
    ("line", "shown"),
    [("x\r", "x"), ("a\u202eb", r"a\u{202E}b"), ("a\x1b[2J", r"a\x1b[2J"), ("<<end 12>>", "‹‹end 12>>")],
)
def test_show_line__hidden_and_forged_become_visible(line, shown):
    assert show_line(line) == shown


def test_show_line__overlong_lines_are_cut_and_say_so():
    assert show_line("x" * MAX_LINE_CHARACTERS) == "x" * MAX_LINE_CHARACTERS
    assert show_line("x" * (MAX_LINE_CHARACTERS + 7)) == "x" * MAX_LINE_CHARACTERS + " …[7 more characters]"


@settings(deadline=None)
@given(st.text(max_size=20), st.integers(0, 3 * MAX_LINE_CHARACTERS))
def test_show_line__a_second_call_changes_nothing(text, length):
    shown = show_line(text.replace("\n", "") + "y" * length)
    assert show_line(shown) == shown


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("app/naïve file.py", "app/naïve file.py"),
        ("a\n::error::x", "a\\n::error::x"),
        ("a\rb", "a\\rb"),
        ("caf\udce9", r"caf\u{DCE9}"),
        ("<<end 1>>", "‹‹end 1>>"),
    ],
)
def test_show_path__stays_on_one_line(path, shown):
    assert show_path(path) == shown


def test_shown_text__lines_by_number():
    text = ShownText.of("one\r\n\ntwo", _plain)
    assert [text.line(number) for number in (0, 1, 2, 3, 4)] == [None, "one", "", "two", None]


def test_shown_text__counts_lines_by_what_is_shown():
    # 300 hidden characters become 2,400 visible ones.
    text = ShownText.of("short\n" + "\u200b" * 300 + "\n" + "x" * MAX_LINE_CHARACTERS + "\r\n", _plain)
    assert len(text.lines) == 3


def test_shown_text__says_which_lines_differ_from_the_real_ones():
    secrets = find_secrets("a.py", f'x = 1\r\ntoken = "{TOKEN}"\ny\u202e\n<<end 1>>\nz\n')
    text = f'x = 1\r\ntoken = "{TOKEN}"\ny\u202e\n<<end 1>>\nz\n'
    shown = ShownText.of(text, lambda raw: redact(raw, secrets))
    assert TOKEN not in "\n".join(shown.lines)
    assert shown.altered == {2, 3, 4}


PIECES = st.sampled_from(["\n", "\r\n", "a = 1", KEY, f'key = "{TOKEN}"', "password = 'hunter2hunter2'", "\x0c", " "])


@settings(deadline=None)
@given(st.lists(PIECES | st.text(max_size=6), max_size=10).map("".join))
def test_shown_text__redaction_keeps_the_number_of_lines(text):
    redactor = Redactor()
    secrets = find_secrets("a.py", text)
    redactor.learn(secrets)
    shown = ShownText.of(text, lambda raw: redactor.mask(redact(raw, secrets)))
    assert len(shown.lines) == len(split_lines(text))


def test_shown_text__a_learned_secret_over_lines_keeps_them():
    redactor = Redactor()
    redactor.learn([Secret("password", 1, 0, 2, 8, Confidence.HIGH, "first-half\nother-half")])
    shown = ShownText.of("a\nfirst-half\nother-half\nb", redactor.mask)
    assert shown.lines[0] == "a"
    assert shown.lines[3] == "b"
    assert "half" not in "".join(shown.lines)


def shown_slowly(text, redact_text):
    """Line by line, which is what a text comes to that has nothing to alter."""
    shown = tuple(map(show_line, split_lines(redact_text(text))))
    pairs = enumerate(zip(split_lines(text), shown, strict=True), 1)
    return ShownText(shown, frozenset(number for number, (real, line) in pairs if real.removesuffix("\r") != line))


ODD = st.sampled_from(
    ["\t", "\n", "\r", "\r\n", "<<", "<", "é", "\x0c", "\x1b", "\u2028", "\x85", "x" * MAX_LINE_CHARACTERS, "y", ""]
)


@settings(deadline=None)
@given(st.lists(ODD | st.text(st.characters(max_codepoint=126), max_size=4), max_size=8).map("".join))
def test_shown_text__plain_texts_are_what_their_lines_are(text):
    assert ShownText.of(text, _plain) == shown_slowly(text, _plain)


@pytest.mark.parametrize(
    "text", ["a\nb", "a\n", "", "\n", "\ta = 1\n", "x" * MAX_LINE_CHARACTERS, "x" * (MAX_LINE_CHARACTERS + 1)]
)
@pytest.mark.parametrize("letter", ["b", "none"])
def test_shown_text__a_plain_text_that_is_redacted_says_where(text, letter):
    def mask(raw):
        return raw.replace(letter, "*")

    assert ShownText.of(text, mask) == shown_slowly(text, mask)


@pytest.mark.parametrize(("text", "longest"), [("", 0), ("ab\nabc\n\n", 3), ("\u200b", 8)])
def test_longest__characters_as_they_are_shown(text, longest):
    assert ShownText.of(text, _plain).longest == longest


LONG = "x = [" + "1, " * MAX_LINE_CHARACTERS + "]"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a = 1\n", "a = 1\n"),
        (f"{LONG}\nb = 2\n", f"{LONG}\nb = 2\n"),
        (f"{LONG}\nb = '\u202e'\n", f"{LONG}\nb = '\\u{{202E}}'"),
    ],
    ids=["plain", "a long line", "a long line and a hidden character"],
)
def test_code__has_long_lines_whole(text, code):
    shown = ShownText.of(text, _plain)
    assert shown.code == code
    assert shown.longest < 2 * MAX_LINE_CHARACTERS


def test_code__has_no_secret():
    text = f"{LONG}\nkey = '{TOKEN}'\n"
    assert TOKEN not in ShownText.of(text, lambda text: text.replace(TOKEN, "***")).code
    assert ShownText(("a", "b")).code == "a\nb"
