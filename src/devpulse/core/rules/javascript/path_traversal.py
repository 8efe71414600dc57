"""Path traversal in Javascript and Typescript: Node's file system, Express and archives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.finding import Hit
from devpulse.core.flow.engine import analyse
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import Value
from devpulse.core.rules.javascript import LANGUAGES
from devpulse.core.rules.paths import path_hits
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

_PREFILTER = re.compile(
    r"readFile|Stream|writeFile|unlink|readdir|sendFile|sendfile|download|rmdir|rmSync|\.rm\(|rename|copyFile|appendFile|mkdir|\bfs\b"
)
_FILE_SYSTEM = re.compile(r"^(?:fs|fsp|fse|fs\.promises|fsPromises|promises|fsExtra|this\.fs|)$")
_METHODS = frozenset(
    [
        "readFile",
        "readFileSync",
        "createReadStream",
        "createWriteStream",
        "writeFile",
        "writeFileSync",
        "appendFile",
        "appendFileSync",
        "unlink",
        "unlinkSync",
        "readdir",
        "readdirSync",
        "rm",
        "rmSync",
        "rmdir",
        "rmdirSync",
        "mkdir",
        "mkdirSync",
        "copyFile",
        "copyFileSync",
        "rename",
        "renameSync",
        "open",
        "openSync",
        "readJson",
        "readJSON",
        "outputFile",
        "remove",
        "emptyDir",
    ]
)
_TWO_PATHS = frozenset(["copyFile", "copyFileSync", "rename", "renameSync"])
_BARE = frozenset(
    [
        "readFile",
        "readFileSync",
        "createReadStream",
        "createWriteStream",
        "writeFile",
        "writeFileSync",
        "unlink",
        "unlinkSync",
    ]
)
_RESPONSE = re.compile(r"(?:^|\.)(?:res|response|reply|h)$")


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:
    """File operations whose path somebody outside can choose."""
    if source.language is not None and _PREFILTER.search(source.text):
        yield from path_hits(_sinks(source.language, source.text), source, resolver)


def _sinks(language: str, text: str) -> Iterator[tuple[CallRecord, Value]]:
    for call in analyse(language, text).calls:
        owner, method = call.callee.rpartition(".")[0], call.method
        if method in ("sendFile", "sendfile", "download") and _RESPONSE.search(owner):
            value = call.argument(0)
            if value is not None and not _has_root(call):
                yield call, value
        elif method in _METHODS and _FILE_SYSTEM.match(owner) and (owner or method in _BARE):
            for index in (0, 1) if method in _TWO_PATHS else (0,):
                value = call.argument(index)
                if value is not None:
                    yield call, value


def _has_root(call: CallRecord) -> bool:
    """Express refuses to leave ``root`` when it is given."""
    return any(argument.value.field("root") is not None for argument in call.arguments)


RULE = Rule(id="javascript-path-traversal", category="path-traversal", languages=LANGUAGES, check=check)
