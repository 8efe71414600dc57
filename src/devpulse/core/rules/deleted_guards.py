"""Deleted files: whether an access check went with them that code elsewhere still relies on.

Two things are told apart. A **definition** (a decorator, dependency or middleware that refuses people) is reported
when the head still takes it from the deleted file and nobody defines it any more. A **registration** (a
``before_request`` hook, ``router.use(requireAuth)``) guards routes that never mention it, so which ones it guarded
cannot be told from names: it is reported with low confidence, and only if the application or router it stood on was
made elsewhere and still has routes there. What was moved, registered again or replaced by a library's is no hit; a
use that no single line of the head shows (an import over several lines) is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from devpulse.core.candidates import module_parts
from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.ranking import remoteness
from devpulse.core.rules.access import WEAKNESS, is_guard
from devpulse.core.rules.wording import Wording, make_hit
from devpulse.core.source import Source
from devpulse.core.symbols import Reference, Resolver

DELETED = Wording(
    title="Access check deleted with its file",
    description="The deleted file held a check of who may run code; code elsewhere still relies on it.",
    fix="Keep the check, or put another one where every caller of the code it guarded passes.",
)
MAX_REFERENCES = 50
MAX_LINES = 10
_IMPORT = lazy(r"\b(?:import|from|require)\b")
_OWN_SPECIFIER = lazy(r"[\"'](?:\.|@/|~/|src/|app/|lib/)")
_COMMENT = ("#", "//", "*", "/*")
_HAS_ROUTES = r"\.(?:route|get|post|put|patch|delete|all|use|register_blueprint|include_router|add_url_rule)\("


@dataclass(frozen=True, slots=True)
class DeletedGuard:
    """A check that a file held. ``owner`` is what it was registered on, empty for a definition; ``call`` the word
    that registers it (``before_request``, ``use``); ``defined`` says that the file also defined it.
    """

    name: str
    start_line: int
    end_line: int
    owner: str = ""
    call: str = ""
    defined: bool = True


def deleted_guards(source: Source, guards: Iterable[DeletedGuard], resolver: Resolver) -> Iterator[Hit]:
    """A hit on the base side for each check that is gone and still relied on."""
    if source.before is None or source.text or remoteness(source.path):
        return
    for guard in guards:
        confidence = _judge(guard, source.path, resolver)
        lines = range(guard.start_line, min(guard.end_line, guard.start_line + MAX_LINES - 1) + 1)
        removed = tuple(line for line in lines if line in source.before.changed)
        if confidence is not None and removed:
            hit = make_hit(WEAKNESS, DELETED, (removed[0], removed[-1]), confidence)
            yield replace(hit, side=Side.LEFT, guards=removed)


def _judge(guard: DeletedGuard, path: str, resolver: Resolver) -> Confidence | None:
    if guard.defined and resolver.definitions(guard.name, near=path, limit=1).total:
        return None  # moved, or another one of this name takes its place
    if guard.owner:
        relied_on = not _registered_again(guard, resolver) and _has_routes(guard.owner, resolver)
        return Confidence.LOW if relied_on else None
    return Confidence.MEDIUM if _still_taken(guard.name, path, resolver) else None


def _mentions(name: str, resolver: Resolver) -> list[Reference]:
    rows = resolver.references(name, limit=MAX_REFERENCES).rows
    return [row for row in rows if not row.text.startswith(_COMMENT) and not remoteness(row.path)]


def _registered_again(guard: DeletedGuard, resolver: Resolver) -> bool:
    """Whether the head registers this check, or another one, for all routes of something."""
    if any(guard.call in row.text for row in _mentions(guard.name, resolver)):
        return True
    return any(is_guard(row.text) or is_guard(row.symbol or "") for row in _mentions(guard.call, resolver))


def _has_routes(owner: str, resolver: Resolver) -> bool:
    last = owner.rpartition(".")[2]
    use = re.compile(rf"\b{re.escape(last)}{_HAS_ROUTES}")
    return any(use.search(row.text) for row in _mentions(last, resolver))


def _still_taken(name: str, path: str, resolver: Resolver) -> bool:
    """Whether the head takes the name from the deleted module, and from nowhere else."""
    module = module_parts(path)[-1]
    rows = _mentions(name, resolver)
    imports = [row.text for row in rows if _IMPORT.search(row.text)]
    if any(not _names_module(text, module) for text in imports):
        return False
    return bool(imports) or any(f"{module}.{name}" in row.text for row in rows)


def _names_module(text: str, module: str) -> bool:
    quoted = "'" in text or '"' in text
    return re.search(rf"(?<![\w-]){re.escape(module)}\b", text) is not None and (
        not quoted or _OWN_SPECIFIER.search(text) is not None
    )
