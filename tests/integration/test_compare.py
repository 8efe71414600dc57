"""``devpulse compare``: the same work in several arms, by the rules, a scripted model and Gemini's client."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from builders import ScriptedModel, call, reply, submit, submitted_finding
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini
from fakes.gemini_replies import Call
from harness import FENCE_KEY, run_source
from jsonschema import Draft202012Validator
from odd_change import marked_rows
from repos import Repo

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.cli import run
from devpulse.core.fence import Fence
from devpulse.core.messages import SystemMessage, UserMessage
from devpulse.core.prompt import core_prompt, verbose_prompt
from devpulse.errors import ContextOverflow, ModelUnavailable
from devpulse.output.compare_v1 import compare_schema
from devpulse.pipeline.comparison import CEILING, CompareOptions, compare

ROOT = Path(__file__).parents[2]
VALIDATOR = Draft202012Validator(compare_schema())
SQL = "from flask import request\n\n\ndef find_{0}(db):\n    return db.execute('select ' + request.args['name'])\n"
FILE = (
    "from flask import request\nfrom app.safe import safe\n\n\ndef load():\n"
    "    return open('/srv/' + safe(request.args['name']))\n"
)
SAFE = "from app.inner import inner\n\n\ndef safe(name):\n    return inner(name)\n"
FILES = 5
FINDINGS = FILES + 2


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("app/safe.py", SAFE)
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for number in range(FILES):
        repo.write(f"app/find{number}.py", SQL.format(number) + f"# TOKEN-{number}\n" * 40)
    for name in ("load", "reload"):
        repo.write(f"app/{name}.py", FILE)
    repo.commit("work")
    return repo


def compared(repo, capsys, *options, status=0):
    arguments = [str(repo.root), "--base", "main", "--head", "work", *options]
    assert run(["compare", *arguments]) == status
    return capsys.readouterr()


def test_compare__offline_prints_both_arms_and_writes_file_and_report(repo, capsys):
    out = compared(repo, capsys, "--engine", "offline").out
    assert re.search(r"^BEFORE +[\d,]+ tokens", out, re.MULTILINE)
    assert re.search(r"^AFTER +[\d,]+ tokens", out, re.MULTILINE)
    assert re.search(r"^saved \d\d\.\d %$", out, re.MULTILINE)
    assert f"findings identical {FINDINGS} of {FINDINGS}\n" in out
    folder = repo.root / "devpulse-artifacts"
    document = json.loads((folder / "compare.json").read_text())
    VALIDATOR.validate(document)
    assert document["before"]["input_tokens"] > document["after"]["input_tokens"] > 0
    assert len(document["tasks"]) == FINDINGS
    assert [row["strategy"] for row in document["ablation"]] == ["isolate only", "compress only", "select", "write"]
    assert '<svg class="chart"' in (folder / "report.html").read_text()
    assert len(json.loads((folder / "findings.json").read_text())["findings"]) == FINDINGS
    events = [json.loads(row) for row in (folder / "run_log.jsonl").read_text().splitlines()]
    arms = {event["arm"]: event["tokens"] for event in events if event["event"] == "compared"}
    assert arms["before"] == document["before"]["input_tokens"]
    assert run(["verify-isolation", str(folder)]) == 0, "the log is that of AFTER alone"


def test_compare__offline_looks_at_the_newest_task_only_and_is_the_same_each_time(repo, capsys):
    first = json.loads(compared(repo, capsys, "--engine", "offline", "--json").out)
    assert first == json.loads(compared(repo, capsys, "--engine", "offline", "--json").out)
    assert all(row["findings"]["identical"] == FINDINGS for row in first["ablation"])
    looking = [task for task in first["tasks"] if "load" in task["path"]]
    assert len(looking) == 2
    # Both ask for the same helper; what the one was answered is not taken for the other's.
    for task in looking:
        assert task["after_tokens"] > 2 * task["after_first_request"] - 10
        assert task["before_tokens"] > 2 * task["before_first_request"] - 10


def test_compare__stored_work_is_neither_used_nor_written_nor_cleared(repo, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("DEVPULSE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("DEVPULSE_FRESH", "true")
    document = json.loads(compared(repo, capsys, "--engine", "offline", "--no-ablation", "--json").out)
    assert document["ablation"] == []
    assert not list((tmp_path / "state").rglob("*.json"))
    arguments = [str(repo.root), "--base", "main", "--head", "work", "--engine", "offline"]
    assert run(["review", *arguments]) == 0
    capsys.readouterr()
    stored = sorted((tmp_path / "state").rglob("*.json"))
    assert stored
    again = json.loads(compared(repo, capsys, "--engine", "offline", "--no-ablation", "--json").out)
    assert again == document
    assert sorted((tmp_path / "state").rglob("*.json")) == stored


def test_compare__nothing_to_review_is_no_saving(repo, capsys):
    arguments = [str(repo.root), "--base", "main", "--head", "main", "--engine", "offline"]
    assert run(["compare", *arguments]) == 0
    assert "saved: nothing had to be asked" in capsys.readouterr().out


def marking(request):
    """Marks what the newest task shows, confirms what it is asked to verify."""
    if request.task.endswith(".verify"):
        rows = Fence(FENCE_KEY).blocks("findings", request.messages[1].text)[0].split("\n")
        return reply(
            call(
                "submit_verdicts",
                verdicts=[{"id": json.loads(r)["id"], "verdict": "confirmed", "reason": ""} for r in rows],
            )
        )
    if request.task.endswith("conclude"):
        return reply(call("submit_conclusion", overall_risk="high", summary="Marks."))
    newest = [m.text for m in request.messages if isinstance(m, UserMessage)][-1]
    (diff,) = Fence(FENCE_KEY).blocks("diff", newest)
    found = [
        submitted_finding(start_line=line, end_line=line, side=side, evidence=code)
        for side, line, code in marked_rows(diff)
    ]
    return reply(submit(*found))


@pytest.fixture
def marked(tmp_path):
    repo = Repo(tmp_path / "marked")
    repo.write("x.py", "x = 1\n")
    repo.commit("base")
    for number in range(4):
        repo.write(f"m{number}.py", f"y = {number}  # TOKEN-m{number} MARK-m{number}\n")
    repo.commit("work")
    return repo


def scripted(repo, folder, model, *, ablation=True, begun=lambda *_: None, **options):
    told = []
    asked = CompareOptions(ablation, lambda bound, arms: told.append((bound, arms)), begun)
    with Repository.open(repo.root) as repository:
        done = run_source(
            GitRangeSource(repository, "HEAD~1", "HEAD"), model, folder,
            review=lambda work, settings, ports: compare(work, settings, ports, asked), **options,
        )  # fmt: skip
    return done.result, told


def tokens_in(request):
    return set(re.findall(r"TOKEN-m\d", "".join(message.text for message in request.messages)))


def test_compare__a_model_does_the_same_in_every_arm(marked, tmp_path):
    model = ScriptedModel(marking)
    result, ((bound, arms),) = scripted(marked, tmp_path / "out", model)
    comparison = result.comparison
    assert arms == 6
    assert (comparison.findings.identical, comparison.findings.total) == (4, 4)
    assert all(row.findings.identical == 4 and not row.arm.failure for row in comparison.ablations)
    sent = sum(arm.tokens for arm in (comparison.before, comparison.after, *(r.arm for r in comparison.ablations)))
    assert bound.least <= sent <= bound.most
    by_arm = {name: [r for r in model.requests if r.task.startswith(f"{name}.m")] for name in ("before", "verbose")}
    reviews = [request for request in by_arm["before"] if not request.task.endswith(".verify")]
    assert [len(tokens_in(request)) for request in reviews] == [1, 2, 3, 4], "each task carries all before it"
    checks = [request for request in by_arm["before"] if request.task.endswith(".verify")]
    assert {len(tokens_in(request)) for request in checks} == {1}
    usual = [r for r in model.requests if re.match(r"m\d", r.task)]
    assert {len(tokens_in(request)) for request in usual} == {1}
    prompts = {r.messages[0] for r in by_arm["verbose"] if not r.task.endswith(".verify")}
    assert prompts == {SystemMessage(verbose_prompt())}
    assert SystemMessage(core_prompt()) in {request.messages[0] for request in usual}


def test_compare__an_arm_that_cannot_do_the_work_failed_and_saved_nothing(marked, tmp_path):
    def overflowing(request):
        if request.task.startswith("before.m") and len(tokens_in(request)) > 2:
            return ContextOverflow("the request is too long")
        return marking(request)

    result, _ = scripted(marked, tmp_path / "out", ScriptedModel(overflowing), ablation=False)
    comparison = result.comparison
    assert comparison.before.failure.startswith("2 files were not reviewed, or not wholly (m")
    assert comparison.after.failure == ""
    assert comparison.saved is None


def test_compare__a_service_that_is_down_fails_the_arm(marked, tmp_path):
    def down(request):
        return ModelUnavailable("closed") if request.task.startswith("before.") else marking(request)

    result, _ = scripted(marked, tmp_path / "out", ScriptedModel(down), ablation=False)
    assert "model unavailable: closed" in result.comparison.before.failure
    assert result.comparison.saved is None
    assert len(result.report.findings) == 4, "the run itself is whole"


def test_compare__an_arm_that_passes_its_bound_is_stopped(marked, tmp_path):
    def endless(request):
        answer = marking(request)
        used = answer.usage.__class__(requests=1, input_tokens=1, output_tokens=10**9)
        return answer.__class__(answer.text, answer.tool_calls, answer.stop, used)

    result, _ = scripted(marked, tmp_path / "out", ScriptedModel(endless), ablation=False, max_parallel=1)
    assert CEILING in result.comparison.before.failure


def test_compare__a_signal_in_another_arm_keeps_what_the_run_found_and_compares_nothing(marked, tmp_path):
    class Stop(KeyboardInterrupt):
        pass

    def begun(name, _about):
        if name == "before":
            raise Stop

    result, _ = scripted(marked, tmp_path / "out", ScriptedModel(marking), begun=begun)
    assert result.comparison is None
    assert isinstance(result.cancelled, Stop)
    assert len(result.report.findings) == 4


def newest_task(request):
    text = request.text()
    return text[text.rindex("Fence key ") :]


def gemini_marks(request):
    text = newest_task(request)
    fence = Fence(text.removeprefix("Fence key ")[:16])
    if "submit_verdicts" in request.declared():
        names = [json.loads(row)["id"] for row in "\n".join(fence.blocks("findings", text)).split("\n")]
        verdicts = [{"id": name, "verdict": "confirmed", "reason": "marked"} for name in names]
        return replies.calls(Call("submit_verdicts", {"verdicts": verdicts}))
    if "submit_conclusion" in request.declared():
        return replies.calls(Call("submit_conclusion", {"overall_risk": "high", "summary": "Marks."}))
    if "read_lines" in request.declared() and "m1.py" in text and request.forced_tool() is None:
        looked = [name for name, _ in request.tool_calls()]
        if looked[-1:] != ["read_lines"]:
            return replies.calls(Call("read_lines", {"path": "x.py", "start_line": 1, "end_line": 1}))
    found = [
        submitted_finding(start_line=line, end_line=line, side=side, evidence=code)
        for side, line, code in marked_rows("\n".join(fence.blocks("diff", text)))
    ]
    return replies.calls(
        Call("submit_review", {"findings": found, "dismissed_leads": [], "overall_risk": "high", "summary": "ok"})
    )


def test_compare__gemini_in_every_arm_with_the_cost_said_before(marked, capsys, monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab")
    with FakeGemini(gemini_marks) as fake:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", fake.url)
        arguments = [str(marked.root), "--base", "HEAD~1", "--head", "HEAD", "--model", "gemini-2.5-flash", "--json"]
        assert run(["compare", *arguments, "--price-input", "1", "--price-output", "1"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    VALIDATOR.validate(document)
    assert (document["findings"]["identical"], document["findings"]["total"]) == (4, 4)
    assert document["before"]["reported"]["requests"] == document["before"]["requests"] > 0
    assert document["before"]["cost_usd"] is not None
    assert document["saved_usd"] == pytest.approx(document["before"]["cost_usd"] - document["after"]["cost_usd"])
    assert document["saved_reported_percent"] is not None
    report = (marked.root / "devpulse-artifacts" / "report.html").read_text()
    assert re.search(r"as the engine reported -?[\d.]+ % of the input tokens, -?\$", report)
    first, *rest = captured.err.split("\n")
    assert re.match(
        r"6 arms with gemini-2\.5-flash: at most [\d,]+ input and [\d,]+ output tokens \(\$[\d,.]+\)", first
    )
    assert rest[0].startswith("after: ")


@pytest.mark.slow
def test_compare__the_bundled_sample_saves_what_the_readme_says(tmp_path, capsys):
    sample = tmp_path / "sample"
    script = [sys.executable, str(ROOT / "demo" / "make_sample.py"), str(sample)]
    subprocess.run(script, check=True, capture_output=True)
    arguments = [str(sample), "--base", "main", "--head", "feature", "--engine", "offline", "--json"]
    assert run(["compare", *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["saved_percent"] >= 80
    assert document["findings"]["identical"] == document["findings"]["total"] == 16
    assert all(row["findings"]["identical"] == 16 for row in document["ablation"])
    assert max(document["after"]["contexts"]) <= document["limit"]
