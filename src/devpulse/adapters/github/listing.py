"""The files of two commits and which of them differ: by the trees, since a list of changed files has an end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from devpulse.adapters.git.assembly import Listed
from devpulse.adapters.github.reads import Reads
from devpulse.adapters.github.replies import TreeItem, TreeReply
from devpulse.core.diff_headers import encode_name

MAX_FOLDERS = 400
"""Folders asked for one by one when a tree is too long for one answer."""

Entries = Mapping[str, Listed]
"""Files by path."""


@dataclass(slots=True)
class Differing:
    """The files that differ, before and after. ``complete`` is false when there may be more."""

    old: dict[str, Listed] = field(default_factory=dict)
    new: dict[str, Listed] = field(default_factory=dict)
    complete: bool = True


def as_in_json(name: str) -> str:
    """A file name as JSON can carry it: bytes that are not UTF-8 are replaced, and cannot be told apart any more."""
    return encode_name(name).decode("utf-8", "replace")


def listed(items: Iterable[TreeItem], known: Entries, prefix: str = "") -> dict[str, Listed]:
    """What a tree of GitHub's holds, folders left out, by path.

    A name that came mangled gets the one that ``known`` (a tree of the checkout) has for it. Where several
    would then be the same, each further one has its object's id added, so that none is lost.
    """
    true_names: dict[str, list[str]] = {}
    for name in known:
        if as_in_json(name) != name:
            true_names.setdefault(as_in_json(name), []).append(name)
    found: dict[str, Listed] = {}
    for item in items:
        if item.type != "tree":
            path, entry = prefix + item.path, Listed(item.mode, item.sha, item.size)
            free = [name for name in true_names.get(path, ()) if name not in found]
            name = next((each for each in free if known[each].sha == entry.sha), free[0] if free else path)
            found[name if name not in found else f"{name} ({entry.sha[:12]})"] = entry
    return found


def differing(base: Entries, head: Entries) -> Differing:
    """The files whose content or mode differs, or that are on one side only."""
    result = Differing()
    for path in sorted(base.keys() | head.keys()):
        _note(result, path, base.get(path), head.get(path))
    return result


def walk(reads: Reads, base: str, head: str, known: Entries) -> Differing:
    """The same for trees too long to be listed: folder by folder, and only into those that differ."""
    result = Differing()
    folders: list[tuple[str, str | None, str | None]] = [("", base, head)]
    asked = 0
    while folders:
        prefix, *shas = folders.pop()
        asked += sum(sha is not None for sha in shas)
        if asked > MAX_FOLDERS:
            result.complete = False
            break
        replies = [TreeReply(tree=[]) if sha is None else reads.tree(sha, recursive=False) for sha in shas]
        result.complete = result.complete and not any(reply.truncated for reply in replies)
        sides = [reply.tree for reply in replies]
        files = [listed(side, known, prefix) for side in sides]
        for path in sorted(files[0].keys() | files[1].keys()):
            _note(result, path, files[0].get(path), files[1].get(path))
        trees = [{item.path: item.sha for item in side if item.type == "tree"} for side in sides]
        for name in sorted(trees[0].keys() | trees[1].keys()):
            old, new = trees[0].get(name), trees[1].get(name)
            if old != new:
                folders.append((f"{prefix}{name}/", old, new))
    return result


def _note(result: Differing, path: str, old: Listed | None, new: Listed | None) -> None:
    if old is not None and new is not None and (old.mode, old.sha) == (new.mode, new.sha):
        return
    if old is not None:
        result.old[path] = old
    if new is not None:
        result.new[path] = new
