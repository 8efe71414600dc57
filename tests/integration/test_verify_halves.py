"""Verifications that do not fit into one context, or whose answers do not."""

import pytest
from builders import ScriptedModel, call, reply, submit, submitted_finding
from harness import FENCE_KEY, run_source
from repos import Repo

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.core.budget import ContextBudget
from devpulse.core.fence import Fence
from devpulse.core.finding import FindingStatus
from devpulse.core.messages import StopReason, Usage
from devpulse.core.review import Partial, Reviewed
from devpulse.core.verify_text import verdict_id


@pytest.fixture
def review(tmp_path):
    def reviewed(verify, lines, **options):
        """A review that finds something in each of so many lines; gives outcome, statuses, use and verifications."""
        repo = Repo(tmp_path / "repo")
        repo.write("keep.txt", "x\n")
        repo.commit("base")
        repo.git("switch", "--quiet", "--create", "work")
        code = [f'db.run("select {n}" + name{n})' for n in range(lines)]
        repo.write("a.py", "\n".join(code) + "\n")
        repo.commit("head")
        found = [
            submitted_finding(start_line=n, end_line=n, evidence=row, description="so " * 600)
            for n, row in enumerate(code, 1)
        ]
        model = ScriptedModel(lambda r: verify(r) if r.task.endswith(".verify") else reply(submit(*found)))
        with Repository.open(repo.root) as opened:
            report = run_source(
                GitRangeSource(opened, "main", "work"), model, tmp_path / "out", **options
            ).result.report
        (row,) = report.coverage
        asked = [request.task.partition("-")[2][8:] for request in model.requests if request.task.endswith(".verify")]
        return row.outcome, {finding.status for finding in report.findings}, report.context_use, asked

    return reviewed


def refute(request):
    (found,) = Fence(FENCE_KEY).blocks("findings", request.messages[1].text)
    names = [verdict_id(number) for number, _ in enumerate(found.split("\n"), 1)]
    verdicts = [{"id": name, "verdict": "refuted", "reason": "it says so"} for name in names]
    return reply(call("submit_verdicts", verdicts=verdicts))


def test_verify__what_is_too_large_for_one_context_is_verified_in_halves(review):
    outcome, statuses, use, asked = review(refute, 24, budget=ContextBudget(16_000))
    assert (outcome, statuses) == (Reviewed(), {FindingStatus.DISPUTED})
    assert asked == [".1.verify", ".2.verify"], "the whole is never sent"
    assert (use.splits, use.steps) == (1, 3)


def test_verify__an_answer_cut_off_is_asked_for_in_smaller_pieces_until_one_finding_is_left(review):
    cut_off = reply(text="I", stop=StopReason.TRUNCATED, usage=Usage(1, 10, 0, 10))
    outcome, statuses, use, asked = review(lambda _request: cut_off, 2)
    assert outcome == Partial("verification failed: the answer was cut off at its length limit")
    assert statuses == {FindingStatus.OPEN}
    assert asked == [".verify", ".1.verify", ".2.verify"]
    assert use.splits == 1


def test_verify__halves_have_an_end(review):
    cut_off = reply(text="I", stop=StopReason.TRUNCATED, usage=Usage(1, 10, 0, 10))
    _, _, use, asked = review(lambda _request: cut_off, 24)
    assert (len(asked), use.splits) == (31, 15)
