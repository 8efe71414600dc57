"""What a condition or a call that checks something keeps from happening, told by the words in it."""

from __future__ import annotations

from devpulse.core.lazy_pattern import lazy

_OTHERS = lazy(
    r"(?i)token|nonce|csrf|auth|login|perm|capab|admin|role|session|license|update|version|cache|mock|tests?$|dirty|clean_?up|client_?ip|remote_?addr"
)
"""Checks that other rules know, or that are of something else."""

_PATH_CHECK = lazy(
    r"\.\.|realpath|(?i:canonical)|\bis_?[aA]bs|\bisAbsolute|abspath|commonpath|relative_to|IsLocal\(|(?i:traversal)"
    r"|(?i:\bis_?(?:sub_?(?:path|dir)|within|inside|under|in_?(?:dir|path|folder|root)|path_?(?:inside|within))\w{0,30}\s*\()"
    r"|(?i:contains_?dot_?dot|\binbound\(|path_?escapes|outside_?of|valid\w{0,30}_?(?:path|file_?name)\b|path_?is_?valid)"
    r"|ContainsAny\([^,()]{1,80},\s*[\"'`][^\"'`]{0,20}[/\\]"
    r"|(?i:contains|includes|indexof|strpos)\(\s?(?:\$?[\w.]{1,60},\s?)?[\"'](?:/|\\\\)[\"']"
    r"|(?:[sS]tarts_?[wW]ith|HasPrefix|strpos|indexOf|contains|includes)\s*\((?!\w{0,20}(?:SEPARATOR|separator))(?!File\.sep).{0,80}(?i:path|(?<!re)dir|folder|file|root|base)"
    r"|(?i:path|(?<!re)dir|folder|file|root|base|entry)\w{0,40}(?:\(\))?\.(?:[sS]tarts_?[wW]ith|contains|includes|indexOf)\s*\((?!\s?\w{0,40}SEPARATOR)(?!\s?File\.sep)"
)
_HOST_CHECK = lazy(
    r"(?i)localhost|127\.0\.0|loopback|link_?local|is_?private|private_?(?:ip|addr|net|range)|is_?internal|allowed_?hosts?"
    r"|FILTER_VALIDATE_IP|is_?allowed_?(?:url|host)|169\.254"
    r"|blocked_?(?:local_?)?(?:hosts?|ips?|addr)|is_?global(?:_?host)?\(|is_?(?:reserved|unspecified|public_?(?:ip|host|addr|url))"
    r"|valid\w{0,20}_?(?:webhook|remote|callback|proxy|fetch)_?ur[li]|(?:webhook|remote|proxy|ssrf)\w{0,20}\.\w{0,10}valid\w{0,10}_?ur[li]"
)
_ADDRESS_CHECK = lazy(
    r"(?i)is_?safe_?(?:url|redirect)|url_has_allowed|is_?(?:local|relative)_?url|same_?origin|netloc|[\"']//[\"']"
    r"|(?:url|redirect|next|target|location|return_?to)\w{0,20}(?:\[\d\])?\s?(?:!=|\.contains\(|in)\s?[\"'](?:\\\\|/)[\"']"
    r"|[\"'](?:\\\\|//)[\"']\s+in\s+\w{0,20}(?:url|redirect|next|target|location)"
)
_OPTION_CHECK = lazy(
    r"(?i)(?:starts_?with|has_?prefix|start_with\?|strpos|index_?of)\s*\([^()]{0,80}[\"']--?[\"']"
    r"|\[0\]\s?={2,3}\s?[\"']-[\"']"
)
_KEY_CHECK = lazy(r"[\"'`]__proto__[\"'`]|[\"'`]constructor[\"'`].{0,40}[\"'`]prototype[\"'`]")
_VALUE_CHECK = lazy(
    r"preg_match|\bre\.(?:full)?match|\.(?:full)?match(?:es|\?)?\s*\(|\.test\s*\(|in_array|\bis_numeric|ctype_|is_int\b"
    r"|isinstance\(.{0,60}\b(?:int|str|float)\b|isdigit|isalnum|\.includes\s*\(|\bMatchString\(|=~"
    r"|(?i:is_?valid|validate|white_?list|allowed?_?\w*list|allow_?list)"
)


def is_other_check(text: str) -> bool:
    """Whether a check is one of what somebody may do, or of the program's own affairs."""
    return _OTHERS.search(text) is not None


def kind_of(condition: str) -> str | None:
    """What a condition keeps from happening; empty where only the use tells, ``None`` where it is no such check."""
    if is_other_check(condition):
        return None
    kinds = (
        (_OPTION_CHECK, "command-injection"),
        (_KEY_CHECK, "other"),
        (_HOST_CHECK, "ssrf"),
        (_ADDRESS_CHECK, "open-redirect"),
        (_PATH_CHECK, "path-traversal"),
        (_VALUE_CHECK, ""),
    )
    return next((category for pattern, category in kinds if pattern.search(condition)), None)
