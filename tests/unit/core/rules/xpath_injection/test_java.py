from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.xpath_injection import RULE

REPORTED = {
    "compiled": """
        class Login {
            boolean find(HttpServletRequest request, XPath xpath) throws Exception {
                String query = "//user[name='" + request.getParameter("user") + "']";
                return xpath.compile(query).evaluate(document) != null; // BAD
            }
        }
        """,
    "given by the caller": """
        class Books {
            Node find(String title, Document document) throws Exception {
                return document.selectSingleNode("/books/book[@title='" + title + "']"); // BAD
            }
        }
        """,
    "xalan": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
            XPathAPI.selectNodeList(document, "//user[@name='" + request.getParameter("name") + "']"); // BAD
        }
        """,
}
QUIET = {
    "constant": """
        class Login {
            String find(HttpServletRequest request, XPath xpath) throws Exception {
                return xpath.evaluate("//user[name=$name]/role", document);
            }
        }
        """,
    "number": """
        class Books {
            Node find(int place, Document document) throws Exception {
                return document.selectSingleNode("/books/book[" + place + "]");
            }
        }
        """,
    "pattern": """
        class Texts {
            Pattern make(String word) {
                return Pattern.compile("/" + word + "[0-9]");
            }
        }
        """,
    "quotes escaped": """
        @GetMapping("/user")
        public String user(@RequestParam String name) throws Exception {
            String safe = StringEscapeUtils.escapeXml11(name);
            return (String) xpath.evaluate("//user[@name='" + safe + "']", document, XPathConstants.STRING);
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 643 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
