from __future__ import annotations

from embedded_pages import PAGES, assert_all, assert_masked, marked, masked_texts
from hypothesis import given

from devpulse.core.embedded.erb import parts_of

REPORTED = {
    "put out as it is": """
        <p><%== params[:note] %></p> <!-- BAD -->
        """,
    "said to be safe": """
        <% if params[:note].present? %>
          <p><%= raw params[:note] %></p> <!-- BAD -->
          <p><%= "<b>#{params[:note]}</b>".html_safe %></p> <!-- BAD -->
        <% end %>
        """,
    "in a block": """
        <%= form_with url: search_path do |form| %>
          <%= form.label :q, raw("<i>#{cookies[:label]}</i>") %> <!-- BAD -->
        <% end %>
        """,
    "statement for a database": """
        <% Note.where("title = '#{params[:title]}'").each do |note| %> <!-- BAD -->
          <li><%= note.title %></li>
        <% end %>
        """,
    "command": """
        <pre><%= `ls #{params[:folder]}` %></pre> <!-- BAD -->
        """,
    "template that the request names": """
        <%= render partial: "tabs/#{params[:tab]}" %> <!-- BAD -->
        """,
    "script": """
        <script>
          var user = <%= raw @user.to_json %>;
          document.write("<p>" + unescape(location.hash) + "</p>"); // BAD
        </script>
        """,
}
QUIET = {
    "escaped": """
        <p><%= params[:note] %></p>
        <p><%== h(params[:note]) %></p>
        <p><%= raw sanitize(params[:note]) %></p>
        """,
    "own text": """
        <%== "<b>Notes</b>" %>
        <%= t(".title").html_safe %>
        <%= raw @note.to_json %>
        """,
    "blocks": """
        <% @notes.each do |note| # newest first %>
          <% case note.kind %>
          <% when "a" %><b><%= note.title %></b>
          <% else %><%= link_to note.title, note %>
          <% end %>
        <% end %>
        """,
    "comments": """
        <%# raw params[:a] %>
        <% # raw params[:b] %> <p>b</p>
        <%% raw params[:c] %>
        <!-- raw params[:d] -->
        """,
    "bound": """
        <% Note.where("title = ?", params[:title]).each do |note| -%>
          <%= note.title -%>
        <% end -%>
        """,
    "components": """
        <%= render NoteComponent.new(title: params[:title]) %>
        <%= render component("note").new(title: params[:title]) do %>a<% end %>
        """,
    "script": """
        <script>
          var query = <%= raw params[:filter].to_json %>;
          var next = '<%= next_path %>' + window.location.search;
          window.location.href = next;
        </script>
        """,
}


def test_parts_of__reports():
    assert_all("app/views/notes/index.html.erb", list(REPORTED.values()))


def test_parts_of__is_quiet():
    assert not any(map(marked, QUIET.values()))
    assert_all("app/views/notes/index.html.erb", list(QUIET.values()))


def test_parts_of__code_of_both_sides():
    page = """
        <% if a -%><%== b %><% else %><%= c do |d| %><% end %><% end %>
        <script>e(<%= f %>)</script>
        """
    assert masked_texts(parts_of, page) == {
        ("ruby", "server"): "if a   ; _\u0175( b );   else  ;    c do |d|  ;   end  ;   end  ;\n              f  ;",
        ("javascript", "page"): "e(________);",
    }


@given(PAGES)
def test_parts_of__masks(page):
    assert_masked(parts_of, page)
