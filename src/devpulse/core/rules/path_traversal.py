"""Path traversal: files under a name that somebody else chooses, who leaves the folder with ``..`` or a root.

Kinds of sinks: ``object`` works on a path object. ``joined`` takes many things, and files only where the argument was
put together as a path. ``folder`` makes or lists a folder. ``rooted`` stays inside of a folder that it is given.
``probe`` only tells of a file, ``object probe`` of a path object. ``archive`` unpacks one member, ``unpack`` all of
them. ``include`` runs the file. ``store`` keeps values under keys that are made like paths. ``privileged`` runs a
command on a file, as root if it is told so. ``member`` is called like something that writes a member of an archive.
``pathname`` is called on what was put behind a path object, where the code shows that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.transfers import decides
from devpulse.core.flow.values import HOLE, Level, Taint, trail_of
from devpulse.core.rules.archive_members import is_member_name
from devpulse.core.rules.flow_rule import Danger, Inside, Use, flow_rule
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.javascript import LANGUAGES
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.source import Source
from devpulse.core.text import lines_of

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
PRIVILEGED = Wording(
    title="Root follows links of a tree it does not own",
    description="Links in the tree, or `..` in the name, lead a command that runs as root to files outside of it.",
    fix="Resolve the path (`os.path.realpath`) and refuse it unless it is inside the tree, before the command runs.",
)
_FILE_NAMES = re.compile(
    r"(?i)^\$?(?:.*_)?(?:file_?name|fname|filepath|file_path|path|name|file|member|key|template|page|document|doc|resource|"
    r"asset|image|attachment|slug|relpath|rel_path|subpath|directory|folder|dir_?name|theme|module|version|lang|locale)s?$"
)
_SCRIPT_NAMES = re.compile(
    r"(?:entry|file|resource|template|image|member|attachment|report|theme|document|bundle|asset|archive|object|upload|"
    r"target|local|remote|media|dest)(?:File)?(?:Name|Path)$"
)
"""The same in Javascript, where the parts of a name are set off by capital letters."""

_JAVA_NAMES = re.compile(
    rf"{_SCRIPT_NAMES.pattern}|^[a-z]\w*(?:File|Path|FileName|Folder|Image|Template|Attachment|Entry|Asset)$"
)
"""The same in Java, where types tell what is a text."""

_GO_NAMES = re.compile(
    r"^f?path$|^[a-z]\w*(?:File|Path|Name|Folder|Key|Image|Template|Attachment|Resource|Entry|Asset)s?$"
)
"""The same in Go."""

_NAMES = {"java": _JAVA_NAMES, "php": _SCRIPT_NAMES, "go": _GO_NAMES}

_FOLDERS = re.compile(r"(?i)dir(?:ectory)?(?:_?(?:name|path))?$|folder(?:_?(?:name|path))?$|(?:root|base)_?path$")
"""Parameters that name a folder, in which the function itself knows what it is after."""

_KEYS = re.compile(rf"(?i)(?:{_FILE_NAMES.pattern.removeprefix('(?i)')})|^\w*key\w*$|^(?:\w+_)?prefix$")
_SESSION = re.compile(r"(?i)^(?:sess(?:ion)?_?(?:id|key)|sid)$")
"""What a cookie names a stored session by."""

_TEST_PATH = re.compile(r"(?i)(?:^|[/_.-])(?:tests?|testing|specs?|fixtures?|conftest)(?:[/_.-]|$)")
_UPLOADED = re.compile(r"\.(?:FormFile|MultipartForm)\b")
"""In Go, whose uploads have their names without a folder (mime/multipart, ``Part.FileName``)."""

_UPLOADS = re.compile(r"(?:^|\.)files?$")
_KEPT_AS = re.compile(r"\.(?:path|filepath|tempFilePath|destination|filename)\b")
_SENT_AS = re.compile(r"\.(?:original[nN]ame|originalFilename|newFilename|name)\b")
"""In Javascript, what upload libraries call the place where they put a file, and the name that was sent with it."""

_SERVING = re.compile(
    r"(?i)download|upload|serve|static|send|handler|request|response|attach|media|import|extract|unpack|unzip|untar|expand|storage|bucket|"
    r"http|fetch|avatar|photo|image|asset|backup|restore|render|get_file|read_file|save"
)

_TAR = re.compile(r"(?i)\btar(?:file)?\.open\(|\btar")
_ITERATES = re.compile(r"\bin\s+(?:tar\w*|archive|tf|t)\s*:|\.extraction_filter\b")
_ZIP = re.compile(r"\bzipfile\.|\bZipFile\(")
_OPENED = re.compile(
    r"(?:with[ \t]|(?<![\w.])([\w.]{1,80}+)[ \t]*=)[ \t]*(?:tarfile|zipfile)\.\w{1,40}\([^\n]{0,200}\)"
    r"(?:[ \t]+as[ \t]+(\w+))?"
)
"""A statement that opens an archive and gives it a name."""

_LOOKS = re.compile(r"(?i)\.(?:getmembers|getnames|infolist|namelist)$|safe|valid|check|within|inside|member")
"""Calls by which a function that unpacks an archive looks at its members first."""

_ARCHIVES = re.compile(r"\b(?:tar|zip|rardecode)\.(?:\w*Header|File|Reader|ReadCloser|NewReader|OpenReader)\b")
_TREES = re.compile(
    r"(?i)^(?:root_?fs|fs|fs_?root|chroot(?:_?dir)?|sysroot|guest_?(?:fs|root)|(?:image|container)_root)$"
)
_FILE_COMMANDS = frozenset({"tee", "cp", "mv", "rm", "mkdir", "chmod", "chown", "touch", "ln", "cat", "dd", "install"})

_OPENS = re.compile(
    r"(?:^|[._])(?:open|remove|unlink|rmtree|rmdir|send_file|FileResponse|listdir|scandir|walk|makedirs|mkdir|rename|move"
    r"|copy\w*|(?:read|write)_(?:text|bytes)|readFile\w*|createReadStream|sendFile|file_get_contents|readfile|fopen)$"
)
_LINES_BEFORE = 2_000
"""Lines before the unpacking of an archive in which it is looked for how that was opened."""

_PATHNAME = re.compile(r"(?:\bRails\.(?:root|public_path)|\bPathname(?:\.new)?\([^()\n]{0,200}\))\.join\(")
"""Ruby's paths that are objects, and another put behind them."""

