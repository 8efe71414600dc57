"""What a log proves, and every way it can fail to."""

from __future__ import annotations

import copy

import pytest

from devpulse.core.isolation import SavedResult, base_task, check_isolation

SYSTEM = "s:system"
NUDGE = "u:nudge"


def request(task, step, *messages, form="submit_review"):
    return {"event": "request", "task": task, "step": step, "form": form, "messages": list(messages)}


def reply(task, step, message, called=0, stop="tool-calls"):
    return {"event": "reply", "task": task, "step": step, "stop": stop, "called": called, "message": message}


def answer(task, step, message, event="tool_call"):
    return {"event": event, "task": task, "step": step, "message": message}


def finished(task):
    return {"event": "task_finished", "task": task}


def story(task, name):
    """Three steps: two tools, one of them refused, a word of the program, and the end."""
    said, told, first, second = f"a:{name}1", f"a:{name}2", f"t:{name}1", f"t:{name}2"
    start = (SYSTEM, f"u:{name}")
    return [
        request(task, 1, *start),
        reply(task, 1, said, called=2),
        answer(task, 1, first),
        answer(task, 1, second, "tool_refused"),
        request(task, 2, *start, said, first, second),
        reply(task, 2, told, stop="stop"),
        answer(task, 2, NUDGE, "told"),
        request(task, 3, *start, said, first, second, told, NUDGE),
        reply(task, 3, f"a:{name}3", called=1),
        finished(task),
    ]


LOG = [{"event": "planned"}, *(event for pair in zip(story("a", "A"), story("b", "B"), strict=True) for event in pair)]
RESULTS = [SavedResult("a", "reviewed", "", 3), SavedResult("b", "reviewed", "", 3)]


def check(log, results=RESULTS):
    return check_isolation(enumerate(log, 1), results)


@pytest.mark.parametrize(
    ("logged", "saved", "says"),
    [
        ({"outcome": "reviewed", "reason": "", "tokens": 7}, SavedResult("a", "reviewed", "", 3, 7), None),
        ({"outcome": "partial", "reason": "x" * 200 + "… (300 characters)", "tokens": 7},
         SavedResult("a", "partial", "x" * 300, 3, 7), None),
        ({"outcome": "partial", "reason": "", "tokens": 7}, SavedResult("a", "reviewed", "", 3, 7),
         "its result says otherwise: reviewed, the log says partial"),
        ({"outcome": "partial", "reason": "step limit", "tokens": 7}, SavedResult("a", "partial", "", 3, 7),
         "the reason '', the log gives 'step limit'"),
        ({"outcome": "reviewed", "reason": "", "tokens": 7}, SavedResult("a", "reviewed", "", 3, 8),
         "8 tokens, the log says 7"),
    ],
)  # fmt: skip
def test_check_isolation__a_result_is_what_the_log_says_of_it(logged, saved, says):
    log = [{"event": "planned"}, *story("a", "A")[:-1], {**finished("a"), **logged}]
    violation = check(log, [saved]).violation
    assert (violation is None) if says is None else (says in violation.text and violation.line == len(log))


def test_check_isolation__an_honest_log_holds():
    checked = check(LOG)
    assert checked.violation is None
    assert (checked.runs, checked.tasks, checked.contexts, checked.requests, checked.answers) == (1, 2, 2, 6, 4)


def forged(change):
    log = copy.deepcopy(LOG)
    change(log)
    return check(log).violation


def where(log, event, task, step):
    return next(row for row in log if (row["event"], row.get("task"), row.get("step")) == (event, task, step))


def test_check_isolation__a_message_of_another_context_is_named_with_its_owner():
    def leak(log):
        where(log, "request", "b", 2)["messages"][3] = "t:A1"

    violation = forged(leak)
    assert (violation.line, violation.task, violation.step) == (11, "b", 2)
    assert violation.text == "message 4 is not of its own conversation: it is an answer of a tool of a"


def add(task, step, message):
    return lambda log: where(log, "request", task, step)["messages"].append(message)


