"""XML external entities: parsers that resolve what a document refers to, fed with somebody else's document.

Kinds of sinks: ``resolves`` resolves entities by default and takes a parser that does not. ``asked`` resolves them
because the call asks for it. ``factory`` resolves them unless the factory it came from was told not to, ``option``
only when it is told to; for both the same file says so. ``reader`` is the same for one class of readers. ``source`` is
the document of something that transforms or validates. ``told`` resolves them when a feature of its parser is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.values import Level, Taint
from devpulse.core.rules.flow_rule import Danger, Use, flow_rule
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.java_parsers import HARDENED, is_hardened, is_stored, parsers_of, resolves_at, takes_of_helper
from devpulse.core.rules.python.xml_parsers import has_open_parser, is_harmless, is_of_lxml, is_told_to
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.source import Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse
from devpulse.core.text import bytes_at, lines_of

WORDING = Wording(
    title="XML parsed with external entities",
    description="A document can name files and addresses that the parser then reads, so its author gets at both.",
    fix="Use a parser that does not resolve entities (`resolve_entities=False`, `defusedxml`, no document type).",
)
_HARDENED = re.compile(
    rf"{HARDENED}|defusedxml|setExpandEntityReferences\(\s*false|resolve_entities\s*=\s*False|"
    r"libxml_disable_entity_loader\(\s*true"
)
_MOST_LOOKED_AT = 20
_JAVA_PARSERS = re.compile(
    r"DocumentBuilder|SAX|XMLReader|XMLInputFactory|XMLStreamReader|XMLEventReader|Digester|Unmarshaller|DocumentHelper|"
    r"TransformerFactory|SchemaFactory"
)
_READS_SOURCES = re.compile(
    r"\b(?:(?:SAX)?Transformer|Schema)Factory(?:Impl)?\b[\w.]{0,60}(?:\.new\w*Instance\s*\(|\()"
)
"""What makes those that read a document of a ``StreamSource`` themselves."""

_FIELD = re.compile(r"(?:this\.)?[a-z]\w*$")
_ASKING = re.compile(
    r"LIBXML_NOENT|LIBXML_DTDLOAD|NOENT|\.noent|DTDLOAD|replace_entities|substitute_entities\(?\s*=?\s*true|"
    r"substituteEntities\s*=\s*(?i:true|1)|SUBST_ENTITIES"
)


def _judge(taint: Taint, use: Use) -> Reach | None:
    level, kind = taint.origin.level, use.sink.kind
    if _is_fenced(use) or (kind == "source" and not _is_read(use)):
        return None
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH if kind in ("asked", "told") else Confidence.MEDIUM)
    if level is Level.UNKNOWN and not _is_given(taint, use):
        return None
    if kind == "resolves" and use.value.role == "archive" and is_of_lxml(use):
        return Reach(taint, Confidence.MEDIUM, firm=True)  # a file inside of an archive that somebody gave
    return Reach(taint, Confidence.LOW if kind == "resolves" else Confidence.MEDIUM)


def _is_read(use: Use) -> bool:
    """Whether what reads the source is made in the same function, and is told nothing of external entities."""
    numbers = [call.start_line for call in use.function.calls]
    text = "\n".join(lines_of(use.source.text)[min(numbers) - 1 : max(numbers)])
    return _READS_SOURCES.search(text) is not None and not is_hardened(text)


def _is_fenced(use: Use) -> bool:
    """Whether nothing is resolved: no parser, one that is told not to, or none that was told to."""
    language, kind = use.source.language, use.sink.kind
    if (language == "python" and is_harmless(use)) or (language == "java" and not _is_parser(use)):
        return True
    if kind == "told":
        return not is_told_to(use.source.text)
    return kind == "resolves" and _has_safe_parser(use)


def _has_safe_parser(use: Use) -> bool:
    return use.call.argument(1, "parser") is not None and not has_open_parser(use)


def _is_parser(use: Use) -> bool:
    """Whether what a Java method is called on can be a parser: an object, or an expression that makes one."""
    if use.sink.kind == "reader":
        return _is_sax_reader(use)
    owner, _, method = use.call.callee.rpartition(".")
    if method not in ("parse", "build"):
        return True
    last = owner.rpartition(".")[2]
    return not last[:1].isupper() if owner else _JAVA_PARSERS.search(use.text) is not None


def _is_sax_reader(use: Use) -> bool:
    """Whether what is read with is a SAXReader, by how its variable was made."""
    owner = use.call.callee.rpartition(".")[0]
    made = rf"\b{re.escape(owner.removeprefix('this.'))}\s*=\s*new\s+SAXReader\b" if owner else r"new\s+SAXReader\b"
    return re.search(made, use.source.text if owner else use.text) is not None


def _is_given(taint: Taint, use: Use) -> bool:
    """Whether it is a field of a Java object that was given its value."""
    label = taint.origin.label
    return use.source.language == "java" and _FIELD.match(label) is not None and is_stored(use.source, label)


def _always(use: Use) -> Confidence | None:
    return Confidence.MEDIUM if use.sink.kind == "asked" else None


def _plausible(kind: str, source: Source) -> bool:
    return kind != "source" or _READS_SOURCES.search(source.text) is not None


_RULE = flow_rule(Danger(Weakness("xml-external-entity"), WORDING, _judge, always=_always, plausible=_plausible))


def _check(source: Source, resolver: Resolver) -> Iterator[Hit]:
    """A file that hardens a parser anywhere hardens, as far as can be told, those that it uses. In Python each parser
    is asked by itself; in Java, where they are made in the same file, each function.
    """
    if source.language == "java" and not _JAVA_PARSERS.search(source.text):
        return
    made = parsers_of(source) if source.language == "java" else []
    if made:
        if any(place.resolves for place in made):
            yield from (hit for hit in _RULE.check(source, resolver) if resolves_at(made, hit.start_line))
        return
    if source.language == "java" and takes_of_helper(source):
        return
    optional = source.language in ("php", "ruby")
    apart = source.language == "python"  # where each parser is asked by itself
    if apart or (not _is_hardened(source) and (not optional or _ASKING.search(source.text))):
        yield from _RULE.check(source, resolver)


def _is_hardened(source: Source) -> bool:
    """Whether code says so: a comment hardens nothing."""
    found = list(islice(_HARDENED.finditer(source.text), _MOST_LOOKED_AT))
    if not found or source.language is None:
        return bool(found)
    root = parse(source.language, source.text).root_node
    places = bytes_at(source.text, [match.start() for match in found])
    nodes = (root.descendant_for_byte_range(place, place + 1) for place in places)
    return any(node is not None and "comment" not in node.type for node in nodes)


RULE = replace(_RULE, check=_check)
