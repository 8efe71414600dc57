"""action.yml in step with the table of options, and the container in step with what it runs."""

from __future__ import annotations

from pathlib import Path

import yaml

from devpulse.options import OPTION_BY_NAME, options_of

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
NOT_FOR_A_WORKFLOW = {"fresh", "stop-after", "show-requests", "config", "state-dir"}


def test_inputs__are_those_that_have_an_effect_on_a_review():
    wanted = {option.name for option in options_of("review") if option.is_input} - NOT_FOR_A_WORKFLOW
    assert set(ACTION["inputs"]) == wanted


def test_inputs__declare_no_defaults_and_reach_the_program():
    assert not any("default" in each or each["required"] for each in ACTION["inputs"].values())
    assert ACTION["runs"]["env"] == {
        OPTION_BY_NAME[name].variable: f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]
    }


def test_container__absolute_exec_entrypoint_and_no_user():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert lines[-1] == 'ENTRYPOINT ["/opt/devpulse/bin/devpulse"]'
    assert not any(line.startswith("USER") for line in lines)
    assert sum(line.startswith("FROM ${BASE_IMAGE}") for line in lines) == 2
