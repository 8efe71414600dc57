from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.xml_external_entity import RULE

REPORTED = {
    "document builder": """
        class Import {
            @PostMapping("/import")
            public void load(HttpServletRequest request) throws Exception {
                DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
                Document document = builder.parse(request.getInputStream()); // BAD
            }
        }
        """,
    "text given by the caller": """
        class Reader {
            Document read(String xml) throws Exception {
                DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
                DocumentBuilder db = factory.newDocumentBuilder();
                return db.parse(new InputSource(new StringReader(xml))); // BAD
            }
        }
        """,
    "sax": """
        class Reader {
            void read(InputStream stream, DefaultHandler handler) throws Exception {
                SAXParser saxParser = SAXParserFactory.newInstance().newSAXParser();
                saxParser.parse(stream, handler); // BAD
            }
        }
        """,
    "stream reader": """
        class Reader {
            XMLStreamReader open(InputStream stream) throws Exception {
                XMLInputFactory factory = XMLInputFactory.newInstance();
                return factory.createXMLStreamReader(stream); // BAD
            }
        }
        """,
    "jdom": """
        class Reader {
            @PostMapping("/feed")
            public Document read(@RequestBody String body) throws Exception {
                SAXBuilder saxBuilder = new SAXBuilder();
                return saxBuilder.build(new StringReader(body)); // BAD
            }
        }
        """,
    "dom4j": """
        class Feeds {
            static Element root(InputStream stream) throws Exception {
                SAXReader saxReader = new SAXReader();
                return saxReader.read(stream).getRootElement(); // BAD
            }
        }
        """,
    "a field that the constructor was given": """
        class Update {
            private String content;
            Update(String text) { this.content = text; }
            void parse() throws Exception {
                DocumentBuilder docBuilder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
                docBuilder.parse(new InputSource(new StringReader(content))); // BAD
            }
        }
        """,
    "another method hardens its own": """
        class Documents {
            Document safe(InputStream stream) throws Exception {
                DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
                factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
                return factory.newDocumentBuilder().parse(stream);
            }
            void events(InputStream stream, DefaultHandler handler) throws Exception {
                SAXParser saxParser = SAXParserFactory.newInstance().newSAXParser();
                saxParser.parse(stream, handler); // BAD
            }
        }
        """,
    "transformer": """
        class Sheets {
            String apply(String sheet, String data) throws Exception {
                TransformerFactory factory = TransformerFactory.newInstance();
                Transformer made = factory.newTransformer(new StreamSource(new StringReader(sheet))); // BAD
                return made.toString();
            }
        }
        """,
    "schema": """
        class Checks {
            void check(InputStream data) throws Exception {
                Schema schema = SchemaFactory.newInstance(LANGUAGE).newSchema(new File("a.xsd"));
                schema.newValidator().validate(new StreamSource(data)); // BAD
            }
        }
        """,
}
QUIET = {
    "transformer without external entities": """
        class Sheets {
            void apply(String sheet) throws Exception {
                TransformerFactory factory = TransformerFactory.newInstance();
                factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
                factory.newTransformer(new StreamSource(new StringReader(sheet)));
            }
        }
        """,
    "a document is written": """
        class Writes {
            String text(Document document) throws Exception {
                Transformer made = TransformerFactory.newInstance().newTransformer();
                made.transform(new DOMSource(document), new StreamResult(out));
                return out.toString();
            }
            StreamSource other(String data) { return new StreamSource(new StringReader(data)); }
        }
        """,
    "no document type": """
        class Import {
            Document load(HttpServletRequest request) throws Exception {
                DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
                factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
                return factory.newDocumentBuilder().parse(request.getInputStream());
            }
        }
        """,
    "secure processing": """
        class Reader {
            void read(InputStream stream, DefaultHandler handler) throws Exception {
                SAXParserFactory factory = SAXParserFactory.newInstance();
                factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
                SAXParser parser = factory.newSAXParser();
                parser.parse(stream, handler);
            }
        }
        """,
    "stream reader without types": """
        class Reader {
            XMLStreamReader open(InputStream stream) throws Exception {
                XMLInputFactory factory = XMLInputFactory.newInstance();
                factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
                return factory.createXMLStreamReader(stream);
            }
        }
        """,
    "constant file": """
        class Settings {
            Document load() throws Exception {
                DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
                return builder.parse("settings.xml");
            }
        }
        """,
    "parser of something else": """
        class Options {
            CommandLine read(String[] args, CommandLineParser parser, Options options) throws Exception {
                return parser.parse(options, args);
            }
            JsonElement json(String text, JsonParser parser) {
                return parser.parse(text);
            }
        }
        """,
    "dom4j told": """
        class Feeds {
            Element root(InputStream stream) throws Exception {
                SAXReader saxReader = new SAXReader();
                saxReader.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
                return saxReader.read(stream).getRootElement();
            }
        }
        """,
    "hardened by a helper": """
        class Documents {
            Document load(InputStream stream) throws Exception {
                DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
                Xml.hardenFactory(factory);
                return factory.newDocumentBuilder().parse(stream);
            }
        }
        """,
    "the parser of a field": """
        class Documents {
            static final SAXParserFactory FACTORY = SAXParserFactory.newInstance();
            static { FACTORY.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true); }
            void load(InputStream stream, DefaultHandler handler) throws Exception {
                SAXParser parser = FACTORY.newSAXParser();
                parser.parse(stream, handler);
            }
        }
        """,
    "a class of its own that parses": """
        class Filters {
            SAXParserFactory factory = SAXParserFactory.newInstance();
            Filter of(String text) { return FilterParser.parse(text); }
            Settings load(URL place) { return new SettingsLoader(this).parse(place); }
        }
        """,
    "another reader": """
        class Streams {
            SAXReader xml = new SAXReader();
            int fill(Reader reader, char[] buffer) throws IOException { return reader.read(buffer); }
        }
        """,
    "a parser that a class of the program gives": """
        class Update {
            Document read(HttpServletRequest request) throws Exception {
                SAXBuilder builder = Parsers.getBuilder();
                return builder.build(request.getReader());
            }
        }
        """,
    "a field that nobody sets": """
        class Update {
            private String content;
            void parse() throws Exception {
                DocumentBuilder docBuilder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
                docBuilder.parse(new InputSource(new StringReader(content)));
            }
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 611 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
