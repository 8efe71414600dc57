"""The gate for paths a model names."""

from __future__ import annotations

import pytest
from builders import DictTree
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.errors import ToolDenied
from devpulse.pipeline.gate import MAX_FILE_BYTES, PathGate

TREE = DictTree(
    {
        "app/db.py": "x",
        "a b/naïve.py": "x",
        "app/big.py": b"x" * (MAX_FILE_BYTES + 1),
        "app/limit.py": b"x" * MAX_FILE_BYTES,
        ".github/workflows/ci.yml": "x",
        "environment.py": "x",
        "keys/keyboard.py": "x",
        "out-dir/x.py": "x",
        "out/x.json": "x",
        ".git/config": "x",
        ".env": "x",
        "..a/b.py": "x",
    }
)
GATE = PathGate(TREE.size, "out")


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("app/db.py", "app/db.py"),
        ("./app//db.py", "app/db.py"),
        ("app/./db.py", "app/db.py"),
        ("app/db.py/", "app/db.py"),
        ("a b/naïve.py", "a b/naïve.py"),
        ("app/limit.py", "app/limit.py"),
        (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("environment.py", "environment.py"),
        ("keys/keyboard.py", "keys/keyboard.py"),
        ("out-dir/x.py", "out-dir/x.py"),
        ("..a/b.py", "..a/b.py"),
    ],
)
def test_check_file__ordinary_files_pass_in_normal_form(path, normal):
    assert GATE.check_file(path) == normal
    assert GATE.allows(path)


@pytest.mark.parametrize(
    "path",
    [
        "", "/", ".", "./", "/etc/passwd", "//etc/passwd", "../x", "app/../../x", "app/..", "app/../app/db.py",
        "..", "app\\db.py", "\\\\host\\x", "C:/x", "c:x", "app/db.py\0", "\0",
    ],
)  # fmt: skip
def test_check_name__ways_out_are_denied(path):
    with pytest.raises(ToolDenied):
        GATE.check_name(path)
    assert not GATE.allows(path)


@pytest.mark.parametrize(
    "path",
    [
        ".git/config", "sub/.git/config", ".GIT/config", ".Git", "a//.git/./config", ".ssh/known_hosts", ".aws/x",
        ".kube/config", ".docker/config.json", ".gnupg/x",
    ],
)  # fmt: skip
def test_check_name__folders_of_tools_are_denied_in_any_case(path):
    with pytest.raises(ToolDenied, match="never read"):
        GATE.check_name(path)


@pytest.mark.parametrize(
    "path",
    [
        ".env", "app/.env", ".ENV", ".env.local", ".envrc", ".env~", "prod.env", "server.PEM", "tls/server.key",
        "id_rsa", "id_rsa.bak", "x.p12", "x.pfx", "x.jks", ".npmrc", ".pypirc", ".netrc", ".git-credentials",
        ".htpasswd", "credentials", "credentials.json", "secrets.yaml", "a.tfstate", "a.tfvars", "x.kdbx",
    ],
)  # fmt: skip
def test_check_name__key_and_environment_files_are_denied(path):
    with pytest.raises(ToolDenied, match="never read"):
        GATE.check_name(path)


@pytest.mark.parametrize("path", ["out", "out/", "out/x.json", "./out//x.json", "OUT/x.json"])
def test_check_name__our_own_output_is_denied(path):
    with pytest.raises(ToolDenied, match="output folder"):
        GATE.check_name(path)


@pytest.mark.parametrize("output_dir", ["out/", "Out"])
def test_check_name__output_folder_however_it_is_written(output_dir):
    assert not PathGate(TREE.size, output_dir).allows("out/x.json")


def test_check_name__without_an_output_folder():
    assert PathGate(TREE.size).check_file("out/x.json") == "out/x.json"


@pytest.mark.parametrize(
    "path",
    [
        "app", "app/missing.py", "app/db.py.", "app/db.py ", "app /db.py", ".git./config", "．git/config",
        "app∕db.py", "app/DB.py", "x" * 5_000, "d/" * 3_000 + "x", "a\nb", "caf\udce9.py", ".\u200bgit/config",
    ],
)  # fmt: skip
def test_check_file__names_the_tree_does_not_have_are_denied(path):
    with pytest.raises(ToolDenied, match="no such file"):
        GATE.check_file(path)


def test_check_file__too_large_says_both_sizes():
    with pytest.raises(ToolDenied, match="1,000,001 bytes, at most 1,000,000"):
        GATE.check_file("app/big.py")


PARTS = st.sampled_from(
    ["..", ".", "", "/", "\\", ".git", ".Git", ".env", "C:", "app", "db.py", "out", "\0", " ", "．"]
)


@settings(deadline=None)
@given(st.lists(PARTS | st.text(max_size=3), max_size=6).map("/".join))
def test_check_name__whatever_passes_stays_inside_and_is_stable(path):
    try:
        normal = GATE.check_name(path)
    except ToolDenied:
        return
    parts = normal.split("/")
    assert not {"", ".", ".."} & set(parts)
    assert not {".git", "out"} & {parts[0].lower()}
    assert ".git" not in [part.lower() for part in parts]
    assert GATE.check_name(normal) == normal


@settings(deadline=None)
@given(st.lists(st.lists(PARTS | st.text(max_size=3), max_size=6).map("/".join), max_size=5))
def test_allows_name__the_same_as_check_name(paths):
    gate = PathGate(TREE.size, "Out")
    for path in [*paths, *paths, *(f"{path}/out" for path in paths), *(f"{path}/.env" for path in paths)]:
        try:
            gate.check_name(path)
        except ToolDenied:
            assert not gate.allows_name(path), path
        else:
            assert gate.allows_name(path), path


def test_allows_name__asks_the_tree_nothing():
    gate = PathGate(lambda _: pytest.fail("asked"), "reports")
    names = [
        "a/b.py",
        "a/c.py",
        "a/server.key",
        ".ssh/config",
        ".ssh/b.py",
        "reports",
        "reports/x.py",
        "a/reports",
        "../x",
    ]
    assert [name for name in names if gate.allows_name(name)] == ["a/b.py", "a/c.py", "a/reports"]


def test_closest__files_that_may_be_loaded_and_only_for_missing_ones():
    names = ["a/.env", "b/config.py", "c/config.py", "c/d/config.py", "out/config.py", "c/confit.py", "z.py"]
    gate = PathGate(dict.fromkeys(names, 1).get, "out", lambda: names)
    assert gate.closest("c/x/Config.py") == ("c/config.py", "c/d/config.py", "b/config.py")
    assert gate.closest("c/confik.py")[0] in {"c/config.py", "c/confit.py"}
    assert gate.closest("z.py") == gate.closest("x/nothing.rs") == ()
    assert PathGate(lambda _path: None).closest("z.py") == ()
    with pytest.raises(ToolDenied):
        gate.closest("x/.env")
