"""What the tests of the fake GitHub share: a small pull request, and the real client to ask about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import github
import pytest
from repos import Repo

LINES = [f"line {number}\n" for number in range(1, 61)]


def connect(hub: Any, **more: Any) -> Any:
    client = github.Github(
        base_url=hub.url,
        auth=github.Auth.Token(more.pop("token", hub.token)),
        seconds_between_requests=None,
        seconds_between_writes=None,
        retry=None,
        lazy=True,
        **more,
    )
    return client.get_repo("octo/shop")


def write(repo: Repo, path: str, *lines: str) -> None:
    repo.write(path, "".join(lines))


def small_repo(root: Path) -> Repo:
    """``app.py`` of sixty lines: two are changed, one is removed, one is added; ``new.py`` is added."""
    repo = Repo(root)
    write(repo, "app.py", *LINES)
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    write(repo, "app.py", *LINES[:9], "changed 10\n", *LINES[10:39], *LINES[40:50], "added\n", *LINES[50:])
    write(repo, "new.py", "one\n", "two\n")
    repo.commit("head")
    return repo


def inline(line: Any, path: str = "app.py", body: str = "here", **more: Any) -> dict[str, Any]:
    return {"path": path, "line": line, "side": "RIGHT", "body": body, **more}


def refused(call: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    with pytest.raises(github.GithubException) as caught:
        call(*arguments, **more)
    return caught.value
