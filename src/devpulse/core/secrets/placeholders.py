"""Values that stand where a secret will be: examples, templates, labels, and our own redaction marker."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

from devpulse.core.lazy_pattern import lazy

MARKER = lazy(r"\[redacted(?::[a-z0-9-]*)?\**\]")

_EXAMPLE_WORDS = lazy(
    r"(?i)example|sample|placeholder|dummy|change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|this|with)|"
    r"your[-_ ]|[-_ ]here\b|(?:token|key|secret|string|password|value)s?here|random[-_ ]?string|"
    r"insert[-_ ]|redacted|not[-_ ]?(?:a[-_ ])?(?:real|secret)|\bfake|fake\b|"
    r"\bmock|to[-_ ]?be[-_ ]?(?:set|defined)|\btodo\b|\bfixme\b|xxxx|\.\.\.|…|\*\*\*"
)
_YOUR_CAMEL = lazy(r"(?:your|my|some|the)(?:[A-Z][A-Za-z]*)?(?:Key|Token|Secret|Password|Value)$")
_TEMPLATE = lazy(
    r"\$\{|\$\(|\{\{|\{\$[A-Za-z_][\w>\[\]'\"-]{0,80}\}|"
    r"<%|%\(|#\{|@@|%[sdr]\b|^%[A-Za-z_]+%$|\{[A-Za-z_0-9.\[\]'\"]*\}|^<[^>]*>$|^</?[a-z]{1,8}>[A-Za-z ]*$|"
    r"^\$[A-Za-z_]\w*$|"
    r"^--?[a-z][a-z-]*=?$|^(?:\$[A-Za-z_]\w*[^\w$]?)+$|^\[[^\]]*\]$|^env[:(.]|^vault:|^secret[s]?[:./]|^arn:|^projects/|^op://|^ssm:|^!|^ENC\[|"
    r"^[\"']\s*[.+&]\s*[^\"']+[.+&]\s*[\"']$"  # a text that ends for a value and goes on: password = '" . $hash . "'
)
_LOOKUP = lazy(r"environ|getenv|process\.env|secretmanager|get_secret|\bsecrets\.[A-Za-z_]")
_RUN = lazy(r"(.{1,4})\1{3,}")
_LOCATION = lazy(r"^(?:[a-z][a-z0-9+.-]{1,20}://|[./~\\]|[A-Za-z]:\\|www\.|@|#|\.|data:)|^[\w.-]+@[\w-]+\.\w+$")
_FILE = lazy(r"\.(?:pem|key|crt|txt|json|ya?ml|py|js|ts|html?|env|cfg|ini|png|svg|css|md|sql|sh)$", re.IGNORECASE)


def is_placeholder(value: str) -> bool:
    """Whether a value cannot be a secret: an example, a template, a lookup, or already redacted."""
    bare = MARKER.sub("", value).strip()
    if len(set(bare)) <= 2:  # empty, a run of one character, or an alternation such as "-x-x"
        return True
    return bool(
        _EXAMPLE_WORDS.search(bare) or _TEMPLATE.search(bare) or _LOOKUP.search(bare) or _YOUR_CAMEL.search(bare)
    )


def is_patterned(value: str) -> bool:
    """Whether a value was typed along the alphabet or the number row, or repeats one short piece."""
    lowered = value.lower()
    runs = sum(len(run.group()) for run in _RUN.finditer(lowered)) + _stepped(lowered)
    return 2 * runs >= len(value)


def _stepped(value: str) -> int:
    """How many characters stand in ascending runs of five or more: ``12345``, ``abcdef``."""
    total, run = 0, 1
    for left, right in pairwise(value):
        run = run + 1 if ord(right) - ord(left) == 1 else 1
        total += 5 if run == 5 else int(run > 5)
    return total


def is_location(value: str) -> bool:
    """Whether a value is an address, a path, a file name or a mail address rather than a secret."""
    return bool(_LOCATION.search(value) or _FILE.search(value))


def entropy(value: str) -> float:
    """Shannon entropy in bits for one character; random hex nears 4, random base64 nears 6 when long."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values()) if total else 0.0
