from __future__ import annotations

from embedded_pages import PAGES, assert_all, assert_masked, marked, masked_texts
from hypothesis import given

from devpulse.core.embedded.jsp import parts_of

REPORTED = {
    "expression": """
        <%@ page contentType="text/html; charset=UTF-8" %>
        <p>Hello <%= request.getParameter("name") %></p> <!-- BAD -->
        """,
    "variable of a scriptlet": """
        <%
          String name = request.getParameter("name");
          if (name == null) { name = ""; }
        %>
        <input name="name" value="<%=name%>"> <!-- BAD -->
        """,
    "statement over several tags": """
        <% String q = request.getParameter("q"); // what is looked for %>
        <% if (q != null && !q.isEmpty()) { %>
          <h2>Results for <%= q.trim() %></h2> <!-- BAD -->
        <% } else { %>
          <h2>Nothing asked for</h2>
        <% } %>
        """,
    "loop": """
        <% for (String id : request.getParameterValues("id")) { %>
          <li><%= id %></li> <!-- BAD -->
        <% } %>
        """,
    "printed": """
        <%
          String error = request.getParameter("error");
          out.println("<b>" + error + "</b>"); // BAD
        %>
        """,
    "statement for a database": """
        <%@ page import="java.sql.*" %>
        <%
          Statement statement = connection.createStatement();
          String id = request.getParameter("id");
          ResultSet rows = statement.executeQuery("select * from notes where id = " + id); // BAD
          while (rows.next()) {
        %>
          <td><%= rows.getInt("id") %></td>
        <% } %>
        """,
    "file": """
        <%
          java.io.File file = new java.io.File("/srv/reports/" + request.getParameter("file"));
          java.io.FileInputStream in = new java.io.FileInputStream(file); // BAD
        %>
        """,
    "command": """
        <% Runtime.getRuntime().exec("ping -c 1 " + request.getParameter("host")); %> <!-- BAD -->
        """,
    "in a script": """
        <script>
          var page = "<%= request.getParameter("page") %>"; // BAD
          var user = ${user.id};
          box.innerHTML = "<b>" + decodeURIComponent(location.hash) + "</b>"; // BAD
        </script>
        """,
}
QUIET = {
    "number": """
        <% int id = Integer.parseInt(request.getParameter("id")); %>
        <p><%= id %></p>
        """,
    "escaped": """
        <p><%= Encode.forHtml(request.getParameter("name")) %></p>
        <p><%= StringEscapeUtils.escapeHtml4(request.getParameter("name")) %></p>
        <c:out value="<%= request.getParameter("name") %>"/>
        """,
    "escaped by a declared method": """
        <%!
          private String plain(String text) {
            return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\\"", "&quot;");
          }
        %>
        <p><%= plain(request.getParameter("name")) %></p>
        """,
    "tags of libraries": """
        <fmt:message key="found"><fmt:param><%= request.getParameter("q") %></fmt:param></fmt:message>
        <jsp:param name="title" value="<%= request.getParameter("title") %>"/>
        """,
    "comments": """
        <%-- <%= request.getParameter("a") %> --%>
        <% // out.print(request.getParameter("b")) %>
        <!-- no code: request.getParameter("c") -->
        """,
    "no page": """
        <%@ page contentType="application/json" %>
        {"name": "<%= request.getParameter("name") %>"}
        """,
    "no page, said by the code": """
        <% response.setContentType("text/plain"); %>
        <%= request.getParameter("name") %>
        """,
    "bound": """
        <%
          PreparedStatement statement = connection.prepareStatement("select * from notes where id = ?");
          statement.setString(1, request.getParameter("id"));
          ResultSet rows = statement.executeQuery();
        %>
        """,
    "one of a list": """
        <% String tab = request.getParameter("tab");
           if (!"one".equals(tab) && !"two".equals(tab)) { tab = "one"; } %>
        <p class="<%= tab %>"></p>
        """,
}


def test_parts_of__reports():
    assert_all("src/main/webapp/page.jsp", list(REPORTED.values()))


def test_parts_of__is_quiet():
    assert not any(map(marked, QUIET.values()))
    assert_all("src/main/webapp/page.jsp", list(QUIET.values()))


def test_parts_of__statements_over_several_tags_parse():
    page = """
        <% if (a) { %>b<% } else if (c) { %>d<%= e %><% } %>
        <%! int f = 1; %><%@ include file="g" %>
        """
    assert masked_texts(parts_of, page) == {
        ("java", "server"): "if (a) {  ;    } else if (c) {  ; _\u0175( e );   }  ;\n    int f = 1;  ;"
    }


@given(PAGES)
def test_parts_of__masks(page):
    assert_masked(parts_of, page)
