from __future__ import annotations

import pytest
from rule_tables import suggested

NOTHING = {
    "the standard library": (
        "import xml.etree.ElementTree as etree\ndef read(request):\n    return etree.fromstring(request.data)\n"
    ),
    "a parser that is given": (
        "from lxml import etree\ndef read(request, parser):\n    return etree.fromstring(request.data, parser)\n"
    ),
}


def test_suggest__parser() -> None:
    code = "from lxml import etree\n@app.post('/x')\ndef read():\n    return etree.fromstring(request.data).tag\n"
    assert suggested(code) == ["return etree.fromstring(request.data, etree.XMLParser(resolve_entities=False)).tag"]


@pytest.mark.parametrize("code", NOTHING.values(), ids=NOTHING)
def test_suggest__nothing_elsewhere(code: str) -> None:
    assert suggested(code) == []
