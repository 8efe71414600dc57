from __future__ import annotations

import pytest
from rule_tables import make_source

from devpulse.core.rules.java_parsers import is_stored, parsers_of, resolves_at

TWO = """\
class Documents {
    Document safe(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(in);
    }
    Document plain(InputStream in) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    }
    Document other(DocumentBuilder builder, InputStream in) throws Exception { return builder.parse(in); }
}
"""


def test_parsers_of__each_function_by_itself():
    made = parsers_of(make_source(TWO, path="Documents.java"))
    assert [place.resolves for place in made] == [False, True]
    assert [resolves_at(made, line) for line in (5, 8, 10)] == [False, True, False]


@pytest.mark.parametrize(
    ("line", "resolves"),
    [
        ("SAXReader reader = new SAXReader();", True),
        ("SAXReader reader = new SAXReader(); reader.setValidation(false); reader.getFeature(A);", True),
        ("XMLInputFactory f = XMLInputFactory.newFactory(); f.setProperty(XMLInputFactory.SUPPORT_DTD, false);", False),
        ("SAXParserFactory f = SAXParserFactory.newInstance(); secureProcessing(f);", False),
        ("SAXBuilder builder = new SAXBuilder(); builder.setEntityResolver(NONE);", False),
        (
            'SAXReader r = new SAXReader(); r.setFeature("http://x/disallow-doctype-decl", false);',
            True,
        ),
        ("XMLInputFactory f = XMLInputFactory.newFactory(); f.setProperty(XMLInputFactory.SUPPORT_DTD, true);", True),
        ("XMLInputFactory f = XMLInputFactory.newFactory(); f.setProperty(SUPPORT_DTD, Boolean.FALSE);", False),
    ],
)
def test_parsers_of__what_hardens(line: str, resolves: bool):
    made = parsers_of(make_source(f"class A {{ void f() {{ {line} }} }}", path="A.java"))
    assert [place.resolves for place in made] == [resolves]


def test_parsers_of__comments_and_texts_make_none():
    code = 'class A { String s = "new SAXReader()"; /* new SAXReader() */ }'
    assert parsers_of(make_source(code, path="A.java")) == []


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        ("A(String t) { this.text = t; }", True),
        ("A() { this.text = null; }", False),
        ("A() { this.other = text; }", False),
    ],
)
def test_is_stored(body: str, stored: bool):
    assert is_stored(make_source(f"class A {{ {body} }}", path="A.java"), "this.text") is stored
