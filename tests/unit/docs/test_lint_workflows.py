"""Each linter is really asked: a planted mistake of its kind is told."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
import yaml

from devpulse.options import OPTIONS

ROOT = Path(__file__).parents[3]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "lint_workflows.py"))
ACTION = (ROOT / "action.yml").read_text("utf-8")
WORKFLOWS = SCRIPT["workflows"](ROOT)
RECIPES = sorted((ROOT / "docs" / "recipes").glob("*.yml"))
BASIC = (ROOT / "docs" / "recipes" / "basic.yml").read_text("utf-8").replace("@COMMIT", "@" + "0" * 40)
INPUTS = {option.name for option in OPTIONS if "action" in option.commands and option.is_input}
OURS = r"OWNER/devpulse(?:/\.github/workflows/sharded-review\.yml)?@COMMIT"
USES = re.compile(rf"(?:\./|{OURS}|[\w./-]+@[0-9a-f]{{40}} # v\d+\.\d+\.\d+)(?: .*)?")


def test_problems__there_are_none():
    assert SCRIPT["problems"](WORKFLOWS, ACTION) == []


def test_problems__each_linter_names_what_is_wrong_and_where():
    # One run: starting the linters is what takes the time.
    mistakes = {
        "expression.yml": ("if: always()", "if: steps.nowhere.outputs.path != ''"),
        "unpinned.yml": ("@" + "0" * 40, "@main"),
        "credentials.yml": ("persist-credentials: false", "fetch-tags: false"),
        "schema.yml": ("timeout-minutes: 15", "timeout-minuts: 15"),
    }
    assert all(old in BASIC for old, _ in mistakes.values())
    texts = {name: BASIC.replace(old, new) for name, (old, new) in mistakes.items()}
    found = SCRIPT["problems"](texts, ACTION.replace("description: Reviews", "descriptoin: Reviews"))
    actionlint, zizmor, workflows, action = found
    assert "nowhere" in actionlint
    assert "unpinned-uses" in zizmor
    assert "unpinned.yml" in zizmor
    assert "artipacked" in zizmor
    assert "schema.yml" in workflows
    assert "descriptoin" in action


def test_workflows__hold_recipes_own_ones_and_whole_examples():
    assert {"workflows-ci.yml", "recipes-basic.yml", "README-1.yml"} <= set(WORKFLOWS)
    assert "COMMIT" not in WORKFLOWS["recipes-basic.yml"]


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.name)
def test_recipes__pin_actions_grant_little_and_give_inputs_that_exist(path):
    text = path.read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    assert all(USES.fullmatch(each) for each in re.findall(r"uses: (.*)", text))
    for job in workflow["jobs"].values():
        assert "permissions" in job
        if "uses" in job:  # of a reusable workflow, whose jobs have limits of their own
            continue
        assert "timeout-minutes" in job
        for step in job["steps"]:
            if step.get("uses", "").startswith("OWNER/devpulse@"):
                assert set(step.get("with", {})) <= INPUTS


def test_recipes__are_all_in_the_table():
    table = (ROOT / "docs" / "recipes" / "README.md").read_text("utf-8")
    assert {path.name for path in RECIPES} <= set(re.findall(r"[\w-]+\.yml", table))
