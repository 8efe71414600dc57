"""The same work in several ways, one after the other: what the context strategies save, and whether findings stay.

All arms share the work itself: the same tasks, what the rules found, the texts, the index, the tools and the fences.
The arm AFTER is a run like any other and writes the artifacts; the others leave nothing behind. No arm uses stored
work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from devpulse.core.budget import estimate_tokens
from devpulse.core.comparison import AFTER, BEFORE, Arm, ComparedTask, Comparison, in_task_order
from devpulse.core.comparison_bounds import Bound, Bounds
from devpulse.core.finding import FindingSource
from devpulse.core.prompt import verbose_prompt
from devpulse.core.review import Report, ReviewTask
from devpulse.core.riskiness import riskiest_first
from devpulse.errors import DevpulseError
from devpulse.output.masked import mask_report
from devpulse.output.paths import display_path
from devpulse.pipeline.in_memory import MemorySink, NoLog, NoProgress
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.metering import Meter
from devpulse.pipeline.plan import make_plan, opened_up
from devpulse.pipeline.probe import Probe
from devpulse.pipeline.run import RunOptions, RunPorts, review_change
from devpulse.pipeline.unfinished import DoneArm, judged
from devpulse.pipeline.ways import COMPRESS, VERBOSE, WHOLE_FILES, Way, ablations, ways_of
from devpulse.pipeline.work import Reading, Work, read_work

CEILING = "this arm passed what the comparison said it takes at most"


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """How a comparison is made. ``announce`` is told what a model takes at most before anything is sent, and for how
    many arms; ``begun`` the name of each arm as it begins, and what it is."""

    ablation: bool
    announce: Callable[[Bound, int], None]
    begun: Callable[[str, str], None]


def compare(work: Work, options: RunOptions, ports: RunPorts, asked: CompareOptions) -> RunResult:
    """Run every arm; gives the result of AFTER with the comparison in it, without one when a signal came first.

    Raises:
        ModelMisconfigured: the model's key, name or permission is wrong, so that no request can succeed.
        ArtifactError: results of AFTER cannot be saved.
    """
    work = replace(work, change_set=opened_up(work.change_set, work.head))
    reading = read_work(work, keep=max(1, len(work.change_set.files)))
    work.index.prepare()  # now: first texts name what changed lines call once the index is there
    ways = ways_of(work, reading, options.budget, ablation=asked.ablation)
    options, ports = replace(options, stop_after=None), replace(ports, store=None)
    return _Arms(work, reading, options, ports).run(ways, asked)


@dataclass(frozen=True, slots=True)
class _Arms:
    work: Work
    reading: Reading
    options: RunOptions
    ports: RunPorts

    def run(self, ways: Mapping[str, Way], asked: CompareOptions) -> RunResult:
        plan = make_plan(self.work.change_set.files, self.options.budget.planned_content, self.options.paths)
        tasks = riskiest_first(plan.tasks)
        names = [task.id for task in tasks]
        bounds = self._bounds(ways)
        if bounds:
            asked.announce(sum(bounds.values(), Bound(0, 0, 0)), len(bounds))
        after, *others = ways.values()
        asked.begun(after.name, after.about)
        meter = Meter(self.ports.model)
        ports = replace(self.ports, model=after.asked(meter), stopped=self._stopped(meter, bounds.get(AFTER)))
        result = review_change(self.work, self.options, ports, self.reading)
        done = {AFTER: self._done(after, meter, result, names)}
        try:
            for way in others:
                if result.cancelled is None:
                    asked.begun(way.name, way.about)
                    done[way.name] = self._other(way, names, bounds.get(way.name))
                    result = _with_end_of(result, done[way.name].result)
        except KeyboardInterrupt as signal:
            result = replace(result, cancelled=signal)
        return result if result.cancelled is not None else self._with_comparison(result, tasks, done)

    def _other(self, way: Way, tasks: Sequence[str], bound: Bound | None) -> DoneArm:
        meter = Meter(self.ports.model, f"{way.name}.")
        try:
            result = self._silent_run(way, meter, self._stopped(meter, bound))
        except DevpulseError as error:
            failed = replace(self._arm(way, meter, tasks), failure=self.work.redactor.mask(str(error)))
            return DoneArm(failed, None)
        return self._done(way, meter, result, tasks)

    def _silent_run(self, way: Way, meter: Meter, stopped: Callable[[], str]) -> RunResult:
        ports = replace(
            self.ports,
            model=way.asked(meter),
            fallback=None,
            sink=MemorySink(),
            log=NoLog(),
            progress=NoProgress(),
            stopped=stopped,
        )
        parallel = 1 if way.one_by_one else self.options.max_parallel
        options = replace(self.options, budget=way.budget, max_parallel=parallel, ahead=0)
        return review_change(self.work, options, ports, self.reading)

    def _stopped(self, meter: Meter, bound: Bound | None) -> Callable[[], str]:
        def stopped() -> str:
            passed = bound is not None and bound.is_passed(meter.tokens, meter.reported.output_tokens)
            return self.ports.stopped() or (CEILING if passed else "")

        return stopped

    def _done(self, way: Way, meter: Meter, result: RunResult, tasks: Sequence[str]) -> DoneArm:
        findings = mask_report(result.report, self.work.redactor.mask).findings
        return DoneArm(replace(self._arm(way, meter, tasks), findings=findings), result)

    def _arm(self, way: Way, meter: Meter, tasks: Sequence[str]) -> Arm:
        return Arm(way.name, way.about, in_task_order(meter.sizes, tasks), (), meter.reported)

    def _bounds(self, ways: Mapping[str, Way]) -> dict[str, Bound]:
        """What each arm takes at most, from its real first requests; nothing for an engine that costs nothing."""
        if self.ports.model.source is not FindingSource.MODEL:
            return {}
        budget = self.options.budget
        bounds = Bounds(budget, self.options.max_steps, self.options.verify)
        first = self._first_sizes(ways[AFTER])
        alone = bounds.isolated(first)
        known = {BEFORE: bounds.shared(first), COMPRESS: bounds.shared(first, budget.history)}
        if WHOLE_FILES in ways:
            known[WHOLE_FILES] = bounds.isolated(self._first_sizes(ways[WHOLE_FILES]))
        if VERBOSE in ways:
            known[VERBOSE] = bounds.isolated([size + estimate_tokens(verbose_prompt()) for size in first])
        return {name: known.get(name, alone) for name in ways}

    def _first_sizes(self, way: Way) -> list[int]:
        meter = Meter(Probe())
        cancelled = self._silent_run(way, meter, self.ports.stopped).cancelled
        if cancelled is not None:
            raise cancelled
        return [size.tokens for size in meter.sizes]

    def _with_comparison(
        self, result: RunResult, tasks: Sequence[ReviewTask], done: Mapping[str, DoneArm]
    ) -> RunResult:
        arms = judged(done, self.work.redactor.mask)
        for arm in arms.values():
            self.ports.log.record(
                "compared",
                arm=arm.name,
                tokens=arm.tokens,
                requests=len(arm.sizes),
                largest=arm.largest,
                failure=arm.failure,
            )
        return replace(result, comparison=self._comparison(tasks, arms, result.report))

    def _comparison(self, tasks: Sequence[ReviewTask], arms: Mapping[str, Arm], report: Report) -> Comparison:
        mask = self.work.redactor.mask
        listed = (
            ComparedTask(
                task.id, mask(display_path(task.change.path)), f"{task.part} of {task.parts}" if task.parts > 1 else ""
            )
            for task in tasks
        )
        return Comparison(
            engine=report.engine,
            model=None if report.model is None else mask(report.model),
            window=self.options.budget.window,
            limit=self.options.budget.request,
            tasks=tuple(listed),
            before=arms[BEFORE],
            after=arms[AFTER],
            ablations=ablations(arms),
        )


def _with_end_of(result: RunResult, other: RunResult | None) -> RunResult:
    """The result of AFTER, ended by what ended another arm: a signal, or an error that nobody foresaw."""
    if other is None:
        return result
    return replace(result, cancelled=other.cancelled, defect=result.defect or other.defect)
