"""Expressions with what others wrote in the scripts of workflows and actions."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, make_source, marked_lines, posted_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.workflows import is_workflow
from devpulse.core.rules.workflows.injection import RULE

WORKFLOW, ACTION = ".github/workflows/triage.yml", "tools/label/action.yml"


def _on(event: str, *steps: str) -> str:
    return "\n".join((f"on: {event}", "jobs:", "  one:", "    steps:", *steps))


REPORTED = {
    "title of an issue": _on("issues", '      - run: echo "${{ github.event.issue.title }}"  # BAD'),
    "text over lines": _on(
        "[issue_comment]",
        "      - name: answer\n        run: |\n          set -e",
        "          say '${{ github.event.comment.body }}' # BAD",
    ),
    "list of triggers": "on:\n  - pull_request_target\njobs:\n  a:\n    steps:\n"
    "      - run: git log ${{ github.head_ref }} # BAD",
    "map of triggers": "on:\n  discussion:\n    types: [created]\njobs:\n  a:\n    steps:\n"
    "    - run: post ${{ github.event.discussion['body'] }} # BAD",
    "in quotes and with a default": _on("issues", "      - run: x '${{ github.event.issue.body || 'none' }}' # BAD"),
    "formatted": _on(
        "workflow_run", "      - run: x ${{ format('b={0}', github.event.workflow_run.head_branch) }} # BAD"
    ),
    "whole event": _on("issues", "      - run: echo '${{ toJSON(github.event) }}' > e.json # BAD"),
    "through env": _on(
        "issues",
        "      - env:\n          TITLE: ${{ github.event.issue.title }}\n        run: echo ${{ env.TITLE }} # BAD",
    ),
    "script of JavaScript": _on(
        "issues",
        "      - uses: actions/github-script@v8\n        with:\n          script: |\n"
        "            core.info(`${{ github.event.issue.title }}`) # BAD",
    ),
    "message that somebody merged": _on("push", "      - run: tell '${{ github.event.head_commit.message }}' # BAD"),
    "chosen by a condition": _on(
        "issues", "      - run: x ${{ github.event.action == 'opened' && github.event.issue.title }} # BAD"
    ),
    "comment in a script": _on(
        "issues", "      - run: |\n          # ${{ github.event.issue.title }} # BAD\n          true"
    ),
}
QUIET = {
    "job of another trigger": "on: [push, pull_request, issues]\njobs:\n  a:\n    if: github.event_name == 'push'\n"
    "    steps:\n      - run: tell '${{ github.event.head_commit.message }}'",
    "through a variable": _on(
        "issues", '      - env:\n          TITLE: ${{ github.event.issue.title }}\n        run: echo "$TITLE"'
    ),
    "numbers and hashes": _on(
        "issues", "      - run: x ${{ github.event.issue.number }} ${{ github.sha }} ${{ github.event.after }}"
    ),
    "compared": _on("issues", "      - run: x ${{ github.event.issue.title == 'ping' }}"),
    "looked for": _on("issues", "      - run: x ${{ contains(github.event.issue.body, '[x]') }}"),
    "condition of a step": _on("issues", "      - if: contains(github.event.issue.title, 'ci')\n        run: make"),
    "input of an action": _on(
        "issues", "      - uses: acme/label@v1\n        with:\n          title: ${{ github.event.issue.title }}"
    ),
    "name as a text": _on("issues", "      - run: echo 'github.event.issue.title'"),
    "text of an expression": _on("issues", "      - run: echo ${{ 'github.event.issue.title' }}"),
    "code of theirs without rights": _on("pull_request", "      - run: git switch ${{ github.head_ref }}"),
    "what maintainers choose": _on("workflow_dispatch", "      - run: ./deploy ${{ inputs.target }}"),
    "other YAML key": _on(
        "issues", "      - uses: acme/x@v1\n        with:\n          script: ${{ github.event.issue.title }}"
    ),
    "comment": "on: issues\n# run: ${{ github.event.issue.title }}\njobs: {}",
    "no expression": _on("issues", "      - run: make"),
}


@pytest.mark.parametrize("name", REPORTED)
def test_check__reports(name):
    assert sorted(posted_lines(RULE, REPORTED[name], path=WORKFLOW)) == marked_lines(REPORTED[name])
    assert marked_lines(REPORTED[name])


@pytest.mark.parametrize("name", QUIET)
def test_check__is_quiet(name):
    assert posted_lines(RULE, QUIET[name], path=WORKFLOW) == []


@pytest.mark.parametrize(
    ("event", "confidence"),
    [
        ("issues", Confidence.HIGH),
        ("['pull_request_target']", Confidence.HIGH),
        ("{issue_comment: {types: [created]}}", Confidence.HIGH),
        ("push", Confidence.MEDIUM),
        ("[push, pull_request]", Confidence.MEDIUM),
        ("pull_request", Confidence.LOW),
    ],
)
def test_check__is_as_sure_as_the_run_has_rights(event, confidence):
    [hit] = run(RULE, _on(event, "      - run: x ${{ github.event.pull_request.title }}"), path=WORKFLOW)

    assert hit.confidence is confidence


def test_check__an_action_may_be_used_anywhere():
    code = "runs:\n  using: composite\n  steps:\n    - run: x {}\n      shell: bash"
    [title] = run(RULE, code.replace("{}", "${{ github.event.issue.title }}"), path=ACTION)
    [given] = run(RULE, code.replace("{}", "${{ inputs.version }}"), path=ACTION)

    assert (title.confidence, given.confidence) == (Confidence.MEDIUM, Confidence.LOW)


def test_check__kind_of_script_says_what_runs():
    shell, script = (
        run(RULE, REPORTED[name], path=WORKFLOW)[0] for name in ("title of an issue", "script of JavaScript")
    )

    assert (shell.category, shell.cwe) == ("command-injection", 78)
    assert (script.category, script.cwe) == ("code-injection", 94)


def test_check__trace_leads_from_the_trigger_over_env():
    [hit] = run(RULE, REPORTED["through env"], path=WORKFLOW)

    assert hit.trace is not None
    assert [step.line for step in hit.trace.all_steps()] == [1, 6, 7]


def test_check__every_line_of_a_script():
    code = _on("issues", "      - run: |\n" + "          x ${{ github.event.issue.title }}\n" * 3)

    assert lines_of(run(RULE, code, path=WORKFLOW)) == [6, 7, 8]


def test_check__tabs_and_line_ends():
    code = _on("issues", "      - run:\techo ${{ github.event.issue.title }}").replace("\n", "\r\n")
    [hit] = run(RULE, code, path=WORKFLOW)

    assert (hit.start_line, hit.confidence) == (5, Confidence.HIGH)


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ('[{run: "x ${{ github.event.issue.title }}"}]', True),
        ("[{uses: ${{ x }}}]", False),
        ("\n      - run: |\n          x ${{\n          github.event.issue.title }}", True),
    ],
)
def test_stopped__steps_in_flow_style(steps, told):
    assert RULE.stopped(make_source(f"on: issues\njobs:\n  a:\n    steps: {steps}", path=WORKFLOW)) is told


@pytest.mark.parametrize("path", [".github/workflows/a.yml", ".github/workflows/a.yaml", "action.yml", "x/action.yaml"])
def test_is_workflow(path):
    assert is_workflow(make_source("", path=path))


@pytest.mark.parametrize("path", ["docs/.github/workflows/a.yml", ".github/a.yml", "reaction.yml", "workflows/a.yml"])
def test_is_workflow__what_github_never_runs(path):
    assert not is_workflow(make_source("", path=path))