_RUBY_INPUT = re.compile(r"\b(?:params|cookies|request|env|ARGV|gets)\b")
_HANDLING = re.compile(r"(?i)delete|remove|view|show|display|edit|print|export|preview|thumb|pic|load")
"""Words of functions that handle a file for a visitor, as pages of PHP call them."""

_READING = re.compile(r"(?i)(?:get|read)file")


def _judge(taint: Taint, use: Use) -> Reach | None:  # noqa: PLR0911  (one return for each case)
    if not _is_path(use):
        return None
    level, kind = taint.origin.level, use.sink.kind
    if kind in _OF_ITS_OWN:
        return _OF_ITS_OWN[kind](taint, use)
    if level is Level.REQUEST and (_is_upload(taint, use) or _is_address(taint, use)):
        return None
    if level is Level.REQUEST and kind == "include" and use.source.language == "ruby" and taint.asks:
        return Reach(taint, Confidence.LOW)  # what is rendered is something that was made of it: a component
    if level is Level.REQUEST:
        checked = use.source.language == "python" and any(decides(ask.callee) for ask in taint.asks if not ask.check)
        return Reach(taint, Confidence.MEDIUM if checked else Confidence.HIGH)
    if level is Level.ARCHIVE:
        return Reach(taint, Confidence.MEDIUM) if use.value.joined or _is_below(use) else None
    if use.value.joined and is_member_name(taint, use):
        return Reach(taint, Confidence.MEDIUM, firm=True)
    joined = use.value.joined or _is_behind(use)
    return _of_parameter(taint, use) if level is Level.PARAMETER and joined else None


def _is_address(taint: Taint, use: Use) -> bool:
    """Whether it is as a whole an address with a host that was asked for: no file of this machine."""
    return Purpose.URL in taint.cleaned and use.value.skeleton == HOLE


def _is_below(use: Use) -> bool:
    """Whether a Java text names a file in a folder: ``folder + separator + name``."""
    skeleton = use.value.skeleton or ""
    return use.source.language == "java" and (skeleton.count(HOLE) > 1 or ("/" + HOLE) in skeleton)


