"""Names of an archive's members in Javascript and Typescript, where reading an archive is a matter of libraries.

A member is known by what it is called (``entry.path``, ``header.name``) in a file that loads a library for archives and
does not list a folder of the disk in the same function.
"""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.flow.values import Level, Taint
from devpulse.core.rules.flow_rule import Inside, Use
from devpulse.core.rules.javascript import LANGUAGES

_LIBRARY = re.compile(
    r"(?:\brequire\(|\bfrom|\bimport\()\s*['\"](?:[\w@./-]{0,60}(?:zip|rar|archive)[\w./-]{0,30}|(?:[\w@./-]{0,60}[/-])?"
    r"(?:tar|untar|yauzl|yazl|decompress|fflate|7z)(?:-[\w-]{1,30})?(?:/[\w./-]{0,30})?)['\"]"
)
_PATH = re.compile(r"(?i)(?:un|de|g)?(?:zip|tar|rar)[^/]*/|(?:unzip|untar|extract|unpack|decompress)\w*\.\w+$")
_CERTAIN = re.compile(r"^(?:[\w$]+\.)*(?:entryName|rawEntryName)$|(?:[eE]ntry|file)\.fileName$")
_NAME = re.compile(
    r"^(?:[\w$]+\.)*(?:\w*[eE]ntry|header|\w?[fF]ile|item|member|[a-z])\.(?:path|name|fileName|filename|relativePath|props\.path)$"
)
_HOLDER = re.compile(r"^(?:\w*[eE]ntry|header|entryName|relativePath)$")
_HELD = re.compile(r"(?i)^(?:[\w$]+\.)*(?:zip\w*|archive|unzipped|unzip\w*)(?:\.(?:files|entries))?(?:\(\))?$")
_LISTS = re.compile(r"(?i)(?:readdir|glob|walk|opendir|listFiles)\w*$")
_READS = re.compile(
    r"(?i)(?:getEntries|entries|unpack|extract|loadAsync|\.on|runPlugins|decompress|Object\.(?:keys|values))$"
)
WRITES = re.compile(r"(?i)(?:writeFile\w*|createWriteStream|outputFile\w*|rename\w*|move\w*|write)$")


def is_member_name(taint: Taint, use: Use) -> bool:
    """Whether a value is the name of a member, at a sink that writes files."""
    origin, source = taint.origin, use.source
    if source.language not in LANGUAGES or origin.level > Level.PARAMETER or not WRITES.search(use.call.callee):
        return False
    if not (_PATH.search(source.path) or _reads_archives(source.text)) or _lists_files(use.function):
        return False
    if _CERTAIN.search(origin.label):
        return True
    if origin.level is Level.PARAMETER:
        asked = any(_READS.search(ask.callee) for ask in taint.asks if not ask.check)
        return asked or _HOLDER.match(origin.label) is not None
    return (_NAME.match(origin.label) if origin.member else _HELD.match(origin.label)) is not None


@lru_cache(maxsize=8)
def _lists_files(function: Inside) -> bool:
    return any(_LISTS.search(call.callee) for call in function.calls)


@lru_cache(maxsize=8)
def _reads_archives(text: str) -> bool:
    return _LIBRARY.search(text) is not None
