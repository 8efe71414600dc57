"""The lines of a patch before a file's hunks: names, modes, object ids, renames (git's "extended header")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devpulse.core.lazy_pattern import lazy

_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_ESCAPE = lazy(r'\\([0-7]{3}|[abtnvfr"\\])')
_QUOTED = lazy(r'"((?:[^"\\]|\\.)*)"')
_INDEX = lazy(r"index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: (\d{6}))?$")
_NAMED = lazy(
    r"(new file mode|deleted file mode|old mode|new mode|rename from|rename to|copy from|copy to) (.+)$", re.DOTALL
)
_LIKENESS = lazy(r"(?:dis)?similarity index \d+%$")
_IDENTICAL = "similarity index 100%"
_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
"""The file without content, by SHA-1 and by SHA-256."""
_PREFIXES = frozenset({("a", "b"), ("b", "a"), ("i", "w"), ("c", "i"), ("c", "w"), ("o", "w"), ("1", "2")})
"""git's prefixes: the usual pair, reversed by -R, and those of ``diff.mnemonicPrefix`` and ``--no-index``."""

DEV_NULL = "/dev/null"


def decode_name(raw: bytes) -> str:
    """A file name as text, by ``os.fsdecode``'s rule for UTF-8: any byte can be given back."""
    return raw.decode("utf-8", "surrogateescape")


def encode_name(name: str) -> bytes:
    """The bytes of a file name that ``decode_name`` made."""
    return name.encode("utf-8", "surrogateescape")


def unquote(quoted: str) -> str:
    """The name that git's C-style quoting stands for (without the surrounding quotation marks)."""
    raw = bytearray()
    end = 0
    for match in _ESCAPE.finditer(quoted):
        raw += encode_name(quoted[end : match.start()])
        code = match.group(1)
        raw.append(_ESCAPES[code] if code in _ESCAPES else int(code, 8) & 0xFF)
        end = match.end()
    raw += encode_name(quoted[end:])
    return decode_name(bytes(raw))


def plain_name(written: str) -> str:
    """A name as it stands in a header, quoted or not; what follows a tab (a time stamp) is dropped.

    git quotes a name that holds a tab or carriage return, so an unquoted one at the end is not part of it.
    """
    quoted = _QUOTED.match(written)
    if quoted:
        return unquote(quoted.group(1))
    return written.partition("\t")[0].rstrip("\r")


@dataclass(slots=True)
class Header:
    """What the header says of one file, filled line by line; ``None`` is "not said". ``line`` is its index."""

    line: int
    old_name: str | None = None
    new_name: str | None = None
    old_mode: str | None = None
    new_mode: str | None = None
    old_blob: str | None = None
    new_blob: str | None = None
    binary: bool = False
    copied: bool = False
    moved: bool = False
    altered: bool = False

    def read(self, line: str) -> bool:
        """Take one line of git's extended header; false when it is none."""
        line = line.rstrip("\r")
        index = _INDEX.match(line)
        if index:
            self._read_index(*index.groups())
            return True
        named = _NAMED.match(line)
        if named is None:
            likeness = _LIKENESS.match(line)
            self.altered = self.altered or (likeness is not None and likeness.group() != _IDENTICAL)
            return likeness is not None
        self._read_named(named.group(1), named.group(2))
        return True

    def lacks_hunks(self) -> bool:
        """Whether the content must have changed, or nothing at all is said; hunks, or binary data, are then due."""
        if self.moved and (self.old_name is None or self.new_name is None):
            return True
        if self.old_blob and self.new_blob:
            return self.old_blob != self.new_blob
        blob = self.old_blob or self.new_blob
        if blob:
            return not any(empty.startswith(blob) for empty in _EMPTY_BLOBS)
        return self.altered or not (self.moved or self.old_mode or self.new_mode)

    def _read_index(self, old: str, new: str, mode: str | None) -> None:
        self.old_blob = old if old.strip("0") else None
        self.new_blob = new if new.strip("0") else None
        if mode:
            self.old_mode = self.old_mode or mode
            self.new_mode = self.new_mode or mode

    def _read_named(self, key: str, value: str) -> None:
        match key:
            case "new file mode":
                self.old_name, self.new_mode = DEV_NULL, value
            case "deleted file mode":
                self.new_name, self.old_mode = DEV_NULL, value
            case "old mode":
                self.old_mode = value
            case "new mode":
                self.new_mode = value
            case "rename from" | "copy from":
                self.moved, self.copied = True, key == "copy from"
                self.old_name = plain_name(value)
            case _:
                self.new_name = plain_name(value)


def git_line_names(rest: str) -> tuple[str, str] | None:
    """The two names after ``diff --git``, without their prefixes; ``None`` when they cannot be told apart.

    Unquoted names may hold blanks. Without a rename both are the same name, which settles where to split.
    """
    rest = rest.rstrip("\r")
    quoted = _split_quoted(rest)
    if quoted:
        return without_prefixes(*quoted)
    # Both names have one length, or lengths that differ by the prefixes' (which are equally long).
    middle = len(rest) // 2
    if rest[middle : middle + 1] != " ":
        return None
    old, new = without_prefixes(rest[:middle], rest[middle + 1 :])
    return (old, new) if old == new else None


def _split_quoted(rest: str) -> tuple[str, str] | None:
    if rest.startswith('"'):
        first = _QUOTED.match(rest)
        return (unquote(first.group(1)), plain_name(rest[first.end() + 1 :])) if first else None
    if rest.endswith('"') and ' "' in rest:
        left, _, right = rest.partition(' "')
        return left, plain_name('"' + right)
    return None


def without_prefixes(old: str, new: str) -> tuple[str, str]:
    """Drop git's ``a/`` and ``b/`` where both names have them (``/dev/null`` counts as having it)."""
    old_prefix, _, old_rest = old.partition("/")
    new_prefix, _, new_rest = new.partition("/")
    if old == DEV_NULL and new_prefix in {"a", "b", "i", "w"} and new_rest:
        return old, new_rest
    if new == DEV_NULL and old_prefix in {"a", "b", "i", "c", "o"} and old_rest:
        return old_rest, new
    if (old_prefix, new_prefix) in _PREFIXES and old_rest and new_rest:
        return old_rest, new_rest
    return old, new
