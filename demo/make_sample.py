"""Makes the sample: a git repository of a small shop with a pull request of 25 changed files.

    python demo/make_sample.py TARGET

Branch ``main`` is the base, branch ``feature`` the head. The base is ``demo/base``, the head is ``demo/head`` laid
over it. Two files are put together here from ``demo/parts``, because they are several times larger than what fits
into one review context. ``demo/expected.json`` says what a review should find.

Author, dates, configuration and environment are fixed: the commits have the same ids on every machine. The planted
secrets are computed when the sample is made and stand nowhere in this tree; none of them ever opened anything.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PARTS = HERE / "parts"
MARK = "devpulse-sample"  # a file in .git: this repository was made here and may be made again

REPORTS = "billing/reports.py"
CATALOG = "web/src/catalog.ts"
DELETED = ("shop/legacy_export.py", "web/src/LoginForm.tsx")  # the second one lives on in web/src/components
REPORT_SHAPES = ("series", "totals", "top_list", "compare", "export", "distribution")
CATALOG_SHAPES = ("list", "search", "prices", "stock", "image", "related")
BASE_STEP = 8  # the base holds every eighth route of the catalog, so that the head adds between what is there

MESSAGES = {"main": "Shop as it is", "feature": "Reports, catalog routes and order states"}
DATES = {"main": "2025-03-03T09:00:00+00:00", "feature": "2025-03-10T15:30:00+00:00"}


def main(arguments: list[str]) -> int:
    """Make the sample in the folder named by the only argument; 2 when that cannot be done."""
    if len(arguments) != 1:
        print("usage: python demo/make_sample.py TARGET", file=sys.stderr)
        return 2
    target = Path(arguments[0])
    problem = clear(target)
    if problem:
        print(f"{problem}\nName a new or empty folder.", file=sys.stderr)
        return 2
    head = make_sample(target)
    print(f"Made the sample in {target}: branches main and feature, head {head[:12]}")
    return 0


def make_sample(target: Path) -> str:
    """Make the repository in ``target``, which is missing or empty, and return the head's commit id."""
    target.mkdir(parents=True, exist_ok=True)
    git(target, "init", "--quiet", "--template=", ".")
    (target / ".git" / MARK).write_text("made by demo/make_sample.py\n", encoding="utf-8")
    git(target, "symbolic-ref", "HEAD", "refs/heads/main")
    write_tree(target, HERE / "base")
    write_text(target / CATALOG, catalog(BASE_STEP))
    commit(target, "main")
    git(target, "checkout", "--quiet", "-b", "feature")
    for path in DELETED:
        (target / path).unlink()
    write_tree(target, HERE / "head")
    write_text(target / REPORTS, reports())
    write_text(target / CATALOG, catalog(1))
    commit(target, "feature")
    return git(target, "rev-parse", "HEAD").strip()


def clear(target: Path) -> str:
    """Empty a sample made before. What else stands there is left alone: the answer then says what is wrong."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        return f"{target} is not a folder."
    if not target.exists() or not any(target.iterdir()):
        return ""
    if not (target / ".git" / MARK).is_file():
        return f"{target} is not empty and was not made by this script."
    # .git goes last: it holds the mark, so that an interrupted run can be taken up again.
    for entry in sorted(target.iterdir(), key=lambda path: path.name == ".git"):
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    return ""


def write_tree(target: Path, source: Path) -> None:
    """Copy a template tree; text files have their marks filled in."""
    for path in sorted(source.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        copy = target / path.relative_to(source)
        content = path.read_bytes()
        if b"\0" in content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
        else:
            write_text(copy, fill(content.decode().replace("\r\n", "\n"), planted_values()))


def write_text(path: Path, text: str) -> None:
    """Write with line feeds whatever the platform's custom is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def fill(text: str, values: Mapping[str, str]) -> str:
    """Put values in the place of ``@@NAME@@``; a name without a value is a ``KeyError``."""
    return re.sub(r"@@([A-Z_]+)@@", lambda match: values[match.group(1)], text)


