"""What the tables of template formats share: pages with marked lines, and one line of a page each."""

from __future__ import annotations

from rule_tables import MemoryResolver, marked_lines, posted_lines, run

from devpulse.core.rules.template_output import RULE


def assert_reported(path: str, page: str) -> None:
    """All marked lines are posted, and no other; without marks the only line is."""
    wanted = marked_lines(page) or [1]
    assert sorted(posted_lines(RULE, page, path=path)) == wanted, page


def assert_quiet(path: str, page: str) -> None:
    """Nothing is posted."""
    assert posted_lines(RULE, page, path=path) == [], page


def confidences(path: str, page: str) -> list[str]:
    """How sure the rule is of each line that it reports."""
    return [hit.confidence.value for hit in run(RULE, page, path=path, resolver=MemoryResolver())]
