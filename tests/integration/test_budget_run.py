"""Whole runs under budgets: calibration, splitting, usage reports, and tokens for the run as a whole."""

import json
from decimal import Decimal

import pytest
from builders import ScriptedModel, call, reply, submit, submitted_finding
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini
from fakes.gemini_replies import Call
from harness import FENCE_KEY, run_source
from repos import Repo

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.adapters.offline import OfflineEngine
from devpulse.cli import run
from devpulse.core.budget import ContextBudget
from devpulse.core.fence import Fence
from devpulse.core.messages import Usage
from devpulse.core.review import Partial, Reviewed, SkipKind, Skipped
from devpulse.errors import ContextOverflow
from devpulse.main.prices import Prices
from devpulse.pipeline.allowance import SPENT
from devpulse.pipeline.metering import whole_request_tokens

KEY = "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab"
LINES = 2_000
LONG = "".join(f"value_{number} = compute({number}, {number * 7}, {number * 13})\n" for number in range(LINES))
FILES = {"notes.md": "# Notes\n", "tests/test_b.py": "B = 1\n", "app/colors.py": "RED = 1\n", "app/login.py": "L = 1\n"}


def changed(folder, files):
    repo = Repo(folder)
    repo.write("keep.txt", "x\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for path, text in files.items():
        repo.write(path, text)
    repo.commit("head")
    return repo


def review(repo, model, folder, **options):
    with Repository.open(repo.root) as opened:
        return run_source(GitRangeSource(opened, "main", "work"), model, folder, **options)


def dense(times, cost=None):
    def respond(request):
        tokens = round(times * whole_request_tokens(request))
        return reply(submit(), usage=Usage(1, tokens, 0, 10, 0, cost))

    return ScriptedModel(respond)


def paths_of(model):
    fence = Fence(FENCE_KEY)
    return [json.loads("".join(fence.blocks("file", request.messages[1].text)))["path"] for request in model.requests]


def task_usage(run):
    return [json.loads(path.read_text())["usage"] for path in sorted((run.folder / "findings").glob("*.json"))]


def outcomes(run):
    return {row.path: row.outcome for row in run.result.report.coverage}


def test_calibration__parts_planned_before_it_are_halved_and_nothing_is_lost(tmp_path):
    repo = changed(tmp_path / "repo", {"a.py": LONG})
    model = dense(2.4)
    budget = ContextBudget()
    run = review(repo, model, tmp_path / "out", max_parallel=1, budget=budget)
    assert outcomes(run) == {"a.py": Reviewed()}
    assert budget.estimate.factor == 1.0, "a run keeps what it learns to itself"
    splits = [usage["splits"] for usage in task_usage(run)]
    assert sum(splits) == run.result.report.context_use.splits >= 1
    assert splits[0] == 0, "the first part is what the run learns from"
    sizes = [round(2.4 * whole_request_tokens(request)) for request in model.requests]
    assert max(sizes[1:]) <= budget.window * 80 // 100
    assert [usage["largest_request"] for usage in task_usage(run)] == [sizes[0], max(sizes[1:])]
    sent = "".join(request.messages[1].text for request in model.requests)
    assert all(f"value_{number} = " in sent for number in range(LINES))


def test_overflow__takes_the_same_path(tmp_path):
    repo = changed(tmp_path / "repo", {"a.py": LONG})
    limit = 10_500

    def respond(request):
        tokens = whole_request_tokens(request)
        return ContextOverflow("too long") if tokens > limit else reply(submit(), usage=Usage(1, tokens, 0, 10))

    model = ScriptedModel(respond)
    run = review(repo, model, tmp_path / "out", max_parallel=1)
    assert outcomes(run) == {"a.py": Reviewed()}
    refused = [request for request in model.requests if whole_request_tokens(request) > limit]
    assert len(refused) == 1, "one refusal teaches the run"
    assert max(map(whole_request_tokens, model.requests[1:])) <= limit
    assert sum(usage["splits"] for usage in task_usage(run)) >= 1


def test_overflow__that_no_split_helps_is_partial(tmp_path):
    repo = changed(tmp_path / "repo", {"a.py": LONG})
    run = review(repo, ScriptedModel(lambda _request: ContextOverflow("too long")), tmp_path / "out")
    (outcome,) = outcomes(run).values()
    assert isinstance(outcome, Partial)
    assert "context budget" in outcome.reason


def test_usage__of_each_task_and_of_all(tmp_path):
    repo = changed(tmp_path / "repo", FILES)
    run = review(repo, dense(1.5, Decimal("0.0001")), tmp_path / "out")
    every = task_usage(run)
    assert len(every) == 4
    for usage in every:
        assert usage["window"] == 32_000
        assert usage["largest_request"] == usage["input_tokens"] > 0
        assert usage["largest_request_percent"] == -(-usage["largest_request"] * 100 // 32_000)
        assert (usage["steps"], usage["splits"], usage["compactions"], usage["requests"]) == (1, 0, 0, 1)
        assert usage["cost_usd"] == 0.0001
    report = run.result.report
    assert report.cost_usd == 0.0004
    assert report.usage.input_tokens == sum(usage["input_tokens"] for usage in every)
    assert report.context_use.largest_request == max(usage["largest_request"] for usage in every)
    assert report.context_use.steps == 4


def test_usage__an_unknown_price_is_unknown_and_offline_costs_nothing(tmp_path):
    repo = changed(tmp_path / "repo", FILES)
    assert review(repo, dense(1.0), tmp_path / "out").result.report.cost_usd is None
    offline = review(repo, OfflineEngine(), tmp_path / "out2").result.report
    assert offline.cost_usd == 0.0
    assert 0 < offline.context_use.percent < 10


def test_token_budget__the_riskiest_files_first_and_the_rest_is_skipped(tmp_path):
    repo = changed(tmp_path / "repo", FILES)
    model = dense(1.0)
    first = review(repo, model, tmp_path / "all", max_parallel=1)
    assert paths_of(model) == ["app/login.py", "app/colors.py", "tests/test_b.py", "notes.md"]
    used = first.result.report.usage
    model = dense(1.0)
    budget = (used.input_tokens + used.output_tokens) // 2
    run = review(repo, model, tmp_path / "out", max_parallel=1, token_budget=budget)
    assert paths_of(model) == ["app/login.py", "app/colors.py"]
    late = Skipped(SPENT, SkipKind.LIMIT)
    assert outcomes(run) == {
        "app/login.py": Reviewed(), "app/colors.py": Reviewed(), "tests/test_b.py": late, "notes.md": late,
    }  # fmt: skip
    assert run.result.report.incomplete
    order = [row.path for row in run.result.report.coverage]
    assert order == [row.path for row in first.result.report.coverage] == sorted(order)
    plan = json.loads(run.artifact("plan.json"))["tasks"]
    assert [task["path"] for task in plan] == order
    assert [task["status"] for task in plan] == ["completed", "completed", "pending", "pending"]


def test_token_budget__what_is_begun_is_finished_and_verified(tmp_path):
    repo = changed(tmp_path / "repo", {"a.py": "A = 1\n", "b.py": "B = 1\n"})

    def respond(request):
        usage = Usage(1, 1_000, 0, 10)
        if request.task.endswith(".verify"):
            verdicts = [{"id": "F1", "verdict": "confirmed", "reason": "so it is"}]
            return reply(call("submit_verdicts", verdicts=verdicts), usage=usage)
        if request.step == 1:
            return reply(text="Let me think.", usage=usage)
        found = submitted_finding(start_line=1, end_line=1, evidence=request.messages[1].text.count("a.py") and "A = 1")
        return reply(submit(found), usage=usage)

    model = ScriptedModel(respond)
    run = review(repo, model, tmp_path / "out", max_parallel=1, token_budget=500)
    assert [request.task.rpartition(".")[2] == "verify" for request in model.requests] == [False, False, True]
    assert outcomes(run) == {"a.py": Reviewed(), "b.py": Skipped(SPENT, SkipKind.LIMIT)}


@pytest.mark.parametrize("parallel", [1, 8])
def test_token_budget__many_at_once_spend_it_on_whole_reviews(tmp_path, parallel):
    repo = changed(tmp_path / "repo", {f"app/f{number}.py": f"A = {number}\n" * 20 for number in range(8)})

    def respond(request):
        usage = Usage(1, 3_000, 0, 100)
        if request.step < 4:
            looks = call("read_lines", path="keep.txt", start_line=request.step, end_line=request.step)
            return reply(looks, usage=usage)
        return reply(submit(), usage=usage)

    model = ScriptedModel(respond)
    run = review(repo, model, tmp_path / "out", max_parallel=parallel, token_budget=45_000)
    every = list(outcomes(run).values())
    assert (every.count(Reviewed()), every.count(Skipped(SPENT, SkipKind.LIMIT))) == (4, 4)
    assert len(model.requests) == 16
    used = run.result.report.usage
    assert used.input_tokens + used.output_tokens == 4 * 12_400


def test_token_budget__what_rules_found_stands_without_a_child(tmp_path):
    repo = changed(tmp_path / "repo", {"app/a.py": "A = 1\n" * 9, "app/b.py": f'TOKEN = "{KEY}"\n'})
    run = review(repo, dense(1.0), tmp_path / "out", max_parallel=1, token_budget=1)
    assert outcomes(run)["app/b.py"] == Skipped(SPENT, SkipKind.LIMIT)
    assert [finding.path for finding in run.result.report.findings] == ["app/b.py"]


@pytest.mark.parametrize(("budget", "asked"), [(None, True), (2_000, False)])
def test_token_budget__no_conclusion_once_it_is_used_up(tmp_path, budget, asked):
    repo = changed(tmp_path / "repo", {"a.py": "A = 1\n", "b.py": "A = 1\n"})

    def respond(request):
        if request.task == "conclude":
            return reply(call("submit_conclusion", overall_risk="high", summary="Both."))
        found = submitted_finding(start_line=1, end_line=1, evidence="A = 1")
        return reply(submit(found), usage=Usage(1, 1_500, 0, 10))

    model = ScriptedModel(respond)
    run = review(repo, model, tmp_path / "out", max_parallel=1, verify=False, token_budget=budget)
    assert list(outcomes(run).values()) == [Reviewed(), Reviewed()]
    assert any(request.task == "conclude" for request in model.requests) is asked


@pytest.mark.parametrize(
    ("flags", "status"),
    [
        (["--token-budget", "1"], 0),
        (["--token-budget", "1", "--fail-on-incomplete", "true"], 3),
        (["--token-budget", "1", "--fail-on", "high"], 3),
        (["--token-budget", "none", "--fail-on", "high"], 0),
        (["--time-budget-minutes", "0.0000001"], 4),
    ],
)
def test_token_budget__exit_status(tmp_path, flags, status, capsys):
    repo = changed(tmp_path / "repo", FILES)
    arguments = ["--base", "main", "--head", "work", "--engine", "offline", "--max-parallel", "1"]
    state = ["--state-dir", str(tmp_path / "state")]
    assert run(["review", str(repo.root), *arguments, *state, *flags]) == status
    printed = capsys.readouterr().out
    assert ("token budget used up" in printed) is ("1" in flags)


def test_token_budget__what_is_stored_is_free_so_that_runs_get_on(tmp_path, capsys):
    repo = changed(tmp_path / "repo", FILES)
    arguments = ["--base", "main", "--head", "work", "--engine", "offline", "--max-parallel", "1"]
    command = ["review", str(repo.root), *arguments, "--state-dir", str(tmp_path / "state"), "--token-budget", "1"]
    for done in (1, 2, 3, 4):
        run(command)
        rows = json.loads((repo.root / "devpulse-artifacts" / "findings.json").read_text())["coverage"]
        assert sum(row["outcome"] == "reviewed" for row in rows) == done
    capsys.readouterr()


def test_gemini__cost_tokens_and_contexts_are_reported(tmp_path, monkeypatch, capsys):
    repo = changed(tmp_path / "repo", FILES)
    form = {"findings": [], "dismissed_leads": [], "overall_risk": "none", "summary": "ok"}
    with FakeGemini(lambda _request: replies.calls(Call("submit_review", form))) as fake:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", fake.url)
        monkeypatch.setenv("GEMINI_API_KEY", KEY)
        arguments = ["--base", "main", "--head", "work", "--state-dir", str(tmp_path / "state")]
        assert run(["review", str(repo.root), *arguments]) == 0
        known = json.loads((repo.root / "devpulse-artifacts" / "findings.json").read_text())["usage"]
        capsys.readouterr()
        given = ["--price-input", "100", "--price-output", "1000", "--fresh", "--token-budget", "200"]
        assert run(["review", str(repo.root), *arguments, *given, "--max-parallel", "1"]) == 0
        printed = " ".join(capsys.readouterr().out.split())
    one = Usage(1, 120, 40, 27, 7)
    price = Prices("gemini-3.8-flash").of(one)
    assert price is not None
    assert known == {
        "requests": 4, "input_tokens": 480, "cached_tokens": 160, "output_tokens": 108, "thinking_tokens": 28,
        "cost_usd": float(4 * price),
    }  # fmt: skip
    used = json.loads((repo.root / "devpulse-artifacts" / "findings.json").read_text())
    assert used["usage"]["requests"] == 2
    assert used["usage"]["cost_usd"] == pytest.approx(2 * (120 * 100 + 27 * 1000) / 1e6)
    assert sum(row["reason"] == SPENT for row in used["coverage"]) == 2
    assert "cost $0.0780" in printed
    assert "largest request 1 % of the window of 32,000 tokens" in printed
    for name in ("summary.md", "report.html"):
        assert "largest request 1 % of the window" in (repo.root / "devpulse-artifacts" / name).read_text()


def test_gemini__an_unknown_model_is_said_once(tmp_path, monkeypatch, capsys):
    repo = changed(tmp_path / "repo", FILES)
    form = {"findings": [], "dismissed_leads": [], "overall_risk": "none", "summary": "ok"}
    answer = replies.calls(Call("submit_review", form))
    answer = replies.Reply({**(answer.body or {}), "modelVersion": "my-model"})
    with FakeGemini(lambda _request: answer) as fake:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", fake.url)
        monkeypatch.setenv("GEMINI_API_KEY", KEY)
        arguments = ["--base", "main", "--head", "work", "--state-dir", str(tmp_path / "state"), "--model", "my-model"]
        assert run(["review", str(repo.root), *arguments]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.count("How many tokens my-model takes is not known") == 1
    assert "cost unknown" in printed
