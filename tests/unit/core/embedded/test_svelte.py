from __future__ import annotations

from embedded_pages import PAGES, assert_all, assert_masked, marked
from hypothesis import given

from devpulse.core.embedded.svelte import parts_of

REPORTED = {
    "shown as it is": """
        <script lang="ts">
          import { page } from '$app/stores';
          let note = $page.url.searchParams.get('note');
        </script>

        <p>{@html note}</p> <!-- BAD -->
        """,
    "in the page": """
        <script>import { page } from '$app/state';</script>
        <p>{@html `<b>${page.url.searchParams.get('note')}</b>`}</p> <!-- BAD -->
        """,
    "parameter of the route": """
        <script>
          import { page } from '$app/stores';
          let box;
          function show() {
            box.innerHTML = '<i>' + $page.params.name + '</i>'; // BAD
          }
        </script>
        """,
}
QUIET = {
    "as text": """
        <script>import { page } from '$app/stores';</script>
        <p title={$page.url.searchParams.get('note')}>{$page.url.searchParams.get('note')}</p>
        """,
    "cleaned": """
        <script>
          import DOMPurify from 'dompurify';
          import { page } from '$app/stores';
          const note = DOMPurify.sanitize($page.url.searchParams.get('note'));
        </script>
        <p>{@html note}</p>
        <p>{@html DOMPurify.sanitize($page.url.searchParams.get('note'))}</p>
        """,
    "given": """
        <script>
          export let data;
          $: title = data.title;
        </script>
        <p>{@html data.html}{@html title}</p>
        <!-- {@html $page.url.searchParams.get('note')} -->
        """,
}


def test_parts_of__reports():
    assert_all("src/routes/+page.svelte", list(REPORTED.values()))


def test_parts_of__is_quiet():
    assert not any(map(marked, QUIET.values()))
    assert_all("src/routes/+page.svelte", list(QUIET.values()))


@given(PAGES)
def test_parts_of__masks(page):
    assert_masked(parts_of, page)