def planted_values() -> dict[str, str]:
    """Secrets of the right form for their kind, and two checksums that only look like secrets.

    They are derived from a label, so that every sample has the same ones and no file holds them.
    """
    letters = base64.b32encode(digest("access key")).decode()
    mixed = base64.b64encode(digest("secret key") + digest("more of it")).decode()
    word = re.sub(r"[^A-Za-z0-9]", "", base64.b64encode(digest("payment key")).decode())
    return {
        "STRIPE_KEY": "_".join(("sk", "live", word[:24])),
        "AWS_KEY_ID": "AK" + "IA" + letters[:16],
        "AWS_SECRET_KEY": mixed[:40],
        "CHECKSUM": (digest("package") + digest("manager")).hex(),
        "DIGEST": digest("image").hex(),
    }


def digest(label: str) -> bytes:
    """32 bytes that look random and are the same each time."""
    return hashlib.sha256(f"devpulse sample: {label}".encode()).digest()


def reports() -> str:
    """The large Python file: SQL injection in the middle, path traversal near the end."""
    words = vocabulary()
    text = [part("reports_top", {})]
    for entity in words["entities"]:
        for period in words["periods"]:
            values = {**entity, **period, "TITLE_START": entity["TITLE"].capitalize()}
            values["MEASURE_TITLE_LOWER"] = entity["MEASURE_TITLE"].lower()
            text.extend(part(f"reports_{shape}", values) for shape in REPORT_SHAPES)
            if (entity["ENTITY"], period["PERIOD"]) == ("shipments", "month"):
                text.append(part("reports_middle", values))
            if (entity["ENTITY"], period["PERIOD"]) == ("newsletters", "quarter"):
                text.append(part("reports_end", values))
    return "".join(text)


def catalog(step: int) -> str:
    """The large TypeScript file with every ``step``-th route; all of them and two weaknesses when it is 1."""
    routes = list(catalog_routes())
    text = [part("catalog_top", {})]
    for number, (shape, values) in enumerate(routes):
        if number % step == 0:
            text.append(part(f"catalog_{shape}", values))
        if step == 1 and number == len(routes) // 2:
            text.append(part("catalog_middle", values))
        if step == 1 and number == len(routes) - 5:
            text.append(part("catalog_end", values))
    return "".join(text)


def catalog_routes() -> Iterator[tuple[str, dict[str, str]]]:
    """Shape and values of each ordinary route, in the order of the file."""
    words = vocabulary()
    for category in words["categories"]:
        for market in words["markets"]:
            values = {**category, "MARKET": market, "TITLE_LOWER": category["TITLE"].lower()}
            yield from ((shape, values) for shape in CATALOG_SHAPES)


def vocabulary() -> dict[str, Any]:
    """What the shop sells and counts."""
    words: dict[str, Any] = json.loads((PARTS / "vocabulary.json").read_text(encoding="utf-8"))
    return words


def part(name: str, values: Mapping[str, str]) -> str:
    """One filled-in piece of a large file."""
    return fill((PARTS / f"{name}.txt").read_text(encoding="utf-8"), values)


def commit(target: Path, branch: str) -> None:
    """Commit everything there is, with the fixed message and date of the branch."""
    git(target, "add", "--all", "--force", ".")
    git(target, "commit", "--quiet", "--no-verify", "--message", MESSAGES[branch], date=DATES[branch])


def git(target: Path, *arguments: str, date: str = "") -> str:
    """Run git in ``target``, blind to the user's, the system's and the caller's configuration."""
    environment = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    environment |= {
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_DEFAULT_HASH": "sha1",
        "GIT_AUTHOR_NAME": "Shop Team",
        "GIT_AUTHOR_EMAIL": "team@shop.example",
        "GIT_COMMITTER_NAME": "Shop Team",
        "GIT_COMMITTER_EMAIL": "team@shop.example",
    }
    if date:
        environment |= {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    settings = ("core.autocrlf=false", "core.filemode=false", "core.hooksPath=" + os.devnull, "gc.auto=0")
    flags = [word for setting in settings for word in ("-c", setting)]
    command = ["git", *flags, "-C", str(target), *arguments]
    return subprocess.run(  # noqa: S603  (a fixed program with fixed arguments)
        command, env=environment, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
