"""Changes that plugins of WordPress make for a request without a look at its nonce."""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.rules.wordpress.changes import changes_of, is_public
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

WEAKNESS = Weakness("csrf")
WORDING = Wording(
    title="Change without a look at the nonce",
    description="Another site can make a user's browser send this request, and it runs with that user's rights.",
    fix="Send a nonce with the form or link, and verify it before anything is changed.",
)
_PAGE = lazy(r"\badd_(?:menu|submenu|options|management|theme|users|dashboard)_page\s*\(|<form\b")
_ASKED = lazy(r"(?i)nonce|check_(?:admin|ajax)_referer|csrf")


def _check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the fixed signature)
    for change in changes_of(source.text):
        if change.nonce or is_public(change):
            continue
        handled = change.handles and (change.right or change.own)
        shown = not change.handles and _PAGE.search(source.text) and not _ASKED.search(source.text)
        if handled or shown:
            yield make_hit(WEAKNESS, WORDING, (change.line, change.line), Confidence.MEDIUM)


RULE = Rule(id="wordpress-csrf", category="csrf", languages=frozenset({"php"}), check=_check)
