"""bandit and semgrep over the same files. Neither is a dependency: each is an executable that the reader installed.

Both are run with their defaults, semgrep with the rules of a folder, offline. A finding's category is what
its CWE number stands for here, the first number that stands for one; bandit numbers some tests by another weakness than
the one it describes, so these are named one by one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from detection_cases import BY_CWE, Flag

BANDIT_TESTS: Mapping[str, str] = {
    "B102": "code-injection",
    "B201": "",
    "B307": "code-injection",
    "B310": "ssrf",
    **dict.fromkeys((f"B{number}" for number in range(313, 321)), "xml-external-entity"),
    **dict.fromkeys((f"B{number}" for number in range(405, 412)), "xml-external-entity"),
    "B410": "xml-external-entity",
    **dict.fromkeys(("B308", "B701", "B702", "B703", "B704"), "cross-site-scripting"),
    "B506": "insecure-deserialization",
    "B613": "hidden-unicode",
}
"""Our category for those of bandit's tests whose CWE number says something else."""

_NUMBER = re.compile(r"CWE-0*(\d+)")


@dataclass(frozen=True, slots=True)
class Rival:
    """A tool that can be run over a folder. ``rules`` are folders or files for semgrep."""

    name: str
    program: str
    rules: tuple[str, ...] = ()

    def version(self) -> str:
        """What the tool calls its version."""
        done = _output([self.program, "--version"])
        return f"{self.name} {done.split()[1 if self.name == 'bandit' else 0]}"

    def command(self, folder: Path) -> list[str]:
        """The command that judges a folder and prints JSON."""
        if self.name == "bandit":
            return [self.program, "--recursive", "--format", "json", "--quiet", "--exit-zero", str(folder)]
        chosen = [word for place in self.rules for word in ("--config", place)]
        own = ["--json", "--quiet", "--metrics=off", "--disable-version-check", "--no-git-ignore", "--disable-nosem"]
        return [self.program, "scan", *own, *chosen, str(folder)]

    def judge(self, folder: Path) -> dict[str, list[Flag]]:
        """What the tool finds below a folder, by path relative to it."""
        shown = json.loads(_output(self.command(folder)))
        return _by_path(shown["results"], folder, _of_bandit if self.name == "bandit" else _of_semgrep)


def _output(command: Sequence[str]) -> str:
    # semgrep tells findings by its exit status; a broken run prints no JSON and is found by that.
    quiet = {**os.environ, "SEMGREP_SEND_METRICS": "off", "SEMGREP_ENABLE_VERSION_CHECK": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=quiet)  # noqa: S603  (named by the reader)
    if not done.stdout:
        raise SystemExit(f"{command[0]} printed nothing: {done.stderr[-500:]}")
    return done.stdout


def _by_path(rows: Iterable[dict[str, Any]], folder: Path, read: Any) -> dict[str, list[Flag]]:
    found: dict[str, list[Flag]] = {}
    for row in rows:
        place, flag = read(row)
        found.setdefault(Path(place).relative_to(folder).as_posix(), []).append(flag)
    return found


def _of_bandit(row: dict[str, Any]) -> tuple[str, Flag]:
    test = row["test_id"]
    category = BANDIT_TESTS.get(test, BY_CWE.get(row["issue_cwe"].get("id", 0), ""))
    lines = row["line_range"] or [row["line_number"]]
    return row["filename"], Flag(category, row["line_number"], lines[-1], test, row["issue_text"])


def _of_semgrep(row: dict[str, Any]) -> tuple[str, Flag]:
    extra = row["extra"]
    named = extra.get("metadata", {}).get("cwe", [])
    category = category_of([named] if isinstance(named, str) else named)
    rule = row["check_id"].rpartition(".")[2]
    return row["path"], Flag(category, row["start"]["line"], row["end"]["line"], rule, extra["message"][:120])


def category_of(named: Iterable[str]) -> str:
    """Our category for a rule's weaknesses (``CWE-89: …``): that of the first that has one, else empty."""
    numbers = (int(match[1]) for text in named if (match := _NUMBER.search(text)))
    return next((BY_CWE[number] for number in numbers if number in BY_CWE), "")
