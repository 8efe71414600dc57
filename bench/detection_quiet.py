"""How often a scan of a well-reviewed repository says something: every finding, for judgement by hand.

The whole product runs over a copy of the files that git tracks, as a process, at the default thresholds. Findings are
listed with their code; who reads them says which are wrong. Lines are those of the files that have a language here,
blank ones included.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from detection_cases import read

from devpulse.core.languages import language_of

PER = 10_000
WRONG = 1.0
"""Findings per ``PER`` lines that judgement by hand may call wrong."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan of one repository posted."""

    name: str
    lines: int
    findings: tuple[dict[str, Any], ...]
    listing: str

    @property
    def rate(self) -> float:
        """Findings per ``PER`` lines."""
        return len(self.findings) * PER / max(1, self.lines)


def copy_tracked(root: Path, target: Path) -> None:
    """The files of the newest commit, without the repository around them."""
    packed = subprocess.run(["git", "-C", str(root), "archive", "HEAD"], capture_output=True, check=True)  # noqa: S603, S607  (git)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(target, filter="data")


def scan_command(folder: Path) -> list[str]:
    """The command that a user gives, over a folder."""
    return [sys.executable, "-m", "devpulse", "scan", str(folder), "--engine", "offline", "--fresh", "--json"]


def scan(name: str, root: Path) -> Scan:
    """Scan one repository."""
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        folder = Path(place).resolve() / "work"
        folder.mkdir()
        copy_tracked(root, folder)
        own = ["--state-dir", str(folder.parent / "state")]
        done = subprocess.run([*scan_command(folder), *own], capture_output=True, check=False)  # noqa: S603  (ourselves)
        if not done.stdout:
            raise SystemExit(f"{name}: nothing came of the scan: {done.stderr.decode()[-500:]}")
        shown = json.loads(done.stdout)
        sources = [path for path in folder.rglob("*") if path.is_file() and language_of(path.name)]
        lines = sum(read(path).count("\n") for path in sources if "devpulse-artifacts" not in path.parts)
        found = tuple(finding for finding in shown["findings"] if finding["status"] == "open")
        return Scan(name, lines, found, "\n".join(_row(finding) for finding in found))


def _row(finding: dict[str, Any]) -> str:
    place = f"{finding['path']}:{finding['start_line']}"
    sure = f"{finding['severity']}, {finding['confidence']} confidence"
    head = f"{place}  {finding['category']}  {sure}: {finding['title']}"
    return "\n".join([head, *(f"    {line}" for line in finding["evidence"].split("\n")[:4]), ""])


def quiet(repositories: list[str], listing: Path | None) -> None:
    """Scan each ``NAME=FOLDER`` and print how much was said; the findings go to ``listing``, or are printed."""
    print(f"\n{'Quiet':<20}{'lines':>10}{'findings':>10}{'per 10,000':>12}  by category")
    scans = []
    for repository in repositories:
        name, _, place = repository.partition("=")
        if not place or not (Path(place) / ".git").exists():
            print(f"{name:<20}skipped, {place or 'no folder'} is not a git checkout")
            continue
        one = scan(name, Path(place))
        scans.append(one)
        count = Counter(finding["category"] for finding in one.findings)
        kinds = ", ".join(f"{kind} {times}" for kind, times in count.most_common())
        print(f"{name:<20}{one.lines:>10,}{len(one.findings):>10}{one.rate:>12.2f}  {kinds}", flush=True)
    lines, said = sum(one.lines for one in scans), sum(len(one.findings) for one in scans)
    asked = f"(asked for: under {WRONG:g} that is wrong)"
    print(f"{'all':<20}{lines:>10,}{said:>10}{said * PER / max(1, lines):>12.2f}  {asked}")
    text = "\n".join(f"# {one.name}\n\n{one.listing}" for one in scans if one.findings)
    if listing is not None:
        listing.mkdir(parents=True, exist_ok=True)
        (listing / "quiet.txt").write_text(text, encoding="utf-8")
    print(f"every finding is in {listing / 'quiet.txt'}" if listing is not None else text)
