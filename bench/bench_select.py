"""What is selected for a child, and whether it is the right thing: one table a question.

    python bench/bench_select.py [--recall FOLDER] [--definitions NAME=FOLDER ...] [--ambiguous NAME=FOLDER ...]
        [--tuned NAME=FOLDER ...] [--jedi PYTHON]

Each part says how its truth is found: ``select_definitions`` (is every definition kept?), ``select_ambiguous`` (is
the right one of several first?), ``select_recall`` (does the first request show what a reviewer needs?). FOLDER is
a git checkout, for ``--recall`` a folder with clones. A part without repositories is skipped, which is said.
"""

from __future__ import annotations

import argparse

import select_ambiguous
import select_definitions
import select_recall


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recall", default="", metavar="FOLDER")
    for name in ("definitions", "ambiguous", "tuned"):
        parser.add_argument(f"--{name}", nargs="*", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--jedi", default="", metavar="PYTHON")
    asked = parser.parse_args()
    if asked.definitions:
        select_definitions.main(asked.definitions)
    else:
        print("Definitions kept: skipped, no repository given")
    if asked.ambiguous and asked.jedi:
        select_ambiguous.main([*asked.ambiguous, "--tuned", *asked.tuned, "--jedi", asked.jedi])
    else:
        print("Ambiguous names: skipped, it needs repositories and an interpreter with jedi")
    if asked.recall:
        print("\nEvidence recall: does the first request show what a reviewer needs?")
        select_recall.main([asked.recall])
    else:
        print("Evidence recall: skipped, no folder with clones given")


if __name__ == "__main__":
    main()
