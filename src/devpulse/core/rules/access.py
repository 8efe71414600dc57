"""What the access control rules of all languages share: endpoints, their guards, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.hits import Weakness, Wording, make_hit
from devpulse.core.source import Source

WEAKNESS = Weakness("broken-access-control")
MISSING = Wording(
    title="Sensitive endpoint without the guard of its neighbours",
    description="Its neighbours check who is calling; this one changes or shows sensitive things without that check.",
    fix="Give it the same authentication and permission check as the others, or say in the code why it is public.",
)
REMOVED = Wording(
    title="Access check removed",
    description="The change takes a check away that decided who may run this code, and puts nothing in its place.",
    fix="Keep the check, or do it where every caller passes before this code runs.",
)

GUARD_NAME = re.compile(
    r"(?i)login_?required|auth|permission|require|admin|protected|\broles?\b|role_|jwt|token_|user_passes|staff|is_?owner|"
    r"ensure|verify_|verifyToken|current_?user|can_?access|check_?(?:access|perm|admin|auth|role|owner|user|login|session|token)|guard|acl|logged_?in|superuser|privilege|access_control"
)
_NO_GUARD = re.compile(
    r"(?i)require_(?:http_)?(?:methods|get|post|safe)|require_(?:json|params|fields|headers)|author\b|authors?_|oauth_?callback|csrf|rate|limit"
)
_SENSITIVE = re.compile(
    r"(?i)admin|users?\b|account|setting|export|billing|payment|invoice|delete|remove|destroy|role|permission|config|secret|key|backup|report|order|profile|password|member|audit|internal|manage|token"
)
_PUBLIC = re.compile(
    r"(?i)log_?-?in|log_?-?out|sign_?-?in|sign_?-?up|sign_?-?out|register|regist|health|ready|alive|ping|status|version|static|assets|favicon|"
    r"webhook|callback|oauth|saml|sso|forgot|reset|recover|confirm|verify|activate|public|robots|metrics|contact|subscribe|newsletter|"
    r"token$|tokens?/refresh|refresh|session|auth(?:$|/)|csp|docs|openapi|swagger|captcha|webmention|csrf|index$|home$|about"
)
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True, slots=True)
class Guard:
    """One check of who is calling; ``text`` is what identifies it."""

    text: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A function, or a route. ``methods`` are empty for functions that are no routes."""

    name: str
    route: str
    methods: frozenset[str]
    start_line: int
    end_line: int
    guards: tuple[Guard, ...]

    @property
    def is_route(self) -> bool:
        """Whether requests come in here."""
        return bool(self.methods)

    @property
    def changes(self) -> bool:
        """Whether its methods change something."""
        return bool(self.methods & _CHANGING)

    @property
    def is_public(self) -> bool:
        """Whether it is meant to be reachable by anybody, by its name."""
        return bool(_PUBLIC.search(self.route) or _PUBLIC.search(self.name))

    @property
    def is_sensitive(self) -> bool:
        """Whether it changes things, or shows things that are not for everybody."""
        return self.changes or bool(_SENSITIVE.search(self.route) or _SENSITIVE.search(self.name))


def is_guard(name: str) -> bool:
    """Whether the name of a decorator, middleware or call is that of an access check."""
    return bool(GUARD_NAME.search(name)) and not _NO_GUARD.search(name)


def missing_guards(endpoints: Sequence[Endpoint], *, guarded_as_a_whole: bool) -> Iterator[Hit]:
    """Sensitive routes without a guard in a file whose other routes have one."""
    if guarded_as_a_whole:
        return
    routes = [endpoint for endpoint in endpoints if endpoint.is_route]
    guarded = [endpoint for endpoint in routes if endpoint.guards]
    for endpoint in routes:
        if endpoint.guards or endpoint.is_public or not endpoint.is_sensitive or not guarded:
            continue
        # Reading is often public where writing is not: only guarded reading says that reading should be guarded.
        alike = [other for other in guarded if other.changes or not endpoint.changes]
        if not endpoint.changes and not any(not other.changes for other in guarded):
            continue
        sure = len(alike) >= 2 and endpoint.changes
        lines = (endpoint.start_line, endpoint.end_line)
        yield make_hit(WEAKNESS, MISSING, lines, Confidence.HIGH if sure else Confidence.MEDIUM)


def removed_guards(source: Source, before: Sequence[Endpoint], after: Sequence[Endpoint]) -> Iterator[Hit]:
    """Guards that a function had in the base and that nothing replaces in the head."""
    if source.before is None or not source.text:
        return
    heads: dict[str, list[Endpoint]] = {}
    for endpoint in after:
        heads.setdefault(endpoint.name, []).append(endpoint)
    seen: dict[str, int] = {}
    for old in before:
        position = seen.get(old.name, 0)
        seen[old.name] = position + 1
        now = heads.get(old.name, [])
        if position >= len(now):
            continue
        yield from _removed(source.before, old, now[position])


def _removed(before: Source, old: Endpoint, new: Endpoint) -> Iterator[Hit]:
    kept = {guard.text for guard in new.guards}
    had = {guard.text for guard in old.guards}
    if kept - had:  # another check took its place
        return
    gone = [guard for guard in old.guards if guard.text not in kept]
    for guard in gone:
        lines = range(guard.start_line, guard.end_line + 1)
        removed = [line for line in lines if line in before.changed]
        if removed:
            confidence = Confidence.MEDIUM if kept else Confidence.HIGH
            hit = make_hit(WEAKNESS, REMOVED, (removed[0], removed[-1]), confidence)
            yield replace(hit, side=Side.LEFT, guards=tuple(removed))