def put(event, task, step, **values):
    return lambda log: where(log, event, task, step).update(values)


def drop(event, task, step):
    return lambda log: log.remove(where(log, event, task, step))


@pytest.mark.parametrize(
    ("change", "line", "text"),
    [
        (add("b", 3, "a:A3"), 17, "it is a reply of a"),
        (add("b", 3, "u:A"), 17, "it is a text of a"),
        (add("b", 3, "u:nowhere"), 17, "it is a text that is in no conversation"),
        (add("b", 1, "t:A1"), 3, "holds 3 messages, not its system prompt and task"),
        (put("request", "b", 1, messages=["u:B", SYSTEM]), 3, "holds 2 messages, not its system prompt and task"),
        (put("request", "b", 1, messages=["s:other", "u:B"]), 3, "its system prompt is not that of the other"),
        (put("request", "b", 1, messages=[SYSTEM, "u:A"]), 3, "it was given the task text of a"),
        (put("request", "b", 2, messages=[SYSTEM, "u:B", "a:B1", "t:B1"]), 11, "it lacks message 5 of its own"),
        (put("request", "b", 2, messages=[SYSTEM, "u:B", "a:B1", "t:B2", "t:B1"]), 11, "message 4 is not of its own"),
        (put("reply", "b", 1, called=1), 9, "a tool answered that the last reply had not called"),
        (put("reply", "b", 1, stop="truncated"), 11, "message 3 is not of its own"),
        (put("tool_call", "b", 1, message="u:B9"), 7, "the answer of a tool is no answer"),
        (drop("tool_call", "b", 1), 10, "message 4 is not of its own"),
        (drop("request", "b", 2), 16, "comes after step 1 of its context"),
        (drop("request", "b", 1), 4, "it has no first request"),
        (put("request", "b", 1, messages=None), 3, "it is not as a run writes it"),
        (put("request", "b", 1, messages=[]), 3, "it is not as a run writes it"),
        (put("request", "b", 2, messages=[3]), 11, "it is not as a run writes it"),
        (put("reply", "b", 1, called="many"), 7, "it is not as a run writes it"),
        (lambda log: log[4].pop("message"), 5, "it is not as a run writes it"),
        (lambda log: log[2].pop("event"), 3, "it is not as a run writes it"),
    ],
)
def test_check_isolation__the_first_violation_is_named(change, line, text):
    violation = forged(change)
    assert violation is not None
    assert text in violation.text
    assert violation.line == line


def test_check_isolation__runs_after_each_other_are_checked_apart():
    again = [
        {**event, "messages": ["s:next", *event["messages"][1:]]} if "messages" in event else event for event in LOG
    ]
    checked = check([*LOG, *again])
    assert checked.violation is None
    assert (checked.runs, checked.tasks, checked.requests) == (2, 4, 12)


def test_check_isolation__a_run_that_died_is_checked_as_far_as_it_got():
    assert check([*LOG[:6], *LOG]).violation is None


def test_check_isolation__verification_halves_and_a_second_engine_are_contexts_of_their_task():
    verify = request("a.verify", 1, "s:verify", "u:verify", form="submit_verdicts")
    again = [request("a", 1, SYSTEM, "u:A"), reply("a", 1, "a:again", called=1)]
    halves = [request(f"a.{n}", 1, SYSTEM, f"u:half{n}") for n in (1, 2)]
    checked = check([*LOG, *again, *halves, verify], [SavedResult("a", "reviewed", "", 7), RESULTS[1]])
    assert checked.violation is None
    assert (checked.tasks, checked.contexts) == (2, 6)


