"""Jobs with rights that run what a pull request brings."""

from __future__ import annotations

import pytest
from rule_tables import make_source, marked_lines, posted_lines, run

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
    "by the command line": _workflow(with_ref="", then="run: gh pr checkout 7 && make all # BAD"),
    "fetched by git": _workflow(
        with_ref="",
        then="run: |\n          git fetch origin pull/$N/head:pr && git switch pr # BAD\n          ./test.sh",
    ),
    "fetched by the number": _workflow(
        with_ref="",
        then="run: |\n          git fetch origin pull/${{ github.event.number }}/head # BAD\n"
        "          git checkout FETCH_HEAD\n          npm ci",
    ),
    "fetched in a step before": _workflow(
        with_ref="",
        then="run: git checkout ${{ github.event.pull_request.head.sha }} # BAD\n      - run: npm ci",
    ),
    "guard against one bot": _workflow(job="\n    if: github.actor != 'dependabot[bot]'"),
    "guard by the lack of a label": _workflow(
        job="\n    if: \"!contains(github.event.pull_request.labels.*.name, 'skip')\""
    ),
    "guard with another way": _workflow(
        job="\n    if: github.event.pull_request.head.repo.full_name == github.repository || true"
    ),
    "name of a step that checks nothing": _workflow().replace(
        "    steps:\n", "    steps:\n      - name: Fix file permissions of a member\n        run: chmod +x run\n"
    ),
    "later in a job with several": _workflow(then="run: echo go\n      - run: python -m build"),
}
QUIET = {
    "base": _workflow(with_ref=""),
    "base by name": _workflow(with_ref="\n        with:\n          ref: ${{ github.event.pull_request.base.sha }}"),
    "no rights": _workflow(on="pull_request"),
    "own pull requests": _workflow(
        with_ref=_SHA, job="\n    if: github.event.pull_request.head.repo.full_name == github.repository"
    ),
    "no fork": _workflow(with_ref=_SHA, job="\n    if: ${{ !github.event.pull_request.head.repo.fork }}"),
    "somebody has to label it": _workflow(
        with_ref=_SHA, job="\n    if: contains(github.event.pull_request.labels.*.name, 'safe')"
    ),
    "somebody has to approve it": _workflow(with_ref=_SHA, job="\n    environment: external"),
    "who wrote it is asked": _workflow(
        with_ref=_SHA, job="\n    if: github.event.comment.author_association == 'MEMBER'", on="issue_comment"
    ),
    "guard over lines": _workflow(
        with_ref=_SHA,
        job="\n    if: |\n      github.event.action == 'opened' &&\n"
        "      (github.event.pull_request.head.repo.full_name == github.repository)",
    ),
    "run of what was merged": _workflow(with_ref=_SHA, job="\n    if: github.event.pull_request.merged == true"),
    "run after a push": _workflow(
        on="[workflow_run]",
        job="\n    if: github.event.workflow_run.event == 'push'",
        with_ref="\n        with:\n          ref: ${{ github.event.workflow_run.head_sha }}",
    ),
    "job of another trigger": _workflow(
        with_ref=_SHA, on="[pull_request, pull_request_target]", job="\n    if: github.event_name == 'pull_request'"
    ),
    "build before the fetch": _workflow(with_ref="", then="run: |\n          make all\n          gh pr checkout 7"),
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


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_check__line_ends_and_byte_order_marks_change_nothing(ends):
    [hit] = run(RULE, ("\ufeff" + REPORTED["install"]).replace("\n", ends), path=WORKFLOW)

    assert (hit.start_line, hit.confidence) == (7, Confidence.HIGH)


def test_stopped__what_a_step_is_given_in_flow_style():
    flow = "\n        with: {ref: '${{ github.event.pull_request.head.sha }}'}"

    assert RULE.stopped(make_source(_workflow(with_ref=flow), path=WORKFLOW))
    assert not RULE.stopped(make_source(_workflow(), path=WORKFLOW))
