"""The files that git tracks, as they are now: listed by git, read from the working tree when they are asked for."""

from __future__ import annotations

from pathlib import Path

from devpulse.adapters.git.layout import Layout
from devpulse.adapters.git.scratch import Scratch, copy_file
from devpulse.adapters.work_tree import WorkTree
from devpulse.core.diff_headers import decode_name


def tracked_tree(layout: Layout) -> WorkTree:
    """The tracked regular files of a repository that is not bare.

    Raises:
        SourceError: git is missing, or cannot read the repository's index.
    """
    scratch = Scratch(layout)
    try:
        output = scratch.git.check(["ls-files", "-s", "-z"], variables=copied_index(scratch, layout))
    finally:
        scratch.remove()
    # "100644 <id> <stage>\t<name>", the name always at the same place; other modes are symlinks and submodules.
    # A NUL is no part of any character, so that all names can be decoded at once.
    name = output.find(b"\t") + 1
    return WorkTree(layout.root, (line[name:] for line in decode_name(output).split("\0") if line[:3] == "100"))


def copied_index(scratch: Scratch, layout: Layout, index: Path | None = None) -> dict[str, str]:
    """Copy the index, so that git never touches the real one; gives the variable that names the copy.

    ``index`` is the file that git keeps what is being committed in, while ``git commit --all`` or ``git commit FILE``
    runs a hook; any file that is not beside the real index is another repository's, and no notice is taken of it.
    """
    if index is None or index.resolve().parent != layout.git_dir.resolve() or not index.is_file():
        index = layout.git_dir / "index"
    copy_file(index, scratch.git_dir / "index")
    for shared in layout.git_dir.glob("sharedindex.*"):
        copy_file(shared, scratch.git_dir / shared.name)
    return {"GIT_INDEX_FILE": str(scratch.git_dir / "index")}
