"""The bounded pool that the children of a run work in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from typing import Protocol

from devpulse.core.review import ReviewTask
from devpulse.errors import ArtifactError, DevpulseError, ModelMisconfigured
from devpulse.pipeline.task_runner import TaskReference


class Runner(Protocol):
    """What a pool does with a task; safe to call from several threads."""

    def run(self, task: ReviewTask) -> TaskReference:
        """Do the task, save its result, and hand back a reference."""
        ...

    def failed(self, task: ReviewTask, reason: str) -> TaskReference:
        """The reference of a task that an error ended."""
        ...


def _untold(_task: ReviewTask) -> None:
    """Nobody wants to know."""


class Pool:
    """The bounded pool over the tasks of a plan; closing it waits for its threads, once, unless it was abandoned.

    ``defect`` is the first error that nobody foresaw: its task failed, the others go on, and the
    caller raises it once the artifacts are written. ``began`` is told of each task as its thread takes it up.
    ``ahead`` more threads than ``size`` begin when the first task is done: until then they would only delay the others.
    """

    def __init__(
        self,
        runner: Runner,
        tasks: Sequence[ReviewTask],
        size: int,
        began: Callable[[ReviewTask], None] = _untold,
        ahead: int = 0,
    ) -> None:
        self.size = len(tasks)
        self.defect: BaseException | None = None
        self._runner = runner
        self._began = began
        self._executor = ThreadPoolExecutor(size + ahead, thread_name_prefix="child")
        self._first, self._rest = tasks[:size], tasks[size:]
        self._tasks: dict[Future[TaskReference], ReviewTask] = {}
        self._waits = True

    def close(self) -> None:
        """Start nothing more."""
        waits, self._waits = self._waits, False
        self._executor.shutdown(wait=waits, cancel_futures=True)

    def finished(self) -> Iterator[TaskReference]:
        """Start the tasks; gives references in the order they end.

        Raises:
            ModelMisconfigured: no request of the run can succeed.
            ArtifactError: results cannot be saved.
        """
        self._submit(self._first)
        wait(self._tasks, return_when=FIRST_COMPLETED)
        self._submit(self._rest)
        for future in as_completed(self._tasks):
            yield self._reference(future)

    def abandon(self) -> list[TaskReference]:
        """Wait for nothing; gives what is finished at this moment."""
        self._waits = False
        for future in self._tasks:
            future.cancel()
        return [self._reference(future) for future in self._tasks if future.done() and not future.cancelled()]

    def _submit(self, tasks: Sequence[ReviewTask]) -> None:
        for task in tasks:
            self._tasks[self._executor.submit(self._run, task)] = task

    def _run(self, task: ReviewTask) -> TaskReference:
        self._began(task)
        return self._runner.run(task)

    def _reference(self, future: Future[TaskReference]) -> TaskReference:
        error = future.exception()
        if error is None:
            return future.result()
        if isinstance(error, ModelMisconfigured | ArtifactError):
            raise error
        task = self._tasks[future]
        if isinstance(error, DevpulseError):
            return self._runner.failed(task, str(error))
        self.defect = self.defect or error
        # Only its kind: the text of an unforeseen error may quote code, and code may hold a secret.
        return self._runner.failed(task, f"internal error: {type(error).__name__}")
