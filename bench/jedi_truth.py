"""Which definition does a call mean? Truth for ``select_ambiguous``, found by jedi, not by the product.

    PYTHON_WITH_JEDI bench/jedi_truth.py FOLDER [--cases 120] [--seed 11]

Prints JSON: calls inside functions outside tests, at most six a function, whose name is defined more than once in
the repository's Python files and for which jedi's ``goto`` leads to exactly one function or class of the repository.
Calls that jedi cannot follow (untyped receivers, mostly) have no truth and are left out. Needs only jedi.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jedi

_APART = re.compile(
    r"(^|/)(tests?|testing|docs?|examples?|bench\w*|vendor|node_modules|migrations)/|(^|/)(test_|conftest)"
)
CALLS_A_FUNCTION = 6

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def parsed(root: Path) -> dict[str, ast.Module]:
    """The tracked Python files that this interpreter can parse."""
    command = ["git", "-C", str(root), "ls-files", "-z", "*.py"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout  # noqa: S603  (git on a folder of ours)
    trees = {}
    for name in (raw.decode("utf-8", "surrogateescape") for raw in listed.split(b"\0")[:-1]):
        try:
            trees[name] = ast.parse((root / name).read_bytes())
        except (SyntaxError, ValueError, OSError):
            continue
    return trees


def calls_in(function: _Function) -> Iterator[tuple[str, str, int, int]]:
    """The calls in a function: name, the call as written if it is plain, line and column of the name."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name):
            yield called.id, called.id, called.lineno, called.col_offset
        elif isinstance(called, ast.Attribute) and called.end_lineno and called.end_col_offset:
            written = ast.unparse(called)
            plain = re.fullmatch(r"[\w.]+|super\(\)\.\w+", written)
            column = called.end_col_offset - len(called.attr.encode())
            yield called.attr, written if plain else called.attr, called.end_lineno, column


def target_of(script: jedi.Script, root: Path, line: int, column: int) -> tuple[str, int] | None:
    """The one function or class of the repository that a name stands for: path and line of its name."""
    try:
        found = script.goto(line, column, follow_imports=True)
    except Exception:  # noqa: BLE001  (jedi raises anything on code it does not understand; such a call has no truth)
        return None
    places = {
        (name.module_path.relative_to(root).as_posix(), name.line)
        for name in found
        if name.type in {"function", "class"} and name.module_path and name.module_path.is_relative_to(root)
    }
    return places.pop() if len(places) == 1 == len(found) else None


def cases(root: Path, wanted: int, seed: int) -> list[dict[str, Any]]:
    """Calls with their truth, in random order of functions."""
    trees = parsed(root)
    definitions = Counter(
        node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, _Function | ast.ClassDef)
    )
    functions = [
        (path, node)
        for path, tree in trees.items()
        if not _APART.search(path)
        for node in ast.walk(tree)
        if isinstance(node, _Function)
    ]
    chance = random.Random(seed)  # noqa: S311  (a sample, not a secret)
    chance.shuffle(functions)
    project = jedi.Project(root, load_unsafe_extensions=False)
    found: list[dict[str, Any]] = []
    for path, function in functions:
        ambiguous = [call for call in calls_in(function) if definitions[call[0]] > 1]
        if not ambiguous:
            continue
        script = jedi.Script(path=root / path, project=project)
        for name, written, line, column in chance.sample(ambiguous, min(CALLS_A_FUNCTION, len(ambiguous))):
            place = target_of(script, root, line, column)
            if place is not None:
                found.append({"path": path, "line": line, "name": name, "written": written, "target": place})
        if len(found) >= wanted:
            break
    return found[:wanted]


def main() -> None:
    """Print the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", type=int, default=120)
    parser.add_argument("--seed", type=int, default=11)
    asked = parser.parse_args()
    print(json.dumps(cases(asked.folder.resolve(), asked.cases, asked.seed)))


if __name__ == "__main__":
    main()
