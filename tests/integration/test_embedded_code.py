"""Code in pages: a scan of a folder and a review of a change say on which lines of the page the flaws are."""

import json

from repos import Repo

from devpulse.cli import run

PAGE = """<!doctype html>
<title>Notes</title>
<script>
  const note = decodeURIComponent(location.hash.slice(1));
  document.getElementById("note").textContent = note;
</script>
"""
COMPONENT = """<template>
  <p ref="note"></p>
</template>

<script>
export default {
  mounted() {
    this.$refs.note.innerText = this.$route.query.note
  },
}
</script>
"""
SERVER = """<%@ page import="java.sql.*" %>
<% String id = request.getParameter("id");
   PreparedStatement found = db.prepareStatement("select * from notes where id = ?");
   found.setString(1, id); %>
<p><%= Encode.forHtml(id) %></p>
"""
TEMPLATE = """<% @notes.each do |note| %>
  <p><%= note.title %></p>
<% end %>
"""
FILES = {"web/index.html": PAGE, "web/Note.vue": COMPONENT, "web/note.jsp": SERVER, "web/notes.html.erb": TEMPLATE}
FLAWED = {
    "web/index.html": PAGE.replace("textContent", "innerHTML"),
    "web/Note.vue": COMPONENT.replace("innerText", "innerHTML"),
    "web/note.jsp": SERVER.replace("Encode.forHtml(id)", "id"),
    "web/notes.html.erb": TEMPLATE.replace("note.title", "raw params[:title]"),
}
EXPECTED = {("web/index.html", 5), ("web/Note.vue", 8), ("web/note.jsp", 5), ("web/notes.html.erb", 2)}


def _places(folder):
    report = json.loads((folder / "devpulse-artifacts" / "findings.json").read_text())
    assert {finding["category"] for finding in report["findings"]} <= {"cross-site-scripting"}
    return [(finding["path"], finding["start_line"]) for finding in report["findings"] if finding["status"] == "open"]


def test_scan__finds_code_in_pages(tmp_path, capsys):
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **FLAWED)
    assert run(["scan", str(repo.root)]) in (0, 1)
    capsys.readouterr()
    assert set(_places(repo.root)) >= EXPECTED


def test_scan__is_quiet_about_what_is_right(tmp_path, capsys):
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **FILES)
    assert run(["scan", str(repo.root)]) == 0
    capsys.readouterr()
    assert _places(repo.root) == []


def test_review__tells_each_flaw_of_a_change_once(tmp_path, capsys):
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **FILES)
    repo.git("switch", "--quiet", "--create", "work")
    repo.commit("head", **FLAWED)
    assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) in (0, 1)
    capsys.readouterr()
    assert sorted(_places(repo.root)) == sorted(EXPECTED)


def test_review__a_file_that_becomes_a_page_is_new_code(tmp_path, capsys):
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **{"web/note.txt": FLAWED["web/note.jsp"]})
    repo.git("switch", "--quiet", "--create", "work")
    repo.git("mv", "web/note.txt", "web/note.jsp")
    repo.git("commit", "--quiet", "--message", "head")
    assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) in (0, 1)
    capsys.readouterr()
    assert _places(repo.root) == [("web/note.jsp", 5)]
