"""Conditions that stand there again without one of their parts."""

from __future__ import annotations

from tables import for_each
from work import assert_work_in_step

from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.weakened_conditions import weakened_in


@for_each(
    [
        ("if (a && canEdit(b)) {", "if (a) {", True),
        ("if (a && canEdit(b) && c) {", "if (a && c) {", True),
        ("if a and user.is_admin():", "if a:", True),
        ("if (name\n    && !name.includes('..')\n    && b) {", "if (name && b) {", True),
        ("if (name\n    && !name.includes('..')) {", "if (name) {", True),
        ("if (a\n    && count(b)) {", "if (a) {", False),
        ("if (a\n    || name.includes('..')) {", "if (a) {", False),
        ("if (a && canEdit(b)) {", "if (b) {", False),
        ("if (a && count(b)) {", "if (a) {", False),
        ("if (a || canEdit(b)) {", "if (a) {", False),
        ("if (canEdit(b)) {", "if (b) {", False),
    ]
)
def test_weakened_in(row: tuple[str, str, bool]) -> None:
    old, new, found = row
    run = Run(tuple(enumerate(old.split("\n"), 1)), ((1, new),))
    assert bool(list(weakened_in(run))) is found


@for_each(
    [
        ("    && canEdit(user)", True),
        ("    name.startswith(root_dir) and", True),
        ("    && count(user)", False),
        ("    || canEdit(user)", False),
        ("    // && canEdit(user)", False),
        ("    && a && canEdit(user)", False),
    ]
)
def test_weakened_in__a_part_on_a_line_of_its_own(row: tuple[str, bool]) -> None:
    line, found = row
    assert bool(list(weakened_in(Run(((3, line),), ())))) is found
    assert list(weakened_in(Run(((3, line),), ((3, "    && other"),)))) == []


@for_each(
    [
        lambda n: "if (a\n" * n,
        lambda n: "if (" + "a && " * n + "b) {",
        lambda n: "&& " * n,
        lambda n: "a" + " " * n + "b",
    ]
)
def test_weakened_in__work_in_step_with_the_text(row) -> None:
    def work(text: str) -> list[object]:
        return list(weakened_in(Run(tuple(enumerate(text.split("\n"), 1)), ())))

    assert_work_in_step(work, row, 60)
