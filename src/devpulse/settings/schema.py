"""The JSON Schema of ``.devpulse.yml``, made from the table of options, for editors and for other programs.

The program reads every scalar as a text, an editor reads YAML with types: each key takes both forms here. A schema
cannot say everything: the range of a number in quotes, the syntax of a pattern and a text that is only too long by a
character are left to the program. Whatever the schema refuses, the program refuses too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from devpulse.core.budget import CHARACTERS_PER_TOKEN
from devpulse.core.categories import CATEGORIES, Severity
from devpulse.core.prompt import MAX_INSTRUCTION_TOKENS
from devpulse.options import CONFIG_NAME, NO_LIMIT, OPTION_BY_NAME, OPTIONS, Kind, Option
from devpulse.settings.path_rules import OPTIONS_AT_PATH
from devpulse.settings.values import BOOLEANS

CONFIG_SCHEMA = "config-v1.schema.json"
"""The name of the file that holds it."""

_BLANK = r"^\s*$"
_WHOLE = r"^\s*[+-]?[0-9]{1,15}\s*$"
_DECIMAL = r"^\s*[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})\s*$"
_MOST = 10**15 - 1
_SCALAR = ["string", "number", "boolean", "null"]

Schema = dict[str, Any]


def config_schema() -> Schema:
    """The schema as data."""
    properties = {option.name: _of(option) for option in OPTIONS if option.in_config}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": CONFIG_NAME,
        "description": "The configuration of DevPulse, read from the base side of a change.",
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {**properties, "ignore": _list_of(_ignore(), _IGNORES), "paths": _list_of(_path_rule(), _PATHS)},
        "$defs": {"severity": {"anyOf": _words(Severity)}, "category": _category()},
    }


def render_config_schema() -> str:
    """The text of the committed file."""
    return json.dumps(config_schema(), indent=2) + "\n"


_SEVERITY = {"$ref": "#/$defs/severity"}
_CATEGORY = {"$ref": "#/$defs/category"}
_IGNORES = "Accepted findings by path, category or fingerprint; what is given must all match."
_PATHS = "What is different in parts of the repository. The last entry that matches decides each setting."


def _of(option: Option) -> Schema:
    described = {"description": f"{option.help} Allowed: {option.allowed}."}
    if option.default:
        described["description"] += f" Default: {option.default}."
    return {**described, **_BY_KIND[option.kind](option)}


def _any_of(*schemas: Schema) -> Schema:
    return {"anyOf": [*schemas, {"type": "null"}, {"type": "string", "pattern": _BLANK}]}


def _any_case(words: Iterable[str]) -> str:
    """A pattern for words in capitals or not, with room around; without a flag, which JSON Schema has not."""
    spelled = ("".join(f"[{c.upper()}{c}]" if c.isalpha() else c for c in word) for word in words)
    return rf"^\s*(?:{'|'.join(spelled)})\s*$"


def _words(words: Iterable[str]) -> list[Schema]:
    words = list(words)
    return [{"enum": words}, {"type": "string", "pattern": _any_case(words)}]


def _choice(option: Option) -> Schema:
    if "true" not in option.choices:
        return _any_of(*_words(option.choices))
    others = [word for word in option.choices if word not in BOOLEANS]
    return _any_of({"type": "boolean"}, *_words([*others, *BOOLEANS]))


def _boolean(_: Option) -> Schema:
    return _any_of({"type": "boolean"}, *_words(BOOLEANS))


def _number(option: Option) -> Schema:
    whole = option.kind == "integer"
    number: Schema = {"type": "integer" if whole else "number", "maximum": option.maximum or _MOST}
    if option.minimum is not None:
        number["minimum"] = option.minimum
    if option.above is not None:
        number["exclusiveMinimum"] = option.above
    none = _words([NO_LIMIT]) if option.optional else []
    return _any_of(number, {"type": "string", "pattern": _WHOLE if whole else _DECIMAL}, *none)


def _text(option: Option) -> Schema:
    # An editor reads 3.8 as a number; where the pattern does not allow for one, it is a mistake.
    plain = not option.pattern or re.fullmatch(option.pattern, "2")
    text: Schema = {"type": _SCALAR if plain else ["string", "null"]}
    if option.pattern:
        return {**text, "pattern": rf"^\s*(?:{option.pattern})?\s*$"}
    if option.name == "instructions":
        most = MAX_INSTRUCTION_TOKENS * CHARACTERS_PER_TOKEN
        return {**text, "pattern": rf"^\s*(?:\S(?:[\s\S]{{0,{most - 2}}}\S)?)?\s*$"}
    return text


def _patterns(_: Option) -> Schema:
    return {"type": [*_SCALAR, "array"], "items": {"type": _SCALAR}}


def _overrides(_: Option) -> Schema:
    pair = rf"\s*(?:{'|'.join(CATEGORIES)})\s*=\s*(?:{_any_case(Severity)[4:-4]})\s*"
    listed = rf"^(?:{pair}|\s*)(?:[,\n](?:{pair}|\s*))*$"
    return {
        "type": ["object", "string", "array", "null"],
        "pattern": listed,
        "items": {"type": ["string", "null"], "pattern": rf"^(?:{pair}|\s*)$"},
        "properties": dict.fromkeys(CATEGORIES, _SEVERITY),
        "additionalProperties": False,
    }


_BY_KIND: Mapping[Kind, Callable[[Option], Schema]] = {
    "text": _text,
    "path": _text,
    "choice": _choice,
    "boolean": _boolean,
    "integer": _number,
    "number": _number,
    "list": _patterns,
    "mapping": _overrides,
}


def _list_of(item: Schema, description: str) -> Schema:
    return {"description": description, **_any_of({"type": "array", "items": item})}


def _category() -> Schema:
    listed = rf"^\s*(?:{'|'.join(CATEGORIES)})\s*$"
    return _any_of({"enum": list(CATEGORIES)}, {"type": "string", "pattern": listed})


def _said(*keys: str) -> Schema:
    """At least one of the keys has a value that is not empty."""
    something = {"type": "string", "pattern": r"\S"}
    value = {"anyOf": [something, {"type": ["number", "boolean", "object", "array"]}]}
    return {"anyOf": [{"required": [key], "properties": {key: value}} for key in keys]}


def _ignore() -> Schema:
    path = r"^\s*(?:(?!/|\.\./)[^*?]*[^*?\s])?\s*$"
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "path": {
                "description": "A file, or a folder with a slash at its end, from the top of the repository.",
                "type": _SCALAR,
                "pattern": path,
            },
            "category": _CATEGORY,
            "fingerprint": {"type": ["string", "integer", "null"], "pattern": r"^\s*(?:[0-9a-fA-F]{32})?\s*$"},
            "reason": {"description": "What the report says about it.", "type": _SCALAR},
        },
        **_said("path", "category", "fingerprint"),
    }


def _path_rule() -> Schema:
    accepted = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"category": _CATEGORY, "reason": {"type": _SCALAR}},
        **_said("category"),
    }
    path = {"description": "A pattern as in .gitignore.", "type": _SCALAR, "pattern": r"^\s*[^#!\s]"}
    options = {name: _of(OPTION_BY_NAME[name]) for name in OPTIONS_AT_PATH}
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "path": path,
            **options,
            "ignore": _list_of(accepted, "Categories that are accepted here, in the place of earlier entries' ones."),
        },
        "allOf": [_said("path"), _said(*options, "ignore")],
    }
