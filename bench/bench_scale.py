"""Huge changes offline: 300 and 3,000 files in one run, and the same change over four shards.

Usage: bench_scale.py [ROUNDS]. The repository is generated, so it costs nothing to keep and holds no code of others.
Each figure is of a fresh process: CPU of it and its children, wall time, and its peak of resident memory.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from repos import Repo

FEW, MANY = 300, 3_000
FILE_BYTES = 7_500
"""3,000 such files, half of them new, are 20 MB of diff."""

SHARDS = 4
MOST_TIMES_CPU = 11.0
MOST_MEMORY_MB = 400
MOST_SECONDS = 120
MOST_SHARE = 0.35
_WORDS = (
    "order",
    "price",
    "stock",
    "route",
    "batch",
    "claim",
    "ledger",
    "parcel",
    "quota",
    "tenant",
    "report",
    "entry",
)
_FLAWS = {
    "py": "def run_{n}(request):\n    return os.system('convert ' + request.args['name'])\n",
    "js": "function run{n}(req) {{\n  return eval(req.query.name);\n}}\n",
    "go": "",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """What a process took."""

    cpu: float
    wall: float
    memory_mb: float
    status: int


def main(rounds: int) -> int:
    """Print the table; 1 when a figure is missed."""
    with tempfile.TemporaryDirectory(prefix="devpulse-bench-") as name:
        folder = Path(name)
        few, many = make_repository(folder / "few", FEW), make_repository(folder / "many", MANY)
        small = _median([measure(few.root, ("review",)) for _ in range(rounds)])
        large = _median([measure(many.root, ("review",)) for _ in range(rounds)])
        whole = _findings(many.root / "devpulse-artifacts")
        shards = []
        for number in range(1, SHARDS + 1):
            shards.append(measure(many.root, ("review", "--shard", f"{number}/{SHARDS}")))
            shutil.copytree(many.root / "devpulse-artifacts", folder / "shards" / str(number))
        merged = measure(many.root, ("merge", str(folder / "shards")), at_root=True)
        same = _findings(many.root / "devpulse-artifacts") == whole
    longest = max(shard.cpu for shard in shards)
    rows = (
        (f"CPU of {MANY:,} files / of {FEW}", large.cpu / small.cpu, MOST_TIMES_CPU, "x"),
        (f"peak memory, {MANY:,} files", large.memory_mb, MOST_MEMORY_MB, "MB"),
        (f"wall, {MANY:,} files", large.wall, MOST_SECONDS, "s"),
        (f"CPU of the longest of {SHARDS} shards / of one run", longest / large.cpu, MOST_SHARE, "x"),
    )
    for what, found, most, unit in rows:
        print(f"{what:<45} {found:8.2f} {unit:<3} (asked for: at most {most:g}){'' if found <= most else '  MISSED'}")
    print(f"{'findings of the shards, merged':<45} {'the same' if same else 'NOT THE SAME'}")
    print(
        f"CPU: {small.cpu:.1f} s, {large.cpu:.1f} s; shards {', '.join(f'{s.cpu:.1f}' for s in shards)} s; "
        f"merge {merged.cpu:.1f} s"
    )
    return int(not same or any(found > most for _, found, most, _ in rows))


def make_repository(root: Path, files: int) -> Repo:
    """A repository whose branch ``work`` changes so many files: half of them new, every twentieth with a flaw."""
    repo = Repo(root)
    rng = random.Random(files)  # noqa: S311  (the same repository every time)
    base, head = {}, {}
    for number in range(files):
        kind = ("py", "js", "go")[number % 3]
        path = f"src/area{number % 40}/{rng.choice(_WORDS)}_{number}.{kind}"
        text = source(kind, number, rng)
        if number % 2:
            base[path] = "".join(_changed(text))
        head[path] = text + (_FLAWS[kind].format(n=number) if number % 20 == 0 else "")
    repo.commit("base", **{"README.md": "x\n", **base})
    repo.git("switch", "--quiet", "--create", "work")
    repo.commit("head", **head)
    return repo


def _changed(text: str) -> list[str]:
    """The lines of another version: two of five are not the same."""
    lines = text.splitlines(keepends=True)
    return [line if index % 50 < 30 else line.replace("row", "item") for index, line in enumerate(lines)]


def source(kind: str, number: int, rng: random.Random) -> str:
    """Code of about ``FILE_BYTES`` that does nothing of interest, never twice the same."""
    lines = {"py": ["import os", ""], "js": ["'use strict';", ""], "go": ["package area", ""]}[kind]
    size = 0
    while size < FILE_BYTES:
        block = _block(kind, f"{rng.choice(_WORDS)}{number}_{len(lines)}", rng)
        lines += block
        size += sum(map(len, block)) + len(block)
    return "\n".join(lines) + "\n"


def _block(kind: str, name: str, rng: random.Random) -> list[str]:
    one, two, three = (rng.choice(_WORDS) for _ in range(3))
    bound, step = rng.randrange(10, 9_999), rng.randrange(1, 99)
    if kind == "py":
        return [
            f"def {name}({one}_rows, {two}=None):",
            f'    """The {three} of each {one}, {bound} at most."""',
            f"    {three}_total = {step}",
            f"    for index, row in enumerate({one}_rows):",
            f"        if index > {bound} or row is None:",
            "            break",
            f"        {three}_total += row.get('{two}', {step}) * {bound}",
            f"    return {{'{three}': {three}_total, '{one}': len({one}_rows)}}",
            "",
        ]
    if kind == "js":
        return [
            f"function {name}({one}Rows, {two}) {{",
            f"  let {three}Total = {step};",
            f"  for (const row of {one}Rows) {{",
            f"    if (row === null || {three}Total > {bound}) {{ break; }}",
            f"    {three}Total += (row.{two} || {step}) * {bound};",
            "  }",
            f"  return {{ {three}: {three}Total, size: {one}Rows.length }};",
            "}",
            "",
        ]
    return [
        f"func {name}({one}Rows []int, limit int) int {{",
        f"\t{three}Total := {step}",
        f"\tfor _, row := range {one}Rows {{",
        f"\t\tif row > {bound} {{ break }}",
        f"\t\t{three}Total += row * {step}",
        "\t}",
        f"\treturn {three}Total",
        "}",
        "",
    ]


def measure(root: Path, command: Sequence[str], *, at_root: bool = False) -> Measure:
    """Run one command offline on the repository's change, nothing of it stored before."""
    state = root.parent / "state"
    shutil.rmtree(state, ignore_errors=True)
    words = [sys.executable, "-m", "devpulse", *command]
    words += ["--root", str(root)] if at_root else [str(root)]
    words += ["--base", "main", "--head", "work", "--engine", "offline"]
    environment = {**os.environ, "DEVPULSE_STATE_DIR": str(state), "PYTHONDONTWRITEBYTECODE": "1"}
    started = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, env=environment)  # noqa: S603  (our own program)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - started
    return Measure(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, process.returncode)


def _median(measures: Sequence[Measure]) -> Measure:
    return Measure(
        statistics.median(m.cpu for m in measures),
        statistics.median(m.wall for m in measures),
        max(m.memory_mb for m in measures),
        measures[-1].status,
    )


def _findings(folder: Path) -> object:
    document = json.loads((folder / "findings.json").read_text())
    return [document[name] for name in ("risk", "summary", "coverage", "findings")]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
