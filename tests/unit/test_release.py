"""A release: what its tag holds, and that only a tested image gets a name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "pin_image.py"
IMAGE = "ghcr.io/owner/devpulse@sha256:" + "0123456789abcdef" * 4


def pin(path: Path, image: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), str(path), image], capture_output=True, text=True, check=False)


def test_pin_image__the_action_runs_the_published_image(tmp_path: Path) -> None:
    action = tmp_path / "action.yml"
    before = (ROOT / "action.yml").read_text()
    action.write_text(before)
    assert pin(action, IMAGE).returncode == 0
    old, new = yaml.safe_load(before), yaml.safe_load(action.read_text())
    assert new["runs"].pop("image") == f"docker://{IMAGE}"
    assert old["runs"].pop("image") == "Dockerfile"
    assert new == old


@pytest.mark.parametrize(
    "image", ["ghcr.io/owner/devpulse:v1", "", IMAGE[:-1], f"{IMAGE}\n  args: [x]", f"docker://{IMAGE}"]
)
def test_pin_image__anything_but_a_digest_is_refused(tmp_path: Path, image: str) -> None:
    action = tmp_path / "action.yml"
    action.write_text((ROOT / "action.yml").read_text())
    assert pin(action, image).returncode != 0
    assert action.read_text() == (ROOT / "action.yml").read_text()


def test_pin_image__an_action_that_is_pinned_already_is_refused(tmp_path: Path) -> None:
    action = tmp_path / "action.yml"
    action.write_text((ROOT / "action.yml").read_text())
    assert pin(action, IMAGE).returncode == 0
    assert pin(action, IMAGE).returncode != 0


def test_release__names_come_after_the_test_and_the_image_says_what_is_in_it() -> None:
    release = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
    jobs = release["jobs"]
    assert jobs["test"]["needs"] == ["image"]
    assert jobs["publish"]["needs"] == ["image", "test"]
    (build,) = (step for step in jobs["image"]["steps"] if "build-push-action" in step.get("uses", ""))
    assert build["with"]["sbom"] is True
    assert build["with"]["provenance"] == "mode=max"
    assert "push-by-digest=true" in build["with"]["outputs"]
