"""The payload of the event that started a workflow (GitHub Docs, "Webhook events and payloads")."""

from __future__ import annotations

from typing import Any

from fakes.github_json import JsonOf


def payload(json_of: JsonOf, event: str, action: str | None) -> dict[str, Any]:  # noqa: PLR0911  (one return an event)
    """What GITHUB_EVENT_PATH holds for an event; ``action`` falls back to the usual one."""
    pull = json_of.pull
    common = {
        "repository": json_of.repository(pull.repository),
        "sender": json_of.person(pull.notes.person(pull.author)),
    }
    number = {"number": pull.number}
    if event == "workflow_run":
        return {"action": action or "completed", "workflow_run": _run(json_of), **common}
    match event:
        case "pull_request" | "pull_request_target":
            ends = {"before": pull.before_sha, "after": pull.head_sha} if action == "synchronize" else {}
            return {"action": action or "opened", **number, "pull_request": json_of.pull_full(), **ends, **common}
        case "issue_comment":
            return {"action": action or "created", "issue": _issue(json_of), "comment": _newest(json_of), **common}
        case "merge_group":
            group = {
                "head_sha": pull.head_sha,
                "head_ref": f"refs/heads/gh-readonly-queue/{pull.base}/pr-{pull.number}-{pull.base_sha}",
                "base_sha": pull.base_sha,
                "base_ref": f"refs/heads/{pull.base}",
            }
            return {"action": action or "checks_requested", "merge_group": group, **common}
        case "push":
            ref = f"refs/heads/{pull.head}"
            return {"ref": ref, "before": pull.base_sha, "after": pull.head_sha, "commits": [], **common}
        case "workflow_dispatch":
            workflow = ".github/workflows/devpulse.yml"
            return {"inputs": None, "ref": f"refs/heads/{pull.head}", "workflow": workflow, **common}
        case "schedule":
            return {"schedule": "0 4 * * 1", "workflow": ".github/workflows/devpulse.yml", **common}
    raise AssertionError(f"no payload is known for the event {event}")


def _issue(json_of: JsonOf) -> dict[str, Any]:
    pull = json_of.pull_simple()
    links = {key: pull[key] for key in ("url", "html_url", "diff_url", "patch_url")}
    kept = ("number", "title", "body", "state", "locked", "user", "labels", "assignees", "created_at", "updated_at")
    return {**{key: pull[key] for key in kept}, "id": pull["id"] + 1, "url": pull["issue_url"], "pull_request": links}


def _newest(json_of: JsonOf) -> dict[str, Any]:
    comments = list(json_of.pull.notes.comments.values())
    assert comments, "add the comment that the event is about first"
    return json_of.comment(comments[-1])


def _run(json_of: JsonOf) -> dict[str, Any]:
    """A run that reviewed the pull request; of one from a fork GitHub lists no pull requests."""
    pull = json_of.pull
    return {
        "id": 40,
        "name": "Review",
        "event": "pull_request",
        "status": "completed",
        "conclusion": "success",
        "head_branch": pull.head,
        "head_sha": pull.head_sha,
        "head_repository": json_of.repository(pull.head_repository),
        "repository": json_of.repository(pull.repository),
        "pull_requests": [],
        "run_attempt": 1,
        "html_url": f"{json_of.site}/{pull.repository}/actions/runs/40",
    }
