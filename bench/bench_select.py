"""What is selected for a child, and whether it is the right thing: one table a question.

    python bench/bench_select.py REPOSITORIES

REPOSITORIES is a folder with clones, as ``select_recall`` describes it.
"""

from __future__ import annotations

import sys

import select_recall


def main() -> None:
    """Print the tables."""
    print("Evidence recall: does the first request show what a reviewer needs?")
    select_recall.main(sys.argv[1:])


if __name__ == "__main__":
    main()
