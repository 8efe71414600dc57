"""What a comparison prints."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from builders import make_finding
from comparisons import make_arm, make_comparison
from hypothesis import given, settings
from report_strategies import hostile_text

from devpulse.core.comparison import AFTER, BEFORE, Ablation, ComparedTask
from devpulse.core.messages import Usage
from devpulse.output.characters import is_hidden
from devpulse.output.compare_text import MAX_TASKS, render_compare_text


def lines_of(comparison):
    return render_compare_text(comparison).split("\n")


def test_render__both_arms_what_was_saved_and_the_findings():
    before = make_arm(BEFORE, [("a-1", 1_000), ("b-2", 9_000)], make_finding())
    after = make_arm(AFTER, [("a-1", 1_000), ("b-2", 1_000)], make_finding())
    lines = lines_of(make_comparison(before, after))
    assert lines[0] == "BEFORE  10,000 tokens  2 requests, largest 9,000: what before is"
    assert lines[1] == "AFTER    2,000 tokens  2 requests, largest 1,000: what after is"
    assert lines[2:4] == ["saved 80.0 %", "findings identical 1 of 1"]


def test_render__a_row_for_each_task_with_the_size_of_its_first_request():
    text = render_compare_text(make_comparison())
    assert re.search(r"^ +1,000 +1,000 +1,000 +1,000 +app/a\.py$", text, re.MULTILINE)
    assert re.search(r"^ +9,000 +1,000 +9,000 +1,000 +app/b\.py \(part 1 of 2\)$", text, re.MULTILINE)


def test_render__names_what_differs():
    before = make_arm(BEFORE, [("a-1", 10)], make_finding(fingerprint="f1"))
    after = make_arm(AFTER, [("a-1", 10)], *(make_finding(fingerprint=f"g{n}") for n in range(12)))
    lines = lines_of(make_comparison(before, after))
    assert "findings identical 0 of 13" in lines
    assert "  only before: sql-injection app/db.py:4 (f1)" in lines
    assert "  only after: 2 more, see compare.json" in lines


@pytest.mark.parametrize("failing", [BEFORE, AFTER])
def test_render__an_arm_that_failed_saved_nothing(failing):
    arms = [make_arm(name, [("a-1", 9)], failure="down" if name == failing else "") for name in (BEFORE, AFTER)]
    lines = lines_of(make_comparison(*arms))
    assert f"{failing.upper()} failed: down" in lines
    assert f"saved: cannot be said, {failing.upper()} failed" in lines
    assert not any(line.startswith("saved 0") for line in lines)


def test_render__reported_use_and_cost():
    arm = make_arm(AFTER, [("a-1", 10)], reported=Usage(1, 1_200, 200, 30, 10))
    text = render_compare_text(make_comparison(after=arm))
    assert "reported: 1,200 input tokens (200 cached), 30 output (10 thinking), cost unknown" in text


def test_render__what_was_saved_as_reported():
    def told(before, after):
        arms = [make_arm(n, [("a-1", 9)], reported=use) for n, use in ((BEFORE, before), (AFTER, after))]
        return [line for line in lines_of(make_comparison(*arms)) if line.startswith("saved as")]

    dear, cheap = Usage(1, 400, cost_usd=Decimal("0.3")), Usage(1, 100, cost_usd=Decimal("0.1"))
    assert told(dear, cheap) == ["saved as reported: 75.0 % of the input tokens, $0.2000"]
    assert told(cheap, dear) == ["saved as reported: -300.0 % of the input tokens, -$0.2000"]
    assert told(Usage(1, 400), cheap) == ["saved as reported: 75.0 % of the input tokens, cost unknown"]
    assert told(Usage(), Usage()) == []


def test_render__each_strategy_says_what_it_switches_and_what_it_saved():
    whole, after = make_arm("whole-files", [("a-1", 4_000)]), make_arm(AFTER, [("a-1", 1_000)])
    failed = make_arm("verbose", [("a-1", 1)], failure="down")
    rows = (
        Ablation("select", "whole files become look-ups", whole, whole, after),
        Ablation("write", "a short prompt", failed, failed, after),
    )
    text = render_compare_text(make_comparison(after=after, ablations=rows))
    assert re.search(r"^ +4,000 +1,000 +75\.0 % +0 of 0 +select: whole files become look-ups$", text, re.MULTILINE)
    assert re.search(r"^ +1 +1,000 +failed +0 of 0 +write: a short prompt$", text, re.MULTILINE)
    assert "  write failed: down" in text


def test_render__many_tasks_are_cut_and_none_is_said():
    tasks = tuple(ComparedTask(f"t-{n}", f"f{n}.py", "") for n in range(MAX_TASKS + 5))
    assert "  5 more tasks, see compare.json" in lines_of(make_comparison(tasks=tasks))
    empty = lines_of(make_comparison(make_arm(BEFORE), make_arm(AFTER), tasks=()))
    assert "saved: nothing had to be asked" in empty
    assert "No file had to be reviewed." in empty


@settings(max_examples=50, deadline=None)
@given(hostile_text)
def test_render__no_text_commands_a_terminal_or_a_runner(text):
    arm = make_arm(BEFORE, [("t", 1)], make_finding(path=text or "x"), failure=text)
    shown = render_compare_text(make_comparison(arm, tasks=(ComparedTask("t", text, ""),)))
    assert not any(is_hidden(character) for character in shown.replace("\n", ""))
    assert "##[" not in shown
    assert not re.search(r"^\s*::", shown, re.MULTILINE)
