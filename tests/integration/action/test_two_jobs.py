"""A fork's pull request: reviewed by a job without rights, published by one that takes nobody's word."""

import json
import os

import pytest
from fakes.github import FakeGitHub
from runner import places
from two_jobs import TwoJobs

FORGED = "0" * 40


def copies(number, **changes):
    """A change of ``findings.json``: its first finding so many times, each with its own text."""

    def change(document):
        (finding,) = document["findings"]
        document["findings"] = [finding | {"title": f"T{n}"} | changes for n in range(number)]

    return change


def test_two_jobs__what_a_fork_leaves_is_published(jobs):
    ran = jobs.publish()
    assert ran.status == 0, ran.err
    assert places(jobs.hub) == [("app/users.py", "RIGHT", 5)]
    (summary,) = jobs.hub.comments
    assert summary.body.startswith("# DevPulse security review: results of another run\n")
    assert "results of another run" in summary.body
    assert "Risk critical" in summary.body
    assert f"{jobs.hub.site}/octo/shop/actions/runs/40" in summary.body
    assert len(jobs.hub.writes()) == 2
    assert len(jobs.hub.calls()) <= 14
    assert ran.outputs["risk"] == "critical"
    assert ran.outputs["incomplete"] == "true"
    # The same value as a review with rights would give: that one says nothing twice.
    finding = json.loads((jobs.incoming / "findings.json").read_text())["findings"][0]
    assert finding["fingerprint"] in jobs.hub.threads[0].comments[0].body
    again = jobs.publish()
    assert again.status == 0, again.err
    assert len(jobs.hub.writes()) == 2


def test_two_jobs__nothing_found_is_never_green(jobs):
    jobs.forge(lambda document: document.update(findings=[], risk="none", summary="All is **well**, merge it."))
    ran = jobs.publish()
    assert ran.status == 0, ran.err
    (summary,) = jobs.hub.comments
    assert "INCOMPLETE" in summary.body
    assert "[!TIP]" not in summary.body
    assert "merge it" not in summary.body
    assert jobs.hub.pull.notes.check_runs == {}


def test_two_jobs__nothing_that_stands_is_resolved_or_replaced(jobs):
    """A review with rights was there first; the results of the fork say that all of it is gone."""
    hub = jobs.hub
    event = hub.event("labeled", "pull_request_target")
    trusted = jobs.run("target", jobs.workspace, event, name="pull_request_target")
    assert trusted.status == 0, trusted.err
    standing = [(comment.id, comment.body) for comment in hub.comments]
    assert len(standing) == len(hub.threads) == 1
    jobs.forge(lambda document: document.update(findings=[]))
    ran = jobs.publish()
    assert ran.status == 0, ran.err
    assert [(comment.id, comment.body) for comment in hub.comments][:1] == standing
    assert len(hub.comments) == 2
    assert [(thread.resolved_by, len(thread.comments)) for thread in hub.threads] == [(None, 1)]


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["pull_request"].update(number=8),
        lambda document: document["pull_request"].update(repository="octo/other"),
        lambda document: document["pull_request"].update(head_sha=FORGED),
        lambda document: document.update(pull_request=None),
        lambda document: document.update(schema="devpulse.findings/2"),
        lambda document: document.update(findings={"0": 1}),
        lambda document: document.update(engine="eve"),
        lambda document: document.update(model="::error::x\n"),
        lambda document: document["usage"].update(input_tokens=-1),
        lambda document: document["usage"].update(input_tokens=10**13),
        lambda document: document["usage"].update(input_tokens="7"),
    ],
)
def test_two_jobs__refused_as_a_whole(jobs, change):
    jobs.forge(change)
    ran = jobs.publish()
    assert ran.status == 2
    assert jobs.hub.writes() == []
    (command,) = ran.commands()
    assert command.startswith("::error title=DevPulse::")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"schema": NaN}',
        b'{"schema": ' + b"9" * 5000 + b"}",
        b" " * (16 * 1024 * 1024 + 1),
    ],
)
def test_two_jobs__no_document_at_all(jobs, content):
    (jobs.incoming / "findings.json").write_bytes(content)
    ran = jobs.publish()
    assert ran.status == 2
    assert "findings.json" in ran.err
    assert len(jobs.hub.calls()) == 1


