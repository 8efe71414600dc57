"""docs/reference.md in step with the code."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
import yaml

from devpulse.adapters.artifacts import _OWN_NAMES
from devpulse.cli import devpulse
from devpulse.core.rules import RULES
from devpulse.errors import ExitStatus
from devpulse.options import options_of
from devpulse.settings import Settings

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "write_docs.py"))
CONFIGURATIONS = [
    pytest.param(text, id=f"{page.name}-{number}")
    for page in PAGES
    for number, text in enumerate(re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
    if isinstance(yaml.safe_load(text), dict) and not {"on", True, "jobs", "steps", "repos"} & set(yaml.safe_load(text))
]


def test_reference__holds_what_the_code_says():
    document = (ROOT / "docs" / "reference.md").read_text("utf-8")
    assert SCRIPT["with_tables"](document) == document, "run make docs"


def test_with_tables__a_missing_place_is_named():
    with pytest.raises(ValueError, match="0 places for the table of inputs"):
        SCRIPT["with_tables"]("# Reference\n")


def test_tables__every_artifact_and_status_is_described():
    assert set(SCRIPT["ARTIFACTS"]) == set(_OWN_NAMES)
    assert set(SCRIPT["STATUSES"]) == set(ExitStatus)


def test_category_table__names_a_language_only_where_a_rule_can_report_something():
    rows = {row.split("|")[1].strip(): row for row in SCRIPT["category_table"]().splitlines()}
    assert "Java," in rows["`xml-external-entity`"]
    assert "Go" not in rows["`xml-external-entity`"]
    assert "any text" in rows["`hardcoded-secret`"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_category_table__no_category_with_a_rule_is_left_to_models(rule):
    (row,) = (row for row in SCRIPT["category_table"]().splitlines() if f"`{rule.category}`" in row)
    assert "models only" not in row


def test_input_table__names_every_command_that_heeds_an_input():
    heeded = {row.split("|")[1].strip(" `"): row.split("|")[4] for row in SCRIPT["input_table"]().splitlines()}
    for command in devpulse.commands:
        for option in options_of(command):
            assert f"`{command}`" in heeded[option.name], (command, option.name)


@pytest.mark.parametrize("text", CONFIGURATIONS)
def test_configuration_examples__are_accepted(text):
    assert Settings.load({}, {}, text, ".devpulse.yml").ignores is not None
