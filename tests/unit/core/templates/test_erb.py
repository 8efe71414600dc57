from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "app/views/notes/show.html.erb"
REPORTED = [
    "<p><%= raw params[:q] %></p>",
    "<p><%= params[:q].html_safe %></p>",
    "<p><%== request.path %></p>",
    "<p><%= raw(@note.title) %></p>",
    "<p><%= @comment.body.html_safe %></p>",
    '<%= raw "<b>#{current_user.first_name}</b>" %><p>',
    "<div><%= flash[:notice].html_safe %></div>",
    "<p><%= cookies[:theme].html_safe %></p>",
    "<p><%= t('.hello', name: @user.name).html_safe %></p>",
    "<p><%= link_to raw(@user.nickname), user_path(@user) %></p>",
    "<p>\n  <%= note.title %>\n  <%= raw note.title %> // BAD\n</p>",
    "<% who = params[:who] %><p><%= raw who %></p>",
    "<p><%= (@user.bio || params[:bio]).html_safe if @user %></p>",
    "<script>var page = <%= params[:page] %>;</script>",
    "<a onclick=\"show('<%= @user.name %>')\">x</a>",
    "<p><%= simple_format(raw(params[:a])) + raw(params[:b]) %></p>",
    "<p><%= raw @user.bio.truncate(40) %></p>",
]
QUIET = [
    "<p><%= params[:q] %></p>",
    "<p><%= @note.title %></p>",
    "<p><%= raw h(params[:q]) %></p>",
    "<p><%= raw sanitize(@note.body) %></p>",
    "<p><%= raw '&nbsp;' %></p>",
    "<p><%= t('notes.intro_html', name: @user.name).html_safe %></p>",
    "<p><%= raw t('.intro') %></p>",
    "<p><%= @note.rendered_body.html_safe %></p>",
    "<p><%= raw note.markeddown_text %></p>",
    "<p><%== render 'form' %></p>",
    "<p><%= raw @comments.size %></p>",
    "<%# raw params[:q] %><p></p>",
    "<p><%% raw params[:q] %></p>",
    "<script>var rows = <%= raw @rows.to_json %>;</script>",
    "<script>var page = <%= raw params[:page].to_i %>;</script>",
    "<p><%= raw content %></p>",
    "<p><%= yield %></p>",
    "<p><%= link_to(@user.name, user_path(@user)).html_safe %></p>",
    "<p><%= raw strip_tags(@user.bio) %></p>",
    "<% who = h(params[:who]) %><p><%= raw who %></p>",
    "<p><%= raw '<b>new</b>' if @user.name == params[:name] %></p>",
    "<a onclick=\"show('<%= j @user.name %>')\">x</a>",
    '<a href="/find?q=<%= params[:q] %>">x</a>',
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
