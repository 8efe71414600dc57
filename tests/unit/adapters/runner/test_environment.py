"""The runner's variables, typed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from devpulse.adapters.runner.environment import RunnerEnvironment
from devpulse.errors import ConfigurationError

NEEDED = {
    "GITHUB_EVENT_NAME": "pull_request",
    "GITHUB_EVENT_PATH": "/github/workflow/event.json",
    "GITHUB_REPOSITORY": "octo/shop",
    "GITHUB_WORKSPACE": "/github/workspace",
}
GIVEN = {
    **NEEDED,
    "GITHUB_API_URL": "https://ghe.example/api/v3/",
    "GITHUB_SERVER_URL": "https://ghe.example",
    "GITHUB_RUN_ID": "123456789012",
    "GITHUB_RUN_ATTEMPT": "2",
    "GITHUB_OUTPUT": "/github/file_commands/set_output_1",
    "GITHUB_STEP_SUMMARY": "/github/file_commands/step_summary_1",
}


def test_from_environ__everything_a_step_is_told():
    found = RunnerEnvironment.from_environ({**GIVEN, "PATH": "/bin"})
    assert (found.event_name, found.repository) == ("pull_request", "octo/shop")
    assert found.event_path == Path("/github/workflow/event.json")
    assert found.workspace == Path("/github/workspace")
    assert found.api_url == "https://ghe.example/api/v3"
    assert found.server_url == "https://ghe.example"
    assert (found.run_id, found.run_attempt) == (123456789012, 2)
    assert found.output_file == Path("/github/file_commands/set_output_1")
    assert found.summary_file == Path("/github/file_commands/step_summary_1")
    assert found.run_url == "https://ghe.example/octo/shop/actions/runs/123456789012/attempts/2"


@pytest.mark.parametrize("empty", ["", "  "])
def test_from_environ__what_is_empty_has_its_default(empty):
    found = RunnerEnvironment.from_environ({**dict.fromkeys(GIVEN, empty), **NEEDED})
    assert (found.api_url, found.server_url) == ("https://api.github.com", "https://github.com")
    assert (found.output_file, found.summary_file) == (None, None)
    assert (found.run_id, found.run_attempt, found.run_url) == (None, 1, "")


def test_from_environ__off_a_runner_the_cause_and_the_remedy_are_said():
    with pytest.raises(ConfigurationError) as caught:
        RunnerEnvironment.from_environ({"PATH": "/bin", "GITHUB_WORKSPACE": "/w"})
    assert str(caught.value) == "the environment lacks GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_REPOSITORY"
    assert "devpulse review" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_REPOSITORY", "shop"),
        ("GITHUB_REPOSITORY", "octo/shop/.."),
        ("GITHUB_API_URL", "ghe.example/api/v3"),
        ("GITHUB_API_URL", "https://ghe.example/a b"),
        ("GITHUB_EVENT_NAME", "pull request\n::error::x"),
        ("GITHUB_RUN_ID", "many"),
        ("GITHUB_RUN_ATTEMPT", "-7"),
    ],
)
def test_from_environ__a_variable_nobody_wrote_like_that_is_named_not_repeated(name, value):
    with pytest.raises(ConfigurationError, match=f"the variable {name} is not as the runner writes it") as caught:
        RunnerEnvironment.from_environ({**NEEDED, name: value})
    assert value not in str(caught.value).partition(": ")[2]


def test_from_environ__a_path_need_not_be_utf8():
    odd = os.fsdecode(b"/runner/\xff/event.json")
    assert RunnerEnvironment.from_environ({**NEEDED, "GITHUB_EVENT_PATH": odd}).event_path == Path(odd)


def test_for_later_steps__is_relative_to_the_workspace(tmp_path):
    (tmp_path / "ws").mkdir()
    (tmp_path / "link").symlink_to("ws")
    found = RunnerEnvironment.from_environ({**NEEDED, "GITHUB_WORKSPACE": str(tmp_path / "link")})
    assert found.for_later_steps(tmp_path / "ws" / "out" / "findings.json") == "out/findings.json"
    assert found.for_later_steps(str(tmp_path / "link" / "out")) == "out"
    assert found.for_later_steps(str(tmp_path / "elsewhere")) == str(tmp_path / "elsewhere")
