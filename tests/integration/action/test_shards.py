"""The container's commands for a review over several jobs: plan, a job for each shard, merge."""

import json
import shutil

import pytest
from fakes.github import FakeGitHub
from runner import INJECTION, SAFE, Runner, merged_checkout, places
from sharded_workflow import ShardedRun


def test_action__plan_shards_and_merge(repo, tmp_path):
    runner = Runner(tmp_path / "runner", merged_checkout(repo, tmp_path / "shop"))
    shards = runner.workspace / "shards"
    with FakeGitHub(repo) as hub:

        def job(**inputs):
            return runner.run(hub, hub.event(), inputs={name.rstrip("_"): value for name, value in inputs.items()})

        planned = job(command="plan", shards="2")
        assert planned.status == 0, planned.err
        jobs = json.loads(planned.outputs["matrix"])["include"]
        assert planned.outputs["jobs"] == str(len(jobs))
        assert jobs[0] == {"shard": "1/2", "number": 1}
        for each in jobs:
            ran = job(command="review", shard=each["shard"], **{"fail-on": "low"})
            assert ran.status == 0, ran.err
            assert ran.commands() == [], "the merge tells of findings, once"
            shutil.copytree(ran.workspace / "devpulse-artifacts", shards / f"devpulse-shard-{each['number']}")
        quiet = {"comment": "false", "summary": "never"}
        merged = job(command="merge", from_="shards", shards="2", **{"fail-on": "low"}, **quiet)
        assert merged.status == 1, "the gate is the merge's"
        assert merged.outputs["findings-count"] == "1"
        spared = job(command="merge", from_="shards", **{"stop-after": "1", "fresh": "true"}, **quiet)
        assert spared.status == 0, "it stops after no task"
        shutil.rmtree(shards / "devpulse-shard-1")
        lost = job(command="merge", from_="shards", shards="2", **{"fail-on-incomplete": "true"}, **quiet)
        assert lost.outputs["incomplete"] == "true"
        assert "shard 1/2 missing" in lost.summary
        for inputs, cause in (
            ({"command": "plan"}, "how many shards"),
            ({"command": "merge"}, "which folder holds the shards"),
            ({"command": "action", "shard": "1/2"}, "the command is action"),
        ):
            refused = job(**inputs)
            assert (refused.status, cause in refused.err) == (2, True), refused.err
        assert hub.comments == []


@pytest.mark.usefixtures("brief")
def test_sharded_workflow__posts_once_and_settles_what_is_fixed(repo, tmp_path):
    """The reusable workflow as its file says it: what the shards found is posted by the merge, with all rights."""
    repo.write("app/more.py", INJECTION.replace("lookup", "search"))
    repo.commit("more")
    with FakeGitHub(repo) as hub:
        first = ShardedRun(repo, hub, tmp_path / "runs", {"shards": 2, "fail-on": "high"}).run()
        assert first.status == 1, first.err
        assert sorted(places(hub)) == [("app/more.py", "RIGHT", 5), ("app/users.py", "RIGHT", 5)]
        (summary,) = hub.comments
        assert summary.body.startswith("# DevPulse security review\n")
        assert "INCOMPLETE" not in summary.body
        repo.write("app/users.py", SAFE.replace("select 1", "select 2"))
        repo.commit("fixed")
        hub.moved()
        second = ShardedRun(repo, hub, tmp_path / "runs", {"shards": 2}, number=2)
        assert second.run().status == 0
        settled = {thread.path: thread.resolved_by == hub.actor for thread in hub.threads}
        assert settled == {"app/users.py": True, "app/more.py": False}
        written = len(hub.writes())
        assert second.job("merge", {}).status == 0, "a job that runs again"
        assert len(hub.writes()) == written
