"""A git folder of our own that sees a repository's history but none of its settings, and is thrown away.

The repository's objects are an alternate object store, its references a link, its HEAD, shallow file
and exclude file copies. What git writes goes here. So no hook, filter, text conversion, fsmonitor,
include or alias of the repository exists for git, and a repository of another owner needs no exception.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from devpulse.adapters.git.layout import Layout, read_line
from devpulse.adapters.git.process import Git, clean_environment, failed, find_git
from devpulse.adapters.scratch_folder import ScratchFolder
from devpulse.core.text import DIFF_LIMIT_BYTES
from devpulse.errors import SourceError

EMPTY_TREES = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""git's id of the tree without entries, which every repository knows, by object format."""

_ATTRIBUTES = "* !diff !text !eol !crlf !filter !ident !working-tree-encoding !merge !whitespace\n"
"""Takes back whatever a ``.gitattributes`` of the project says: this file is git's last word on attributes."""

_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tbare = true
\tcommitGraph = false
\tfsmonitor = false
\tuntrackedCache = false
\tprotectNTFS = false
\tprotectHFS = false
\thooksPath = /dev/null
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tbigFileThreshold = {limit}
[attr]
\ttree = {empty}
[protocol]
\tallow = never
[gc]
\tauto = 0
"""

_POINTER_FILES = ("FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD")


class Scratch:
    """The folder and the git that works in it. ``remove`` throws both away.

    ``settings`` are what the repository's own configuration says, by the names git gives them; git is told of none.
    """

    settings: Mapping[str, str]

    def __init__(self, layout: Layout) -> None:
        binary, search = find_git()
        self._made = ScratchFolder("git")
        self.folder = self._made.path
        self.git_dir = self.folder / "git"
        self.objects = self.git_dir / "objects"
        self.git = Git(binary, clean_environment(search, self.folder, self.git_dir), self.folder)
        self._owner = os.getpid()
        with ExitStack() as undo:
            undo.callback(self.remove)
            self.object_format = self._build(layout)
            undo.pop_all()  # built: the folder stays until it is closed

    @property
    def owned(self) -> bool:
        """Whether this is the process that made it: a fork of it must not end git nor delete the folder."""
        return os.getpid() == self._owner

    def remove(self) -> None:
        """End git and delete the folder."""
        self.git.close()
        self._made.remove()

    def _build(self, layout: Layout) -> str:
        for name in ("objects/info", "objects/pack", "info"):
            (self.git_dir / name).mkdir(parents=True)
        (self.git_dir / "info" / "attributes").write_text(_ATTRIBUTES)
        for name in ("refs", "packed-refs", "logs", "reftable"):
            if (layout.common / name).exists():
                (self.git_dir / name).symlink_to((layout.common / name).resolve())
        for name in ("shallow", "info/exclude"):
            copy_file(layout.common / name, self.git_dir / name)
        for name in _POINTER_FILES:
            copy_file(layout.git_dir / name, self.git_dir / name)
        (self.git_dir / "HEAD").write_bytes(_head(layout.git_dir / "HEAD"))
        self.git.set("GIT_OBJECT_DIRECTORY", str(self.objects))
        self.git.set("GIT_ALTERNATE_OBJECT_DIRECTORIES", _alternate(layout.common / "objects"))
        return self._configure(layout.common / "config")

    def _configure(self, config: Path) -> str:
        """Write our configuration; takes over the two formats that say how the data is stored."""
        self._write_config("sha1", {})
        self.settings = settings_of(self.git, config)
        object_format = self.settings.get("extensions.objectformat", "sha1")
        if object_format not in EMPTY_TREES:
            raise SourceError(
                f"The repository stores objects in the format {object_format!r}, which is not known here.",
                hint="sha1 and sha256 repositories can be read.",
            )
        extensions = {} if object_format == "sha1" else {"objectFormat": object_format}
        storage = self.settings.get("extensions.refstorage")
        if storage not in {None, "files"}:
            extensions["refStorage"] = "reftable"
        self._write_config(object_format, extensions)
        if extensions:
            self._probe()
        return object_format

    def _write_config(self, object_format: str, extensions: Mapping[str, str]) -> None:
        text = _CONFIG.format(version=1 if extensions else 0, limit=DIFF_LIMIT_BYTES, empty=EMPTY_TREES[object_format])
        if extensions:
            text += "[extensions]\n" + "".join(f"\t{name} = {value}\n" for name, value in extensions.items())
        (self.git_dir / "config").write_text(text)

    def _probe(self) -> None:
        """Find out now whether this git knows the storage format."""
        done = self.git.run(["rev-parse", "--git-dir"])
        if done.status:
            raise failed("rev-parse", done.complaint)


def settings_of(git: Git, config: Path) -> Mapping[str, str]:
    """The values of a configuration file, in lower case, read as data: no includes, and git acts on none of it.

    All at once, since a start of git takes longer than all that is read. The last value of a name counts, as for git.

    Raises:
        SourceError: the file cannot be parsed.
    """
    if not config.is_file():
        return {}
    done = git.run(["config", "--file", str(config), "--no-includes", "--list", "-z"])
    if done.status:
        raise SourceError(
            f"The repository's config file cannot be read: {done.complaint}", hint=f"Repair {str(config)!r}."
        )
    entries = (entry.partition("\n") for entry in done.output.decode("utf-8", "replace").split("\0") if entry)
    return {name: value.strip().lower() for name, _, value in entries}


def copy_file(source: Path, target: Path) -> None:
    """Copy a regular file; nothing happens when there is none. A FIFO is not waited for.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        if source.is_file():
            shutil.copyfile(source, target)
    except FileNotFoundError:
        pass  # gone since it was looked at
    except OSError as error:
        raise SourceError(
            f"{str(source)!r} cannot be read: {error.strerror}.", hint="Check its owner and permissions."
        ) from error


def _head(head: Path) -> bytes:
    """HEAD as a file of its own; old git versions made it a symlink to the branch's reference."""
    if head.is_symlink() and not head.readlink().is_absolute():
        return b"ref: " + os.fsencode(head.readlink()) + b"\n"
    return os.fsencode(read_line(head)) + b"\n"


def _alternate(objects: Path) -> str:
    """The object folder as an entry of the list in the variable, where a colon would end it."""
    escaped = str(objects.resolve()).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
