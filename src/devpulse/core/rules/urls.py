"""What the rules about addresses share: whether a value can choose the host of a URL."""

from __future__ import annotations

import re

from devpulse.core.flow.values import HOLE, Value

_FIXED_HOST = re.compile(r"^\s*(?:[a-zA-Z][\w+.-]*:)?//[^/?#\\\ufffc]+[/?#\\]")
_LOCAL = re.compile(r"^\s*(?:/(?![/\\\ufffc])|\?|#|\.{1,2}/|[\w-]+(?:/|\.[a-z]{2,5}(?:\?|$)))")
_SAME_SITE = re.compile(
    r"(?:\.|^)(?:path|full_path|path_info|get_full_path|originalUrl|script_root|url_rule|endpoint)(?:\(\))?$"
)


def chooses_host(value: Value) -> bool:
    """Whether what is put into a URL stands where its host can still be decided: before it ends."""
    skeleton = value.skeleton
    if skeleton is None or HOLE not in skeleton:
        return True
    before = skeleton.partition(HOLE)[0]
    return not (_FIXED_HOST.match(before) or _LOCAL.match(before))


def is_same_site(label: str) -> bool:
    """Whether an origin is the path of the very request, which cannot name another host."""
    return _SAME_SITE.search(label) is not None
