"""Insecure deserialization: bytes or texts from outside that are turned into objects of any class.

Kinds of sinks: ``objects`` makes objects of any class. ``yaml`` does so unless it is given a safe loader or schema,
and has a safe form for the same use, so that it is reported for everything that is not constant. ``stored`` makes
objects of any class from what is usually the program's own (models, caches), ``weights`` does so too but has a safe
form for the same use. ``wire`` makes them of what a connection gives, ``unsafe`` is told to. ``snakeyaml`` does so in
Java unless it was made with a constructor that does not. ``typing`` has a mapper of Jackson take the classes from the
data, unless a validator says which.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.values import HOLE, Level, Taint
from devpulse.core.rules.flow_rule import Danger, Inside, Use, flow_rule
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.java_parsers import functions_at
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver
from devpulse.core.text import first_in

OBJECTS = Wording(
    title="Untrusted data turned into objects",
    description="Whoever chooses the data chooses the classes that are created from it, and can run code with them.",
    fix="Use a format that holds data only, such as JSON, or verify a signature over the bytes first.",
)
YAML = Wording(
    title="YAML loaded with a loader that makes objects",
    description="A document can name any class, so whoever writes it can run code in this program.",
    fix="Load it with the safe loader (`safe_load`, `SafeConstructor`, the default schema).",
)
_UNSAFE = re.compile(r"(?:[(,=.]|^)\s*(?:C?Unsafe|C?Full|C)?Loader\s*[,)\n]")
_LIMITED = re.compile(
    r"ObjectInputFilter|setObjectInputFilter|ValidatingObjectInputStream|LookAhead\w*InputStream|\bresolveClass\b|"
    r"SafeConstructor|XStream\.setupDefaultSecurity|\.allowTypes?\w*\(|\.addPermission\(|setRegistrationRequired\(\s*true"
)
_OF_STORE = re.compile(r"(?i)_*(?:maybe_?)?unserialize(?:_?(?:data|value|item|content|session|cache\w*))?$")
"""The counterpart of a method that serialises: stores of PHP wrap the function so, for what they wrote themselves."""

_PROTOCOL = frozenset({"readObject", "readObjectNoData", "readExternal", "readResolve"})
"""Methods by which a Java class takes part in being read: whoever called for that decides what is read."""

_ANY_YAML = re.compile(r"\bnew\s+(?:org\.yaml\.snakeyaml\.)?Yaml\(\s*\)")
_VERIFIES = re.compile(r"(?i)compare_digest|(?:^|\.|_)(?:verify|unsign|check_(?:signature|hmac|digest))\w*$")
_COPIES = re.compile(r"\bloads\(\s*[\w.]*\bdumps\(")
_WEAKNESS = Weakness("insecure-deserialization")


def _judge(taint: Taint, use: Use) -> Reach | None:
    kind = use.sink.kind
    if kind in ("wire", "unsafe"):
        return Reach(taint, Confidence.MEDIUM)
    if kind == "typing":
        return Reach(taint, Confidence.MEDIUM) if _is_any_type(use) else None
    if kind == "weights":
        return _of_weights(taint, use)
    if (kind == "yaml" and _is_safe(use)) or (kind == "snakeyaml" and not _makes_any(use)):
        return None
    return _of_data(taint, use)


def _of_data(taint: Taint, use: Use) -> Reach | None:
    level, kind = taint.origin.level, use.sink.kind
    if kind == "objects" and _is_verified(use):
        return Reach(taint, Confidence.LOW)
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH if use.sink.certain else Confidence.MEDIUM)
    if kind == "yaml":
        # No function on the way makes a document one of data only.
        return Reach(
            replace(taint, asks=()), Confidence.LOW if level is Level.UNKNOWN and _is_full(use) else Confidence.MEDIUM
        )
    if use.call.scope.name in _PROTOCOL:
        return None
    own = use.source.language == "php" and _OF_STORE.match(use.call.scope.name)
    stored = use.source.language == "php" and taint.origin.member  # a field of a row, which has a safe form as well
    if own or kind == "stored" or (level is Level.UNKNOWN and not stored):
        return Reach(taint, Confidence.LOW)
    return Reach(taint, Confidence.MEDIUM if use.sink.certain or kind == "snakeyaml" else Confidence.LOW)


def _makes_any(use: Use) -> bool:
    """Whether a loader of SnakeYAML is seen to be made without saying which classes it may use."""
    return first_in(_ANY_YAML, use.source.text) is not None


def _is_any_type(use: Use) -> bool:
    """Whether a mapper of Jackson takes classes from the data, and no validator knows which are meant."""
    validated = re.search(r"(?i)validator", use.text) is not None
    return use.call.method == "enableDefaultTyping" or not validated or "LaissezFaire" in use.text


def _of_weights(taint: Taint, use: Use) -> Reach | None:
    """A model file that is asked for by whoever calls: loaded as tensors only, it makes no objects."""
    limited = use.call.keyword("weights_only")
    if limited is not None and limited.constant is not False:
        return None
    asked = taint.origin.level is not Level.UNKNOWN
    return Reach(taint, Confidence.MEDIUM if asked else Confidence.LOW)


def _is_verified(use: Use) -> bool:
    """Whether the function compares or checks a signature before, or only copies an object of its own."""
    if use.source.language != "python":
        return False
    return _COPIES.search(use.text) is not None or _first_verified(use.function) <= use.call.start_line


@lru_cache(maxsize=64)
def _first_verified(function: Inside) -> float:
    """The line of the first call of a function that compares or checks; infinity where there is none."""
    return min((call.start_line for call in function.calls if _VERIFIES.search(call.callee)), default=math.inf)


def _always(use: Use) -> Confidence | None:
    """A loader that makes objects, for what no trace leads to: files are read, and written, by somebody."""
    if use.sink.kind in ("wire", "unsafe") or (use.sink.kind == "typing" and _is_any_type(use)):
        return Confidence.MEDIUM
    constant = use.value.skeleton is not None and HOLE not in use.value.skeleton
    if use.sink.kind != "yaml" or constant or _is_safe(use):
        return None
    return Confidence.LOW if _is_full(use) else Confidence.MEDIUM


def _is_full(use: Use) -> bool:
    """Whether the loader makes objects of the language only: few releases of it let a document run code."""
    return "FullLoader" in use.text and use.source.language == "python"


def _is_safe(use: Use) -> bool:
    """Whether a loader or schema is given and is none of those that make objects."""
    if use.sink.pattern.rpartition(".")[2].startswith("unsafe"):
        return False
    return use.call.argument(1, "Loader", "loader", "schema") is not None and not _UNSAFE.search(use.text)


_RULE = flow_rule(Danger(_WEAKNESS, OBJECTS, _judge, kinds=(("yaml", _WEAKNESS, YAML),), always=_always))


def _check(source: Source, resolver: Resolver) -> Iterator[Hit]:
    """A Java function that limits the classes of a stream or loader limits those that are used in it; one that only
    makes them, and a field, limit, as far as can be told, all of the file.
    """
    hits = _RULE.check(source, resolver)
    if source.language != "java" or not _LIMITED.search(source.text):
        yield from hits
        return
    limited, found = functions_at(source, _LIMITED), list(hits)
    if all(any(hit.start_line in lines for hit in found) for lines in limited):
        yield from (hit for hit in found if not any(hit.start_line in lines for lines in limited))


RULE = replace(_RULE, check=_check)
