"""Functions of WordPress plugins that change something for a request, and what they check before.

``admin-ajax.php`` and ``admin-post.php`` call their handlers for everybody who is logged in, and ``admin_init`` runs
for those two as well: https://developer.wordpress.org/apis/security/nonces/,
https://developer.wordpress.org/plugins/security/checking-user-capabilities/.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from devpulse.core.lazy_pattern import lazy
from devpulse.core.syntax import nodes_in, symbols_of
from devpulse.core.text import split_lines

_HOOK = lazy(
    r"add_action\(\s*+['\"](wp_ajax_nopriv_|wp_ajax_|admin_post_nopriv_|admin_post_|admin_action_|admin_init\b)[\w-]*+['\"]\s*+,"
    r"\s*+(?:array\s*+\(|\[)?\s*+(?:(?:['\"][\w\\]{1,80}+['\"]|[^,'\"()\[\]]{1,80}+),\s*+)?['\"](\w{1,100})['\"]"
)
_CHANGE = (
    r"\b(?:(?:update|add|delete)_(?:site_|network_)?option|(?:update|add|delete)_(?:post|user|term|comment)_meta|"
    r"wp_(?:insert|update)_(?:post|user|term|comment)|wp_(?:delete|trash)_\w{1,30}|wp_create_user|wp_set_password|set_theme_mod|"
    r"activate_plugins?|deactivate_plugins|delete_plugins|switch_theme)\s*\(|"
    r"\$(?:this->)?wpdb->(?:insert|update|delete|replace)\s*\(|"
    r"\$(?:this->)?wpdb->query\([^;]{0,60}?[\"'(\s](?i:delete|update|insert|truncate|drop|replace)\s"
)
_CHANGES = lazy(_CHANGE)
_GRAVE = lazy(r"option|user|delete|trash|password|plugin|theme|(?i:drop|truncate)")
_PLACES = r"\[\s?['\"](?:page|tab|section|post_type)['\"]\s?\]\s?(?:\)\s?&&|[!=]==?)"
"""A look at which page of the administration is shown."""

_SENT = rf"(?<!!isset\()(?<!! isset\()(?<!!isset\( )(?<!! isset\( )\$_(?:POST|GET|REQUEST)\b(?!{_PLACES})"
_CARRIED = lazy(rf"{_SENT}|\bfilter_input\(")
_NONCE = lazy(r"(?i)\b\w{0,60}(?:nonce|referer|csrf|xsrf|token|signature)\w{0,60}\s*\(|\bhash_(?:equals|hmac)\s*\(")
"""Calls that look at a nonce, or at a secret that only the sender of the form knows."""

_RIGHT = lazy(
    r"(?i)\b\w{0,60}(?:user_can|capabilit|permission|permit|authori[sz]|super_admin|allowed|privilege|has_access|is_granted|"
    r"validat|is_valid|check_password|can_)\w{0,60}\s*\(|\b(?:PHP_SAPI|WP_CLI|DOING_CRON)\b|\bwp_doing_cron\s*\("
)
"""Calls that ask what the caller may do; constants that say that nobody called over the web."""

_OWN = lazy(r"\b(?:get_current_user_id|wp_get_current_user)\s*\(|\$current_user\b")
_ANSWERS = lazy(r"\bwp_send_json\w{0,20}\s*\(")
"""The end of a handler of ``admin-ajax.php``, wherever it is hooked."""

_FUNCTIONS = frozenset({"function", "method"})
_COMMENTS = frozenset({"comment"})


@dataclass(frozen=True, slots=True)
class Change:
    """A change that a function makes for a request, at ``line``. ``grave``: of settings, of accounts, or one that takes
    something away. ``nonce`` and ``right``: whether it looks at a nonce, and at what the caller may do, before;
    ``own``: whether it asks who that is. ``hooks`` are the actions that call it, ``answers``: it ends like a handler.
    """

    line: int
    grave: bool
    nonce: bool
    right: bool
    own: bool
    hooks: frozenset[str]
    answers: bool = False

    @property
    def handles(self) -> bool:
        """Whether it is called for requests, by a hook of the file or, to judge by its answer, by one of another."""
        return bool(self.hooks) or self.answers


@lru_cache(maxsize=4)
def changes_of(text: str) -> tuple[Change, ...]:
    """The changes that functions of a file make for requests, the first one of each function."""
    if not (_CARRIED.search(text) and _CHANGES.search(text)):
        return ()
    hooks: dict[str, set[str]] = {}
    for hook, function in _HOOK.findall(text):
        hooks.setdefault(function, set()).add(hook)
    return tuple(_changes(text, hooks))


def _changes(text: str, hooks: dict[str, set[str]]) -> Iterator[Change]:
    lines = split_lines(_without_comments(text))
    seen = 0
    for symbol in symbols_of("", "php", text):
        # What stands in another function runs when that does, and is read with it.
        if symbol.kind not in _FUNCTIONS or symbol.end_line <= seen:
            continue
        seen = symbol.end_line
        body = "\n".join(lines[symbol.start_line - 1 : symbol.end_line])
        found = _CHANGES.search(body)
        if found is None or not _CARRIED.search(body):
            continue
        before = body[: found.start()]  # what is asked after the change keeps nobody from it
        yield Change(
            line=symbol.start_line + body.count("\n", 0, found.start()),
            grave=_GRAVE.search(found.group()) is not None,
            nonce=_NONCE.search(before) is not None,
            right=_RIGHT.search(before) is not None,
            own=_OWN.search(body) is not None,
            hooks=frozenset(hooks.get(symbol.name, ())),
            answers=_ANSWERS.search(body) is not None,
        )


def _without_comments(text: str) -> str:
    """A text with blanks for its comments; every line stays where it is."""
    data = bytearray(text.encode("utf-8", errors="replace"))
    for node in nodes_in("php", text, _COMMENTS):
        comment = data[node.start_byte : node.end_byte]
        data[node.start_byte : node.end_byte] = b"".join(b"\n" if byte == ord("\n") else b" " for byte in comment)
    return data.decode("utf-8", errors="replace")


def is_public(change: Change) -> bool:
    """Whether people call it who are not logged in."""
    return any("nopriv" in hook for hook in change.hooks)
