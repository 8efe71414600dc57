"""Path traversal: files under a name that somebody else chooses, who leaves the folder with ``..`` or a root.

Kinds of sinks: ``object`` works on a path object. ``joined`` takes many things, and files only where the argument was
put together as a path. ``folder`` makes or lists a folder. ``rooted`` stays inside of a folder that it is given.
``archive`` unpacks one member. ``include`` runs the file. ``store`` keeps values under keys that are made like paths.
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint
from devpulse.core.rules.flow_rule import Danger, Use, flow_rule
from devpulse.core.rules.hits import Reach, Weakness, Wording

WORDING = Wording(
    title="File path built from a value",
    description="The value becomes part of a file path; with `..` or as an absolute path it leads out of the folder.",
    fix="Resolve the path and refuse it unless it is inside the base folder, or keep only the last part of the name.",
)
INCLUDE = Wording(
    title="Included file chosen by a value",
    description="The value decides which file runs as code; whoever chooses it can run or read another one.",
    fix="Take the file from a fixed list by the value, and refuse everything else.",
)
STORE = Wording(
    title="Key of a store built from a value",
    description="The value becomes part of a key that reads like a path; with `..` it leads to the keys of others.",
    fix="Normalise the key and refuse it unless it is still below its prefix.",
)
_FILE_NAMES = re.compile(
    r"(?i)^\$?(?:.*_)?(?:file_?name|fname|filepath|file_path|path|name|file|member|key|template|page|document|doc|resource|"
    r"asset|image|attachment|slug|relpath|rel_path|subpath|directory|folder|dir_?name|theme|module|version|lang|locale)s?$"
)
_TEST_PATH = re.compile(r"(?i)(?:^|[/_.-])(?:tests?|testing|specs?|fixtures?|conftest)(?:[/_.-]|$)")
_UPLOADED = re.compile(r"\.(?:FormFile|MultipartForm)\b")
"""In Go, whose uploads have their names without a folder (mime/multipart, ``Part.FileName``)."""

_SERVING = re.compile(
    r"(?i)download|upload|serve|static|send|handler|request|response|attach|media|import|extract|unpack|storage|bucket|"
    r"http|fetch|avatar|photo|image|asset|backup|restore|render|get_file|read_file|save"
)

_READING = re.compile(r"(?i)(?:get|read)file")


def _judge(taint: Taint, use: Use) -> Reach | None:
    if not _is_path(use):
        return None
    level = taint.origin.level
    if level is Level.REQUEST and use.source.language == "go" and _UPLOADED.search(taint.origin.label):
        return None
    if level is Level.REQUEST:
        return Reach(taint, Confidence.HIGH)
    if level is Level.ARCHIVE:
        return Reach(taint, Confidence.MEDIUM) if use.value.joined else None
    return _of_parameter(taint, use) if level is Level.PARAMETER and use.value.joined else None


def _is_path(use: Use) -> bool:
    """Whether this use of the sink is one of a file."""
    kind, call = use.sink.kind, use.call
    if kind == "object":
        return use.value.path
    if kind == "rooted":
        rooted = call.keyword("root") or call.argument(1) if use.source.language == "python" else None
        return rooted is None and all(argument.value.field("root") is None for argument in call.arguments)
    if kind == "archive":
        return call.receiver is not None and call.receiver.role == "archive"
    if kind == "store":  # put together by a function for paths, not as a text with slashes
        return use.value.joined and use.value.skeleton == HOLE
    return use.value.joined if kind == "joined" else True


def _of_parameter(taint: Taint, use: Use) -> Reach | None:
    """A parameter called like a name of a file, in a function that serves, receives or unpacks files."""
    if not _FILE_NAMES.match(taint.origin.label) or _TEST_PATH.search(use.source.path) or use.sink.kind == "folder":
        return None
    if any(not ask.check for ask in taint.asks):
        return None
    if use.sink.kind == "include":  # what shows pages includes what the program tells it to
        return Reach(taint, Confidence.LOW)
    scope = use.call.scope.name
    serves = use.sink.kind == "store" or _SERVING.search(f"{scope} {use.call.callee}") or _READING.search(scope)
    return Reach(taint, Confidence.MEDIUM if serves else Confidence.LOW)


RULE = flow_rule(
    Danger(
        Weakness("path-traversal"),
        WORDING,
        _judge,
        (
            ("include", Weakness("path-traversal", 98), INCLUDE),
            ("store", Weakness("path-traversal"), STORE),
        ),
        once=True,
    )
)
