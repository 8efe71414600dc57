from __future__ import annotations

from embedded_pages import PAGES, assert_all, assert_masked, marked, masked_texts
from hypothesis import given

from devpulse.core.embedded.ejs import parts_of

REPORTED = {
    "put out as it is": """
        <p><%- req.query.note %></p> <!-- BAD -->
        """,
    "variable": """
        <% const note = req.query.note || "none" // of the visitor %>
        <% if (note) { %>
          <p><%- "<b>" + note + "</b>" -%></p> <!-- BAD -->
        <% } else { %>
          <p>Nothing</p>
        <% } %>
        """,
    "loop": """
        <% [].concat(req.query.tags).forEach(function (tag) { %>
          <li><%- tag %></li> <!-- BAD -->
        <% }) %>
        """,
    "script of the page": """
        <script>
          const notes = <%- JSON.stringify(notes) %>;
          box.innerHTML = "<b>" + decodeURIComponent(location.hash) + "</b>"; // BAD
        </script>
        """,
    "run": """
        <% eval(req.query.code) %> <!-- BAD -->
        """,
}
QUIET = {
    "escaped": """
        <p><%= req.query.note %></p>
        <p><%- escapeHtml(req.query.note) %></p>
        """,
    "parts": """
        <%- include('header', { query: req.query.q }) %>
        <%- await include("footer", { query: req.query.q }) %>
        <% include public/header %><%- include public/menu %>
        <%- body %>
        """,
    "comments": """
        <%# req.query.a %>
        <% // eval(req.query.b) %>
        <%% req.query.c %>
        <!-- eval(req.query.d) -->
        """,
    "given by the route": """
        <% notes.forEach((note) => { -%>
          <li><%- note.html %></li>
        <% }) _%>
        <% switch (kind) { %><% case 'a': %>A<% break; default: %>B<% } %>
        """,
    "table": """
        <%- { a: '<b>', c: '<i>' }[req.query.kind === 'a' ? 'a' : 'c'] %>
        """,
}


def test_parts_of__reports():
    assert_all("views/notes.ejs", list(REPORTED.values()))


def test_parts_of__is_quiet():
    assert not any(map(marked, QUIET.values()))
    assert_all("views/notes.ejs", list(QUIET.values()))


def test_parts_of__server_and_page_are_apart():
    page = """
        <% if (a) { %><%- b %><%= c %><% } %>
        <script>d = <%- e %></script>
        """
    assert masked_texts(parts_of, page) == {
        ("javascript", "server"): "if (a) {  ;_\u0175( b );  ; c  ;   }  ;\n            _\u0175( e );",
        ("javascript", "page"): "d = ________;",
    }


@given(PAGES)
def test_parts_of__masks(page):
    assert_masked(parts_of, page)
