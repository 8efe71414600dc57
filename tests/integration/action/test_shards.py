"""The container's commands for a review over several jobs: plan, a job for each shard, merge."""

import json
import shutil

from fakes.github import FakeGitHub
from runner import Runner, merged_checkout


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
        merged = job(command="merge", from_="shards", shards="2", **{"fail-on": "low"})
        assert merged.status == 1, "the gate is the merge's"
        assert merged.outputs["findings-count"] == "1"
        shutil.rmtree(shards / "devpulse-shard-1")
        lost = job(command="merge", from_="shards", shards="2", **{"fail-on-incomplete": "true"})
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