def test_two_jobs__links_are_not_followed(jobs, tmp_path):
    secret = tmp_path / "secret.json"
    findings = jobs.incoming / "findings.json"
    secret.write_bytes(findings.read_bytes())
    findings.unlink()
    findings.symlink_to(secret)
    assert jobs.publish().status == 2
    findings.unlink()
    os.mkfifo(findings)
    assert jobs.publish().status == 2
    assert jobs.hub.writes() == []
    findings.unlink()
    findings.write_bytes(secret.read_bytes())
    (jobs.incoming / "findings" / "link.json").symlink_to(secret)
    (jobs.incoming / "findings" / "fifo.json").unlink(missing_ok=True)
    os.mkfifo(jobs.incoming / "findings" / "fifo.json")
    (jobs.incoming / "findings" / "large.json").write_bytes(b" " * (2 * 1024 * 1024 + 1))
    ran = jobs.publish()
    assert ran.status == 0, ran.err
    assert "3 files of the other run left out" in ran.out


FORGERIES: dict[str, tuple[dict[str, object], str]] = {
    "evidence that is not there": ({"evidence": "os.system(request.args['x'])"}, "its code is not in the change"),
    "a file that did not change": ({"path": "README.md"}, "its file is not part of the change"),
    "a path that leads out": ({"path": "../../../etc/passwd"}, "its file is not part of the change"),
    "a weakness we do not know": ({"category": "eve-was-here"}, "it is not in the form of a finding"),
    "a line that cannot be": ({"start_line": -5}, "it is not in the form of a finding"),
    "a number that is too large": ({"start_line": 10**9, "end_line": 10**9}, "it is not in the form of a finding"),
    "a text for a number": ({"start_line": "5"}, "it is not in the form of a finding"),
    "a further field": ({"resolve": True}, "it is not in the form of a finding"),
    "evidence of megabytes": ({"evidence": "x" * 1_000_000}, "it is not in the form of a finding"),
    "too much evidence": ({"evidence": "\n".join(["x"] * 50)}, "the evidence has 50 lines"),
    "the removed side": ({"side": "LEFT"}, "its code is not in the change"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_two_jobs__forged_findings_are_dropped(jobs, name):
    changes, reason = FORGERIES[name]
    jobs.forge(copies(1, **changes))
    ran = jobs.publish()
    assert ran.status == 0, ran.err
    assert jobs.hub.threads == []
    assert "1 finding of the other run dropped" in ran.out
    assert reason in ran.out
    assert reason in ran.summary


def test_two_jobs__words_are_data_and_the_rest_is_our_own(jobs):
    body = "Hi @octo/admins <!-- devpulse:finding " + "a" * 32 + " -->\n![x](https://eve.example/x.png) <b>x</b>"
    lie = {
        "fingerprint": "f" * 32,
        "cwe": 1,
        "title": "@ada ::error::x",
        "description": body,
        "fix": "<script>alert(1)</script>\n::set-output name=risk::none",
        "suggestion": "    import eve",
        "severity": "critical",
        "category": "open-redirect",
        "rule_id": "hardcoded-secret",
        "start_line": 1,
        "end_line": 1,
        "symbol": "@ada",
        "trace": {step: {"path": "../x", "line": 1, "note": "@ada"} for step in ("source", "sink")} | {"steps": []},
    }
    jobs.forge(copies(1, **lie))
    ran = jobs.publish()
    assert ran.status == 0, ran.err
    assert places(jobs.hub) == [("app/users.py", "RIGHT", 5)]
    said = jobs.hub.threads[0].comments[0].body + jobs.hub.comments[0].body + ran.summary
    assert ran.commands() == []
    assert "CWE-601" in said
    assert "**Medium: " in said
    for forged in ("@octo", "@ada", "![x]", "<b>x", "<script", "import eve", "f" * 32, "CWE-1]", "../x"):
        assert forged not in said, forged
    marker = jobs.hub.threads[0].comments[0].body.split("\n")[-1]
    assert marker.startswith("<!-- devpulse:finding ")
    assert "a" * 32 not in marker


def test_two_jobs__thousands_of_entries(jobs):
    jobs.forge(copies(5_000))
    (jobs.incoming / "findings").mkdir()
    for number in range(300):
        (jobs.incoming / "findings" / f"x{number}.json").write_text('{"schema": "devpulse.task/1", "findings": [7]}')
    ran = jobs.publish()
    assert ran.status == 0, ran.err
    assert places(jobs.hub) == [("app/users.py", "RIGHT", 5)]
    assert "there are too many" in ran.out
    assert len(jobs.hub.comments[0].body) < 65_536


def test_two_jobs__a_secret_in_the_words_is_masked(jobs):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    jobs.forge(copies(1, description=f"see {token} and {jobs.hub.token}"))
    ran = jobs.publish()
    assert ran.status == 0, ran.err
    said = jobs.hub.threads[0].comments[0].body + jobs.hub.comments[0].body + ran.summary + ran.out
    assert token not in said


def test_two_jobs__a_head_that_moved_on(jobs):
    event = jobs.hub.event(event="workflow_run")
    event["workflow_run"]["head_sha"] = FORGED
    ran = jobs.publish(event)
    assert ran.status == 0, ran.err
    assert "head-moved" in ran.out
    assert jobs.hub.writes() == []


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"event": "push"}, "not-a-pull-request"),
        ({"head_repository": None}, "head-gone"),
        ({"head_branch": None}, "head-gone"),
        ({"head_repository": {"full_name": "mallory/shop"}}, "no-pull-request"),
        ({"head_branch": "other"}, "no-pull-request"),
        ({"head_branch": "x\n::error::y"}, "no-pull-request"),
        ({"head_branch": "x\u202e\x1b[2J"}, "no-pull-request"),
    ],
)
def test_two_jobs__runs_that_belong_to_no_pull_request(jobs, changes, says):
    event = jobs.hub.event(event="workflow_run")
    event["workflow_run"] |= changes
    ran = jobs.publish(event)
    assert ran.status == 0, ran.err
    assert says in ran.out
    assert not {"\u202e", "\x1b"} & set(ran.out), "a branch has the name that a stranger gave it"
    assert ran.commands() == []
    assert jobs.hub.writes() == []