def _is_behind(use: Use) -> bool:
    """Whether a PHP text puts a name behind a folder whose constant ends with the separator: ``UPLOADS . $name``."""
    skeleton = use.value.skeleton or ""
    return use.source.language == "php" and skeleton.startswith(HOLE + HOLE)


def _is_upload(taint: Taint, use: Use) -> bool:
    """Whether it is an uploaded file itself, or its name where that never has a folder, as in Django and Go."""
    if use.source.language in LANGUAGES:
        return _is_kept_upload(taint, use)
    if use.source.language == "python":
        label = taint.origin.label
        return (label.endswith(".files") and "filename" not in use.source.text) or label.endswith(".FILES")
    return use.source.language == "go" and _UPLOADED.search(taint.origin.label) is not None


def _is_kept_upload(taint: Taint, use: Use) -> bool:
    """Whether it is the name under which the server itself keeps an upload: multer's ``file.path``."""
    if not _UPLOADS.search(taint.origin.label):
        return False
    lines = lines_of(use.source.text)
    text = "\n".join([use.text, *(lines[mark.line - 1] for mark in trail_of(taint) if mark.line <= len(lines))])
    return _KEPT_AS.search(text) is not None and _SENT_AS.search(text) is None


def _of_probe(taint: Taint, use: Use) -> Reach | None:
    told = taint.origin.level is Level.REQUEST and not _used_otherwise(taint, use)
    return Reach(taint, Confidence.MEDIUM) if told and not _is_opened(taint, use) else None


def _of_archive(taint: Taint, use: Use) -> Reach | None:
    """An archive whose members are unpacked under their own names."""
    least = Level.ARCHIVE if use.sink.kind == "archive" else Level.PARAMETER
    return Reach(taint, Confidence.MEDIUM) if taint.origin.level >= least else None


def _of_privileged(taint: Taint, use: Use) -> Reach | None:
    """A file inside of a tree of somebody else that a command works on as root."""
    command, told = use.call.argument(0), use.call.keyword("run_as_root")
    if command is None or command.constant not in _FILE_COMMANDS or told is None or told.constant is not True:
        return None
    put_together = taint.trail is not None and not use.value.resolved  # no longer the tree itself
    inside = put_together and _TREES.match(taint.origin.label) is not None
    return Reach(taint, Confidence.MEDIUM) if inside and taint.origin.level is Level.PARAMETER else None


def _of_member(taint: Taint, use: Use) -> Reach | None:
    """A member of an archive under its own name, given to a function of the program."""
    return Reach(taint, Confidence.MEDIUM) if taint.origin.level is Level.ARCHIVE and use.value.joined else None


_OF_ITS_OWN = {
    "member": _of_member,
    "privileged": _of_privileged,
    "probe": _of_probe,
    "object probe": _of_probe,
    "archive": _of_archive,
    "unpack": _of_archive,
}


def _used_otherwise(taint: Taint, use: Use) -> bool:
    """Whether the same value is shown to be inside of a folder later: looking first does little harm."""
    return id(taint.origin) in _later_uses(use.function).kept_inside


def _is_opened(taint: Taint, use: Use) -> bool:
    """Whether the same value is later used for more than looking, which is told of there."""
    return _later_uses(use.function).opened.get(id(taint.origin), 0) > use.call.start_line


@dataclass(frozen=True, slots=True)
class _LaterUses:
    """Origins, by their ids, that are shown to be inside of a folder, and the last line in which each is opened."""

    kept_inside: frozenset[int]
    opened: Mapping[int, int]


@lru_cache(maxsize=8)
def _later_uses(function: Inside) -> _LaterUses:
    """Looked for once in a function: it may ask for thousands of files."""
    kept: set[int] = set()
    opened: dict[int, int] = {}
    for call in function.calls:
        opens = _OPENS.search(call.callee) is not None
        for value in (call.receiver, *(item.value for item in call.arguments)):
            for taint in value.taints if value is not None else ():
                if Purpose.PATH in taint.cleaned:
                    kept.add(id(taint.origin))
                if opens:
                    opened[id(taint.origin)] = max(opened.get(id(taint.origin), 0), call.start_line)
    return _LaterUses(frozenset(kept), opened)


def _is_path(use: Use) -> bool:
    """Whether this use of the sink is one of a file."""
    fits = _FITS.get(use.sink.kind)
    return fits is None or fits(use)


