"""Handlers of WordPress plugins that change something for everybody who sends the request."""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.rules.wordpress.changes import changes_of, is_public
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

WEAKNESS = Weakness("broken-access-control")
WORDING = Wording(
    title="Handler changes data for everybody",
    description="Each user, also one without any rights, can send this request, and nothing asks what they may do.",
    fix="Ask `current_user_can` for the capability and verify a nonce before anything is changed.",
)


def _check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the fixed signature)
    for change in changes_of(source.text):
        # Who sends a nonce was given a page of the plugin, which is not shown to everybody. What people may send who
        # are not logged in, a vote say, is meant for everybody unless it is grave.
        if not change.handles or change.nonce or change.right or change.own:
            continue
        if change.grave or not is_public(change):
            yield make_hit(WEAKNESS, WORDING, (change.line, change.line), Confidence.MEDIUM)


RULE = Rule(
    id="wordpress-broken-access-control",
    category="broken-access-control",
    languages=frozenset({"php"}),
    check=_check,
)
