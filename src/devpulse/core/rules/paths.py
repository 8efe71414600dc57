"""What the path traversal rules of all languages share: whose choice of a file name is dangerous."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import Level, Taint, Value
from devpulse.core.rules.hits import Reach, Weakness, Wording, flow_hit
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver

WEAKNESS = Weakness("path-traversal")
WORDING = Wording(
    title="File path built from a value",
    description="The value becomes part of a file path; with `..` or as an absolute path it leads out of the folder.",
    fix="Resolve the path and refuse it unless it is inside the base folder, or keep only the last part of the name.",
)
_FILE_NAMES = re.compile(
    r"(?i)^(?:.*_)?(?:file_?name|fname|filepath|file_path|path|name|file|url|uri|member|key|template|page|document|doc|resource|"
    r"asset|image|attachment|slug|relpath|rel_path|subpath|directory|folder|dir_?name|theme|module|version|lang|locale)s?$"
)
_PREPARING = frozenset(["makedirs", "mkdir", "listdir", "scandir", "walk", "iterdir", "glob", "touch", "mkdirSync"])
_TEST_PATH = re.compile(r"(?i)(?:^|[/_.-])(?:tests?|testing|specs?|fixtures?|conftest)(?:[/_.-]|$)")
_SERVING = re.compile(
    r"(?i)download|upload|serve|static|send|handler|request|response|attach|media|import|extract|unpack|storage|bucket|"
    r"http|fetch|avatar|photo|image|asset|backup|restore|render|get_file|read_file|save"
)


def path_hits(sinks: Iterator[tuple[CallRecord, Value]], source: Source, resolver: Resolver) -> Iterator[Hit]:
    """One hit a line for calls whose path somebody outside can choose."""
    lines: set[int] = set()
    parameters: set[int] = set()  # one hit for each of them: what its first use shows, the others repeat
    for call, value in sinks:
        if call.start_line in lines:
            continue
        reaches = [reach for taint in value.taints if (reach := _reach(taint, value, call)) is not None]
        if reaches and all(reach.taint.origin.level is Level.PARAMETER for reach in reaches):
            if _TEST_PATH.search(source.path) or parameters.issuperset(reach.taint.origin.id for reach in reaches):
                continue
            parameters.update(reach.taint.origin.id for reach in reaches)
        hit = flow_hit(WEAKNESS, WORDING, call, reaches, source, resolver) if reaches else None
        if hit is not None:
            lines.add(call.start_line)
            yield hit


def _reach(taint: Taint, value: Value, call: CallRecord) -> Reach | None:
    level = taint.origin.level
    if level is Level.REQUEST:
        return Reach(taint, Confidence.HIGH)
    if level is Level.ARCHIVE:
        return Reach(taint, Confidence.MEDIUM) if value.joined else None
    if level is not Level.PARAMETER or not value.joined or not _FILE_NAMES.match(taint.origin.label):
        return None
    if call.method in _PREPARING or any(not ask.check for ask in taint.asks):
        return None
    names = f"{call.scope.name} {call.callee}"
    return Reach(taint, Confidence.MEDIUM if _SERVING.search(names) else Confidence.LOW)
