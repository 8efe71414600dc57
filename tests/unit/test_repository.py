"""Rules about the repository itself that no linter checks."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tables import for_each

ROOT = Path(__file__).resolve().parents[2]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUNTIME = CONFIG["project"]["dependencies"]
DEVELOPMENT = CONFIG["dependency-groups"]["dev"]
MODULE_LINES = 400
FUNCTION_LINES = 60
BANNED_NAMES = {"utils", "util", "helpers", "helper", "manager", "handler", "misc", "common"}
# Put together here, so that this file holds none of them.
HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("registry", "npmjs"),
        ("registry", "yarnpkg"),
        ("proxy", "golang"),
        ("crates", "io"),
        ("deb", "debian"),
        ("jfrog", "io"),
    )
]


def python_files() -> list[Path]:
    found = [path for folder in ("src", "tests", "scripts") for path in (ROOT / folder).rglob("*.py")]
    return sorted([*found, ROOT / "demo" / "make_sample.py"])


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement below a node; no expression, of which there are ten times as many, holds one."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, field, ()):
            yield child
            yield from statements(child)


def long_functions(source: str, limit: int) -> Iterator[str]:
    if source.count("\n") < limit:
        return
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > limit:
                yield f"{node.name}: {length} lines"


def committed_files() -> list[Path]:
    """Tracked files and those that would be: what git ignores is not looked at."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, capture_output=True, check=True).stdout.split(b"\0")
    paths = [ROOT / os.fsdecode(name) for name in names if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def pins(path: Path) -> dict[str, str]:
    """Name to version of a locked requirement file."""
    return dict(re.findall(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)", path.read_text("utf-8"), re.MULTILINE))


def normalized(requirement: str) -> str:
    """The name of a requirement as lock files write it."""
    name = re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def uses(text: str) -> list[str]:
    return re.findall(r"^\s*(?:-\s+)?uses:\s*(.+)$", text, re.MULTILINE)


@for_each(python_files(), lambda path: path.relative_to(ROOT))
def test_python_file__is_short_and_named_for_what_it_holds(path: Path) -> None:
    source = path.read_text("utf-8")
    assert len(source.splitlines()) <= MODULE_LINES
    assert list(long_functions(source, FUNCTION_LINES)) == []
    assert path.stem not in BANNED_NAMES


def test_long_functions__counts_from_def_to_last_line() -> None:
    source = "def short():\n    pass\n\n\nclass A:\n    def long(self):\n        a = 1\n        return a\n"
    assert list(long_functions(source, 2)) == ["long: 3 lines"]


def test_committed_files__name_no_package_registry() -> None:
    files = committed_files()
    assert ROOT / "pyproject.toml" in files
    named = [
        f"{path.relative_to(ROOT)}: {host}" for path in files for host in HOSTS if host.encode() in path.read_bytes()
    ]
    assert named == []


@pytest.mark.parametrize("name", ["build", "runtime", "dev"])
def test_requirements__every_line_is_pinned_and_hashed(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+ ", entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), entry


@pytest.mark.parametrize(("name", "declared"), [("runtime", RUNTIME), ("dev", [*RUNTIME, *DEVELOPMENT])])
def test_requirements__hold_what_the_project_declares(name: str, declared: list[str]) -> None:
    locked = pins(ROOT / "requirements" / f"{name}.txt")
    assert {normalized(requirement) for requirement in declared} - set(locked) == set()


def test_requirements__agree_with_each_other() -> None:
    build, runtime, dev = (pins(ROOT / "requirements" / f"{name}.txt") for name in ("build", "runtime", "dev"))
    assert runtime.items() <= dev.items()
    assert all(dev.get(name, version) == version for name, version in build.items())
    assert {normalized(requirement) for requirement in CONFIG["build-system"]["requires"]} <= set(build)


def test_requirements__serve_more_than_one_platform() -> None:
    text = (ROOT / "requirements" / "runtime.txt").read_text("utf-8")
    entry = re.search(r"^pydantic-core==.*?(?=^\S)", text, re.MULTILINE | re.DOTALL)
    assert entry is not None
    assert entry.group().count("--hash=") > 50


def test_dependencies_page__has_a_line_for_each_and_no_other() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    rows = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    declared = [*RUNTIME, *DEVELOPMENT, *CONFIG["build-system"]["requires"], "editables"]
    assert sorted(map(normalized, rows)) == sorted(map(normalized, declared))


def test_workflows__every_action_is_pinned_by_commit() -> None:
    found = {path.name: uses(path.read_text("utf-8")) for path in (ROOT / ".github" / "workflows").glob("*.y*ml")}
    assert found["ci.yml"]
    for name, references in found.items():
        for reference in references:
            pinned = r"\./(?:\.devpulse-action)? # zizmor: ignore.*|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
            assert re.fullmatch(pinned, reference), f"{name}: {reference}"


def test_workflows__start_without_any_permission() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.y*ml"):
        text = path.read_text("utf-8")
        assert re.search(r"^permissions: \{\}$", text, re.MULTILINE), path.name
        assert text.count("runs-on:") == len(re.findall(r"timeout-minutes: +\S", text)), path.name
        assert text.count("actions/checkout@") == text.count("persist-credentials: false"), path.name


@pytest.mark.parametrize("name", [".ci/run", "scripts/find_python.sh"])
def test_scripts__can_be_executed(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)
