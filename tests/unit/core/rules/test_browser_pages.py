from __future__ import annotations

import pytest
from embedded_pages import assert_all, hits_in, marked, posted

from devpulse.core.rules.browser_pages import is_of_page

REPORTED = [
    """
    <script>
      window.onmessage = (event) => eval(event.data); // BAD
      location.href = new URLSearchParams(location.search).get("next"); // BAD
    </script>
    """,
]
QUIET = [
    """
    <script>
      fetch(new URLSearchParams(location.search).get("feed"));
      if (form.password !== form.again) { alert("Not the same"); }
      values.password = md5(values.password);
    </script>
    """,
    """
    <script>
      request.get({ url: "/plugin" }).then((answer) => new Function(answer.data)());
      calendar({ eventClick: (event) => window.open(event.url, "event") });
    </script>
    """,
]


def test_is_of_page__reports():
    assert_all("src/index.html", REPORTED)


def test_is_of_page__is_quiet():
    assert not any(map(marked, QUIET))
    assert_all("src/index.html", QUIET)


def test_is_of_page__code_of_the_server_is_judged_as_such():
    hits = hits_in("src/page.ejs", "<% fetch(req.query.feed); eval(req.query.code) %>")
    assert [hit.category for hit in hits] == ["code-injection", "ssrf"]
    assert not any(map(is_of_page, hits))


@pytest.mark.parametrize("path", ["mail.text.erb", "nginx.conf.erb", "config/database.yml.erb", "run.sh.erb"])
def test_is_of_made_file__markup_does_no_harm_where_no_page_is_made(path):
    assert posted(path, "<%== params[:name] %>") == []
    assert posted(path, "<% system(params[:name]) %>") == [1]


@pytest.mark.parametrize("path", ["show.html.erb", "show.erb", "show.js.erb"])
def test_is_of_made_file__pages_and_their_scripts(path):
    assert posted(path, "<%== params[:name] %>") == [1]
