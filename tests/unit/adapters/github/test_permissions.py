"""Who may decide, asked once."""

from __future__ import annotations

from devpulse.adapters.github.permissions import Permissions
from devpulse.errors import GitHubUnavailable


def test_of__asks_once_for_each_login():
    asked: list[str] = []

    def ask(login: str) -> bool:
        asked.append(login)
        return login == "ada"

    permissions = Permissions()
    assert permissions.of(["ada", "eve", "ada"], ask) == {"ada": True, "eve": False}
    assert permissions.of(["eve"], ask) == {"eve": False}
    assert (asked, permissions.problem) == (["ada", "eve"], "")


def test_of__who_is_not_known_is_in_no_answer_and_asked_for_again():
    def down(login: str) -> bool:
        raise GitHubUnavailable(f"GitHub did not say it of {login}.", hint="Later.")

    permissions = Permissions()
    assert permissions.of(["ada"], down) == {}
    assert permissions.problem == "GitHub did not say it of ada. Later."
    assert permissions.of(["ada"], lambda _: True) == {"ada": True}
