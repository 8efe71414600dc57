import pytest

from devpulse.core.commands import CommentCommand, read_command

REVIEW, UNKNOWN = CommentCommand.REVIEW, CommentCommand.UNKNOWN


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
