"""Path traversal in Python: files opened, sent, removed or unpacked under a name from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.finding import Hit
from devpulse.core.flow.engine import analyse
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import Value
from devpulse.core.rules.paths import path_hits
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

_PREFILTER = re.compile(
    r"open\(|Path|shutil|remove|unlink|send_file|FileResponse|extract|rmtree|os\.|read_|write_|static_file|_to_file"
)
_BY_NAME: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("open", "io.open", "codecs.open", "os.open", "aiofiles.open", "gzip.open", "open_file"), (0,)),
    **dict.fromkeys(("os.remove", "os.unlink", "os.rmdir", "os.mkdir", "os.makedirs"), (0,)),
    **dict.fromkeys(("os.listdir", "os.scandir", "os.walk"), (0,)),
    **dict.fromkeys(("os.rename", "os.replace", "os.link", "os.symlink"), (0, 1)),
    **dict.fromkeys(("shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.move"), (0, 1)),
    "shutil.rmtree": (0,),
    **dict.fromkeys(("send_file", "flask.send_file", "FileResponse", "static_file", "web.FileResponse"), (0,)),
    **dict.fromkeys(("zipfile.ZipFile", "ZipFile", "tarfile.open"), (0,)),
}  # fmt: skip
_LAST_NAMES = frozenset(["get_contents_to_filename", "download_file", "download_to_filename"])
_ON_PATH = frozenset(
    [
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
        "open",
        "unlink",
        "mkdir",
        "rmdir",
        "touch",
        "iterdir",
        "rename",
        "replace",
        "glob",
    ]
)
_SAVES = frozenset({"save"})


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:
    """File operations whose path somebody outside can choose."""
    if source.language is not None and _PREFILTER.search(source.text):
        yield from path_hits(_sinks(source.language, source.text), source, resolver)


def _sinks(language: str, text: str) -> Iterator[tuple[CallRecord, Value]]:
    for call in analyse(language, text).calls:
        for index in _BY_NAME.get(call.callee, ()):
            value = call.argument(index, "file", "path", "filename", "src", "dst", "path_or_file", "filename_or_fp")
            if value is not None and not (call.callee == "static_file" and (call.keyword("root") or call.argument(1))):
                yield call, value
        if call.method in _LAST_NAMES:
            yield from ((call, argument.value) for argument in call.arguments if argument.value.joined)
        if call.receiver is not None and call.receiver.path and call.method in _ON_PATH:
            yield call, call.receiver
        if call.method in _SAVES and call.receiver is not None:
            value = call.argument(0, "dst")
            if value is not None and value.joined:
                yield call, value
        if (
            call.method == "extract"
            and call.receiver is not None
            and call.receiver.role == "archive"
            and "tar" in call.callee
        ):
            value = call.argument(0, "member")
            if value is not None:
                yield call, value


RULE = Rule(id="python-path-traversal", category="path-traversal", languages=frozenset({"python"}), check=check)
