"""Jobs with rights that run what a pull request brings."""

from __future__ import annotations

import pytest
from rule_tables import marked_lines, posted_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.workflows.checkout import RULE

WORKFLOW = ".github/workflows/build.yml"
_STEPS = """\
jobs:
  build:{job}
    steps:
      - uses: actions/checkout@v5{with_ref}
      - {then}
"""
_SHA = "\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}"


def _workflow(
    on: str = "pull_request_target", with_ref: str = f"{_SHA} # BAD", then: str = "run: npm ci", job: str = ""
) -> str:
    return f"on: {on}\n" + _STEPS.format(job=job, with_ref=with_ref, then=then)


REPORTED = {
    "install": _workflow(),
    "script of theirs": _workflow(then="run: ./build.sh"),
    "lines": _workflow(then="run: |\n          cd web\n          yarn build"),
    "action of theirs": _workflow(then="uses: ./.github/actions/test"),
    "by the name of the branch": _workflow(with_ref="\n        with:\n          ref: ${{ github.head_ref }} # BAD"),
    "by the number": _workflow(
        on="issue_comment",
        with_ref="\n        with:\n          ref: refs/pull/${{ github.event.issue.number }}/merge # BAD",
    ),
    "after another run": _workflow(
        on="[workflow_run]",
        with_ref="\n        with:\n          ref: ${{ github.event.workflow_run.head_sha }} # BAD",
    ),
    "other repository": _workflow(
        with_ref="\n        with:\n          repository: ${{ github.event.pull_request.head.repo.full_name }} # BAD"
    ),
    "folder that is entered": _workflow(
        with_ref=f"{_SHA} # BAD\n          path: theirs", then="run: cd theirs && make all"
    ),
    "later in a job with several": _workflow(then="run: echo go\n      - run: python -m build"),
}
QUIET = {
    "base": _workflow(with_ref=""),
    "base by name": _workflow(with_ref="\n        with:\n          ref: ${{ github.event.pull_request.base.sha }}"),
    "no rights": _workflow(on="pull_request"),
    "own pull requests": _workflow(job="\n    if: github.event.pull_request.head.repo.full_name == github.repository"),
    "no fork": _workflow(job="\n    if: ${{ !github.event.pull_request.head.repo.fork }}"),
    "somebody has to label it": _workflow(job="\n    if: contains(github.event.pull_request.labels.*.name, 'safe')"),
    "somebody has to approve it": _workflow(job="\n    environment: external"),
    "who wrote it is asked": _workflow(
        job="\n    if: github.event.comment.author_association == 'MEMBER'", on="issue_comment"
    ),
    "read as data": _workflow(then="run: wc -l README.md"),
    "folder that nothing runs in": _workflow(with_ref=f"{_SHA}\n          path: theirs", then="run: make lint"),
    "nothing after it": _workflow(then="uses: acme/label@v1"),
    "other action": _workflow().replace("actions/checkout", "acme/checkout").replace(" # BAD", ""),
    "other job": f"on: pull_request_target\n{_STEPS.format(job='', with_ref=_SHA, then='run: ls')}"
    "  other:\n    steps:\n      - run: make",
    "filter of a trigger": "on:\n  push:\n    branches: [pull_request_target]\n"
    + _STEPS.format(job="", with_ref=_SHA, then="run: make all"),
}


@pytest.mark.parametrize("name", REPORTED)
def test_check__reports(name):
    assert posted_lines(RULE, REPORTED[name], path=WORKFLOW) == marked_lines(REPORTED[name])
    assert marked_lines(REPORTED[name])


@pytest.mark.parametrize("name", QUIET)
def test_check__is_quiet(name):
    assert posted_lines(RULE, QUIET[name], path=WORKFLOW) == []


def test_check__a_label_makes_it_less_sure():
    [hit] = run(RULE, QUIET["somebody has to label it"], path=WORKFLOW)

    assert hit.confidence is Confidence.LOW


def test_check__step_that_asks_who_it_is_makes_it_less_sure():
    asked = "- uses: acme/actor-permission@v1\n      - uses: actions/checkout"
    [hit] = run(RULE, _workflow().replace("- uses: actions/checkout", asked), path=WORKFLOW)

    assert hit.confidence is Confidence.LOW


def test_check__trace_names_trigger_checkout_and_what_runs():
    [hit] = run(RULE, REPORTED["install"], path=WORKFLOW)

    assert hit.trace is not None
    assert [step.line for step in hit.trace.all_steps()] == [1, 7, 8]
    assert (hit.category, hit.confidence) == ("code-injection", Confidence.HIGH)
