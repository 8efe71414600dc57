"""Each Python call is judged by the parser that it uses, whatever else stands in its file."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.xml_external_entity import RULE

REPORTED = {
    "a hardened parser beside it": """
        from lxml import etree
        SAFE = etree.XMLParser(resolve_entities=False, no_network=True)

        def one():
            return etree.fromstring(request.data, parser=SAFE)

        def other():
            return etree.fromstring(request.data)  # BAD
        """,
    "parser that is not hardened": """
        from lxml import etree
        def read():
            p = etree.XMLParser(recover=True,
                                remove_blank_text=True)
            return etree.fromstring(request.data, parser=p)  # BAD
        """,
    "parser made in the call": """
        from lxml import etree
        def read():
            return etree.fromstring(request.data, etree.XMLParser(recover=True))  # BAD
        """,
    "one of two features": """
        def hard():
            parser = xml.sax.make_parser()
            parser.setFeature(feature_external_ges, False)
            parser.parse(request.files["doc"])

        def soft():
            parser = xml.sax.make_parser()
            parser.setFeature(feature_external_ges, True)
            parser.parse(request.stream)  # BAD
        """,
    "file out of an archive": """
        from lxml import etree
        def cover(book):
            with zipfile.ZipFile(book) as box:
                listing = box.read("META-INF/container.xml")
            return etree.fromstring(listing)  # BAD
        """,
}
QUIET = {
    "hardened behind its name": """
        from lxml import etree
        def read():
            p = etree.XMLParser(recover=True,
                                resolve_entities=False)
            return etree.fromstring(request.data, p)
        """,
    "hardened in the call": """
        from lxml import etree
        def read():
            return etree.fromstring(request.data, parser=etree.XMLParser(resolve_entities=False))
        """,
    "made elsewhere": """
        from lxml import etree
        def read():
            return etree.fromstring(request.data, parser=shared_parser())
        """,
    "entities inside of the document only": """
        from lxml import etree
        def read():
            return etree.fromstring(request.data, etree.XMLParser(resolve_entities="internal"))
        """,
    "standard library under the same name": """
        from xml.etree import ElementTree as etree
        def read():
            return etree.fromstring(request.data)
        """,
    "file out of an archive, hardened": """
        from lxml import etree
        def cover(book):
            with zipfile.ZipFile(book) as box:
                listing = box.read("META-INF/container.xml")
            return etree.fromstring(listing, etree.XMLParser(resolve_entities=False))
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports_by_the_parser(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet_about_hardened_parsers(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
