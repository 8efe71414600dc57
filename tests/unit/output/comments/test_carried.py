"""Comments that go on with a file that the change added and a later push renamed."""

from __future__ import annotations

from builders import make_finding, make_report

from devpulse.core.fingerprint import fingerprint
from devpulse.output.comments.carried import carried_over
from devpulse.output.comments.standing import IgnoreRequest, Standing, StandingComment


def _finding(path):
    finding = make_finding(path=path)
    name = fingerprint(finding.category, path, finding.symbol, finding.evidence, 1)
    return make_finding(path=path, fingerprint=name)


def _standing(path):
    name = _finding(path).fingerprint
    return Standing((StandingComment(1, "T", name, path, 4, False, "", (), "https://x.example"),))


def test_carried_over__the_same_code_under_another_name():
    new = _finding("app/new.py")
    (comment,) = carried_over(make_report(new), _standing("app/old.py"), {"app/new.py"}).comments
    assert (comment.fingerprint, comment.path) == (new.fingerprint, "app/old.py")


def test_carried_over__not_while_the_old_file_is_there_nor_for_other_code():
    standing = _standing("app/old.py")
    assert carried_over(make_report(_finding("app/new.py")), standing, {"app/old.py"}) == standing
    other = make_finding(path="app/new.py", evidence="other()", fingerprint="ffff")
    assert carried_over(make_report(other), standing, {"app/new.py"}) == standing


def test_carried_over__what_was_asked_in_the_conversation_goes_along():
    new, old = _finding("app/new.py"), _standing("app/old.py")
    asked = IgnoreRequest("ada", old.comments[0].fingerprint[:8], "known")
    other = IgnoreRequest("ada", "0" * 8, "another")
    standing = Standing(old.comments, requests=(asked, other))
    carried = carried_over(make_report(new), standing, {"app/new.py"})
    assert carried.requests == (IgnoreRequest("ada", new.fingerprint, "known"), other)
