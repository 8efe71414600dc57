import pytest
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.diff_headers import decode_name, encode_name, git_line_names, plain_name, unquote, without_prefixes


@given(st.binary(max_size=20))
def test_encode_name__gives_back_what_decode_name_read(raw):
    assert encode_name(decode_name(raw)) == raw


@given(st.binary(max_size=20))
def test_unquote__octal_escapes_of_any_bytes(raw):
    assert unquote("".join(f"\\{byte:03o}" for byte in raw)) == decode_name(raw)


@pytest.mark.parametrize(
    ("quoted", "name"),
    [("plain", "plain"), ("a\\tb\\n", "a\tb\n"), ('\\"\\\\', '"\\'), ("\\\\303", "\\303"), ("\\303\\244ö", "äö")],
)
def test_unquote__escapes(quoted, name):
    assert unquote(quoted) == name


@pytest.mark.parametrize(
    ("written", "name"),
    [("x.py\t2024", "x.py"), ("x y\t", "x y"), ("x\r", "x"), ('"a\\tb"\t', "a\tb"), ("a\\tb", "a\\tb")],
)
def test_plain_name__what_follows_it_is_dropped(written, name):
    assert plain_name(written) == name


@pytest.mark.parametrize(
    ("rest", "names"),
    [
        ("a/x b/x", ("x", "x")),
        ("a/x b/x b/x b/x", ("x b/x", "x b/x")),
        ('"a/\\t" "b/\\t"', ("\t", "\t")),
        ('a/x "b/\\t"', ("x", "\t")),
        ("a/x b/other", None),
        ('"a/x', None),
        ("", None),
    ],
)
def test_git_line_names__cases(rest, names):
    assert git_line_names(rest) == names


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("a/x", "b/x", ("x", "x")),
        ("a/x", "a/x", ("a/x", "a/x")),
        ("/dev/null", "b/x", ("/dev/null", "x")),
        ("/dev/null", "src/x", ("/dev/null", "src/x")),
        ("a/x", "/dev/null", ("x", "/dev/null")),
        ("a", "b", ("a", "b")),
    ],
)
def test_without_prefixes__cases(old, new, names):
    assert without_prefixes(old, new) == names