def _is_free(use: Use) -> bool:
    """Whether the call says of no folder that it stays inside."""
    rooted = use.call.keyword("root") or use.call.argument(1) if use.source.language == "python" else None
    return rooted is None and all(argument.value.field("root") is None for argument in use.call.arguments)


def _is_member(use: Use) -> bool:
    receiver = use.call.receiver
    return receiver is not None and receiver.role == "archive" and use.call.keyword("filter") is None


def _unpacks_all(use: Use) -> bool:
    """Whether a tar archive is unpacked with all of its members, none of which the function looks at."""
    call = use.call
    first = max(_first_line(use.function), call.start_line - _LINES_BEFORE)
    source = "\n".join(lines_of(use.source.text)[first - 1 : call.start_line])
    if call.receiver is None or call.receiver.role != "archive" or call.elsewhere is not None:
        return False
    if call.keyword("filter") is not None or call.keyword("members") is not None or len(call.arguments) > 1:
        return False
    name = call.callee.rpartition(".")[0]
    opened = [found[0] for found in _OPENED.finditer(source) if name in found.groups()]
    opening = opened[-1] if opened else f"{name} {source}"  # by this name, the last time
    if "zip" in name.lower() or not _TAR.search(opening) or _ZIP.search(opening) or _ITERATES.search(source):
        return False
    return not _looks_at_members(use.function)


_FITS: dict[str, Callable[[Use], bool]] = {
    **dict.fromkeys(("object", "object probe"), lambda use: use.value.path),
    "rooted": _is_free,
    "archive": _is_member,
    "unpack": _unpacks_all,
    # Put together by a function for paths, not as a text with slashes.
    "store": lambda use: use.value.joined and use.value.skeleton == HOLE,
    "joined": lambda use: use.value.joined,
    "pathname": lambda use: _PATHNAME.search(use.text) is not None,
}


@lru_cache(maxsize=8)
def _first_line(function: Inside) -> int:
    return min(call.start_line for call in function.calls)


@lru_cache(maxsize=8)
def _looks_at_members(function: Inside) -> bool:
    return any(_LOOKS.search(call.callee) for call in function.calls)


def _of_parameter(taint: Taint, use: Use) -> Reach | None:
    """A parameter called like a name of a file, in a function that serves, receives or unpacks files."""
    if _SESSION.match(taint.origin.label) and use.sink.kind != "folder" and not taint.asks:
        return Reach(taint, Confidence.MEDIUM)
    names = _KEYS if use.sink.kind == "store" else _FILE_NAMES
    told = names.match(taint.origin.label) or _is_camel_name(taint.origin.label, use)
    if not told or _TEST_PATH.search(use.source.path) or use.sink.kind == "folder":
        return None
    if any(not ask.check for ask in taint.asks):
        return None
    if use.sink.kind == "include":  # what shows pages includes what the program tells it to
        return Reach(taint, Confidence.LOW)
    scope = use.call.scope.name
    names_file = use.source.language in ("go", "java") and not _FOLDERS.search(taint.origin.label)
    serves = (
        use.sink.kind == "store"
        or names_file
        or _SERVING.search(f"{scope} {use.call.callee}")
        or _READING.search(scope)
        or (use.source.language == "php" and _HANDLING.search(scope))
    )
    return Reach(taint, Confidence.MEDIUM if serves else Confidence.LOW)


def _plausible(kind: str, source: Source) -> bool:
    if kind == "member":
        return _ARCHIVES.search(source.text) is not None
    if kind == "pathname":
        return _PATHNAME.search(source.text) is not None
    if kind == "include" and source.language == "ruby":  # nearly every template renders others
        return _RUBY_INPUT.search(source.text) is not None
    return kind != "privileged" or "run_as_root" in source.text


def _is_camel_name(label: str, use: Use) -> bool:
    language = use.source.language or ""
    names = _SCRIPT_NAMES if language in LANGUAGES else _NAMES.get(language)
    return names is not None and names.search(label) is not None


RULE = flow_rule(
    Danger(
        Weakness("path-traversal"),
        WORDING,
        _judge,
        (
            ("include", Weakness("path-traversal", 98), INCLUDE),
            ("store", Weakness("path-traversal"), STORE),
            ("privileged", Weakness("path-traversal", 59), PRIVILEGED),
        ),
        once=True,
        plausible=_plausible,
    )
)
