"""Builds real git repositories in temporary folders, with fixed dates and none of the caller's git settings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


class Repo:
    """A git repository under construction; ``git`` runs a command in it and returns its output."""

    def __init__(self, root: Path, *arguments: str) -> None:
        self.root = root
        self.home = root.parent / f"{root.name}-home"
        self.home.mkdir(parents=True, exist_ok=True)
        root.mkdir(parents=True, exist_ok=True)
        # No template: its sample hooks are a dozen files for every repository.
        self.git("init", "--quiet", "--initial-branch=main", "--template=", *arguments, ".")

    def git(self, *arguments: str, feed: bytes = b"", check: bool = True, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=cwd or self.root,
            env=environment(self.home),
            input=feed,
            capture_output=True,
            check=False,
        )
        assert not check or done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, path: str, content: str | bytes = "") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def commit(self, message: str = "change", **files: str | bytes) -> str:
        """Write ``files`` (names as keywords), stage everything, commit; gives the commit's id."""
        for path, content in files.items():
            self.write(path, content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")


def environment(home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
        "GIT_ALLOW_PROTOCOL": "file",
        "LC_ALL": "C",
    }
