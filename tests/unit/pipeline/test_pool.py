"""The pool: every task ends in a reference, whatever becomes of it."""

from queue import Empty, Queue
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest

from devpulse.errors import ArtifactError, ModelMisconfigured, SourceError
from devpulse.pipeline.pool import Pool


class Runner:
    """Answers with the task's name, or raises what the task is."""

    def run(self, task):
        if isinstance(task, BaseException):
            raise task
        return f"done {task}"

    def failed(self, _task, reason):
        return f"failed: {reason}"


def pool_of(runner: Any, tasks: Any, size: int) -> Any:
    """A pool over anything that runs and anything to be run."""
    return Pool(runner, tasks, size)


def test_finished__tells_of_each_task_that_is_begun():
    begun: list[Any] = []
    pool = Pool(Runner(), ["a", SourceError("gone")], 2, begun.append)  # type: ignore[list-item]
    list(pool.finished())
    pool.close()
    assert len(begun) == 2
    assert "a" in begun


def test_finished__more_than_at_once_are_got_ready_when_the_first_is_done():
    begun: Queue[str] = Queue()
    released = {task: Event() for task in "abcd"}

    def run(task):
        begun.put(task)
        assert released[task].wait(30)
        return task

    pool = Pool(SimpleNamespace(run=run), "abcd", 1, ahead=1)  # type: ignore[arg-type]
    follower = Thread(target=lambda: list(pool.finished()), daemon=True)
    follower.start()
    assert begun.get(timeout=30) == "a"
    with pytest.raises(Empty):
        begun.get(timeout=0.05)
    released["a"].set()
    assert {begun.get(timeout=30), begun.get(timeout=30)} == {"b", "c"}
    assert begun.empty()
    for each in released.values():
        each.set()
    follower.join(30)
    pool.close()
    assert begun.get(timeout=30) == "d"


def pooled(*tasks):
    pool = pool_of(Runner(), tasks, 2)
    try:
        return sorted(pool.finished()), pool
    finally:
        pool.close()


def test_finished__a_reference_for_each_task_failures_included():
    references, pool = pooled("a", SourceError("gone"), "b")
    assert references == ["done a", "done b", "failed: gone"]
    assert pool.defect is None


def test_finished__an_unforeseen_error_fails_its_task_without_its_words_and_is_kept():
    error = RuntimeError("password = hunter2")
    references, pool = pooled("a", error)
    assert references == ["done a", "failed: internal error: RuntimeError"]
    assert pool.defect is error


@pytest.mark.parametrize("error", [ModelMisconfigured("no such model"), ArtifactError("disk full")])
def test_finished__what_ends_the_run_is_raised(error):
    with pytest.raises(type(error)):
        pooled(error)


def test_abandon__gives_what_is_finished_and_waits_for_nothing():
    released = Event()
    runner = SimpleNamespace(run=lambda task: task if task == "quick" else released.wait(30), failed=Runner().failed)
    pool = pool_of(runner, ["quick", "slow"], 2)
    finished = pool.finished()
    assert next(finished) == "quick"
    assert pool.abandon() == ["quick"]
    pool.close()
    released.set()


def test_close__waits_once():
    begun, released = Event(), Event()

    def run(_task):
        begun.set()
        released.wait(30)

    pool = pool_of(SimpleNamespace(run=run), ["slow"], 1)
    finished = pool.finished()
    follower = Thread(target=lambda: list(finished), daemon=True)
    follower.start()
    assert begun.wait(30)
    first, second = (Thread(target=pool.close, daemon=True) for _ in range(2))
    first.start()
    first.join(0.05)
    second.start()
    second.join(10)
    assert (first.is_alive(), second.is_alive()) == (True, False)
    released.set()
    first.join(30)
    follower.join(30)
    assert not first.is_alive()
