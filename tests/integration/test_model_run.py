"""Whole runs with a scripted model: splitting, verification, conclusion, fallback, and what stays of each failure."""

import json

import pytest
from builders import ScriptedModel, call, reply, submit, submitted_finding
from harness import FENCE_KEY, run_source
from repos import Repo

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.adapters.offline import OfflineEngine
from devpulse.adapters.store import FolderStore
from devpulse.core.categories import Confidence
from devpulse.core.fence import Fence
from devpulse.core.finding import FindingSource, FindingStatus
from devpulse.core.messages import StopReason, Usage, UserMessage
from devpulse.core.policy import ReportPolicy
from devpulse.core.review import Failed, Partial, Reviewed
from devpulse.core.verdict import exit_status
from devpulse.errors import ModelError, ModelMisconfigured, ModelUnavailable
from devpulse.pipeline.child import MAX_HALVINGS

INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)
SINK = "return db.execute('select * from users where name = ' + request.args['name'])"
KEY = "AKIA" + "Q3EGX7MPLNB5TZKD"


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("a.py", "x = 1\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("a.py", INJECTION)
    repo.write("b.py", INJECTION)
    repo.commit("head")
    return repo


def review(repo, model, folder, **options):
    with Repository.open(repo.root) as opened:
        return run_source(GitRangeSource(opened, "main", "work"), model, folder, **options)


def opening_of(request):
    return next(message.text for message in request.messages if isinstance(message, UserMessage))


def rows(request, kind):
    blocks = Fence(FENCE_KEY).blocks(kind, opening_of(request))
    return [json.loads(row) for block in blocks for row in block.split("\n")]


def find_sink(request):
    there = SINK in opening_of(request)
    return reply(submit(*[submitted_finding(start_line=5, end_line=5, evidence=SINK)] * there))


class Script:
    """A model that finds the sink, and does as it is told when it verifies, concludes or reviews."""

    def __init__(self, verdict="confirmed", conclusion=None, review=None):
        self.verdict = verdict
        self.conclusion = conclusion or reply(call("submit_conclusion", overall_risk="low", summary="Both are bad."))
        self.review = review or find_sink

    def __call__(self, request):
        if request.task == "conclude":
            return self.conclusion
        if not request.task.endswith(".verify"):
            return self.review(request)
        if isinstance(self.verdict, ModelError):
            return self.verdict
        verdicts = [
            {"id": row["id"], "verdict": self.verdict, "reason": "it says so"} for row in rows(request, "findings")
        ]
        return reply(call("submit_verdicts", verdicts=verdicts))

    def model(self):
        return ScriptedModel(self)


def outcomes(run):
    return {row.path: row.outcome for row in run.result.report.coverage}


def test_verify__confirmed_findings_stay_open(repo, tmp_path):
    run = review(repo, Script().model(), tmp_path / "out")
    assert [f.status for f in run.result.report.findings] == [FindingStatus.OPEN] * 2
    assert set(outcomes(run).values()) == {Reviewed()}


def test_verify__is_a_fresh_context_that_sees_finding_and_code(repo, tmp_path):
    model = Script().model()
    review(repo, model, tmp_path / "out")
    (verification,) = [r for r in model.requests if r.task.startswith("a.py") and r.task.endswith(".verify")]
    assert len(verification.messages) == 2
    assert SINK in opening_of(verification)
    assert rows(verification, "findings")[0]["title"] == "SQL injection"
    assert {tool.name for tool in verification.tools} >= {"search_codebase", "submit_verdicts"}


def test_verify__refuted_is_disputed_and_still_counts_when_critical(repo, tmp_path):
    run = review(repo, Script("refuted").model(), tmp_path / "out")
    report = run.result.report
    assert [f.status for f in report.findings] == [FindingStatus.DISPUTED] * 2
    assert report.findings[0].reason == "refuted: it says so"
    assert report.risk == "critical"
    assert exit_status(report, fail_on=report.findings[0].severity, fail_on_incomplete=True) == 1


def test_verify__unsure_changes_nothing(repo, tmp_path):
    run = review(repo, Script("unsure").model(), tmp_path / "out")
    assert [(f.status, f.confidence) for f in run.result.report.findings] == [(FindingStatus.OPEN, "high")] * 2


def test_verify__when_the_service_gives_out_findings_stay_open(repo, tmp_path):
    model = Script(ModelUnavailable("gone")).model()
    run = review(repo, model, tmp_path / "out", fallback=OfflineEngine(), max_parallel=1)
    assert [f.status for f in run.result.report.findings] == [FindingStatus.OPEN] * 2
    assert {outcome.reason for outcome in outcomes(run).values()} == {"verification failed: model unavailable: gone"}
    assert len(model.requests) == 4, "one review and one verification a file; no conclusion is asked for"


def test_verify__a_failure_leaves_findings_open_and_the_file_partial(repo, tmp_path):
    run = review(repo, Script(ModelError("odd")).model(), tmp_path / "out")
    assert [f.status for f in run.result.report.findings] == [FindingStatus.OPEN] * 2
    assert all(isinstance(o, Partial) and "verification failed" in o.reason for o in outcomes(run).values())


def test_verify__missing_verdicts_are_asked_for_once(repo, tmp_path):
    answers = iter(([], [{"id": "F1", "verdict": "refuted", "reason": "late"}]))
    script = Script(conclusion=reply(submit()))

    def respond(request):
        if request.task.endswith(".verify") and request.task.startswith("a.py"):
            return reply(call("submit_verdicts", verdicts=next(answers)))
        return script(request)

    run = review(repo, ScriptedModel(respond), tmp_path / "out")
    assert [f.status for f in run.result.report.findings if f.path == "a.py"] == [FindingStatus.DISPUTED]
    assert outcomes(run)["a.py"] == Reviewed()


def test_verify__can_be_switched_off(repo, tmp_path):
    model = Script().model()
    review(repo, model, tmp_path / "out", verify=False)
    assert not [request for request in model.requests if request.task.endswith(".verify")]


def test_conclude__over_references_only_and_risk_only_rises(repo, tmp_path):
    model = Script().model()
    run = review(repo, model, tmp_path / "out")
    (request,) = [request for request in model.requests if request.task == "conclude"]
    assert "db.execute" not in opening_of(request)
    assert "DECISION: a.py -> critical" in opening_of(request)
    assert run.result.report.risk == "critical"
    assert run.result.report.summary.endswith("Both are bad.")
    assert "2 findings in 2 files" in run.result.report.summary


@pytest.mark.parametrize(
    "answer",
    [ModelError("no"), ModelUnavailable("down"), reply(call("submit_conclusion", summary=3)), reply(text="hm")],
)
def test_conclude__when_it_fails_the_deterministic_summary_stands(repo, tmp_path, answer):
    run = review(repo, Script(conclusion=answer).model(), tmp_path / "out")
    assert run.result.report.summary == "2 findings in 2 files (2 critical); 2 of 2 changed files reviewed."
    assert not run.result.report.incomplete


def test_conclude__needs_findings_in_two_files(repo, tmp_path):
    repo.write("b.py", "y = 1\n")
    repo.commit("only one left")
    script = Script()
    script.review = lambda r: reply(
        submit(*[submitted_finding(start_line=5, evidence=SINK)] * ("execute" in opening_of(r)))
    )
    model = script.model()
    review(repo, model, tmp_path / "out")
    assert not [request for request in model.requests if request.task == "conclude"]


def test_split__a_truncated_answer_halves_the_work_until_it_fits(repo, tmp_path):
    repo.write("a.py", "".join(f"v{n} = {n}\n" for n in range(64)) + INJECTION)
    repo.commit("longer")
    script = Script()

    def respond(request):
        diff = "".join(Fence(FENCE_KEY).blocks("diff", opening_of(request)))
        if diff.count("\n") > 20:
            return reply(text="I found", stop=StopReason.TRUNCATED, usage=Usage(1, 10, 0, 10))
        hit = [submitted_finding(start_line=69, end_line=69, evidence=SINK)] if SINK in diff else []
        return reply(submit(*hit), usage=Usage(1, 10, 0, 10))

    script.review = respond
    model = script.model()
    run = review(repo, model, tmp_path / "out")
    assert outcomes(run)["a.py"] == Reviewed()
    assert [f.start_line for f in run.result.report.findings if f.path == "a.py"] == [69]
    shown = [opening_of(request) for request in model.requests if request.task.startswith("a.py")]
    assert len(set(shown)) == len(shown)
    assert any(request.task.count(".") >= 3 for request in model.requests)


def test_split__what_never_fits_is_partial_and_ends(repo, tmp_path):
    script = Script(review=lambda _request: reply(text="long", stop=StopReason.TRUNCATED))
    run = review(repo, script.model(), tmp_path / "out")
    assert all(isinstance(outcome, Partial) for outcome in outcomes(run).values())
    assert "cut off" in outcomes(run)["a.py"].reason


def test_split__an_engine_that_never_fits_is_not_asked_forever(repo, tmp_path):
    repo.write("a.py", "".join(f"v{n} = {n}\n" for n in range(500)))
    repo.commit("long")
    model = Script(review=lambda _request: reply(text="long", stop=StopReason.TRUNCATED)).model()
    review(repo, model, tmp_path / "out")
    assert (
        len([request for request in model.requests if request.task.startswith("a.py")]) == 2 ** (MAX_HALVINGS + 1) - 1
    )


def test_blocked__is_partial_with_the_rules_findings_kept(repo, tmp_path):
    repo.write("b.py", f'KEY = "{KEY}"\n' + INJECTION)
    repo.commit("key")
    script = Script(review=lambda _request: reply(stop=StopReason.BLOCKED))
    run = review(repo, script.model(), tmp_path / "out")
    assert all(isinstance(o, Partial) and "blocked" in o.reason for o in outcomes(run).values())
    kept = {(f.category, f.source) for f in run.result.report.findings if f.path == "b.py"}
    assert kept == {("hardcoded-secret", FindingSource.RULE), ("sql-injection", FindingSource.RULE)}


def test_fallback__rules_only_once_the_model_is_down(repo, tmp_path):
    model = ScriptedModel(lambda _request: ModelUnavailable("nobody answers"))
    run = review(repo, model, tmp_path / "out", fallback=OfflineEngine(), max_parallel=1)
    assert set(outcomes(run).values()) == {Partial("model unavailable, rules only")}
    assert {f.source for f in run.result.report.findings} == {FindingSource.RULE}
    assert len(run.result.report.findings) == 2
    assert len(model.requests) == 2, "one a file; no conclusion is asked for"


def test_fallback__without_one_the_files_failed_and_leads_stay(repo, tmp_path):
    model = ScriptedModel(lambda _request: ModelUnavailable("nobody answers"))
    run = review(repo, model, tmp_path / "out", max_parallel=1)
    assert set(outcomes(run).values()) == {Failed("model unavailable: nobody answers")}
    assert [(f.category, f.confidence) for f in run.result.report.findings] == [("sql-injection", "high")] * 2
    assert exit_status(run.result.report, fail_on=None, fail_on_incomplete=False) == 4


def test_misconfigured__ends_the_run_at_once(repo, tmp_path):
    model = ScriptedModel(lambda _request: ModelMisconfigured("wrong key", hint="Set GEMINI_API_KEY."))
    with pytest.raises(ModelMisconfigured):
        review(repo, model, tmp_path / "out", fallback=OfflineEngine(), max_parallel=1)
    assert len(model.requests) == 1


def test_leads__unmentioned_stay_open_at_low_confidence_dismissed_are_disputed(repo, tmp_path):
    def respond(request):
        dismissed = [{"id": row["id"], "reason": "bound elsewhere"} for row in rows(request, "leads")]
        return reply(submit(dismissed_leads=dismissed if '"a.py"' in opening_of(request) else []))

    policy = ReportPolicy(min_confidence=Confidence.LOW)
    run = review(repo, ScriptedModel(respond), tmp_path / "out", policy=policy)
    by_path = {f.path: f for f in run.result.report.findings}
    assert (by_path["a.py"].status, by_path["a.py"].reason) == (FindingStatus.DISPUTED, "dismissed: bound elsewhere")
    assert (by_path["b.py"].status, by_path["b.py"].confidence) == (FindingStatus.OPEN, "low")


def test_store__model_work_is_reused_and_fallback_work_is_not(repo, tmp_path):
    store = FolderStore(tmp_path / "store")
    down = ScriptedModel(lambda _request: ModelUnavailable("down"))
    review(repo, down, tmp_path / "out", store=store, fallback=OfflineEngine())
    model = Script().model()
    first = review(repo, model, tmp_path / "out", store=store)
    assert set(outcomes(first).values()) == {Reviewed()}
    asked = len(model.requests)
    second = review(repo, model, tmp_path / "out", store=store)
    assert set(outcomes(second).values()) == {Reviewed("reused")}
    assert model.requests[asked:] == []
    assert second.result.report.summary == first.result.report.summary
    assert second.places() == first.places()


def test_unavailable_midway__what_was_paid_for_is_kept_and_the_rules_do_the_rest(repo, tmp_path):
    calls = []

    def respond(request):
        calls.append(request)
        if len(calls) == 1:
            good = submitted_finding(start_line=4, end_line=4, category="other", evidence="def lookup(db):")
            return reply(submit(good, {"category": "nonsense"}), usage=Usage(1, 100, 0, 10))
        return ModelUnavailable("gone")

    run = review(repo, ScriptedModel(respond), tmp_path / "out", fallback=OfflineEngine(), max_parallel=1)
    report = run.result.report
    assert report.usage.requests == 1
    kept = {(f.path, f.category, f.source.value) for f in report.findings}
    first = calls[0].task.split("-")[0]
    assert kept == {(first, "other", "model"), ("a.py", "sql-injection", "rule"), ("b.py", "sql-injection", "rule")}
    assert all(isinstance(outcome, Partial) for outcome in outcomes(run).values())


def test_rights_lost_midway__finished_work_is_kept(repo, tmp_path):
    seen = []

    def respond(request):
        seen.append(request)
        return find_sink(request) if len(seen) == 1 else ModelMisconfigured("key revoked")

    run = review(repo, ScriptedModel(respond), tmp_path / "out", verify=False, max_parallel=1)
    assert sorted(type(outcome).__name__ for outcome in outcomes(run).values()) == ["Failed", "Reviewed"]
    assert run.result.model_down == "key revoked"


class Broken:
    """An engine with a defect."""

    name, version, source = "broken", "1", FindingSource.MODEL

    def complete(self, request):
        if "a.py" in request.task:
            raise RecursionError("secret text")
        return find_sink(request)


def test_defect__costs_its_own_file_only_and_is_not_forgotten(repo, tmp_path):
    run = review(repo, Broken(), tmp_path / "out", verify=False)
    assert outcomes(run)["a.py"] == Failed("internal error: RecursionError")
    assert outcomes(run)["b.py"] == Reviewed()
    assert isinstance(run.result.defect, RecursionError)
    assert "secret text" not in run.artifact("run_log.jsonl")


def test_interrupt_while_concluding__the_report_stands_without_it(repo, tmp_path):
    script = Script()

    def respond(request):
        if request.task == "conclude":
            raise KeyboardInterrupt
        return script(request)

    run = review(repo, ScriptedModel(respond), tmp_path / "out")
    assert run.result.cancelled is not None
    assert len(run.result.report.findings) == 2
    assert set(outcomes(run).values()) == {Reviewed()}


def test_time_budget__what_was_not_begun_is_skipped_with_the_reason_and_incomplete(repo, tmp_path):
    model = ScriptedModel(find_sink)
    run = review(
        repo, model, tmp_path / "out", verify=False, max_parallel=1,
        stopped=lambda: "time budget used up" if model.requests else "",
    )  # fmt: skip
    done = sorted((type(outcome).__name__, outcome.reason) for outcome in outcomes(run).values())
    assert done == [("Reviewed", ""), ("Skipped", "time budget used up")]
    assert run.result.report.incomplete


def test_prose_around_json__is_taken_as_the_form_it_holds(repo, tmp_path):
    def respond(request):
        there = SINK in opening_of(request)
        item = submitted_finding(start_line=5, end_line=5, evidence=SINK)
        answer = {"findings": [item] * there, "overall_risk": "high", "summary": "See above."}
        return reply(text=f"Here is my review {{as asked}}:\n```json\n{json.dumps(answer)}\n```\nHope it helps.")

    model = ScriptedModel(respond)
    run = review(repo, model, tmp_path / "out", verify=False)
    assert len(run.result.report.findings) == 2
    assert set(outcomes(run).values()) == {Reviewed()}
    assert len([request for request in model.requests if request.task != "conclude"]) == 2


def test_prose_around_cut_json__is_never_repaired(repo, tmp_path):
    def respond(request):
        if len(request.messages) > 2:
            return find_sink(request)
        return reply(text='{"findings": [{"category": "sql-injection", "severity": "critical"')

    model = ScriptedModel(respond)
    run = review(repo, model, tmp_path / "out", verify=False)
    assert set(outcomes(run).values()) == {Reviewed()}
    assert len(run.result.report.findings) == 2
