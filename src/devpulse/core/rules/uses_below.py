"""What the lines below a place do with a value, told by the words on a line: in a change only pieces may be known."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.cleaner_calls import calls_in, looks_cleaning, plain_name

REACH = 60
"""Lines below the place that are looked at."""

MAX_LINE = 1_000
_NAME = lazy(r"[\w-]+")
MAX_NAMES = 5
"""Names that are followed besides: what the lines below give the value to."""

_GIVEN = lazy(r"^\s*(?:(?:const|let|var|val|final|[A-Z]\w{0,40})\s+)?\$?([A-Za-z_]\w{0,60})\s?:?=(?![=>~])")
_USES = (
    (lazy(r"(?i:\bselect\b.{1,200}\bfrom\b|\binsert\s+into\b|\bdelete\s+from\b|\bupdate\b.{1,80}\bset\b)"
          r"|\b(?:WHERE|AND|SET|LIMIT|ORDER BY|VALUES|IN)\b"
          r"|\b(?:query|execute|executeQuery|order_?[bB]y|whereRaw|get_results|get_var|get_row)\s*\("),
     "sql-injection"),
    (lazy(r"\b(?:exec|system|shell_exec|passthru|popen|proc_open|spawn|execSync|check_output|check_call|Popen)\s*\("
          r"|subprocess\.\w+\(|exec\.Command"), "command-injection"),
    (lazy(r"\b(?:include|require)(?:_once)?\b|\b(?:fopen|file_get_contents|file_put_contents|unlink|readfile|open|sendFile|"
          r"readFile|writeFile|createReadStream|createWriteStream|File|FileOutputStream|FileInputStream)(?:Sync)?\s*\("
          r"|os\.(?:Open|Create|MkdirAll|remove|path\.join)\b|\bpath\.(?:join|resolve)\(|filepath\.Join|Paths\.get\("),
     "path-traversal"),
    (lazy(r"\bheader\s*\(\s*[\"'][Ll]ocation|\b(?:send)?[rR]edirect\w*\s*\("), "open-redirect"),
    (lazy(r"\bcurl_|\brequests\.\w+\(|\burlopen\(|\bhttp\.(?:Get|get|request)\(|\bfetch\s*\(|\baxios\b|openConnection\("),
     "ssrf"),
    (lazy(r"\becho\b|<\?=|\binnerHTML\b|document\.write|\.html\(|[\"'`]\s*<[a-z]|->assign\("), "cross-site-scripting"),
)  # fmt: skip


def use_below(lines: Sequence[str], start: int, words: Collection[str], language: str | None) -> str | None:
    """The category of the first sink that names one of the words; ``None`` where there is none.

    ``start``: how many lines stand above the place. A line that cleans something itself does not count.
    """
    if not words:
        return None
    known = set(words)
    for line in lines[start : start + REACH]:
        if len(line) > MAX_LINE or known.isdisjoint(_names_in(line)) or _cleans(line, language):
            continue
        category = category_of(line)
        if category is not None:
            return category
        target = _GIVEN.match(line)
        if target is not None and target[1] not in known and len(known) < len(words) + MAX_NAMES:
            known.add(target[1])
    return None


@lru_cache(maxsize=4096)
def category_of(line: str) -> str | None:
    """The category of the first sink on a line."""
    return next((name for pattern, name in _USES if pattern.search(line)), None)


def is_used_below(lines: Sequence[str], start: int, words: Collection[str]) -> bool:
    """Whether a line below the place names one of the words."""
    near = (line for line in lines[start : start + REACH] if len(line) <= MAX_LINE)
    return any(not _names_in(line).isdisjoint(words) for line in near)


@lru_cache(maxsize=4096)
def _names_in(line: str) -> frozenset[str]:
    """The names on a line; many places of a change look at the same lines."""
    return frozenset(_NAME.findall(line))


@lru_cache(maxsize=4096)
def _cleans(line: str, language: str | None) -> bool:
    return any(looks_cleaning(plain_name(found[0], language)) for found in calls_in(line))
