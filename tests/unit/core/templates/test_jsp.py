from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "WEB-INF/find.jsp"
REPORTED = [
    '<p><%= request.getParameter("q") %></p>',
    "<p>${param.q}</p>",
    '<p><c:out value="${user.name}" escapeXml="false"/></p>',
    "<p>${user.name}</p>",
    '<input value="${param.q}">',
    "<p><%= user.getName() %></p>",
    '<p><%= (String) request.getAttribute("message") %></p>',
    '<c:set var="who" value="${param.who}"/><p>${who}</p>',
    "<p>${empty param.q ? 'none' : param.q}</p>",
]
QUIET = [
    '<p><c:out value="${param.q}"/></p>',
    "<p>${fn:escapeXml(param.q)}</p>",
    '<p><%= Encode.forHtml(request.getParameter("q")) %></p>',
    '<c:if test="${param.q}"><p></p></c:if>',
    '<input value="<c:out value="${param.q}"/>">',
    "<%-- ${param.q} --%><p></p>",
    "<p>${user.id}</p>",
    "<p><%= request.getContextPath() %></p>",
    "<p>${pageContext.request.contextPath}</p>",
    "<p>\\${param.q}</p>",
    '<form:input path="${param.q}"/><p></p>',
    "<p>${not empty param.q}</p>",
    "<p><%= list.size() %></p>",
    '<p><%= Integer.parseInt(request.getParameter("n")) %></p>',
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
