from __future__ import annotations

from embedded_pages import PAGES, assert_all, assert_masked, marked, masked_texts
from hypothesis import given

from devpulse.core.embedded.astro import parts_of

REPORTED = {
    "shown as it is": """
        ---
        const note: string | null = Astro.url.searchParams.get("note");
        ---
        <p set:html={note} /> <!-- BAD -->
        """,
    "request of the server": """
        ---
        const page = await fetch(Astro.url.searchParams.get("feed")); // BAD
        ---
        <p>{page.status}</p>
        """,
    "script of the page": """
        <script>
          document.body.innerHTML = location.hash; // BAD
        </script>
        """,
}
QUIET = {
    "as text": """
        ---
        const note = Astro.url.searchParams.get("note");
        ---
        <p set:text={note}>{note}</p>
        """,
    "own": """
        ---
        import { render } from "../render";
        const { post } = Astro.props;
        const html = await render(post);
        ---
        <p set:html={html} />
        <Fragment set:html={"<b>a</b>"} />
        """,
    "no fence": """
        <p>a</p>
        ---
        const note = eval(Astro.url.searchParams.get("note"));
        ---
        """,
}


def test_parts_of__reports():
    assert_all("src/pages/index.astro", list(REPORTED.values()))


def test_parts_of__is_quiet():
    assert not any(map(marked, QUIET.values()))
    assert_all("src/pages/index.astro", list(QUIET.values()))


def test_parts_of__server_and_page_are_apart():
    page = """---
a()
---
<b set:html={c} /><script>d()</script>
"""
    assert masked_texts(parts_of, page) == {
        ("typescript", "server"): "a()\n;\n   ;      _\u0175(c)",
        ("javascript", "page"): "d();",
    }


@given(PAGES)
def test_parts_of__masks(page):
    assert_masked(parts_of, page)
