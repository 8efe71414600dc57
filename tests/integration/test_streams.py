"""Odd standard streams and a current folder that is gone, as a real process sees them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from devpulse.adapters.git.layout import find_layout
from devpulse.adapters.git.scratch import copy_file
from devpulse.errors import SourceError

CODE = "def café():\n    return '→'\n"


def shell(command, folder, **variables):
    """Run ``command``, in which ``$D`` is the program."""
    environ = {**os.environ, "D": f"{sys.executable} -m devpulse", **variables}
    return subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=environ, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_output__what_the_encoding_lacks_is_escaped(tmp_path, encoding):
    (tmp_path / "a.py").write_text(CODE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "devpulse", "index", "show", "café"], cwd=tmp_path, capture_output=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"\\u2192" in done.stdout


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("$D prompt > /dev/full", "No space left on device"),
        ("$D prompt --json > /dev/full", "No space left on device"),
        ("$D prompt --nonsense 2> /dev/full", ""),
        ("$D index show nothing 2> /dev/full", ""),
        ("$D review --diff - . <&-", "standard input is closed"),
        ("mkdir gone && cd gone && rmdir ../gone && $D scan", "current folder"),
    ],
)
def test_streams__are_2_with_a_cause(tmp_path, command, says):
    done = shell(command, tmp_path)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "internal error" not in done.stderr


def test_find_layout__what_cannot_be_looked_at_is_named(tmp_path):
    (tmp_path / ".git").write_text(f"gitdir: {'x' * 300}\n")
    with pytest.raises(SourceError, match="cannot be read: File name too long"):
        find_layout(tmp_path)


def test_copy_file__that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(SourceError, match="cannot be read"):
        copy_file(tmp_path / ("x" * 300), tmp_path / "y")
