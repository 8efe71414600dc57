from __future__ import annotations

import pytest
from embedded_pages import PAGES, assert_all, assert_masked, marked, posted
from hypothesis import given

from devpulse.core.embedded.html import parts_of

REPORTED = {
    "written": """
        <!doctype html>
        <title>Search</title>
        <script>
          document.write(decodeURIComponent(location.hash)); // BAD
        </script>
        """,
    "one line": """
        <p id="a"></p><script>a.innerHTML = location.search</script> <!-- BAD -->
        """,
    "two scripts": """
        <script>const term = new URLSearchParams(location.search).get("term")</script>
        <div id="found"></div>
        <script type="module">
          document.getElementById("found").innerHTML = `Results for <b>${term}</b>`; // BAD
        </script>
        """,
    "message of any window": """
        <script>
          window.addEventListener("message", function (event) {
            document.body.innerHTML = event.data; // BAD
          });
        </script>
        """,
    "run": """
        <script>
          if (location.hash) {
            eval(decodeURIComponent(location.hash.slice(1))); // BAD
          }
        </script>
        """,
    "jQuery": """
        <script>
          $(function () {
            $("#note").html(decodeURIComponent(location.hash.substring(1))); // BAD
          });
        </script>
        """,
    "among placeholders of a template": """
        <script>
          var user = {{ user|tojson }};
          {% if debug %}var level = "{{ level }}";{% else %}var level = null;{% endif %}
          box.innerHTML = "<i>" + location.hash + "</i>"; // BAD
          var url = "{% url 'a' %}";
        </script>
        """,
    "handler": """
        <button onclick="out.innerHTML = decodeURI(location.hash)">Show</button> <!-- BAD -->
        """,
    "behind a script with an error": """
        <script>var a = {b: ;</script>
        <script>
          document.write("<p>" + document.referrer + "</p>"); // BAD
        </script>
        """,
}
QUIET = {
    "as text": """
        <script>
          document.getElementById("a").textContent = location.hash;
          $("#b").text(decodeURIComponent(location.hash));
        </script>
        """,
    "cleaned": """
        <script src="purify.js"></script>
        <script>box.innerHTML = DOMPurify.sanitize(location.hash.slice(1));</script>
        """,
    "comment of the page": """
        <!-- <script>document.write(location.hash)</script> -->
        """,
    "no code": """
        <script type="text/template"><b onclick="x">document.write(location.hash)</b></script>
        <script type="application/json">{"a": "document.write(location.hash)"}</script>
        <pre>document.write(location.hash)</pre>
        """,
    "own text": """
        <script>
          box.innerHTML = "<b>Loading</b>";
          document.write("<script src='fallback.js'><\\/script>");
          document.write(new Date().getFullYear());
        </script>
        """,
    "handler": """
        <a onclick="location.href = '/next'; return false">Next</a>
        <form onsubmit="return confirm('Sure?')"></form>
        """,
    "number": """
        <script>
          const page = parseInt(new URLSearchParams(location.search).get("page"), 10) || 1;
          box.innerHTML = "<b>" + page + "</b>";
        </script>
        """,
    "chosen from a list": """
        <script>
          const tab = location.hash.slice(1);
          if (["one", "two"].includes(tab)) {
            box.innerHTML = "<b>" + tab + "</b>";
          }
        </script>
        """,
    "what the server fills in": """
        <script>
          box.innerHTML = {{ note|tojson }};
          document.write("{{ title }}");
        </script>
        """,
}


def test_parts_of__reports():
    assert_all("src/index.html", list(REPORTED.values()))


def test_parts_of__is_quiet():
    assert not any(map(marked, QUIET.values()))
    assert_all("src/index.html", list(QUIET.values()))


@pytest.mark.parametrize("ending", ["htm", "xhtml", "hbs", "twig", "njk", "jinja2", "j2", "liquid", "gohtml", "ftl"])
def test_parts_of__templates(ending):
    assert posted(f"src/page.{ending}", REPORTED["written"]) == marked(REPORTED["written"])


def test_parts_of__php():
    page = """
        <?php $note = '<script>document.write(location.hash)</script>'; ?>
        <script>
          var user = <?= json_encode($user) ?>;
          <?php if ($debug): ?>var debug = true;<?php endif; ?>
          document.write(location.hash); // BAD
        </script>
        <p><?php echo $_GET["name"]; ?></p> <!-- BAD -->
        """
    assert posted("src/index.php", page) == marked(page)


@given(PAGES)
def test_parts_of__masks(page):
    assert_masked(parts_of, page)
