"""How well the embedded engine tells vulnerable from safe code, beside bandit and semgrep on the same files.

    python bench/bench_detection.py [--pairs FILE] [--owasp FOLDER] [--securityeval FOLDER] [--cweval FOLDER]
        [--secrets FOLDER] [--quiet NAME=FOLDER ...] [--speed FOLDER]
        [--bandit PROGRAM] [--semgrep PROGRAM --semgrep-rules FOLDER ...] [--misses FOLDER] [--jobs N]

A part without its data, and a tool that is not there, is skipped, which is said. How each part counts stands in the
first lines of its module: ``detection_pairs``, ``detection_sets`` with ``detection_rates``, ``detection_secrets``,
``detection_quiet``, ``detection_speed``; how the others' findings are read in ``detection_rivals``. ``--misses``
writes every case that was judged wrongly, with the lines that were flagged, for those who write rules.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import detection_pairs as pairs
import detection_rates as rates
import detection_secrets as secrets
from detection_quiet import quiet
from detection_rivals import Rival
from detection_sets import is_own, read_cweval, read_owasp, read_securityeval
from detection_speed import speed
from detection_tools import OWN, Tools


def fix_pairs(path: Path, tools: Tools) -> None:
    """Real code before and after a fix."""
    part = pairs.read_pairs(path)
    found, known = tools.judge(part), pairs.pairs_of(part.cases)
    pairs.print_pairs("Fix pairs", known, found)
    pairs.print_asked(known, found[OWN])


def owasp(root: Path, tools: Tools) -> None:
    """Generated files, vulnerable and safe."""
    part = read_owasp(root)
    found = tools.judge(part)
    rates.print_rates("OWASP BenchmarkPython", part.cases, found)
    rows = rates.by_category(part.cases, found[OWN]).values()
    rates.say("mean Youden", sum(row.youden for row in rows) / len(rows), rates.YOUDEN)


def securityeval(root: Path, tools: Tools) -> None:
    """Vulnerable files alone."""
    part = read_securityeval(root)
    found = tools.judge(part)
    rates.print_recall("SecurityEval, categories and their kin", part.cases, found)
    own = [case for case in part.cases if is_own(case)]
    rates.print_recall("SecurityEval, the categories' own CWE numbers", own, found)
    rates.say("recall, categories and their kin", rates.rate(part.cases, found[OWN]).recall, rates.RECALL)
    rates.say("recall, own CWE numbers", rates.rate(own, found[OWN]).recall, rates.RECALL)


def cweval(root: Path, tools: Tools) -> None:
    """Secure and insecure answers to tasks, language by language."""
    for language in ("py", "js", "go", "c", "cpp"):
        part = read_cweval(root, language)
        found = tools.judge(part, without=frozenset({"bandit"} if language != "py" else ()))
        known = pairs.pairs_of(part.cases)
        ours = [pair for pair in known if pair.category != "other"]
        pairs.print_pairs(f"CWEval {language}", ours, found)
        if language == "py":
            right = pairs.score(ours, found[OWN]).right
            rates.say("right, of our categories", right / len(ours), pairs.TASKS)
            print(f"{'right, of all tasks':<36}{right / len(known):.3f}")


def known_secrets(folder: Path, tools: Tools) -> None:
    """The fixtures of secret scanners, from a folder with their checkouts."""
    ours = secrets.LineScore(0, 0, 0, 0)
    print(f"\n{'Secrets':<36}{'secrets':>8}{'found':>8}{'wrong':>8}{'precision':>11}{'recall':>9}")
    for kind in secrets.READERS:
        root = folder / ("semgrep-rules" if kind == "semgrep" else kind)
        if not root.exists():
            print(f"{kind}: skipped, {root} is not there")
            continue
        part = secrets.fixtures_of(kind, root)
        found = tools.judge(part, without=frozenset({"bandit", kind}))
        scores = {tool: secrets.score(part, flags) for tool, flags in found.items()}
        secrets.print_secrets(kind, scores)
        ours += scores[OWN]
    rates.say("precision", ours.precision, secrets.PRECISION)
    rates.say("recall", ours.recall, secrets.RECALL)


PARTS = {"pairs": fix_pairs, "owasp": owasp, "securityeval": securityeval, "cweval": cweval, "secrets": known_secrets}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in (*PARTS, "speed", "bandit", "semgrep", "misses"):
        parser.add_argument(f"--{name}", default="", metavar="PATH")
    parser.add_argument("--semgrep-rules", nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--quiet", nargs="*", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    tools = Tools(tuple(rivals(asked)), asked.jobs, Path(asked.misses) if asked.misses else None)
    for name, part in PARTS.items():
        place = getattr(asked, name)
        if place and Path(place).exists():
            part(Path(place), tools)
        else:
            print(f"{name}: skipped, {place or 'what it needs'} is not there")
    if asked.quiet:
        quiet(asked.quiet, tools.misses)
    else:
        print("quiet: skipped, no repository given")
    if asked.speed and Path(asked.speed).exists():
        speed(Path(asked.speed), tools.rivals)
    else:
        print(f"speed: skipped, {asked.speed or 'its folder'} is not there")


def rivals(asked: argparse.Namespace) -> list[Rival]:
    """The other tools that are there, each named with its version."""
    found = [Rival("bandit", asked.bandit)] if asked.bandit else []
    if asked.semgrep and asked.semgrep_rules:
        found.append(Rival("semgrep", asked.semgrep, tuple(asked.semgrep_rules)))
    for name in {"bandit", "semgrep"} - {rival.name for rival in found}:
        print(f"{name}: skipped, no program{' and rules' * (name == 'semgrep')} given")
    for rival in found:
        print(rival.version())
    return found


if __name__ == "__main__":
    main()
