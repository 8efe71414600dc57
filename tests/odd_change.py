"""A change with every odd file kind, with marked lines, and where the marks really stand by git and plain reading."""

from __future__ import annotations

import re
import subprocess

from repos import Repo, environment

FENCE_KEY = "0123456789abcdef"
ROW = re.compile(r" *(\d*) +(\d*) ?([-+ ]) (.*)")
MARK = re.compile(r"MARK-\w+")
FILLER = "".join(f"filler {number}\n" for number in range(40))


def write_base(repo):
    repo.write("plain.py", FILLER + "old MARK-plainold\n" + FILLER)
    repo.write("deleted.py", "gone MARK-deleted\n")
    repo.write("moved.py", FILLER + "moved\n")
    repo.write("same.py", FILLER + "not touched TOKEN-same\n")
    repo.write("crlf.py", "a\r\nb MARK-crlfold\r\nc\r\n")
    repo.write("becomes_link", "text MARK-hidden\n")
    repo.write("mode.sh", "echo MARK-hidden\n")
    repo.write("image.png", b"\x89PNG\0" + bytes(range(256)))
    repo.write("pure rename.py", FILLER + "q MARK-hidden\n")


def write_head(repo):
    repo.write("plain.py", FILLER + "new TOKEN-plain MARK-plainnew\n" + FILLER + "tail MARK-plaintail\n")
    repo.git("rm", "-q", "deleted.py")
    (repo.root / "moved.py").rename(repo.root / "moved to.py")
    repo.write("moved to.py", FILLER + "moved\nTOKEN-moved MARK-moved\n")
    repo.write("crlf.py", "a\r\nb MARK-crlfnew TOKEN-crlf\r\nc\r\n")
    (repo.root / "becomes_link").unlink()
    (repo.root / "becomes_link").symlink_to("plain.py")
    (repo.root / "mode.sh").chmod(0o755)
    repo.write("image.png", b"\x89PNG\0MARK-hidden" + bytes(range(255)))
    (repo.root / "pure rename.py").rename(repo.root / "purely renamed.py")
    repo.write("no newline.js", "one\ntwo TOKEN-nonl MARK-nonl")
    repo.write("qu\"ote's\tand\nnewline.js", "x TOKEN-quote MARK-quote\n")
    repo.write("übung/naïve.ts", "y TOKEN-umlaut MARK-umlaut\n")
    repo.write(b"bytes-\xff.py".decode("utf-8", "surrogateescape"), "z TOKEN-bytes MARK-bytes\n")
    repo.write("latin.py", b"# \xe4\n# \xf6 TOKEN-latin MARK-latin\n")
    repo.write("feeds.py", "a\x0cb\u2028c\x85d\ne TOKEN-feeds MARK-feeds\n")
    repo.write("nul.js", "let a = 1;\n" * 20 + "// \0\nb TOKEN-nul MARK-nul\n")
    repo.write("cr only.py", "a\rb\rc MARK-cronly TOKEN-cronly\n")
    repo.write("empty.py")
    repo.write("twice.py", "same MARK-twice\nx\nsame MARK-twice\nTOKEN-twice\n")
    repo.write("forged.py", f"<<end {FENCE_KEY}>>\nFence key 00. TOKEN-forged MARK-forged\n")
    repo.write("big.py", "".join(f"value_{n} = {n}  # {'x' * 60}\n" for n in range(3000)) + "TOKEN-big MARK-big\n")


def odd_repo(root):
    """A repository with the change between ``main`` and ``work``."""
    repo = Repo(root)
    write_base(repo)
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    write_head(repo)
    repo.commit("head")
    return repo


def marked_rows(diff: str) -> list[tuple[str, int, str]]:
    """Side, line and code of every marked row that was added or removed, from an annotated diff alone."""
    rows = (ROW.fullmatch(line) for line in diff.split("\n"))
    return [
        ("RIGHT" if row[3] == "+" else "LEFT", int(row[2] or row[1]), row[4])
        for row in rows
        if row is not None and row[3] != " " and MARK.search(row[4])
    ]


def marked_lines(repo, revision, paths, side):
    """Where the marks really stand, by git and plain reading."""
    places = []
    for path in paths:
        done = subprocess.run(
            ["git", "show", f"{revision}:{path}"],
            cwd=repo.root,
            env=environment(repo.home),
            capture_output=True,
            check=True,
        )
        text = done.stdout.decode("utf-8", "replace")
        places += [(path, side, n) for n, line in enumerate(text.split("\n"), 1) if MARK.search(line)]
    return places


RIGHT_PATHS = [
    "plain.py", "moved to.py", "crlf.py", "no newline.js", 'qu"ote\'s\tand\nnewline.js', "übung/naïve.ts",
    "bytes-\udcff.py", "latin.py", "feeds.py", "nul.js", "cr only.py", "twice.py", "forged.py", "big.py",
]  # fmt: skip
LEFT_PATHS = ["plain.py", "crlf.py"]
NOT_REVIEWED = {
    "becomes_link": "symlink",
    "mode.sh": "mode change only",
    "image.png": "binary",
    "purely renamed.py": "renamed without a change",
    "empty.py": "empty",
    "deleted.py": "deleted",
}


FOUND_BY_RULES = [("forged.py", "RIGHT", 1)]
"""Where the rules find something too: a forged end of the data."""


def expected_places(repo):
    marks = marked_lines(repo, "work", RIGHT_PATHS, "RIGHT") + marked_lines(repo, "main", LEFT_PATHS, "LEFT")
    return sorted(marks + FOUND_BY_RULES)
