from __future__ import annotations

from rule_tables import run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE


def _tells(code: str) -> bool:
    hits = run(RULE, code, path="src/page.js")
    return any(hit.confidence is not Confidence.LOW for hit in hits)


WHOLE = [
    "function show(message) { box.innerHTML = message; }",
    "function head(part) { part.element.insertAdjacentHTML('beforeend', part.caption); }",
    "function draw(node) { const span = frame.append('span'); span.html(node.label); }",
    "class Tip { show(data) { this.box.innerHTML = data.name; } }",
    "class Button { draw() { this.element.html(this.options.label); } }",
    "function line(text) { const [first] = text.split('\\n'); row.innerHTML = `${first}${BREAK}`; }",
    "function show(note) { box.innerHTML = marked(note); }",
    "function show(note) { $('#box').html(converter.makeHtml(note)); }",
    "function Note({ note }) { return <p dangerouslySetInnerHTML={{ __html: renderMarkdown(note) }} />; }",
    "function tip(node) { tip.html(node.attr('title').replace(/a/g, 'b')); }",
]
NOT_WHOLE = [
    "function show(note) { box.innerHTML = DOMPurify.sanitize(marked(note)); }",
    "function show(note) { box.innerHTML = sanitize(renderMarkdown(note)); }",
    "function show(note) { box.innerHTML = render(note); }",
    "function tip(node) { tip.html(escapeHtml(node.attr('title'))); }",
    "function tip(node) { tip.text(node.attr('title')); }",
    "function show(html) { box.innerHTML = html; }",
    "function show(content) { box.innerHTML = content; }",
    "function show(message) { box.textContent = message; }",
    "function show(message) { box.innerHTML = sanitizeText(message, settings); }",
    "function draw(node) { frame.append('span').text(node.label); }",
    "class Tip { show() { this.box.innerHTML = this.text; } }",
    "class Tip { show() { this.box.innerHTML = this.lang.title; } }",
    "function failed(error) { box.innerHTML = error.message; }",
    "request.onload = () => { box.innerHTML = request.responseText; };",
    "const answer = await load(); box.innerHTML = answer.html;",
    "function pack(text) { $(text).appendTo(box); }",
]


@for_each(WHOLE)
def test_is_put_in_whole__words(code: str) -> None:
    assert _tells(code)


@for_each(NOT_WHOLE)
def test_is_put_in_whole__html_or_escaped(code: str) -> None:
    assert not _tells(code)


NOT_SURE = [
    "function group(part) { box.innerHTML = part.name; }",
    "function add(part) { box.innerHTML = '<td>' + part.userName + '</td>'; }",
    "function add(category) { $('ul', box).append(`<li class='${category}'></li>`); }",
    "function add(id) { $('ul', box).append('<li>' + id + '</li>'); }",
    "function add(bookId) { $('ul', box).append('<li>' + bookId + '</li>'); }",
]


@for_each(NOT_SURE)
def test_bare_texts__too_little_is_known(code: str) -> None:
    assert not _tells(code)


BETWEEN = [
    "function add(keyword) { $('ul', box).append('<li>' + keyword + '</li>'); }",
    "function add(country) { $('ul', box).append('<li>' + country + '</li>'); }",
    "function pick(value) { $list.append(`<option value='1'>${value}</option>`); }",
    "function add(category) { $('ul', box).append('<li>' + category + '</li>'); }",
    "function typed(field) { $('#name').html(this.value); }",
    "function typed(event) { box.innerHTML = `<p>${event.target.value}</p>`; }",
]
NOT_BETWEEN = [
    "function pick(value) { $list.append(`<option>${escapeHtml(value)}</option>`); }",
    "function pick(value) { $list.append($('<option>').text(value)); }",
    "function add(innerHtml) { $('ul', box).append('<li>' + innerHtml + '</li>'); }",
    "function add(count) { $('ul', box).append('<li>' + count + '</li>'); }",
    "function add(category) { $('ul', box).append('<li>' + translate(category) + '</li>'); }",
    "function typed(field) { $('#name').text(this.value); }",
    "function sum(total) { box.innerHTML = `<p>${total.value}</p>`; }",
]


@for_each(BETWEEN)
def test_is_put_between__words(code: str) -> None:
    assert _tells(code)


@for_each(NOT_BETWEEN)
def test_is_put_between__html_or_escaped(code: str) -> None:
    assert not _tells(code)
