"""What writes an answer in Java, told by the rule that asks for it."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.cross_site_scripting import RULE

PAGE = """
class Page extends HttpServlet {{
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {{
    String name = request.getParameter("name");
    {}
  }}
}}
"""

REPORTED = [
    'response.getWriter().println("<b>" + name + "</b>");',
    'PrintWriter out = response.getWriter(); out.println("<b>" + name + "</b>");',
]

QUIET = [
    'StringWriter out = new StringWriter(); out.println("<b>" + name + "</b>");',
    "PrintWriter log = new PrintWriter(socket.getOutputStream()); log.println(name);",
    'text.append("<b>").append(name);',
]


@for_each(REPORTED)
def test_java_answers__is_reported(line: str) -> None:
    assert posted_lines(RULE, PAGE.format(line), path="Page.java")


@for_each(QUIET)
def test_java_answers__is_quiet(line: str) -> None:
    assert posted_lines(RULE, PAGE.format(line), path="Page.java") == []