def test_check_isolation__a_summary_stands_for_what_it_replaced():
    start = (SYSTEM, "u:C")
    log = [
        {"event": "planned"},
        request("c", 1, *start),
        reply("c", 1, "a:1", called=1),
        answer("c", 1, "t:1"),
        request("c", 2, *start, "a:1", "t:1"),
        reply("c", 2, "a:2", called=2),
        answer("c", 2, "t:2"),
        {"event": "compaction", "task": "c", "step": 2, "message": "u:sum", "kept": 2},
        answer("c", 2, "t:3"),
        {"event": "compaction", "task": "coordinator", "before": 2, "after": 1},
        request("c", 3, *start, "u:sum", "a:2", "t:2", "t:3"),
    ]
    result = [SavedResult("c", "reviewed", "", 3)]
    assert check(log, result).violation is None
    log[-1]["messages"][2] = "u:other"
    violation = check(log, result).violation
    assert violation is not None
    assert "message 3 is not of its own" in violation.text


def asked_for_words(task, about, text="u:record", system="s:sum"):
    return {"event": "summary_request", "task": task, "step": 2, "messages": [system, text], "about": about}


def with_summary(*events):
    return [{"event": "planned"}, *story("a", "A")[:5], *events, *story("b", "B")]


def test_check_isolation__a_request_for_a_summary_sums_up_its_own_conversation():
    words = asked_for_words("a", ["a:A1", "t:A1"])
    notes = asked_for_words("coordinator", None, "u:notes")
    checked = check(with_summary(words, notes), [SavedResult("b", "reviewed", "", 3)])
    assert checked.violation is None
    assert (checked.summaries, checked.requests, checked.contexts) == (2, 5, 2)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (asked_for_words("a", ["a:A1", "t:B1"]), "messages that are not the oldest of its own conversation"),
        (asked_for_words("a", ["t:A1"]), "messages that are not the oldest of its own conversation"),
        (asked_for_words("a", []), "messages that are not the oldest of its own conversation"),
        (asked_for_words("a", None), "does not say which messages"),
        (asked_for_words("c", ["a:A1"]), "it has no first request"),
        (asked_for_words("coordinator", None, "u:A"), "it was given the task text of a"),
        (asked_for_words("a", ["a:A1"]) | {"messages": ["s:sum", "u:r", "a:A1"]}, "holds 3 messages"),
        ({"event": "summary_request", "task": "a"}, "it is not as a run writes it"),
    ],
)
def test_check_isolation__a_request_for_a_summary_of_anything_else_is_a_violation(event, text):
    violation = check(with_summary(event), []).violation
    assert violation is not None
    assert (violation.line, text in violation.text) == (7, True), violation.text


def test_check_isolation__requests_for_summaries_share_one_system_prompt():
    log = with_summary(asked_for_words("a", ["a:A1"]), asked_for_words("a", ["a:A1"], "u:more", "s:other"))
    violation = check(log, []).violation
    assert violation is not None
    assert "its system prompt is not that of the other contexts" in violation.text


@pytest.mark.parametrize(
    ("results", "text"),
    [
        (RESULTS[:1], "its result is not there any more"),
        ([RESULTS[0], SavedResult("b", "reviewed", "", 2)], "its result took 2 requests, the log holds 3"),
        ([*RESULTS, SavedResult("c", "reviewed", "", 1)], "its result took 1 requests, the log holds 0"),
        ([*RESULTS, SavedResult("c", "reviewed", "reused", 0)], "taken from the store, but the log does not say so"),
        ([RESULTS[0], SavedResult("b", "failed", "internal error", 0)], None),
    ],
)
def test_check_isolation__saved_results_must_fit_the_log(results, text):
    violation = check(LOG, results).violation
    assert (violation and text in violation.text) if text else violation is None


def test_check_isolation__reused_work_has_no_requests():
    log = [{"event": "planned"}, {"event": "reused", "task": "a"}, finished("a")]
    checked = check(log, [SavedResult("a", "reviewed", "reused", 0)])
    assert (checked.violation, checked.requests) == (None, 0)


@pytest.mark.parametrize("task", ["app-db.py-12ab34cd", "a-part2of3", "x.1.2", "x.verify", "x.2.verify", "x"])
def test_base_task__is_the_task_of_the_plan(task):
    assert base_task(task) == {"x.1.2": "x", "x.verify": "x", "x.2.verify": "x"}.get(task, task)
