"""Whole runs with a service that is down, comes back, or is too slow for the time that is left."""

from __future__ import annotations

import pytest
from builders import ScriptedModel, call, reply, submit
from harness import run_source
from repos import Repo

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.adapters.offline import OfflineEngine
from devpulse.core.review import Failed, Partial, Reviewed, SkipKind, Skipped
from devpulse.core.verdict import exit_status
from devpulse.errors import ModelUnavailable
from devpulse.pipeline.engines import OUTAGES, PAUSE_SECONDS

INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)
FILES = 8
DOWN = ModelUnavailable("nobody answers")
RULES_ONLY = Partial("model unavailable, rules only")


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for number in range(FILES):
        repo.write(f"f{number}.py", INJECTION)
    repo.commit("head")
    return repo


def review(repo, model, folder, **options):
    options = {"max_parallel": 1, "verify": False, **options}
    with Repository.open(repo.root) as opened:
        return run_source(GitRangeSource(opened, "main", "work"), model, folder, **options)


def outcomes(run):
    return [row.outcome for row in run.result.report.coverage]


def test_down__is_left_alone_after_three_files(repo, tmp_path):
    model = ScriptedModel(lambda _request: DOWN)
    run = review(repo, model, tmp_path / "out", fallback=OfflineEngine())
    assert outcomes(run) == [RULES_ONLY] * FILES
    assert len(run.result.report.findings) == FILES
    assert len(model.requests) == OUTAGES, "and no conclusion is asked for"
    assert run.result.model_down == "nobody answers"


def test_down__without_a_fallback_the_rest_fails_at_once_with_that_reason(repo, tmp_path):
    model = ScriptedModel(lambda _request: DOWN)
    run = review(repo, model, tmp_path / "out")
    assert outcomes(run) == [Failed("model unavailable: nobody answers")] * FILES
    assert len(model.requests) == OUTAGES
    assert exit_status(run.result.report, fail_on=None, fail_on_incomplete=False) == 4


def test_down__one_file_that_had_bad_luck_costs_no_other_its_review(repo, tmp_path):
    def respond(request):
        if request.task == "conclude":
            return reply(call("submit_conclusion", overall_risk="low", summary="x"))
        return DOWN if request.task.startswith(("f0", "f3")) else reply(submit())

    run = review(repo, ScriptedModel(respond), tmp_path / "out", fallback=OfflineEngine())
    unlucky = [outcome for outcome in outcomes(run) if outcome != Reviewed()]
    assert unlucky == [RULES_ONLY] * 2
    assert run.result.model_down == "nobody answers"


def test_down__once_it_is_back_the_rest_is_reviewed(repo, tmp_path):
    """Between two files a minute goes by; the one that tries is answered."""
    now = [0.0]

    def clock():
        now[0] += PAUSE_SECONDS / 2
        return now[0]

    def respond(_request):
        return DOWN if len(model.requests) <= OUTAGES else reply(submit())

    model = ScriptedModel(respond)
    run = review(repo, model, tmp_path / "out", fallback=OfflineEngine(), clock=clock)
    assert outcomes(run).count(Reviewed()) >= 3
    assert outcomes(run).count(RULES_ONLY) >= OUTAGES
    assert set(outcomes(run)) == {Reviewed(), RULES_ONLY}


def test_time__a_request_cut_short_by_its_end_is_no_outage(repo, tmp_path):
    """The last request gets only the time that is left: that it had no answer says nothing about the service."""

    def respond(_request):
        return reply(submit()) if len(model.requests) < 3 else DOWN

    model = ScriptedModel(respond)

    def stopped():
        return "time budget used up" if len(model.requests) >= 3 else ""

    run = review(repo, model, tmp_path / "out", fallback=OfflineEngine(), stopped=stopped)
    assert outcomes(run).count(Reviewed()) == 2
    assert outcomes(run).count(Skipped("time budget used up", SkipKind.LIMIT)) == FILES - 2
    assert run.result.model_down == ""
    assert exit_status(run.result.report, fail_on=None, fail_on_incomplete=True) == 3


def test_time__when_it_is_over_not_even_rules_run_and_what_is_done_stands(repo, tmp_path):
    model = ScriptedModel(lambda _request: reply(submit()))

    def over():
        return "time budget used up" if len(model.requests) >= 2 else ""

    run = review(repo, model, tmp_path / "out", over=over, stopped=over)
    unread = Skipped("time budget used up, not even the rules ran", SkipKind.LIMIT)
    assert sorted(map(str, outcomes(run))) == sorted(map(str, [Reviewed()] * 2 + [unread] * (FILES - 2)))
    assert run.result.report.incomplete
    assert len(run.result.report.findings) == 2, "of the leads that the model did not mention"
