"""The change that chaos runs review: six files, what must be found in them, and a model that finds it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from fakes import gemini_replies as replies
from fakes.gemini import GeminiRequest
from fakes.gemini_replies import Call, Reply
from marking import block, finding
from odd_change import ROW
from repos import Repo
from runner import merged_checkout

SECRET = "ghp_" + "Zk3vQ8xW1nT5rY7uB2cM9aL4sD6fG0hJ3kPq"
"""Stands in the change, and nowhere else."""

_SAFE = "from flask import request\n\n\ndef {name}():\n    return open('/srv/{name}.txt').read()\n"
_UNSAFE = "from flask import request\n\n\ndef {name}():\n    return open('/srv/' + request.args['{name}']).read()\n"
_BASE = {
    "app/users.py": _SAFE.format(name="users"),
    "app/orders.py": "def pay(order):\n    check(order)  # MARK-0\n    return order.total\n",
    "app/reports.py": _SAFE.format(name="reports"),
    "README.md": "Shop\n",
}
_HEAD = {
    "app/users.py": _UNSAFE.format(name="users"),
    "app/orders.py": "def pay(order):\n    return order.total  # MARK-1\n",
    "app/reports.py": _UNSAFE.format(name="reports") + "\n\n" + _UNSAFE.format(name="sales").split("\n\n\n")[1],
    "app/config.py": f'NAME = "shop"\nTOKEN = "{SECRET}"\n',
    "app/clean.py": "def add(a, b):\n    return a + b\n",
    "app/new.py": "def go(target):\n    return leave(target)  # MARK-2\n",
}
CHANGED = frozenset(_HEAD)
BY_RULE = frozenset({("app/config.py", "RIGHT", 2)})
"""Found by a rule that needs nobody's opinion."""
BY_BOTH = frozenset({("app/users.py", "RIGHT", 5), ("app/reports.py", "RIGHT", 5), ("app/reports.py", "RIGHT", 9)})
"""Found by the model, and by the rules when the model is down."""
BY_MODEL = frozenset({("app/orders.py", "LEFT", 2), ("app/orders.py", "RIGHT", 2), ("app/new.py", "RIGHT", 2)})
EXPECTED = BY_RULE | BY_BOTH | BY_MODEL
_WRONG = re.compile(r"MARK-\d|request\.args")


class Scene:
    """The repository of the change, and what a runner's checkout of it looks like. Built once, used by many runs."""

    def __init__(self, folder: Path) -> None:
        self.repo = Repo(folder / "origin")
        for path, text in _BASE.items():
            self.repo.write(path, text)
        self.repo.commit("base")
        self.repo.git("switch", "--quiet", "--create", "work")
        for path, text in _HEAD.items():
            self.repo.write(path, text)
        self.repo.commit("head")
        self.checkout = merged_checkout(self.repo, folder / "shop")
        self.empty = folder / "empty"
        self.empty.mkdir()


def file_of(request: GeminiRequest) -> str:
    """The file that a review or a verification is about; the name of the tool that ends it, for anything else."""
    for tool in ("submit_review", "submit_verdicts"):
        if tool in request.declared():
            found = re.search(r'"path": ?"(app/\w+\.py)"', request.text()) or re.search(r"app/\w+\.py", request.text())
            return f"{tool} {found[1] if found and found.groups() else found and found[0]}"
    return " ".join(request.declared()[-1:])


def answer(request: GeminiRequest) -> Reply:
    """What an honest model says: every wrong row is a finding, every finding of its own is confirmed."""
    if "submit_verdicts" in request.declared():
        names = [json.loads(row)["id"] for row in block(request, "findings").split("\n")]
        verdicts = [{"id": name, "verdict": "confirmed", "reason": "it is wrong"} for name in names]
        return replies.calls(Call("submit_verdicts", {"verdicts": verdicts}))
    if "submit_conclusion" in request.declared():
        return replies.calls(Call("submit_conclusion", {"overall_risk": "critical", "summary": "Wrong rows."}))
    return replies.calls(Call("submit_review", review(request)))


def review(request: GeminiRequest) -> dict[str, object]:
    """The arguments of an honest review of what is shown."""
    rows = (ROW.fullmatch(line) for line in block(request, "diff").split("\n"))
    wrong = [row for row in rows if row is not None and row[3] != " " and _WRONG.search(row[4])]
    found = [
        {**finding("RIGHT" if row[3] == "+" else "LEFT", int(row[2] or row[1]), row[4]), "category": "path-traversal"}
        for row in wrong
    ]
    return {"findings": found, "dismissed_leads": [], "overall_risk": "none", "summary": "ok"}
