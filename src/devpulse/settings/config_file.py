"""Reads ``.devpulse.yml`` into plain texts, lists and mappings, with the line of each key.

Only the structure of YAML is used. Scalars stay texts, so that ``fail-on: no`` means the same as
``--fail-on no`` and no object is ever built. Aliases and tags are refused: nothing here needs
them, and a few aliases can stand for gigabytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from devpulse.errors import ConfigurationError
from devpulse.settings.values import Raw, shown

MAX_BYTES = 64 * 1024
"""A configuration is a page of text; more is a mistake or an attack."""

MAX_DEPTH = 8
"""``ignore`` needs three levels; the limit keeps hostile nesting from exhausting the stack."""

_PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{word}"
    for word in ("str", "null", "bool", "int", "float", "timestamp", "merge", "value", "seq", "map")
)


@dataclass(frozen=True, slots=True)
class Entry:
    """The value of one top-level key and the line, from 1, that the key stands on."""

    value: Raw
    line: int


class _Malformed(yaml.YAMLError):
    def __init__(self, problem: str, place: yaml.Event | yaml.Node) -> None:
        line = 1 if place.start_mark is None else place.start_mark.line + 1
        super().__init__(f"line {line}: {problem}")


def read_config(text: str, name: str) -> Mapping[str, Entry]:
    """The entries of a configuration file; an empty file has none.

    Args:
        text: the content.
        name: how messages call the file.

    Raises:
        ConfigurationError: it is too large, not YAML, not a mapping, or says a key twice.
    """
    check_size(len(text.encode("utf-8", errors="surrogatepass")), name)
    try:
        _check_events(text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        if root is None or root.tag == "tag:yaml.org,2002:null":
            return {}
        if not isinstance(root, yaml.MappingNode) or root.tag not in _PLAIN_TAGS:
            raise ConfigurationError(
                f"{name} is not a mapping of keys to values",
                hint='Write one "key: value" a line, like "fail-on: high".',
            )
        return {key: Entry(_plain(value), line) for key, value, line in _pairs(root)}
    except yaml.YAMLError as error:
        raise ConfigurationError(
            f"{name} cannot be read: {_problem(error)}", hint='Write one "key: value" a line, like "fail-on: high".'
        ) from None


def check_size(size: int, name: str) -> None:
    """Refuse a file of too many bytes; to be asked before it is read.

    Raises:
        ConfigurationError: it is too large.
    """
    if size > MAX_BYTES:
        raise ConfigurationError(
            f"{name} has {size} bytes; at most {MAX_BYTES} are read", hint="Shorten it, or move it out of the way."
        )


def _check_events(text: str) -> None:
    """Refuse what must not even be composed: aliases multiply, deep nesting exhausts the stack."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise _Malformed("aliases are not allowed", event)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise _Malformed("it is nested too deeply", event)


def _problem(error: yaml.YAMLError) -> str:
    if isinstance(error, _Malformed):
        return str(error)
    # The text of the parser's errors quotes lines of the file, and a line may hold a secret.
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: {', '.join(filter(None, (error.context, error.problem)))}"
    if isinstance(error, yaml.reader.ReaderError):
        return f"a character that YAML does not allow, after {error.position} characters"
    return "it is not YAML"


def _plain(node: yaml.Node) -> Raw:
    if node.tag not in _PLAIN_TAGS:
        raise _Malformed("tags are not allowed", node)
    if isinstance(node, yaml.MappingNode):
        return {key: _plain(value) for key, value, _ in _pairs(node)}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item) for item in node.value]
    return "" if node.tag == "tag:yaml.org,2002:null" else str(node.value)


def _pairs(node: yaml.MappingNode) -> list[tuple[str, yaml.Node, int]]:
    seen: dict[str, int] = {}
    pairs = []
    for key_node, value in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _Malformed("a key is not a word", key_node)
        key, line = str(key_node.value), key_node.start_mark.line + 1
        if key in seen:
            problem = f"{shown(key)} stands there twice, first in line {seen[key]}"
            raise _Malformed(problem, key_node)
        seen[key] = line
        pairs.append((key, value, line))
    return pairs
