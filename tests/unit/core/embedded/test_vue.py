from __future__ import annotations

from embedded_pages import PAGES, assert_all, assert_masked, marked, masked_texts
from hypothesis import given

from devpulse.core.embedded.vue import parts_of

REPORTED = {
    "options": """
        <template><div ref="box"></div></template>
        <script>
        export default {
          mounted() {
            this.$refs.box.innerHTML = this.$route.query.note // BAD
          },
        }
        </script>
        """,
    "setup": """
        <script setup lang="ts">
        import { useRoute } from 'vue-router'
        const route = useRoute()
        const note: string = route.query.note as string
        </script>
        <template>
          <p v-html="note" /> <!-- BAD -->
        </template>
        """,
    "template": """
        <template>
          <p
            class="note" v-html="$route.query.note"></p> <!-- BAD -->
        </template>
        """,
    "Typescript": """
        <script lang="ts">
        export default defineComponent({
          methods: {
            show(event: MessageEvent): void {
              document.body.insertAdjacentHTML('beforeend', `<p>${event.data}</p>`) // BAD
            },
          },
        })
        </script>
        """,
    "run": """
        <script>
        export default { created() {
          new Function(this.$route.query.code)() // BAD
        } }
        </script>
        """,
}
QUIET = {
    "text": """
        <template><p v-text="$route.query.note">{{ $route.query.note }}</p></template>
        """,
    "cleaned": """
        <script setup>
        import DOMPurify from 'dompurify'
        const route = useRoute()
        const note = DOMPurify.sanitize(route.query.note)
        </script>
        <template><p v-html="note" /></template>
        """,
    "own HTML": """
        <script>
        export default { data: () => ({ note: '<b>a</b>' }) }
        </script>
        <template><p v-html="note" /><p v-html="$t('terms')" /></template>
        """,
    "style and documentation": """
        <template>
          <!-- <p v-html="$route.query.note" /> -->
        </template>
        <style>a::after { content: 'x' }</style>
        """,
    "query that is used as such": """
        <script>
        export default {
          watch: { '$route.query'(query) { this.page = Number(query.page) } },
          methods: { go() { this.$router.push({ query: { ...this.$route.query, page: 2 } }) } },
        }
        </script>
        """,
}


def test_parts_of__reports():
    assert_all("src/Note.vue", list(REPORTED.values()))


def test_parts_of__is_quiet():
    assert not any(map(marked, QUIET.values()))
    assert_all("src/Note.vue", list(QUIET.values()))


def test_parts_of__each_language_by_itself():
    page = """
        <template><p v-html="a" /></template>
        <script>b()</script>
        <script setup lang="ts">c()</script>
        """
    assert masked_texts(parts_of, page) == {
        ("javascript", "page"): ";    _\u0175(a)\n        b();",
        ("typescript", "page"): "c();",
    }


@given(PAGES)
def test_parts_of__masks(page):
    assert_masked(parts_of, page)
