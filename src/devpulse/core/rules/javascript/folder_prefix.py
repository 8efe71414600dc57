"""Path traversal: a path that is refused unless it begins with a folder, which the folder beside it does as well.

``/srv/files-secret/key`` begins with ``/srv/files``: a check whether a path is inside a folder has to compare with the
folder and the separator behind it.
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import JAVASCRIPT, Form, Site, form_rule
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.text import first_in

WORDING = Wording(
    title="Folder check that a folder beside it passes",
    description="The path only has to begin with the folder's name: another folder whose name goes on passes as well.",
    fix="Compare with the folder and a separator behind it (`path.sep`), or ask `path.relative`.",
)
_NAME = r"[\w$]{1,60}(?:\.[\w$]{1,60}){0,3}"
_CHECK = lazy(
    rf"(?<![\w$.])(?P<path>{_NAME})\.(?:"
    rf"startsWith\(\s?(?P<folder>{_NAME})\s?\)"
    rf"|indexOf\(\s?(?P<found>{_NAME})\s?\)\s?[=!]==?\s?0"
    rf"|lastIndexOf\(\s?(?P<first>{_NAME}),\s?0\s?\)\s?[=!]==?\s?0"
    rf"|(?:substr|substring|slice)\(\s?0,\s?(?P<cut>{_NAME})\.length\s?\)\s?[=!]==?\s?(?P=cut)(?![\w$.(])(?!\s?\+))"
)
_PATTERN = lazy(
    rf"new\s?\(?\s?RegExp\s?\)?\(\s?['\"`]\^['\"`]\s?\+\s?(?P<folder>{_NAME})\s?\)\.test\(\s?(?P<path>{_NAME})\s?\)"
)
_FOLDER = lazy(r"(?i)(?:root|dir|directory|folder|base|base_?path)$")
_MAKES_PATH = lazy(r"(?<![\w$])(?:join|resolve|normalize|realpath(?:Sync)?)\(|[\w$]Path\(")
_WORD = lazy(r"[A-Za-z_$][\w$]*")
_STRING = lazy(r"'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"")
_MODULE = lazy(r"(?i)(?<![\w$.])(?:fs|path)\.")
_NO_INPUT = frozenset({"join", "resolve", "normalize", "realpathSync", "__dirname", "process", "cwd", "await"})
_PART = lazy(r"[\w$.]$")
_OWNER = lazy(r"(?<![\w$.])(?:this|self|that|_this|me)\.$")
_MAX_OWNER = 10
_SETS = lazy(r"\s?(?::\s?string\s?)?=(?![=>])")
_GIVEN = lazy(r"\s?(?::\s?string\s?)?[=:](?![=>])([^\n]{0,300})")
_ENDS = lazy(r"\s?\+=?\s|\.endsWith\(|\.at\(|\.slice\(-|\.substr\(-|\.replace\(|\[|\}[/\\]|\}\$\{")
_CUTS = ("slice", "substr", "substring", "replace", "relative")
_OWN = lazy(r"^(?:this|self|that|_this|me)\.")
_SEPARATED = lazy(r"[/\\]['\"`]\s*[,)\]};]|(?:[sS]ep|SEP)\)?\s*[,)\];]|(?:[sS]ep|SEP)$|[/\\]['\"`]\)*$")
"""The end of a text of a path with its separator."""

_FILES = lazy(
    r"(?i)\bfs\b|sendFile|createReadStream|createWriteStream|readFile|['\"]send['\"]|unlink|extract|upload|\bstat\b"
)
_GIVEN_BY_OTHERS = lazy(
    r"(?i)\breq(?:uest)?\b|\bhttps?\b|\bserv(?:e|er|ing)\b|\bentr(?:y|ies)\b|\bzip|\btar\b|\bupload|\bheaders?\b"
    r"|\b403\b|\bforbidden\b|\bmalicious\b|\btraversal\b"
)
"""Words of files whose paths come with requests or out of archives, or that say that they ward somebody off."""

_AROUND, _BEFORE, _AFTER = 15_000, 3_000, 300
"""Characters before a check in which it is looked for what the folder is and what the path is, and behind it for what
it is checked for."""

_LONGEST = 400
"""Characters of what a name is set to."""


def _behind(name: str, text: str) -> Iterator[int]:
    """Where a text goes on behind each place in which a name stands as a whole."""
    at = text.find(name)
    while at >= 0:
        before = text[max(at - _MAX_OWNER, 0) : at]
        if not _PART.search(before) or _OWNER.search(before):
            yield at + len(name)
        at = text.find(name, at + len(name))


def _set_to(name: str, text: str) -> str:
    """What a name was last set to, with the lines that its parentheses go on for; empty where that is not said."""
    found = [setting.end() for at in _behind(name, text) if (setting := _SETS.match(text, at)) is not None]
    if not found:
        return ""
    lines = text[found[-1] : found[-1] + _LONGEST].split("\n")
    taken = lines[0]
    for line in lines[1:]:
        if taken.count("(") <= taken.count(")"):
            break
        taken = f"{taken} {line.strip()}"
    return taken.strip()


def _others_in(text: str, folder: str) -> bool:
    """Whether something besides the folder and constants goes into a path."""
    words = _WORD.findall(_MODULE.sub("", _STRING.sub("", text)).replace(folder, " "))
    return any(word not in _NO_INPUT for word in words)


def _keeps_separator(folder: str, text: str) -> bool:
    """Whether a text has the folder end in a separator, or asks whether it does."""
    for at in _behind(_OWN.sub("", folder), text):
        if _ENDS.match(text, at) is not None:
            return True
        setting = _GIVEN.match(text, at)
        if setting is not None and _SEPARATED.search(setting.group(1).strip().rstrip(";,")):
            return True
    return False


def _shortens(site: Site, folder: str) -> bool:
    """Whether a check that the path begins so is followed by cutting that off: it makes a short name to show."""
    written, end = site.match.group(), site.match.end()
    refuses = "!=" in written or site.source.text.startswith("!", site.match.start() - 1)
    behind = site.source.text[end : end + _AFTER]
    return not refuses and any(f"{word}({folder}" in behind for word in _CUTS)


def _judge(site: Site) -> Confidence | None:
    groups = site.match.groupdict()
    path = groups["path"]
    folder = next(found for name in ("folder", "found", "first", "cut") if (found := groups.get(name)))
    text, start = site.source.text, site.match.start()
    around = text[max(start - _AROUND, 0) : start + _BEFORE]
    made = _set_to(path, text[max(start - _BEFORE, 0) : start])
    if not _MAKES_PATH.search(made) or not _others_in(made, folder) or _SEPARATED.search(folder):
        return None
    named = site.form.pattern is _PATTERN and _FOLDER.search(folder) is not None
    joined = named or folder in made or _MAKES_PATH.search(_set_to(folder, around)) is not None
    if not joined or first_in(_FILES, text) is None or _keeps_separator(folder, around) or _shortens(site, folder):
        return None
    return Confidence.MEDIUM if first_in(_GIVEN_BY_OTHERS, site.source.text) is not None else Confidence.LOW


FORMS = (
    Form(
        JAVASCRIPT,
        ("startsWith(", "ndexOf(", ".length) ", ".length)="),
        _CHECK,
        _judge,
        Weakness("path-traversal"),
        WORDING,
    ),
    Form(JAVASCRIPT, ("RegExp",), _PATTERN, _judge, Weakness("path-traversal"), WORDING),
)
RULE = form_rule("folder-prefix", "path-traversal", JAVASCRIPT, FORMS)
