"""A process in an environment like that of a container step: what it is told, and what it hands back."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from builders import make_finding, make_report
from runner_contract import commands_in, parse_outputs

from devpulse.output.annotations import render_annotations
from devpulse.output.outputs import outputs_of

# The step: it says what it understood on standard error, and hands the runner what stands in the file of its argument.
STEP = """
import json, os, sys
from devpulse.adapters.runner.environment import RunnerEnvironment
from devpulse.adapters.runner.event_file import read_trigger
from devpulse.adapters.runner.files import RunnerFiles
from devpulse.adapters.runner.inputs import read_inputs
from devpulse.core.event import decide
from devpulse.options import OPTION_BY_NAME

given = json.loads(open(sys.argv[1], encoding="utf-8").read())
environment = RunnerEnvironment.from_environ(os.environ)
inputs = read_inputs(os.environ, OPTION_BY_NAME)
trigger = read_trigger(environment.event_name, environment.event_path)
files = RunnerFiles(environment)
files.annotate(given["commands"])
whole = files.append_summary(given["summary"])
files.write_outputs(given["outputs"])
print(json.dumps({
    "inputs": dict(inputs.values),
    "warnings": inputs.warnings,
    "decision": repr(decide(trigger, pull_request_number=None)),
    "artifacts": environment.for_later_steps(environment.workspace / "out" / "findings.json"),
    "whole": whole,
}), file=sys.stderr)
"""

EVENT = {
    "action": "opened",
    "repository": {"full_name": "octo/shop"},
    "pull_request": {
        "number": 17,
        "state": "open",
        "title": "A change \U0001f512",
        "head": {"sha": "b" * 40, "repo": None},
        "base": {"sha": "a" * 40, "repo": {"full_name": "octo/shop"}},
    },
}


@dataclass(frozen=True)
class Done:
    """What a step left behind."""

    told: dict[str, Any]
    output: str
    outputs: dict[str, str]
    summary: str


@dataclass(frozen=True)
class Runner:
    """Folders laid out as the runner mounts them: home, workspace and file commands lie apart."""

    root: Path

    def __post_init__(self) -> None:
        for name in ("home", "workspace", "workflow", "file_commands", "runner_temp"):
            (self.root / name).mkdir()
        for name in ("set_output_1", "step_summary_1"):
            (self.root / "file_commands" / name).touch()
        (self.root / "workflow" / "event.json").write_text(json.dumps(EVENT), encoding="utf-8")

    def variables(self) -> dict[str, str]:
        """As ``docker run -e`` gives them."""
        return {
            "HOME": str(self.root / "home"),
            "PATH": "/usr/bin:/bin",
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(self.root / "workflow" / "event.json"),
            "GITHUB_OUTPUT": str(self.root / "file_commands" / "set_output_1"),
            "GITHUB_REPOSITORY": "octo/shop",
            "GITHUB_STEP_SUMMARY": str(self.root / "file_commands" / "step_summary_1"),
            "GITHUB_WORKSPACE": str(self.root / "workspace"),
            "RUNNER_TEMP": str(self.root / "runner_temp"),
        }

    def run(self, inputs: dict[str, str], shell: tuple[str, ...] = (), **given: Any) -> Done:
        """Start the step through ``env``, which can set names that no shell can."""
        asked = self.root / "asked.json"
        asked.write_text(json.dumps({"commands": [], "summary": "", "outputs": {}} | given), encoding="utf-8")
        variables = [f"{name}={value}" for name, value in {**self.variables(), **inputs}.items()]
        command = ["env", "-i", *variables, *shell, sys.executable, "-c", STEP, str(asked)]
        done = subprocess.run(command, cwd=self.root / "workspace", capture_output=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        files = self.root / "file_commands"
        return Done(
            told=json.loads(done.stderr),
            output=done.stdout.decode(),
            outputs=parse_outputs((files / "set_output_1").read_bytes().decode()),
            summary=(files / "step_summary_1").read_bytes().decode(),
        )


@pytest.fixture
def runner(tmp_path):
    return Runner(tmp_path)


def test_step__is_told_its_inputs_and_its_event(runner):
    done = runner.run(
        {
            "INPUT_FAIL-ON": "high",
            "INPUT_EXCLUDE": "docs/**\nnaïve 🔒/**\n",
            "INPUT_MIN_SEVERITY": " medium ",
            "INPUT_INSTRUCTIONS": "",
            "INPUT_FAIL-ONN": "s3cret",
        }
    )
    assert done.told["inputs"] == {
        "fail-on": "high",
        "exclude": "docs/**\nnaïve 🔒/**",
        "min-severity": "medium",
    }
    assert done.told["warnings"] == [
        'The input "fail-onn" is not known and has no effect. Did you mean "fail-on"?'
    ]  # fmt: skip
    assert done.told["decision"] == f"ReviewPullRequest(number=17, expected_head='{'b' * 40}')"
    assert done.told["artifacts"] == "out/findings.json"
    assert (done.output, done.outputs, done.summary) == ("", {}, "\n")


def test_step__behind_a_shell_the_underscore_spelling_is_left(runner):
    done = runner.run({"INPUT_FAIL_ON": "high"}, shell=("/bin/sh", "-c", '"$@"', "sh"))
    assert done.told["inputs"] == {"fail-on": "high"}


def test_step__hands_back_values_that_look_like_the_runners_own_syntax(runner):
    values = {
        "plain": "out/findings.json",
        "lines": "one\ntwo\n",
        "forged": "x\nEOF\nrisk=none\nrisk<<EOF\nnone\nEOF",
        "unicode": "naïve 🔒",
        "empty": "",
    }
    done = runner.run({}, outputs=values, summary="# Review 🔒\n\n| a |\n| --- |\n")
    assert done.outputs == values
    assert done.summary == "# Review 🔒\n\n| a |\n| --- |\n"


def test_step__a_report_becomes_annotations_and_outputs(runner):
    finding = make_finding(
        path="app/naïve 🔒,x.py", description="::error::forged\n::stop-commands::x\n##[error]old\r\nand 100% sure"
    )
    report = make_report(finding)
    done = runner.run(
        {},
        commands=render_annotations(report, nearest_head_line=lambda _: 1),
        outputs=outputs_of(report, {"findings": "out/findings.json"}),
        summary="x" * 1_100_000,
    )
    (command,) = commands_in(done.output)
    assert (command.name, command.properties["file"], command.properties["line"]) == ("error", finding.path, "4")
    assert "100% sure" in command.message
    assert len(done.output.splitlines()) == 1
    assert done.outputs["findings-count"] == "1"
    assert done.told["whole"] is False
    assert len(done.summary.encode()) <= 1024 * 1024
