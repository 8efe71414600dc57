"""The schema of the configuration file: in step with the code, and of one mind with the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from tables import for_each

from devpulse.errors import ConfigurationError
from devpulse.options import OPTIONS
from devpulse.settings import FURTHER_KEYS, Settings
from devpulse.settings.schema import CONFIG_SCHEMA, config_schema, render_config_schema

ROOT = Path(__file__).parents[3]
SCHEMA_FILE = ROOT / "src" / "devpulse" / "output" / "schemas" / CONFIG_SCHEMA
VALIDATOR = Draft202012Validator(config_schema())
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


class Yaml12(yaml.SafeLoader):
    """YAML as editors read it: ``yes`` is a text, and so is a date."""

    yaml_implicit_resolvers = {  # noqa: RUF012  (the library's own way)
        first: [each for each in pairs if not each[0].endswith((":bool", ":timestamp"))]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


Yaml12.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), [*"tTfF"])


def schema_takes(text: str) -> bool:
    return VALIDATOR.is_valid(yaml.load(text, Loader=Yaml12))


def program_takes(text: str) -> bool:
    try:
        Settings.load({}, {}, text, ".devpulse.yml")
    except ConfigurationError:
        return False
    return True


def test_committed_schema__is_in_step_with_the_code():
    assert SCHEMA_FILE.read_text(encoding="utf-8") == render_config_schema()


def test_config_schema__is_itself_valid_and_has_every_key():
    Draft202012Validator.check_schema(config_schema())
    keys = {option.name for option in OPTIONS if option.in_config} | set(FURTHER_KEYS)
    assert set(config_schema()["properties"]) == keys


TAKEN = [
    "", "---\n", "fail-on: high", "fail-on: HIGH", "fail-on: none", "fail-on:", 'fail-on: " "', "engine: offline",
    "verify: true", "verify: no", "verify: Off", 'verify: "yes"', "fail-on-incomplete: auto",
    "fail-on-incomplete: true", "fail-on-incomplete: No", "max-parallel: 1", "max-parallel: 64", 'max-parallel: " 8 "',
    "max-parallel: +8", "token-budget: none", "token-budget: None", "token-budget: 5", "time-budget-minutes: .5",
    "time-budget-minutes: 5.", 'time-budget-minutes: "0.25"', "price-input: 0", "price-input: 0.3", "model: gemini-x",
    "model: 3.8", "model: models/x", "instructions: 42", "instructions: " + "x" * 1_200,
    "instructions: |\n  Two\n  lines.\n", "include: src/**", "include: [src/**, '!src/gen/**']", "exclude: []",
    "exclude: ''", "exclude: 'a, b'", "exclude: [1, true, ~]", "severity-overrides: {csrf: high, ssrf: LOW}",
    "severity-overrides: {}", "severity-overrides: csrf=high, ssrf=low", "severity-overrides: [csrf=high]",
    "severity-overrides: ''", "max-comments: 0", "summary: on-findings", "ignore:", "ignore: []",
    "ignore: [{path: tests/, reason: so}]", "ignore: [{category: csrf}]",
    "ignore: [{path: ./a.py, category: csrf, reason: 3}]", f"ignore: [{{fingerprint: {'A' * 32}}}]",
    "ignore: [{path: '', category: csrf}]", "paths: []", "paths:", "paths: [{path: a/, min-severity: high}]",
    "paths: [{path: '*.py', min-confidence: LOW, severity-overrides: {csrf: low}, instructions: x, ignore: []}]",
    "paths: [{path: a/, ignore: [{category: csrf, reason: so}]}]", "paths: [{path: 3, min-severity: low}]",
]  # fmt: skip

REFUSED = [
    "[]", "fail-on", "fial-on: high", "gemini-api-key: k", "config: x", "output-dir: x", "fail-on: hihg",
    "fail-on: [high]", "fail-on: true", "verify: maybe", "verify: 1", "verify: [true]", "fail-on-incomplete: perhaps",
    "max-parallel: 0", "max-parallel: 65", "max-parallel: 8.5", "max-parallel: many", "max-parallel: none",
    "max-parallel: [8]", "max-parallel: true", "token-budget: 0", "token-budget: -1", "token-budget: 1000000000000000",
    "time-budget-minutes: 0", "time-budget-minutes: soon", "price-input: -1", "price-input: none", "model: a b",
    "model: '-x'", "model: [x]", "instructions: " + "x" * 1_201, "instructions: {a: b}", "include: {a: b}",
    "include: [[a]]", "severity-overrides: {csrv: high}", "severity-overrides: {csrf: hihg}",
    "severity-overrides: {csrf: }", "severity-overrides: {csrf: [high]}", "severity-overrides: csrf",
    "severity-overrides: csrf=hihg", "severity-overrides: [csrf]", "severity-overrides: 3", "max-comments: 201",
    "shard: 2/8", "shards: 4", "fresh: true", "dry-run: true",
    "ignore: tests/", "ignore: {path: a}", "ignore: [tests/]", "ignore: [{}]", "ignore: [{reason: so}]",
    "ignore: [{path: '*.py'}]", "ignore: [{path: /a}]", "ignore: [{path: ../a}]", "ignore: [{path: [a]}]",
    "ignore: [{category: csrv}]", "ignore: [{category: CSRF}]", "ignore: [{fingerprint: abc}]",
    "ignore: [{path: a, because: so}]", "ignore: [{path: ' '}]", "ignore: [~]", "paths: a/", "paths: {path: a/}",
    "paths: [a/]", "paths: [{path: a/}]", "paths: [{path: a/, min-severity: }]", "paths: [{min-severity: low}]",
    "paths: [{path: '', min-severity: low}]", "paths: [{path: '!a', min-severity: low}]",
    "paths: [{path: '#a', min-severity: low}]", "paths: [{path: [a], min-severity: low}]",
    "paths: [{path: a/, fail-on: high}]", "paths: [{path: a/, min-severity: hihg}]",
    "paths: [{path: a/, severity-overrides: {csrv: low}}]", "paths: [{path: a/, ignore: csrf}]",
    "paths: [{path: a/, ignore: [{path: b/}]}]", "paths: [{path: a/, ignore: [{reason: so}]}]",
    "paths: [{path: a/, ignore: [{category: csrv}]}]", "paths: [{path: a/, instructions: " + "x" * 1_201 + "}]",
]  # fmt: skip


@for_each(TAKEN, lambda text: text[:200])
def test_config_schema__takes_what_the_program_takes(text):
    assert program_takes(text)
    assert schema_takes(text)


@for_each(REFUSED, lambda text: text[:200])
def test_config_schema__refuses_what_the_program_refuses(text):
    assert not program_takes(text)
    assert not schema_takes(text)


# What a schema cannot say is the program's alone to refuse.
@pytest.mark.parametrize("text", ['max-parallel: "65"', "include: ['#x']", "max-parallel: 8.0"])
def test_config_schema__leaves_the_rest_to_the_program(text):
    assert schema_takes(text)
    assert not program_takes(text)


def examples() -> list[tuple[str, str]]:
    """The YAML blocks of the pages that are configuration files, and the rows of the tuning page."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        blocks = re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        found += [(page.name, block) for block in blocks if not re.search(r"^(?:on|jobs|repos):", block, re.MULTILINE)]
    rows = re.findall(
        r"^\| [^|]+ \| (`[a-z-]+: [^|]+`) \|", (ROOT / "docs" / "tuning.md").read_text("utf-8"), re.MULTILINE
    )
    found += [
        ("tuning.md", each.replace("…", "f" * 32)) for row in rows for each in re.findall(r"`([a-z-]+: [^`]+)`", row)
    ]
    return found


@pytest.mark.parametrize(("page", "text"), examples(), ids=lambda each: each[:30])
def test_examples__of_the_documents_are_right(page, text):
    assert program_takes(text), page
    assert schema_takes(text), page


def test_examples__there_are_some_on_each_page_that_has_any():
    assert {page for page, _ in examples()} >= {"README.md", "quick-start.md", "reference.md", "tuning.md"}


def test_documents__say_where_the_schema_is():
    line = f"# yaml-language-server: $schema=https://raw.githubusercontent.com/OWNER/devpulse/COMMIT/{SCHEMA_FILE.relative_to(ROOT)}"
    assert line in (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
