"""What the access control rules of all languages share: endpoints, their guards, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Source

WEAKNESS = Weakness("broken-access-control")
MISSING = Wording(
    title="Sensitive endpoint without the guard of its neighbours",
    description="Its neighbours check who is calling; this one changes or shows sensitive things without that check.",
    fix="Give it the same authentication and permission check as the others, or say in the code why it is public.",
)
UNTIED = Wording(
    title="Object loaded without asking whose it is",
    description="With another id people change what is not theirs; its neighbours look only in what the caller owns.",
    fix="Load it through its owner as the neighbours do, or check that the caller may change it.",
)
REMOVED = Wording(
    title="Access check removed",
    description="The change takes a check away that decided who may run this code, and puts nothing in its place.",
    fix="Keep the check, or do it where every caller passes before this code runs.",
)

GUARD_NAME = lazy(
    r"(?i)login_?required|auth|permission|require|admin|protected|\broles?\b|role_|jwt|token_|user_passes|staff|is_?owner|"
    r"ensure|verify_|verifyToken|current_?user|can_?access|check_?(?:access|perm|admin|auth|role|owner|user|login|session|token)|guard|acl|logged_?in|superuser|privilege|access_control|"
    r"(?<![a-z])only_(?:(?:\w+_)?(?:admins?|staff|owners?|members?|users?|writers?|editors?|authors?|moderators?|managers?)|logged_?\w*)\b|(?:owner|member|user|writer|editor)s?_only\b"
)
_NO_GUARD = lazy(
    r"(?i)require_(?:http_)?(?:methods|get|post|safe)|require_(?:json|params|fields|headers)|author\b|authors?_|oauth_?callback|csrf|rate|limit"
)
_SENSITIVE = lazy(
    r"(?i)admin|users?\b|account|setting|export|billing|payment|invoice|delete|remove|destroy|role|permission|config|secret|key|backup|report|order|profile|password|member|audit|internal|manage|token"
)
_PUBLIC = lazy(
    r"(?i)log_?-?in|log_?-?out|sign_?-?in|sign_?-?up|sign_?-?out|register|regist|health|ready|alive|(?:heart|\b)beat\b|passwords?/(?:e?mail|new|edit)|(?<![a-z])ping|status|version|static|assets|favicon|"
    r"webhook|callback|oauth|saml|(?<![a-z])sso|forgot|reset|recover|confirm|verify|activate|public|robots|metrics|contact|subscribe|newsletter|preview|markdown|"
    r"token$|tokens?/refresh|refresh|session|auth(?:$|/)|csp|docs|openapi|swagger|captcha|webmention|csrf|index$|home$|about"
)
MOST_OPEN = 3
"""Open siblings for one with a guard: with more of them, what guards them stands elsewhere."""

_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True, slots=True)
class Guard:
    """One check of who is calling; ``text`` is what identifies it.

    ``personal``: it asks what somebody may do with the very object, or needs a role that others may not need. That
    says nothing about routes that are about no single object.
    """

    text: str
    start_line: int
    end_line: int
    personal: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """An object that is loaded by an id of the request. ``tied``: only among those of who is calling."""

    model: str
    start_line: int
    end_line: int
    tied: bool


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A function, or a route. ``methods`` are empty for functions that are no routes.

    ``group``: the class, router or list whose routes are siblings. ``excused``: it is open on purpose, or asks who is
    calling in a way that is no guard of others. ``single``: it is about one object, by an id. ``mentions``: how often
    its text speaks of callers and their rights.
    """

    name: str
    route: str
    methods: frozenset[str]
    start_line: int
    end_line: int
    guards: tuple[Guard, ...]
    group: str = ""
    excused: bool = False
    single: bool = False
    mentions: int = 0
    loads: tuple[Load, ...] = ()

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
    """Sensitive routes without a guard whose siblings have one."""
    if guarded_as_a_whole:
        return
    for routes in _groups(endpoint for endpoint in endpoints if endpoint.is_route):
        guarded = [endpoint for endpoint in routes if endpoint.guards]
        bare = [route for route in routes if not route.guards and _needs_guard(route)]
        open_reading = sum(not route.guards and not route.changes and not route.is_public for route in routes)
        for endpoint in bare if guarded else ():
            confidence = _sureness(endpoint, guarded, bare)
            if confidence is not None and not endpoint.changes and open_reading > 1:
                confidence = Confidence.LOW  # others show things to everybody too
            if confidence is not None:
                yield make_hit(WEAKNESS, MISSING, (endpoint.start_line, endpoint.end_line), confidence)


