"""Knowledge read from its data files: one TOML file a framework, in a folder a language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from devpulse.core.categories import CATEGORIES
from devpulse.core.flow.purposes import Purpose
from devpulse.core.knowledge.model import Cleaner, Condition, Knowledge, Sink, last_name
from devpulse.core.lazy_pattern import lazy

_SINK_KEYS = frozenset({"category", "calls", "arguments", "kind", "certain", "receivers", "needs", "word"})
_WORDS_COUNT = "python/"
"""The folder of the language in which a call is found by itself, and the words of its file are looked at."""

_CLEANER_KEYS = frozenset({"calls", "purposes"})
_TABLES = frozenset({"sinks", "cleaners", "access"})


def read_knowledge(files: Mapping[str, str]) -> Knowledge:
    """The knowledge in the texts of data files, by their names.

    Raises:
        ValueError: a file is not as the format says (``CONTRIBUTING.md``); it names the file and the entry.
    """
    sinks: dict[str, list[Sink]] = {}
    conventions: list[tuple[re.Pattern[str], Sink]] = []
    cleaners: dict[str, list[Cleaner]] = {}
    for name, text in sorted(files.items()):
        tables = tables_of(name, text)
        for entry in tables.get("sinks", ()):
            for sink in _sinks(name, entry):
                if sink.pattern.startswith("~"):
                    conventions.append((lazy(sink.pattern[1:], re.IGNORECASE), sink))
                else:
                    sinks.setdefault(last_name(sink.pattern), []).append(sink)
        for entry in tables.get("cleaners", ()):
            for cleaner in _cleaners(name, entry):
                cleaners.setdefault(last_name(cleaner.pattern), []).append(cleaner)
    return Knowledge(
        {last: tuple(found) for last, found in sinks.items()},
        {last: tuple(found) for last, found in cleaners.items()},
        tuple(conventions),
    )


def tables_of(name: str, text: str) -> dict[str, Any]:
    """The tables of one data file; of ``access`` see ``knowledge.access``.

    Raises:
        ValueError: it is no TOML, or has a table that no data file has.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _fault(name, str(error)) from error
    _only(name, tables, _TABLES)
    return tables


def _sinks(name: str, entry: Mapping[str, Any]) -> Iterator[Sink]:
    _only(name, entry, _SINK_KEYS)
    category, arguments, receivers = entry["category"], tuple(entry["arguments"]), entry.get("receivers")
    if category not in CATEGORIES or not arguments:
        raise _fault(name, f"category {category!r} with arguments {arguments!r}")
    if "word" in entry and not name.startswith(_WORDS_COUNT):
        raise _fault(name, "a word of the file has no effect but in Python")
    needs = tuple(
        Condition(keyword, frozenset(value.lower() for value in values))
        for keyword, values in sorted(entry.get("needs", {}).items())
    )
    for pattern in entry["calls"]:
        yield Sink(
            category=category,
            pattern=pattern,
            arguments=arguments,
            kind=entry.get("kind", ""),
            certain=entry.get("certain", True),
            receivers=None if receivers is None else lazy(receivers, re.IGNORECASE),
            needs=needs,
            word=entry.get("word", ""),
        )


def _cleaners(name: str, entry: Mapping[str, Any]) -> Iterator[Cleaner]:
    _only(name, entry, _CLEANER_KEYS)
    purposes = frozenset(Purpose(purpose) for purpose in entry["purposes"])
    for pattern in entry["calls"]:
        yield Cleaner(pattern, purposes)


def _only(name: str, table: Mapping[str, Any], keys: frozenset[str]) -> None:
    unknown = sorted(set(table) - keys)
    if unknown:
        raise _fault(name, f"unknown key {unknown[0]!r}")


def _fault(name: str, what: str) -> ValueError:
    return ValueError(f"the knowledge file {name} cannot be used: {what}")
