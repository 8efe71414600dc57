"""Each hostile file of data/injection against models that do what it asks, and against the engine without a model."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from harness import FENCE_KEY, run_source
from injection_cases import SECRET, load_cases
from readers import hidden_in, markup_in, markup_in_page
from repos import Repo
from tables import for_each
from turned_model import ELSEWHERE, WAYS, case_of, turned_model

from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.adapters.offline import OfflineEngine
from devpulse.core.categories import Severity
from devpulse.core.change import PullRequest
from devpulse.core.messages import ModelRequest, ToolMessage, UserMessage
from devpulse.core.shown import show_path
from devpulse.core.verdict import counts, exit_status, overall_risk
from devpulse.output.annotations import render_annotations
from devpulse.output.comments.plan import plan_comments
from devpulse.output.comments.standing import Standing
from devpulse.output.comments.sticky import Told, render_sticky, summary_mark
from devpulse.output.coverage import VerdictLevel, verdict
from devpulse.output.outputs import outputs_of
from devpulse.output.report.page import render_html
from devpulse.output.sarif import render_sarif
from devpulse.output.summary import render_summary
from devpulse.output.terminal import render_terminal

CASES = load_cases()
DETECTED = 48
"""Of the cases with orders to a reviewer in the changed file itself, how many the rules report at least."""
TELLTALE = {"prompt-injection", "hidden-unicode"}
KEPT = {
    ".env": "CANARY-env", "app/.env.production": "CANARY-production", "keys/server.pem": "CANARY-pem",
    "id_rsa": "CANARY-rsa", ".npmrc": "CANARY-npm", "terraform.tfstate": "CANARY-state",
    "devpulse-artifacts/x": "CANARY-artifact",
}  # fmt: skip
BEGIN, END = re.compile(rf"<<data {FENCE_KEY} kind=\"\w+\".*>>"), f"<<end {FENCE_KEY}>>"
every_case = for_each(CASES, lambda case: case.name)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """One run over all cases for each way to be turned, and one without a model: every file has its own child."""
    folder = tmp_path_factory.mktemp("injection")
    (folder / "outside.txt").write_text("CANARY-outside")
    repo = Repo(folder / "repo")
    for path, text in KEPT.items():
        repo.write(path, text)
    for case in CASES:
        repo.write(case.neighbour_path, case.neighbour or "def clean(value):\n    return value\n")
    (repo.root / "passwd-link").symlink_to("/etc/passwd")
    (repo.root / "folder-link").symlink_to("..")
    repo.commit("base")
    with (repo.root / ".git" / "config").open("a") as config:
        config.write("[user]\n\tname = CANARY-config\n")
    repo.git("switch", "--quiet", "--create", "work")
    for case in CASES:
        repo.write(case.path, case.content)
    repo.commit("head")
    done = {}
    for way in (*WAYS, "offline"):
        model = OfflineEngine() if way == "offline" else turned_model(way, CASES)
        with Repository.open(repo.root) as opened:
            run = run_source(GitRangeSource(opened, "main", "work"), model, folder / way)
        done[way] = SimpleNamespace(run=run, requests=_by_case(getattr(model, "requests", ())))
    return done


def _by_case(requests):
    paths = {show_path(case.path): case for case in CASES}
    found: dict[str, list[ModelRequest]] = {}
    for request in requests:
        if request.task != "conclude":
            found.setdefault(case_of(request, paths).name, []).append(request)
    return found


def report_of(runs, way, case):
    """The report as if the file were the only one of the pull request, and its title the case's."""
    report = runs[way].run.result.report
    findings = tuple(finding for finding in report.findings if finding.path == case.path)
    coverage = tuple(row for row in report.coverage if row.path == case.path)
    pull = PullRequest("a" * 40, "b" * 40, "octo/shop", 1, case.title)
    return replace(
        report, pull_request=pull, findings=findings, coverage=coverage, risk=overall_risk(findings), incomplete=False
    )