def _groups(endpoints: Iterable[Endpoint]) -> Iterable[list[Endpoint]]:
    groups: dict[str, list[Endpoint]] = {}
    for endpoint in endpoints:
        groups.setdefault(endpoint.group, []).append(endpoint)
    return groups.values()


def _needs_guard(endpoint: Endpoint) -> bool:
    return endpoint.is_sensitive and not endpoint.is_public and not endpoint.excused


def _sureness(endpoint: Endpoint, guarded: Sequence[Endpoint], bare: Sequence[Endpoint]) -> Confidence | None:
    """How much the guarded siblings say about a route without a guard; ``None`` when they say nothing."""
    # Reading is often public where writing is not: only guarded reading says that reading should be guarded.
    if not endpoint.changes and all(other.changes for other in guarded):
        return None
    alike = [other for other in guarded if other.changes or not endpoint.changes]
    telling = [
        other
        for other in guarded
        if other.single == endpoint.single or not all(guard.personal for guard in other.guards)
    ]
    open_alike = sum(other.changes == endpoint.changes for other in bare)
    if open_alike > MOST_OPEN * len(guarded):
        return None
    if not telling or open_alike > len(guarded):
        return Confidence.LOW
    return Confidence.HIGH if len(alike) >= 2 and endpoint.changes else Confidence.MEDIUM


def untied_loads(endpoints: Sequence[Endpoint]) -> Iterator[Hit]:
    """Objects that a changing route loads by a bare id, where its siblings look only among those of the caller."""
    for routes in _groups(endpoint for endpoint in endpoints if endpoint.is_route):
        tied = {load.model: endpoint for endpoint in routes for load in endpoint.loads if load.tied}
        for endpoint in routes:
            asked = endpoint.excused or any(guard.personal for guard in endpoint.guards)
            if asked or not endpoint.changes:  # that somebody is logged in does not say whose the object is
                continue
            for load in endpoint.loads:
                if not load.tied and load.model in tied:
                    yield make_hit(WEAKNESS, UNTIED, (load.start_line, load.end_line), Confidence.MEDIUM)


def removed_guards(source: Source, before: Sequence[Endpoint], after: Sequence[Endpoint]) -> Iterator[Hit]:
    """Guards that a function had in the base and that nothing replaces in the head."""
    if source.before is None or not source.text:
        return
    heads: dict[str, list[Endpoint]] = {}
    for endpoint in after:
        heads.setdefault(endpoint.name, []).append(endpoint)
    seen: dict[str, int] = {}
    told: set[tuple[int, int]] = set()
    for old in before:
        position = seen.get(old.name, 0)
        seen[old.name] = position + 1
        now = heads.get(old.name, [])
        if position >= len(now):
            continue
        for hit in _removed(source.before, old, now[position]):
            if (hit.start_line, hit.end_line) not in told:  # one filter guards several routes
                told.add((hit.start_line, hit.end_line))
                yield hit


def _removed(before: Source, old: Endpoint, new: Endpoint) -> Iterator[Hit]:
    kept = {guard.text for guard in new.guards}
    had = {guard.text for guard in old.guards}
    if kept - had or (old.mentions and new.mentions >= old.mentions):  # another check took its place
        return
    gone = [guard for guard in old.guards if guard.text not in kept]
    for guard in gone:
        lines = range(guard.start_line, guard.end_line + 1)
        removed = [line for line in lines if line in before.changed]
        if removed:
            confidence = Confidence.MEDIUM if kept else Confidence.HIGH
            hit = make_hit(WEAKNESS, REMOVED, (removed[0], removed[-1]), confidence)
            yield replace(hit, side=Side.LEFT, guards=tuple(removed))
