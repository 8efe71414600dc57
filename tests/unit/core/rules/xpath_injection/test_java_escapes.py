"""What makes a value safe between the quotes of an XPath expression in Java."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.xpath_injection import RULE

REPORTED = (
    "x",
    "x.trim()",
    "StringEscapeUtils.escapeJava(x)",
    "StringEscapeUtils.unescapeXml(x)",
    "StringEscapeUtils.escapeCsv(x)",
)
QUIET = (
    "StringEscapeUtils.escapeXml10(x)",
    "StringEscapeUtils.escapeXml11(x)",
    "StringEscapeUtils.escapeXml(x)",
    "ESAPI.encoder().encodeForXPath(x)",
)


def told(value: str) -> list[int]:
    """Lines of what is told of an expression with a value of the request."""
    code = (
        "class Shown extends HttpServlet {\n"
        "    protected void doGet(HttpServletRequest request, HttpServletResponse response) {\n"
        '        String x = request.getParameter("x");\n'
        "        XPath xpath = XPathFactory.newInstance().newXPath();\n"
        f'        xpath.evaluate("//user[@name=\'" + {value} + "\']", document);\n    }}\n}}\n'
    )
    return posted_lines(RULE, code, path="src/Shown.java")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [5]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
