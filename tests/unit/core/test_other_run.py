import pytest

from devpulse.core.other_run import OtherRun, reason_not_to_publish


@pytest.mark.parametrize(
    ("event", "repository", "branch", "name"),
    [
        ("pull_request", "eve/shop", "work", None),
        ("push", "octo/shop", "work", "not-a-pull-request"),
        ("pull_request_target", "octo/shop", "work", "not-a-pull-request"),
        ("pull_request", None, "work", "head-gone"),
        ("pull_request", "eve/shop", None, "head-gone"),
    ],
)
def test_reason_not_to_publish__only_runs_of_a_pull_request(event, repository, branch, name):
    reason = reason_not_to_publish(OtherRun(event, repository, branch, "a" * 40, ""))
    assert (reason.name if reason else None) == name
