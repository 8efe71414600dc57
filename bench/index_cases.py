"""The processes that ``bench_index`` times: one case in a fresh interpreter, nothing shared.

    python bench/index_cases.py CASE FOLDER [ARGUMENT]

Cases:
  bare     the interpreter alone
  read     list the tracked files with git and read those that the index reads, without DevPulse
  names    the index, until every name in it can be asked for: as ``devpulse index`` builds it
  eager    what an eager index costs at least: rglob, ast.parse, ast.walk, dict[name]; Python files only
  warm     questions to an index that is built; prints milliseconds as JSON. ARGUMENT: how many questions

``read`` and ``eager`` import nothing of DevPulse, so that they pay for nothing but their work.
"""

from __future__ import annotations

import sys
from pathlib import Path


def read(root: Path) -> None:
    """List and read; prints how many files and bytes."""
    import os  # noqa: PLC0415  (each case pays for its own imports only)
    import subprocess  # noqa: PLC0415

    suffixes = tuple(suffix.encode() for suffix in sys.argv[3].split())
    command = ["git", "-C", str(root), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout  # noqa: S603  (git on a folder of ours)
    files = total = 0
    folder = os.fsencode(root) + b"/"
    for name in listed.split(b"\0"):
        if name.endswith(suffixes):
            with open(folder + name, "rb") as file:  # noqa: PTH123  (bytes)
                total += len(file.read())
            files += 1
    print(files, total)


def names(root: Path) -> None:
    """Build the index with the table of all names, and ask it for a name that is nowhere."""
    from devpulse.adapters.git.layout import find_layout  # noqa: PLC0415
    from devpulse.adapters.git.tracked import tracked_tree  # noqa: PLC0415
    from devpulse.main.indexing import index_of  # noqa: PLC0415
    from devpulse.pipeline.gate import PathGate  # noqa: PLC0415

    tree = tracked_tree(find_layout(root))
    index = index_of(tree, PathGate(tree.size))
    index.prepare()
    if not index.ready:
        raise SystemExit("the index has no table of names")
    if index.definitions("no_such_name_anywhere").total:
        raise SystemExit("the index knows a name that is nowhere")


def eager(root: Path) -> None:
    """The eager baseline; its last definition of a name wins, and it knows no exact end."""
    import ast  # noqa: PLC0415

    table: dict[str, tuple[str, int, int]] = {}
    for path in root.rglob("*.py"):
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                table[node.name] = (str(path), node.lineno, node.body[-1].lineno)
    print(len(table))


def warm(root: Path) -> None:
    """Ask for random definitions from random files, and for their references; each question once."""
    import json  # noqa: PLC0415
    import random  # noqa: PLC0415
    import time  # noqa: PLC0415

    from devpulse.adapters.git.layout import find_layout  # noqa: PLC0415
    from devpulse.adapters.git.tracked import tracked_tree  # noqa: PLC0415
    from devpulse.core.languages import language_of  # noqa: PLC0415
    from devpulse.main.indexing import index_of  # noqa: PLC0415
    from devpulse.pipeline.gate import PathGate  # noqa: PLC0415

    chance = random.Random(7)  # noqa: S311  (a sample, not a secret)
    tree = tracked_tree(find_layout(root))
    sources = [path for path in tree.paths() if language_of(path)]
    asked: list[tuple[str, str]] = []
    sample = index_of(tree, PathGate(tree.size))
    while len(asked) < int(sys.argv[3]):
        symbols = sample.symbols_in(chance.choice(sources))
        if symbols:
            asked.append((chance.choice(symbols).name, chance.choice(sources)))
    index = index_of(tree, PathGate(tree.size))
    index.prepare()
    rows: dict[str, list[float]] = {"definitions": [], "words": [], "references": []}
    for name, near in asked:
        begin = time.perf_counter()
        index.definitions(name, near=near)
        middle = time.perf_counter()
        index.references(name, path=near, limit=0)
        end = time.perf_counter()
        index.references(name, path=near)
        for kind, took in (("definitions", middle - begin), ("words", end - middle)):
            rows[kind].append(took * 1000)
        rows["references"].append((time.perf_counter() - end) * 1000)
    print(json.dumps(rows))


if __name__ == "__main__":
    cases = {"bare": lambda _: None, "read": read, "names": names, "eager": eager, "warm": warm}
    cases[sys.argv[1]](Path(sys.argv[2]))
