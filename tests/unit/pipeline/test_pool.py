"""The pool: every task ends in a reference, whatever becomes of it."""

from threading import Event
from types import SimpleNamespace

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


def pooled(*tasks, **options):
    pool = Pool(Runner(), tasks, 2, **options)
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


def test_beside__runs_in_a_thread_of_its_own_and_may_fail():
    ran = Event()

    def beside():
        ran.set()
        raise OSError("no index")

    references, pool = pooled("a", beside=beside)
    assert references == ["done a"]
    assert ran.is_set()
    assert pool.defect is None


def test_abandon__gives_what_is_finished_and_waits_for_nothing():
    released = Event()
    runner = SimpleNamespace(run=lambda task: task if task == "quick" else released.wait(30), failed=Runner().failed)
    pool = Pool(runner, ["quick", "slow"], 2)
    finished = pool.finished()
    assert next(finished) == "quick"
    assert pool.abandon() == ["quick"]
    pool.close()
    released.set()
