"""Where finished work is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from devpulse.errors import ConfigurationError
from devpulse.main.state import state_folder


def test_state_folder__as_asked_else_the_runners_else_the_users(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root, runner = tmp_path / "root", {"RUNNER_TEMP": "/github/runner_temp"}
    assert state_folder(str(tmp_path / "mine"), runner, root) == tmp_path / "mine"
    assert state_folder(None, runner, root) == Path("/github/runner_temp/devpulse-state")
    assert state_folder(None, {}, root).name == "devpulse"
    assert not state_folder(None, {}, root).is_relative_to(root)


@pytest.mark.parametrize("wanted", ["state", "a/../state", "."])
def test_state_folder__inside_the_checkout_is_refused(tmp_path, wanted):
    with pytest.raises(ConfigurationError, match="lies inside") as refused:
        state_folder(str(tmp_path / wanted), {}, tmp_path)
    assert "--state-dir" in refused.value.hint


def test_state_folder__a_link_into_the_checkout_is_refused(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "root")
    with pytest.raises(ConfigurationError, match="lies inside"):
        state_folder(str(tmp_path / "link" / "state"), {}, tmp_path / "root")


def test_state_folder__a_file_is_refused_by_what_it_is(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigurationError, match="is not a folder") as refused:
        state_folder(str(tmp_path / "file"), {}, tmp_path / "root")
    assert "--state-dir" in refused.value.hint