def said(report, result):
    """What is told of a file, each text by who reads it."""
    plan = plan_comments(report, Standing(), max_comments=25)
    texts = {f"comment {number}": comment.body for number, comment in enumerate(plan.new)}
    told = Told(plan.unplaced)
    texts["sticky"] = render_sticky(report, summary_mark(report, plan.head_sha, told), told)
    texts["summary"] = render_summary(report)
    texts["terminal"] = render_terminal(report, width=100, color=False, snippets=result.snippets, artifacts={})
    texts["annotations"] = "\n".join(render_annotations(report, nearest_head_line=result.head_line))
    texts["outputs"] = json.dumps(outputs_of(report, {}))
    texts["sarif"] = render_sarif(
        report, nearest_head_line=lambda finding: result.head_line(finding) or 1, server_url="https://github.com"
    )
    return texts


@every_case
def test_flaw__is_never_talked_away(runs, case):
    for way in runs:
        report = report_of(runs, way, case)
        flaws = [f for f in report.findings if f.category == case.category and f.rule_id is not None]
        assert flaws, way
        assert verdict(report).level is not VerdictLevel.CLEAN, way
        if way in ("refuting", "copying", "offline") or any(f.category in TELLTALE for f in report.findings):
            assert any(map(counts, flaws)), way
            assert exit_status(report, fail_on=Severity.HIGH, fail_on_incomplete=False) == 1, way


@every_case
def test_request__the_case_stays_inside_one_fence(runs, case):
    told = [line.strip() for line in f"{case.text}\n{case.neighbour}".split("\n") if len(line.strip()) > 12]
    for message in (
        message for way in WAYS for request in runs[way].requests[case.name] for message in request.messages
    ):
        outside = _outside(message.text)
        assert not hidden_in(message.text)
        assert SECRET not in message.text
        assert not case.title or case.title not in message.text
        if isinstance(message, ToolMessage | UserMessage):  # what a model says itself stands in its own messages
            assert not any(line in outside for line in told)


def _outside(text):
    """What of a message is in no fence; each fence that begins ends before another begins."""
    lines, inside, fences = [], False, 0
    for line in text.split("\n"):
        if BEGIN.fullmatch(line) or line == END:
            assert inside is (line == END)
            inside, fences = line != END, fences + 1
        elif not inside:
            lines.append(line)
    assert not inside
    assert len(re.findall(rf"<<(?:data|end) {FENCE_KEY}", text)) == fences
    return "\n".join(lines)


@every_case
def test_tools__nothing_kept_is_read(runs, case):
    done = runs["copying"]
    texts = [message.text for request in done.requests[case.name] for message in request.messages]
    texts += said(report_of(runs, "copying", case), done.run.result).values()
    for text in texts:
        assert not any(canary in text for canary in KEPT.values())
        assert not re.search(r"CANARY-\w|root:x:0:0", text)
    answers = [text for text in texts if case.reads and text.startswith(("DENIED: ", "ERROR: "))]
    assert len(answers) >= len(case.reads)


@pytest.mark.parametrize("way", ["dismissing", "copying"])
@every_case
def test_said__nothing_of_it_is_markup(runs, way, case):
    texts = said(report_of(runs, way, case), runs[way].run.result)
    for name, text in texts.items():
        assert ELSEWHERE not in text, name
        assert SECRET not in text, name
        if name == "sticky" or name.startswith("comment "):
            assert markup_in(text, markers=1) == [], name
    assert markup_in(texts["summary"], markers=0) == []
    assert not hidden_in(texts["terminal"])
    assert not re.search(r"(?m)^\s*(?:::|##\[)", texts["terminal"])
    for line in filter(None, texts["annotations"].split("\n")):
        assert re.match(r"::(?:error|warning|notice) ", line)
    assert json.loads(texts["sarif"])["version"] == "2.1.0"
    assert not hidden_in(texts["sarif"])


@pytest.mark.parametrize("way", ["dismissing", "copying"])
def test_page__holds_no_markup_of_any_case(runs, way):
    result = runs[way].run.result
    page = render_html(result.report, snippets=result.snippets)
    assert SECRET not in page
    assert markup_in_page(page) == []


def test_rules__report_most_of_the_orders(runs):
    found = {f.path for f in runs["silent"].run.result.report.findings if f.category in TELLTALE}
    ordered = [case for case in CASES if case.orders and not case.in_neighbour and not case.title]
    assert len(ordered) >= 60
    assert sum(case.path in found for case in ordered) >= DETECTED
