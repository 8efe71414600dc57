import pytest

from devpulse.core.commands import CommentCommand, IgnoreCommand, read_command, read_ignore_command

REVIEW, IGNORE, UNKNOWN = CommentCommand.REVIEW, CommentCommand.IGNORE, CommentCommand.UNKNOWN


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ("/devpulse review", REVIEW),
        ("/devpulse \t review  ", REVIEW),
        ("/devpulse review\r\n\r\nplease", REVIEW),
        ("/devpulse review\nthanks", REVIEW),
        ("/devpulse", UNKNOWN),
        ("/devpulse reviews", UNKNOWN),
        ("/devpulse review now", UNKNOWN),
        ("/devpulse ignore 1234", UNKNOWN),
        ("/devpulse ignore it is only a test", UNKNOWN),
        ("/devpulse ignore 0123abcd", IGNORE),
        ("/devpulse ignore 0123abcd only a test\r\nmore", IGNORE),
        ("/devpulse \u202ereview", UNKNOWN),
        ("", None),
        ("review", None),
        (" /devpulse review", None),
        ("> /devpulse review", None),
        ("Write\n/devpulse review", None),
        ("/devpulser review", None),
        ("`/devpulse review`", None),
    ],
)
def test_read_command__only_at_the_very_beginning(body, command):
    assert read_command(body) is command


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("/devpulse ignore 0123abcd  only a test \r\nmore", IgnoreCommand("0123abcd", "only a test")),
        ("/devpulse ignore 0123abcd", IgnoreCommand("0123abcd", "")),
        ("/devpulse ignore 0123abc too short", None),
        ("/devpulse ignore " + "a" * 65, None),
        ("/devpulse ignore 0123ABCD", None),
        ("> /devpulse ignore 0123abcd", None),
        ("/devpulse review", None),
        ("", None),
    ],
)
def test_read_ignore_command__names_a_finding(body, asked):
    assert read_ignore_command(body) == asked
