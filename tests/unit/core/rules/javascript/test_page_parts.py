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


def _tells(code: str) -> bool:
    hits = run(RULE, code, path="src/page.js")
    return any(hit.confidence is not Confidence.LOW for hit in hits)


@pytest.mark.parametrize(
    "code",
    [
        "function show() { $('#box').html($('#field').val()); }",
        "function show() { $box.html($note.text()); }",
        "function show() { const at = $(link).attr('href'); this.$tip.find('a').attr('href', at).html(at); }",
        "function show() { box.innerHTML = '<b>' + link.getAttribute('data-title') + '</b>'; }",
        "function show() { box.innerHTML = `<b>${head.textContent}</b>`; }",
        "import $ from 'jquery';\nfunction show() { $('#box').append('<p>' + $(this).data('title') + '</p>'); }",
    ],
)
def test_is_read_off_page__becomes_tags(code: str) -> None:
    assert _tells(code)


@pytest.mark.parametrize(
    "code",
    [
        "function show() { $('#box').text($('#field').val()); }",
        "function show() { $('#box').html(escapeHtml($('#field').val())); }",
        "function show() { $('#box').html($('<p>').text($('#field').val()).html()); }",
        "function show() { $('#box').html($('#box').data('count') * 2); }",
        "function show() { $('#box').append('<p id=\"' + $(this).data('post-id') + '\"></p>'); }",
        "function show() { box.innerHTML = '<b>' + link.getAttribute('data-id') + '</b>'; }",
        "function show() { head.textContent = 'Files'; box.innerHTML = `<b>${head.textContent}</b>`; }",
        "function show() { const all = JSON.parse(data.textContent); box.innerHTML = `<b>${all.count}</b>`; }",
        "function show() { box.textContent = head.textContent; }",
    ],
)
def test_is_read_off_page__stays_words(code: str) -> None:
    assert not _tells(code)


@pytest.mark.parametrize(
    "code",
    [
        'function row(title) { return $(`<li title="${title}"></li>`); }',
        "import $ from 'jquery';\nfunction link(linkText) { return $('<a>' + linkText + '</a>'); }",
        "class Box { show() { this.el.innerHTML = '<b>' + this.options.title + '</b>'; } }",
        "function name(user_name) { box.innerHTML = `<b>${user_name}</b>`; }",
    ],
)
def test_is_plain_text__between_tags(code: str) -> None:
    assert _tells(code)


@pytest.mark.parametrize(
    "code",
    [
        'function row(title) { return $(`<li title="${escapeHtml(title)}"></li>`); }',
        "function row(html) { return $(`<li>${html}</li>`); }",
        "function row(title) { return $('<li>').text(title); }",
        "function row(title) { box.innerHTML = render(`<li>${title}</li>`, title); }",
        "class Box { show() { this.el.innerHTML = '<b>' + this.lang.title + '</b>'; } }",
        "class Box { show() { this.el.innerHTML = '<b>' + this.label + '</b>'; } }",
        "function head(list) { for (const c of list) { box.innerHTML += '<th>' + c.label + '</th>'; } }",
        "function row(error) { box.innerHTML = `<b>${error.message}</b>`; }",
    ],
)
def test_is_plain_text__clean_or_html(code: str) -> None:
    assert not _tells(code)
