"""Folders of repository paths, as text: always with their slash, the root as the empty text."""

from __future__ import annotations

SOURCE_ROOTS = ("", "src/", "lib/", "app/")
"""Folders below which modules are usually looked for."""


def folder_of(path: str) -> str:
    """The folder with its slash, or empty for the root."""
    return path[: path.rfind("/") + 1]


def folder_above(folder: str, levels: int) -> str:
    """The folder some levels further out; the root stays the root."""
    for _ in range(levels):
        folder = folder_of(folder.rstrip("/"))
    return folder


def folders_around(path: str) -> list[str]:
    """The folders around a path, innermost first, without the root."""
    folders: list[str] = []
    folder = folder_of(path)
    while folder:
        folders.append(folder)
        folder = folder_above(folder, 1)
    return folders
