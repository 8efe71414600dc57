from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

HEAVY = ("pydantic", "langchain_core", "langchain_google_genai", "github", "rich", "tree_sitter", "yaml", "pathspec")

SPY = """
import atexit, json, sys
from devpulse.cli import run
status = run(sys.argv[1:])
print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)
"""

FLOOD = """
import sys
from devpulse.cli import run
from devpulse.cli.actions import Actions

def flood(request):
    for number in range(20_000):
        print("line", number)
    return 1

def one_line(request):
    print("line")
    return 1

def show(request):
    sys.stderr.buffer.write(ascii([request.path, request.flags["output-dir"]]).encode())
    return 0

actions = Actions(
    review=show, action=show, prompt=flood, index=one_line, verify_isolation=one_line, compare=show,
    plan=one_line, merge=one_line
)
sys.exit(run(sys.argv[1:], actions))
"""


def python(*arguments, **attributes):
    return subprocess.run([sys.executable, *arguments], capture_output=True, timeout=60, check=False, **attributes)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["review", "--help"], ["index", "search", "--help"], ["--version"], ["review", "--nope"]]
)
def test_startup__loads_nothing_heavy(arguments):
    result = python("-c", SPY, *arguments)
    status, modules = json.loads(result.stderr.splitlines()[-1])
    assert status == (2 if "--nope" in arguments else 0)
    assert [name for name in HEAVY if name in modules] == []
    assert [name for name in modules if name.startswith(("devpulse.core", "devpulse.adapters", "devpulse.main"))] == []


def test_startup__time_is_reported(record_property):
    def fastest(*arguments):
        times = []
        for _ in range(3):
            started = time.perf_counter()
            assert python(*arguments).returncode == 0
            times.append(time.perf_counter() - started)
        return min(times)

    click, helped = fastest("-c", "import click"), fastest("-m", "devpulse", "--help")
    record_property("help_over_import_click", round(helped / click, 2))


def test_module__runs_and_leaves_with_the_status():
    assert python("-m", "devpulse", "--version").stdout.startswith(b"devpulse ")
    assert python("-m", "devpulse", "nonsense").returncode == 2


def run_with_broken(stream, command, unbuffered=""):
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with os.fdopen(writer, "wb") as broken:
        stdout, stderr = (broken if name == stream else subprocess.PIPE for name in ("stdout", "stderr"))
        line = [sys.executable, "-c", FLOOD, *command]
        return subprocess.run(line, stdout=stdout, stderr=stderr, env=environment, timeout=60, check=False)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", [["prompt"], ["index", "build"], ["--help"]])
def test_broken_pipe__is_quiet(command, unbuffered):
    result = run_with_broken("stdout", command, unbuffered)
    assert result.stderr == b""
    assert result.returncode == 141


@pytest.mark.parametrize("command", [["scan", "."], ["nonsense"]])
def test_broken_pipe__of_standard_error_is_not_the_gates_status(command):
    assert run_with_broken("stderr", command).returncode == 141


def test_closed_output__does_no_harm():
    result = subprocess.run(
        ["/bin/sh", "-c", '"$0" -c "$1" scan . >&-', sys.executable, FLOOD],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, b"")


def test_arguments__need_not_be_utf8(tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), b"a b\xff")  # noqa: PTH118  (pathlib joins no bytes)
    os.mkdir(folder)  # noqa: PTH102  (pathlib takes no bytes)
    result = python("-c", FLOOD, "scan", folder, "--output-dir", b"out \xff")
    assert result.returncode == 0, result.stderr
    assert rb"a b\udcff" in result.stderr
    assert rb"out \udcff" in result.stderr
    missing = python("-c", FLOOD, "scan", folder + b"\xfe")
    assert missing.returncode == 2
    assert b"does not exist" in missing.stderr
