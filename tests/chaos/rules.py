"""What must hold after a chaos run, whatever went wrong in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chaos.scene import BY_BOTH, BY_RULE, CHANGED, EXPECTED, SECRET
from runner import KEY

from devpulse.output.comments.marker import read_finding_marker, read_summary_marker

if TYPE_CHECKING:
    from chaos.run import Ran
    from fakes.github import FakeGitHub

_RULES_ONLY = "model unavailable, rules only"
_UNTOLD = ("unanchored", "below-threshold")
Place = tuple[str, str, int]


def after_chaos(ran: Ran, hub: FakeGitHub, gate: bool) -> Iterator[str]:
    """What is wrong after a run under faults."""
    yield from _always(ran, hub)
    if ran.report is None:
        if ran.status != 2:
            yield f"no report, and exit status {ran.status}"
        if "error: " not in ran.said or "hint: " not in ran.said:
            yield "it ended without saying why and what to do"
        return
    rows = {row["path"]: row for row in ran.report["coverage"]}
    changed = {path for path in rows if path != "README.md"}
    if changed != CHANGED:
        yield f"rows for {sorted(changed)}"
    found = places(ran)
    whole = {path for path, row in rows.items() if row["outcome"] == "reviewed"}
    yield from (
        f"{path} is {row['outcome']} without a reason"
        for path, row in rows.items()
        if path not in whole and not row["reason"]
    )
    sure = {place for place in EXPECTED if place[0] in whole} | BY_RULE
    sure |= {place for place in BY_BOTH if _RULES_ONLY in rows[place[0]]["reason"]}
    if lost := sure - set(found):
        yield f"findings lost: {sorted(lost)}"
    yield from _gate(ran, set(rows) != whole, gate)
    if ran.status not in (0, 1, 3, 4):
        yield f"exit status {ran.status} with a report: {ran.printed[-600:]}"
    elif ran.record is None:
        yield f"no record of what was published: {ran.printed[-600:]}"
    else:
        yield from _accounted(ran, hub)


def _gate(ran: Ran, incomplete: bool, gate: bool) -> Iterator[str]:
    counting = (
        [f for f in ran.report["findings"] if f["status"] == "open" and f["severity"] == "critical"]
        if ran.report
        else []
    )
    if gate and (incomplete or counting) and ran.status == 0:
        yield f"green under a gate, incomplete {incomplete}, {len(counting)} findings"
    if gate and counting and ran.status not in (1, 4):
        yield f"exit status {ran.status} with {len(counting)} findings at the gate"


def _accounted(ran: Ran, hub: FakeGitHub) -> Iterator[str]:
    """Every open finding has a comment, or a reason why not."""
    assert ran.report is not None
    assert ran.record is not None
    told = {each["fingerprint"] for name in ("posted", "kept", "unplaced") for each in ran.record[name]}
    open_ones = {f["fingerprint"] for f in ran.report["findings"] if f["status"] == "open"}
    if missing := open_ones - told:
        yield f"neither posted nor said why not: {sorted(missing)}"
    standing = {read_finding_marker(thread.comments[0].body) for thread in hub.threads}
    claimed = {each["fingerprint"] for name in ("posted", "kept") for each in ran.record[name]}
    if claimed - standing:
        yield f"said to be posted, but not there: {sorted(claimed - standing)}"
    if any(not each["detail"] and each["cause"] != "over-limit" for each in ran.record["unplaced"]):
        yield f"unplaced without a word: {ran.record['unplaced']}"


def after_calm(ran: Ran, hub: FakeGitHub, gate: bool, refusals: bool) -> Iterator[str]:
    """What is wrong after the run without faults over the same state: everything must have come right.

    ``refusals`` says that GitHub had refused a single comment before.
    """
    yield from _always(ran, hub)
    if ran.report is None:
        yield f"no report, exit status {ran.status}: {ran.printed[-600:]}"
        return
    rows = {row["path"]: row for row in ran.report["coverage"]}
    yield from (
        f"{path} is {row['outcome']}: {row['reason']}" for path, row in rows.items() if row["outcome"] != "reviewed"
    )
    found = places(ran)
    if Counter(found) != Counter(EXPECTED):
        more = sorted((Counter(found) - Counter(EXPECTED)).elements())
        yield f"findings lost {sorted(EXPECTED - set(found))}, doubled or misplaced {more}"
    threads = Counter((thread.path, thread.side, thread.line or 0) for thread in hub.threads)
    if threads != Counter(EXPECTED):
        missing, wrong = set(EXPECTED) - set(threads), sorted((threads - Counter(EXPECTED)).elements())
        if wrong or missing != _refused(ran, refusals):
            yield f"comments missing {sorted(missing)}, doubled or misplaced {wrong}"
    summaries = [mark for comment in hub.comments if (mark := read_summary_marker(comment.body))]
    if [mark.head_sha for mark in summaries] != [hub.head_sha]:
        yield f"{len(summaries)} summaries"
    if ran.status != (1 if gate else 0):
        yield f"exit status {ran.status}"


def _refused(ran: Ran, refusals: bool) -> set[Place]:
    """What GitHub refused to take a comment for: the summary says so, and it is not tried again at this head."""
    if not refusals or ran.record is None or ran.report is None:
        return set()
    refused = {each["fingerprint"] for each in ran.record["unplaced"] if each["cause"] == "refused"}
    return {(f["path"], f["side"], f["start_line"]) for f in ran.report["findings"] if f["fingerprint"] in refused}


def _always(ran: Ran, hub: FakeGitHub) -> Iterator[str]:
    written = [comment.body for comment in hub.comments]
    written += [comment.body for thread in hub.threads for comment in thread.comments]
    written += [review.body for review in hub.reviews]
    everything = ran.said + "".join(written)
    yield from (
        f"{name} got out"
        for name, secret in (("the key", KEY), ("the secret", SECRET), ("the token", hub.token))
        if secret in everything
    )
    if "Traceback" in ran.said or "internal error" in ran.said:
        yield f"a defect: {ran.said[ran.said.find('internal error') :][:600]}"
    twice = [mark for mark, count in Counter(_marks(hub)).items() if count > 1]
    if twice:
        yield f"comments doubled: {twice}"
    wrong = [place for thread in hub.threads if (place := (thread.path, thread.side, thread.line)) not in EXPECTED]
    if wrong:
        yield f"comments misplaced: {wrong}"
    if sum(read_summary_marker(comment.body) is not None for comment in hub.comments) > 1:
        yield "more than one summary"


def _marks(hub: FakeGitHub) -> list[Any]:
    return [read_finding_marker(thread.comments[0].body) for thread in hub.threads]


def places(ran: Ran) -> list[Place]:
    """Where findings stand that are told of; what could not be anchored is nowhere, what is doubtful is not told."""
    findings = ran.report["findings"] if ran.report else ()
    return [(f["path"], f["side"], f["start_line"]) for f in findings if f["status"] not in _UNTOLD]
