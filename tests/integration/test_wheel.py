"""The package as somebody installs it: a wheel in an environment of its own, without this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from repos import Repo
from runner import INJECTION, SAFE

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def run(*line, **attributes):
    done = subprocess.run(line, capture_output=True, text=True, check=False, **attributes)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built with the locked backend, which stands beside the tests, and without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    run(sys.executable, "-c", build, str(folder), cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_wheel__holds_every_file_of_the_package_and_nothing_else(wheel):
    def ours(path):
        return path.is_file() and "__pycache__" not in path.parts

    source = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*") if ours(path)}
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in names if ".dist-info/" not in name} == source
    (metadata,) = (name for name in names if name.endswith("/METADATA"))
    assert "Requires-Dist: rich" in zipfile.ZipFile(wheel).read(metadata).decode()


def test_wheel__reviews_a_repository_without_flags(wheel, tmp_path):
    place = tmp_path / "installed"
    run(sys.executable, "-m", "venv", "--without-pip", str(place))
    python = str(place / "bin" / "python")
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    zipfile.ZipFile(wheel).extractall(
        site
    )  # all that an installer does with a pure wheel, but for the program's script
    # What it needs comes from beside the tests, but not the checkout: no file of that folder is heeded that adds one.
    (site / "needs.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (entry,) = entry_points(group="console_scripts", name="devpulse")
    program = f"import sys; from {entry.module} import {entry.attr}; sys.argv[0] = 'devpulse'; {entry.attr}()"
    repo = Repo(tmp_path / "repo")
    repo.write("app/users.py", SAFE)
    repo.commit("base")
    repo.write("app/users.py", INJECTION)
    variables = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    where = "import devpulse; print(devpulse.__file__)"
    assert run(python, "-c", where, env=variables, cwd=repo.root).startswith(str(place))
    said = run(python, "-c", program, "review", env=variables, cwd=repo.root)
    assert "app/users.py:5" in said
    assert (repo.root / "devpulse-artifacts" / "report.html").exists()
