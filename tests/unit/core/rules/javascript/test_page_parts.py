from __future__ import annotations

import pytest
from rule_tables import run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

LOAD = "const data = await (await fetch('/api/data')).json();\n"


def _told(code: str) -> bool:
    hits = run(RULE, f"async function show() {{\n{LOAD}{code}\n}}\n", path="src/page.js")
    return any(hit.confidence is not Confidence.LOW for hit in hits)


@pytest.mark.parametrize(
    "code",
    [
        "box.innerHTML = `<b>${data.title}</b>`;",
        "box.innerHTML = '<b>' + data.author.nickname + '</b>';",
        "box.innerHTML = `<p>${data.summary || 'nothing yet'}</p>`;",
        "let all = '';\nfor (const one of data) {\n  all += `<li>\n  ${one.comment}</li>`;\n}\nbox.innerHTML = all;",
        "box.insertAdjacentHTML('beforeend', `<li>${data.message}</li>`);",
        "box.innerHTML = `<ul>" + "\n<li>one</li>" * 120 + "\n<li>${data.message}</li></ul>`;",
        "const all = `<ul>" + "<li>one</li>" * 120 + "<li>${data.message}</li></ul>`;\nbox.innerHTML = all;",
    ],
)
def test_is_part_of_others__texts_of_people(code: str) -> None:
    assert _told(code)


@pytest.mark.parametrize(
    "code",
    [
        "box.innerHTML = `<b>${data.count}</b>`;",
        "const all = `<ul>"
        + "\n<li>one</li>" * 120
        + "\n</ul>`;\nlog(data.message);\nbox.innerHTML = all + data.count;",
        "box.innerHTML = `<b>${escapeHtml(data.title)}</b>`;",
        "box.textContent = `<b>${data.title}</b>`;",
        "box.innerHTML = DOMPurify.sanitize(`<b>${data.title}</b>`);",
        "box.innerHTML = '<b>' + encodeURIComponent(data.title) + '</b>';",
        "box.innerHTML = `<a href='/items'>all</a>`; log(data.title);",
    ],
)
def test_is_part_of_others__nothing_of_them(code: str) -> None:
    assert not _told(code)


def test_is_part_of_others__no_server() -> None:
    code = "function show(tabs) {\n  box.innerHTML = tabs.map((tab) => `<b>${tab.title}</b>`).join('');\n}\n"
    assert all(hit.confidence is Confidence.LOW for hit in run(RULE, code, path="src/page.js"))
