from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.xml_external_entity import RULE

REPORTED = {
    "feature of the standard library": """
        def read(request):
            parser = xml.sax.make_parser()
            parser.setFeature(xml.sax.handler.feature_external_ges, True)
            return xml.dom.minidom.parseString(request.body, parser)  # BAD
        """,
    "document of a request": """
        from lxml import etree
        @app.post("/feed")
        def feed():
            return etree.fromstring(request.data).tag  # BAD
        """,
    "entities asked for": """
        PARSER = etree.XMLParser(resolve_entities=True, no_network=False)  # BAD
        """,
    "upload": """
        import lxml.etree as ET
        def upload(request):
            tree = ET.parse(request.FILES["doc"])  # BAD
            return tree.getroot().tag
        """,
}
QUIET = {
    "feature left off": """
        def read(request):
            parser = xml.sax.make_parser()
            parser.setFeature(xml.sax.handler.feature_external_ges, False)
            return xml.dom.minidom.parseString(request.body, parser)
        """,
    "own document": """
        def read():
            parser = xml.sax.make_parser()
            parser.setFeature(xml.sax.handler.feature_external_ges, True)
            parser.parse("settings.xml")
        """,
    "hardened parser": """
        from lxml import etree
        def feed():
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            return etree.fromstring(request.data, parser)
        """,
    "defused": """
        from defusedxml import ElementTree as etree
        def feed():
            return etree.fromstring(request.data)
        """,
    "standard library does not resolve": """
        import xml.etree.ElementTree as ET
        def feed():
            return ET.fromstring(request.data)
        """,
    "file of the program": """
        from lxml import etree
        TREE = etree.parse("schema.xml")
        def load():
            return etree.parse(SCHEMA_PATH)
        """,
    "given parser": """
        def feed(parser):
            return etree.fromstring(request.data, parser=parser)
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 611 for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
