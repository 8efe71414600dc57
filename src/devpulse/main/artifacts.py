"""Writing what a run found out, in every format."""

from __future__ import annotations

from importlib import import_module

from devpulse.adapters.artifacts import FolderSink
from devpulse.adapters.run_log import LOG
from devpulse.pipeline.joining import RunResult
from devpulse.pipeline.run import NOTES

FINDINGS = "findings.json"

_RENDERERS = ("compare_v1", "json_v1", "masked", "report.page", "report.turns", "sarif", "summary", "terminal")


def load_renderers() -> None:
    """Import what writes the reports and prepare their templates, so that nobody waits for it at the end."""
    for name in _RENDERERS:
        import_module(f"devpulse.output.{name}")
    from devpulse.output.report.page import load_templates  # noqa: PLC0415  (as above: slow to import)

    load_templates()


def write_artifacts(result: RunResult, sink: FolderSink, *, sarif: bool, server_url: str) -> dict[str, str]:
    """Write the artifacts of a run; gives the path of each by what it is.

    Raises:
        ArtifactError: one cannot be written.
    """
    # What writes a report is slow to import, and nobody waits for it while files are reviewed.
    from devpulse.output.compare_v1 import render_compare  # noqa: PLC0415  (as said)
    from devpulse.output.json_v1 import render_findings  # noqa: PLC0415  (as said)
    from devpulse.output.report.page import render_html  # noqa: PLC0415  (as said)
    from devpulse.output.report.turns import turns_of_log  # noqa: PLC0415  (as said)
    from devpulse.output.sarif import render_sarif  # noqa: PLC0415  (as said)
    from devpulse.output.summary import render_summary  # noqa: PLC0415  (as said)

    report, comparison = result.report, result.comparison
    findings = sink.write(FINDINGS, render_findings(report))  # first: a cancelled run may not get further
    turns = turns_of_log(sink.read(LOG) or "")
    page = render_html(report, snippets=result.snippets, comparison=comparison, turns=turns)
    paths = {"report": sink.write("report.html", page)}
    if comparison is not None:
        paths["comparison"] = sink.write("compare.json", render_compare(comparison))
    paths["findings"] = findings
    if sarif:
        text = render_sarif(
            report,
            nearest_head_line=lambda finding: result.head_line(finding) or 1,
            server_url=server_url,
        )
        paths["sarif"] = sink.write("results.sarif", text)
    paths["summary"] = sink.write("summary.md", render_summary(report))
    paths["log"] = sink.path(LOG)
    paths["notes"] = sink.path(NOTES)
    return paths