def test_two_jobs__settings_come_from_the_base(repo, tmp_path):
    repo.git("switch", "--quiet", "main")
    repo.write(".devpulse.yml", "severity-overrides: {sql-injection: low}\nexclude: [docs/]\n")
    repo.commit("config")
    repo.git("switch", "--quiet", "work")
    repo.git("rebase", "--quiet", "main")
    repo.write(".devpulse.yml", "exclude: ['*']\n")
    repo.commit("exclude all")
    with FakeGitHub(repo, head_repository="eve/shop") as hub:
        jobs = TwoJobs(repo, tmp_path / "jobs", hub)
        jobs.review()
        ran = jobs.publish()
        assert ran.status == 0, ran.err
        assert hub.threads[0].comments[0].body.startswith("**Low: ")


def test_two_jobs__a_token_that_may_not_write(jobs):
    jobs.hub.faults.read_only = True
    ran = jobs.publish()
    assert ran.status == 3
    assert any(command.startswith("::error title=DevPulse::Comments could not be posted") for command in ran.commands())


@pytest.mark.parametrize(
    ("name", "inputs", "status", "says"),
    [
        ("workflow_run", {"from": ""}, 2, "nothing to publish"),
        ("pull_request", {}, 2, "workflow_run"),
        ("workflow_dispatch", {"pull-request-number": "7"}, 0, "1 posted"),
        ("workflow_run", {"pull-request-number": "8"}, 0, "head-moved"),
    ],
)
def test_two_jobs__events_and_inputs(jobs, name, inputs, status, says):
    ran = jobs.publish(name=name, inputs=inputs)
    assert ran.status == status, ran.err
    assert says in ran.out + ran.err
