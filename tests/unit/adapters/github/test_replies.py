import pytest
from pydantic import ValidationError

from devpulse.adapters.github.replies import BlobReply, PullReply
from devpulse.core.event import PullRequestState

PULL = {
    "number": 5,
    "title": "T",
    "state": "closed",
    "head": {"sha": "h", "ref": "work", "repo": None},
    "base": {"sha": "b", "ref": "main", "repo": {"full_name": "Octo/Shop"}},
}


def facts(**overrides):
    return PullReply.model_validate({**PULL, **overrides}).facts("octo/shop")


def head_of(name):
    return {"sha": "h", "ref": "work", "repo": {"full_name": name}}


def test_facts__what_may_be_absent():
    found = facts(draft=None, merged=None)
    assert (found.draft, found.state, found.head_repository) == (False, PullRequestState.CLOSED, None)
    assert (found.base_repository, found.head_sha, found.base_sha) == ("Octo/Shop", "h", "b")


@pytest.mark.parametrize(
    ("state", "merged", "expected"),
    [
        ("open", False, PullRequestState.OPEN),
        ("closed", False, PullRequestState.CLOSED),
        ("closed", True, PullRequestState.MERGED),
    ],
)
def test_facts__state(state, merged, expected):
    assert facts(state=state, merged=merged).state is expected


@pytest.mark.parametrize(
    ("head", "trusted"), [(PULL["head"], False), (head_of("eve/shop"), False), (head_of("octo/shop"), True)]
)
def test_trusted__only_the_base_repository_itself(head, trusted):
    assert facts(head=head).trusted is trusted


@pytest.mark.parametrize(
    ("reply", "data"),
    [
        ({"encoding": "base64", "content": "aGVs\nbG8=\n"}, b"hello"),
        ({"encoding": "base64", "content": "a"}, None),
        ({"encoding": "base64", "content": "ä"}, None),
        ({"encoding": "utf-8", "content": "hä"}, "hä".encode()),
    ],
)
def test_data__encodings(reply, data):
    assert BlobReply.model_validate(reply).data() == data


def test_blob_reply__content_that_is_not_sent():
    with pytest.raises(ValidationError):
        BlobReply.model_validate({"encoding": "none", "content": ""})
