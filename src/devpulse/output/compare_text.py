"""What ``devpulse compare`` prints: both arms, what was saved, each task, and each strategy by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devpulse.core.comparison import Ablation, Arm, ComparedTask, Comparison, SameFindings, share_percent
from devpulse.core.finding import Finding
from devpulse.output.characters import clip, inert_lines, visible
from devpulse.output.coverage import plural
from devpulse.output.paths import display_path

MAX_TASKS = 60
"""Rows of the table; ``compare.json`` has all."""

_MAX_NAMED = 10
_REASON_LIMIT = 300


def render_compare_text(comparison: Comparison) -> str:
    """The whole text. Nothing in it can command a terminal or a CI runner."""
    rows = [
        *_arms(comparison.before, comparison.after),
        _saved(comparison),
        *_saved_as_reported(comparison),
        *_findings(comparison.findings),
        "Tokens are estimated input tokens of whole requests, tool declarations included.",
        "",
        *_tasks(comparison),
    ]
    if comparison.ablations:
        rows += ["", *_ablations(comparison.ablations)]
    text = "\n".join(visible(row).replace("\n", "\\n") for row in rows)
    return inert_lines(text) + "\n"


def _arms(*arms: Arm) -> list[str]:
    width = max(len(f"{arm.tokens:,}") for arm in arms)
    rows = []
    for arm in arms:
        sent = f"{plural(len(arm.sizes), 'request')}, largest {arm.largest:,}"
        rows.append(f"{arm.name.upper():<6}  {arm.tokens:>{width},} tokens  {sent}: {arm.about}")
        if arm.reported.requests:
            rows.append(f"{'':<6}  {_reported(arm)}")
        if arm.failure:
            rows.append(f"{arm.name.upper()} failed: {clip(arm.failure, _REASON_LIMIT)}")
    return rows


def _reported(arm: Arm) -> str:
    used = arm.reported
    cost = "cost unknown" if used.cost is None else f"cost ${used.cost:.4f}"
    return (
        f"reported: {used.input_tokens:,} input tokens ({used.cached_tokens:,} cached), {used.output_tokens:,} output "
        f"({used.thinking_tokens:,} thinking), {cost}"
    )


def _saved(comparison: Comparison) -> str:
    percent = share_percent(comparison.saved, comparison.before.tokens)
    if percent is not None:
        return f"saved {percent:.1f} %"
    failed = [arm.name.upper() for arm in (comparison.before, comparison.after) if arm.failure]
    return f"saved: cannot be said, {' and '.join(failed)} failed" if failed else "saved: nothing had to be asked"


def _saved_as_reported(comparison: Comparison) -> Iterable[str]:
    told = reported_saving(comparison)
    if told:
        yield f"saved as reported: {told}"


def reported_saving(comparison: Comparison) -> str:
    """What was saved by the engine's own figures, in words; empty when it reports none."""
    percent = share_percent(comparison.saved_reported, comparison.before.reported.input_tokens)
    if percent is None:
        return ""
    usd = comparison.saved_usd
    money = "cost unknown" if usd is None else f"{'-' if usd < 0 else ''}${abs(usd):.4f}"
    return f"{percent:.1f} % of the input tokens, {money}"


def _findings(same: SameFindings) -> list[str]:
    rows = [f"findings identical {same.identical} of {same.total}"]
    rows += _named("only before", same.only_first)
    rows += _named("only after", same.only_second)
    return rows


def _named(where: str, findings: Sequence[Finding]) -> Iterable[str]:
    for finding in findings[:_MAX_NAMED]:
        place = f"{display_path(finding.path)}:{finding.start_line}"
        yield f"  {where}: {finding.category} {place} ({finding.fingerprint})"
    if len(findings) > _MAX_NAMED:
        yield f"  {where}: {len(findings) - _MAX_NAMED} more, see compare.json"


def _tasks(comparison: Comparison) -> list[str]:
    if not comparison.tasks:
        return ["No file had to be reviewed."]
    heads = ("before", "after", "first before", "first after", "task")
    cells = [_task(task, comparison) for task in comparison.tasks[:MAX_TASKS]]
    rows = ["Tokens of each task, and the size of its first request", *_table(heads, cells)]
    if len(comparison.tasks) > MAX_TASKS:
        rows.append(f"  {len(comparison.tasks) - MAX_TASKS} more tasks, see compare.json")
    return rows


def _task(task: ComparedTask, comparison: Comparison) -> tuple[str, ...]:
    before, after = comparison.before.of_task(task.task), comparison.after.of_task(task.task)
    figures = (sum(before), sum(after), before[0] if before else 0, after[0] if after else 0)
    return (*(f"{figure:,}" for figure in figures), f"{task.path}{f' (part {task.part})' if task.part else ''}")


def _ablations(rows: Sequence[Ablation]) -> list[str]:
    heads = ("without", "with", "saved", "findings", "strategy")
    listed = ["Each strategy by itself", *_table(heads, map(_ablation, rows))]
    listed += [f"  {row.strategy} failed: {clip(row.arm.failure, _REASON_LIMIT)}" for row in rows if row.arm.failure]
    for row in rows:
        where = (f"only {row.more.name}", f"only {row.less.name}")
        listed += _named(where[0], row.findings.only_first)
        listed += _named(where[1], row.findings.only_second)
    return listed


def _ablation(row: Ablation) -> tuple[str, ...]:
    percent = share_percent(row.saved, row.more.tokens)
    return (
        f"{row.more.tokens:,}",
        f"{row.less.tokens:,}",
        "failed" if percent is None else f"{percent:.1f} %",
        f"{row.findings.identical} of {row.findings.total}",
        f"{row.strategy}: {row.switches}",
    )


def _table(heads: Sequence[str], cells: Iterable[Sequence[str]]) -> list[str]:
    """Columns right-aligned but for the last."""
    rows = [heads, *cells]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads) - 1)]
    return ["  " + "  ".join([*(c.rjust(w) for c, w in zip(row, widths, strict=False)), row[-1]]) for row in rows]
