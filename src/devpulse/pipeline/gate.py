"""The one gate for every path that a model names."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase

from devpulse.errors import ToolDenied

MAX_FILE_BYTES = 1_000_000
"""Larger files are never loaded whole; nearly all of them are data or generated."""

MAX_LINE_NUMBER = 5_000_000
"""A hunk beyond it is not believed: its text is put together line by line, and a patch can name any number."""

_SENSITIVE_NAMES = (
    ".env*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.asc",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".npmrc", ".pypirc", ".netrc", "_netrc", ".git-credentials",
    ".htpasswd", ".dockercfg", "credentials", "credentials.*", "secrets.*", "*.tfstate", "*.tfvars",
)  # fmt: skip
_SENSITIVE_FOLDERS = frozenset({".git", ".ssh", ".aws", ".gnupg", ".docker", ".kube"})
_DRIVE = re.compile(r"[A-Za-z]:")


class PathGate:
    """Decides which files a child may load.

    ``size`` gives the size in bytes of a regular file of the head tree, ``None`` for anything else
    (missing, a symlink, a submodule), so what leaves the tree is out of reach by construction.
    ``output_dir`` is the folder of our own artifacts, relative to the root.
    """

    def __init__(self, size: Callable[[str], int | None], output_dir: str | None = None) -> None:
        self._size = size
        self._output_dir = None if output_dir is None else output_dir.rstrip("/").lower() + "/"

    def check_name(self, path: str) -> str:
        """The path in its normal form, if a file of that name may be shown at all.

        Raises:
            ToolDenied: the name leads outside, or to keys, environment files, git's or our own files.
        """
        if not path or "\0" in path or path.startswith("/") or "\\" in path or _DRIVE.match(path):
            raise ToolDenied("only paths relative to the repository root are allowed")
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if ".." in parts or not parts:
            raise ToolDenied("the path leaves the repository")
        normal = "/".join(parts)
        if _DRIVE.match(normal):
            raise ToolDenied("only paths relative to the repository root are allowed")
        if any(part.lower() in _SENSITIVE_FOLDERS for part in parts):
            raise ToolDenied("that folder is never read")
        if any(fnmatchcase(parts[-1].lower(), pattern) for pattern in _SENSITIVE_NAMES):
            raise ToolDenied("key and environment files are never read")
        if self._output_dir is not None and (normal.lower() + "/").startswith(self._output_dir):
            raise ToolDenied("the output folder is never read")
        return normal

    def check_file(self, path: str) -> str:
        """The path in its normal form, if the file may be loaded.

        Raises:
            ToolDenied: as ``check_name``; or it is no regular file of the head, or too large.
        """
        normal = self.check_name(path)
        size = self._size(normal)
        if size is None:
            raise ToolDenied("no such file in the repository at head")
        if size > MAX_FILE_BYTES:
            raise ToolDenied(f"the file has {size:,} bytes, at most {MAX_FILE_BYTES:,} are loaded")
        return normal

    def allows(self, path: str) -> bool:
        """Whether the file may be loaded; used to keep the index to what may be shown."""
        try:
            self.check_file(path)
        except ToolDenied:
            return False
        return True
