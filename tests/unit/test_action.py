"""action.yml, README, settings and the container in step with the table of options."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from devpulse.main.state import state_folder
from devpulse.options import OPTIONS
from devpulse.output.outputs import OUTPUTS
from devpulse.settings import Settings

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
README = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
INPUTS = {option.name: option for option in OPTIONS if "action" in option.commands and option.is_input}
PINNED = re.compile(r"(?:\./|[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)")


def test_inputs__are_the_options_that_have_an_effect_on_the_action():
    assert list(ACTION["inputs"]) == list(INPUTS)


def test_inputs__declare_no_default_but_the_token():
    defaults = {name: each["default"] for name, each in ACTION["inputs"].items() if "default" in each}
    assert defaults == {"github-token": "${{ github.token }}"}
    assert not any(each["required"] for each in ACTION["inputs"].values())


@pytest.mark.parametrize("name", INPUTS)
def test_inputs__describe_default_and_choices(name):
    option, text = INPUTS[name], ACTION["inputs"][name]["description"]
    if option.default:
        assert f"Default: {option.default}." in text
    for choice in option.choices:
        assert choice in text
    assert option.field in {each.name for each in fields(Settings)}


def test_outputs__are_those_that_are_written():
    assert tuple(ACTION["outputs"]) == OUTPUTS
    for each in ACTION["outputs"].values():
        assert each["description"].endswith(".")


def test_runs__the_command_line_of_the_program():
    assert ACTION["runs"] == {"using": "docker", "image": "Dockerfile", "args": ["action"]}


def test_container__absolute_exec_entrypoint_digest_and_no_user():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert lines[-1] == 'ENTRYPOINT ["/opt/devpulse/bin/devpulse"]'
    assert not any(line.startswith("USER") for line in lines)
    assert sum(line.startswith("FROM ${BASE_IMAGE}") for line in lines) == 2
    (default,) = (line for line in lines if line.startswith("ARG BASE_IMAGE="))
    assert re.fullmatch(r"ARG BASE_IMAGE=python:[\w.-]+@sha256:[0-9a-f]{64}", default)


def test_readme__quick_start_uses_inputs_that_exist():
    job = yaml.safe_load(EXAMPLES[0])["jobs"]["review"]
    assert job["concurrency"]["cancel-in-progress"]
    steps = job["steps"]
    assert set(steps[1]["with"]) <= set(INPUTS)
    assert steps[0]["with"]["fetch-depth"] == 0
    assert steps[2]["if"] == "always()"
    others = re.findall(r"uses: (.*)", EXAMPLES[0])
    assert others[1] == "OWNER/devpulse@COMMIT"
    assert all(PINNED.match(each) for each in (others[0], others[2]))


def test_recipe__the_store_is_carried_over_by_pull_request():
    text = (ROOT / "docs" / "recipes" / "caching.yml").read_text()
    steps = yaml.safe_load(text)["jobs"]["review"]["steps"]
    (restore, save) = (step for step in steps if "cache" in step["uses"])
    assert [step["uses"].split("@")[0] for step in (restore, save)] == ["actions/cache/restore", "actions/cache/save"]
    for name in ("path", "key"):
        assert restore["with"][name] == save["with"][name]
    inside = state_folder(None, {"RUNNER_TEMP": "/github/runner_temp"}, ROOT)
    assert restore["with"]["path"] == str(inside).replace("/github/runner_temp", "${{ runner.temp }}")
    assert restore["with"]["key"].startswith(restore["with"]["restore-keys"])
    assert restore["with"]["restore-keys"] == "devpulse-${{ github.event.pull_request.number }}-"
    assert save["if"] == "always()"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows__grant_nothing_by_default(path):
    text = path.read_text()
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    assert all("permissions" in job for job in workflow["jobs"].values())


def test_own_workflow__runs_the_action_of_the_change_without_a_key():
    text = (ROOT / ".github" / "workflows" / "devpulse.yml").read_text()
    assert "secrets." not in text
    steps = yaml.safe_load(text)["jobs"]["review"]["steps"]
    (own,) = (step for step in steps if step["uses"] == "./")
    assert own["with"]["engine"] == "offline"
    assert set(own["with"]) <= set(INPUTS)
