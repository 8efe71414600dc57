"""Who may decide about findings, asked of GitHub once a person and run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from devpulse.errors import GitHubError


class Permissions:
    """Answers of ``ask``, which says whether a login has write permission, kept for the run.

    ``problem`` says why the last one could not be had; empty when all could. Whose permission is not known is in no
    answer: nothing they did counts, nor is it undone.
    """

    def __init__(self) -> None:
        self.problem = ""
        self._known: dict[str, bool] = {}

    def of(self, logins: Iterable[str], ask: Callable[[str], bool]) -> Mapping[str, bool]:
        """What is known of these, asking for those that nobody asked for yet."""
        known: dict[str, bool] = {}
        for login in logins:
            try:
                if login not in self._known:
                    self._known[login] = ask(login)
            except GitHubError as error:
                self.problem = f"{error} {error.hint}".strip()
            else:
                known[login] = self._known[login]
        return known
