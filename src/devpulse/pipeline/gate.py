"""The one gate for every path that a model names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from devpulse.errors import ToolDenied

MAX_FILE_BYTES = 1_000_000
"""Larger files are never loaded whole; nearly all of them are data or generated."""

MAX_LINE_NUMBER = 5_000_000
"""A hunk beyond it is not believed: its text is put together line by line, and a patch can name any number."""

CLOSEST_PATHS = 3
"""Paths offered for one that is not there."""

_COMPARED_NAMES = 2_000
"""File names compared letter by letter; more would take longer than the answer is worth."""

_SENSITIVE_NAMES = frozenset(
    {".npmrc", ".pypirc", ".netrc", "_netrc", ".git-credentials", ".htpasswd", ".dockercfg", "credentials"}
)
_SENSITIVE_STARTS = (".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials.", "secrets.")
_SENSITIVE_ENDS = (
    ".env", ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".tfstate", ".tfvars",
)  # fmt: skip
_ORDINARY_NAME = re.compile(r"[\w~+@-][\w.~+@ -]*")
_SENSITIVE_FOLDERS = frozenset({".git", ".ssh", ".aws", ".gnupg", ".docker", ".kube"})
_DRIVE = re.compile(r"[A-Za-z]:")


class PathGate:
    """Decides which files a child may load.

    ``size`` gives the size in bytes of a regular file of the head tree, ``None`` for anything else
    (missing, a symlink, a submodule), so what leaves the tree is out of reach by construction.
    ``output_dir`` is the folder of our own artifacts, relative to the root. ``paths`` lists the tree's files;
    without it nothing is offered for a path that is not there.
    """

    def __init__(
        self,
        size: Callable[[str], int | None],
        output_dir: str | None = None,
        paths: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._size = size
        self._paths = paths
        self._folders: dict[str, bool] = {}
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
        lower = [part.lower() for part in parts]
        if not _SENSITIVE_FOLDERS.isdisjoint(lower):
            raise ToolDenied("that folder is never read")
        if _is_sensitive(lower[-1]):
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

    def closest(self, path: str) -> tuple[str, ...]:
        """Files that a path which is not there may have meant: those of its name, else those of a similar one.

        Raises:
            ToolDenied: as ``check_name``.
        """
        normal = self.check_name(path)
        if self._size(normal) is not None:
            return ()
        folder, _, name = normal.lower().rpartition("/")
        named: dict[str, list[str]] = {}
        for known in self._paths():
            named.setdefault(known[known.rfind("/") + 1 :].lower(), []).append(known)
        names = [name] if name in named else _similar(name, named)
        found = [known for alike in names for known in named[alike] if self.allows(known)]
        return tuple(sorted(found, key=lambda known: (-_common(folder, known.lower()), known))[:CLOSEST_PATHS])

    def allows(self, path: str) -> bool:
        """Whether the file may be loaded."""
        try:
            self.check_file(path)
        except ToolDenied:
            return False
        return True

    def allows_name(self, path: str) -> bool:
        """Whether a file of that name may be shown; keeps the index to such files, and asks the tree nothing."""
        cut = path.rfind("/") + 1
        folder, name = path[:cut], path[cut:].lower()
        if not _ORDINARY_NAME.fullmatch(name) or (self._output_dir or "").endswith(f"{name}/"):
            return self._allows(path)
        # What a folder's name forbids is asked once for all its files: trees have tens of thousands.
        if folder not in self._folders:
            self._folders[folder] = self._allows(folder + "x")
        return self._folders[folder] and not _is_sensitive(name)

    def _allows(self, path: str) -> bool:
        try:
            self.check_name(path)
        except ToolDenied:
            return False
        return True


def _is_sensitive(lower: str) -> bool:
    return lower in _SENSITIVE_NAMES or lower.startswith(_SENSITIVE_STARTS) or lower.endswith(_SENSITIVE_ENDS)


def _similar(name: str, names: Iterable[str]) -> list[str]:
    near_length = [known for known in names if abs(len(known) - len(name)) <= 2 and known[:1] == name[:1]]
    return get_close_matches(name, near_length[:_COMPARED_NAMES], n=CLOSEST_PATHS)


def _common(folder: str, path: str) -> int:
    """How many folders two places share, wherever they stand."""
    return len(set(folder.split("/")) & set(path.split("/")[:-1]))
