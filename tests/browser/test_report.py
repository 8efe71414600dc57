"""The report in a real browser: it shows, filters, links and darkens, and nothing in it runs but its own script."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest
from browser.chromium import Chromium, installed
from builders import make_finding, make_report

from devpulse.core.categories import Severity
from devpulse.core.finding import FindingStatus, Step, Trace
from devpulse.core.review import Coverage, Partial
from devpulse.output.report.entries import AT_ONCE
from devpulse.output.report.page import render_html
from devpulse.output.report.turns import Turn
from devpulse.output.snippets import OtherLine, Snippet

PROGRAM = installed()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed"),
]

INJECTIONS = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "</style><script>alert(3)</script>",
    "</title><script>alert(4)</script>",
    '"><img src=x onerror=alert(5)>',
    "' onmouseover='alert(6)' autofocus onfocus='alert(7)",
    '" autofocus onfocus="alert(8)',
    "<svg onload=alert(9)><animate onbegin=alert(10)>",
    "<svg><script>alert(11)</script></svg>",
    "javascript:alert(12)",
    "<a href='javascript:alert(13)'>x</a>",
    "<iframe srcdoc='<script>parent.alert(14)</script>'></iframe>",
    "<details open ontoggle=alert(15)>",
    "{{ 7*7 }}{% for x in [1] %}{{ x }}{% endfor %}{{ ''.__class__ }}",
    "${alert(16)}`+alert(17)+`",
    "--></pre></article></main><base href=https://evil.example/><meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<link rel=stylesheet href=https://evil.example/x.css><style>@import 'https://evil.example/y.css'</style>",
    "<form action=https://evil.example/><button autofocus>x</button></form>",
    "&lt;script&gt;alert(18)&lt;/script&gt; &#60;script>alert(19)</script>",
    "<template><img src=https://evil.example/z></template><object data=https://evil.example/o>",
)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with Chromium(PROGRAM or "", tmp_path_factory.mktemp("profile") / "p") as browser:
        yield browser


def written(folder, *found, **overrides):
    page = folder / "report.html"
    report = make_report(*found, **overrides.pop("report", {}))
    page.write_text(render_html(report, **{"snippets": {}, **overrides}), encoding="utf-8")
    return page


def shown(browser):
    return browser.evaluate("[...document.querySelectorAll('.finding:not([hidden])')].map((one) => one.id)")


def fill(browser, name, value):
    browser.evaluate(
        f"(() => {{ const field = document.getElementById({name!r}); field.value = {value!r};"
        "field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


FOUND = (
    make_finding(fingerprint="a" * 16, severity=Severity.CRITICAL, path="app/db.py", title="First"),
    make_finding(fingerprint="b" * 16, severity=Severity.LOW, path="web/page.ts", category="csrf", title="Second"),
    make_finding(fingerprint="c" * 16, status=FindingStatus.SUPPRESSED, reason="known", title="Third"),
)


def test_report__shows_everything_without_a_complaint_or_a_request(chromium, tmp_path):
    snippet = Snippet(3, ("def f():", "    cursor.execute(sql + name)"), frozenset({4}), (OtherLine(4, "    old()"),))
    page = written(tmp_path, *FOUND, snippets={"a" * 16: snippet}, turns=[Turn("a", 1, 900, 25_600)])
    for scheme, width in (("light", 1280), ("dark", 1280), ("light", 390)):
        chromium.open(page, scheme=scheme, width=width)
        assert chromium.complaints == []
        assert chromium.requests == [page.as_uri()]
        assert chromium.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it does not scroll sideways"
    assert shown(chromium) == ["a" * 16, "b" * 16, "c" * 16]


def test_report__filters_and_search(chromium, tmp_path):
    chromium.open(written(tmp_path, *FOUND))
    fill(chromium, "path", "WEB/")
    assert shown(chromium) == ["b" * 16]
    assert chromium.evaluate("document.getElementById('shown').textContent") == "1 of 3 findings shown"
    fill(chromium, "path", "")
    fill(chromium, "text", "third known")
    assert shown(chromium) == ["c" * 16]
    assert chromium.evaluate(f"document.getElementById('{'c' * 16}').checkVisibility()"), "what is found is unfolded"
    fill(chromium, "text", "nowhere")
    assert not chromium.evaluate("document.getElementById('none').hidden")
    chromium.evaluate("document.querySelector('#filters [type=reset]').click()")
    chromium.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert len(shown(chromium)) == 3
    fill(chromium, "category", "csrf")
    assert shown(chromium) == ["b" * 16]
    fill(chromium, "category", "")
    chromium.evaluate("document.querySelector('[name=severity][value=critical]').click()")
    chromium.evaluate("document.querySelector('[name=status][value=suppressed]').click()")
    assert shown(chromium) == ["b" * 16]
    assert chromium.complaints == []


def test_report__a_permalink_unfolds_and_takes_the_focus(chromium, tmp_path):
    page = written(tmp_path, *FOUND)
    chromium.open(page, fragment=f"#{'c' * 16}")
    assert chromium.evaluate("document.activeElement.id") == "c" * 16
    assert chromium.evaluate(f"document.getElementById('{'c' * 16}').checkVisibility()")
    fill(chromium, "path", "web/")
    chromium.evaluate(f"location.hash = '{'a' * 16}'")
    chromium.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert "a" * 16 in shown(chromium)
    assert chromium.evaluate("document.activeElement.id") == "a" * 16


def test_report__dark_by_system_and_by_choice(chromium, tmp_path):
    page = written(tmp_path, *FOUND)
    ground = "getComputedStyle(document.body).backgroundColor"
    chromium.open(page, scheme="light")
    light = chromium.evaluate(ground)
    chromium.open(page, scheme="dark")
    dark = chromium.evaluate(ground)
    assert light != dark
    chromium.evaluate("document.getElementById('theme').click()")
    assert chromium.evaluate(ground) == light
    chromium.evaluate("document.getElementById('theme').click()")
    assert chromium.evaluate(ground) == dark
    assert chromium.evaluate("document.getElementById('theme').textContent") == "Theme: dark"


def test_report__can_be_used_by_keyboard_alone(chromium, tmp_path):
    chromium.open(written(tmp_path, *FOUND))
    chromium.press("Tab")
    assert chromium.evaluate("document.activeElement.className") == "skip"
    reached = []
    for _ in range(40):
        chromium.press("Tab")
        reached.append(chromium.evaluate("document.activeElement.id || document.activeElement.name || ''"))
        if reached[-1] == "path":
            break
    assert {"theme", "text", "path"} <= set(reached)
    chromium.type("web/")
    assert shown(chromium) == ["b" * 16]
    for _ in range(3):
        chromium.press("Tab")
    assert chromium.evaluate("document.activeElement.type") == "checkbox"
    names = (
        "[...document.querySelectorAll('button, input, select, a')]"
        ".filter((one) => !(one.labels?.length || one.textContent.trim() || one.ariaLabel)).length"
    )
    assert chromium.evaluate(names) == 0, "every control has a name"


@pytest.mark.parametrize("text", INJECTIONS)
def test_report__no_text_runs_or_asks_for_anything(chromium, tmp_path, text):
    trace = Trace(Step(text, 1, text), (Step("app/db.py", 4, text),), Step(text, 3, text))
    found = [
        make_finding(
            fingerprint=f"{number:016x}", status=status, path=text + ".py", symbol=text, title=text, description=text,
            fix=text, evidence=text, suggestion=text, reason=text, trace=trace, category=text,
        )
        for number, status in enumerate(FindingStatus)
    ]  # fmt: skip
    found.append(replace(found[0], fingerprint=text))
    snippets = {
        one.fingerprint: Snippet(3, (text, text), frozenset({3}), (OtherLine(4, text),), (text,) * 3) for one in found
    }
    rows = (Coverage(text, Partial(text), 1, 5),)
    changed = {"coverage": rows, "summary": text, "model": text, "notices": (text,), "rung_reason": text}
    page = written(tmp_path, *found, snippets=snippets, report=changed)
    chromium.open(page)
    chromium.evaluate(
        "document.querySelectorAll('details').forEach((one) => { one.open = true; });"
        "document.querySelectorAll('.finding, .finding *').forEach((one) => "
        "one.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})))"
    )
    chromium.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert chromium.dialogs == []
    assert chromium.complaints == []
    assert chromium.requests == [page.as_uri()]
    assert chromium.evaluate("document.querySelectorAll('script').length") == 1
    assert (
        chromium.evaluate("document.querySelectorAll('iframe, object, base, link, img, template, [onload]').length")
        == 0
    )
    assert len(shown(chromium)) == len(found)
    assert (
        chromium.evaluate("document.querySelector('.finding h3').textContent").split() == text.replace("`", "").split()
    )


def test_report__later_details_wait_and_are_found_linked_and_printed(chromium, tmp_path):
    last = f"{AT_ONCE:016x}"
    found = [make_finding(fingerprint=f"{number:016x}", fix=f"fix number {number}") for number in range(AT_ONCE + 1)]
    page = written(tmp_path, *found)
    waits = "document.querySelectorAll('.finding > template').length"
    # No idle time: what is done then must not be waited for.
    hook = chromium.send("Page.addScriptToEvaluateOnNewDocument", source="window.requestIdleCallback = () => 0;")
    chromium.open(page)
    assert chromium.evaluate(waits) == 1
    fill(chromium, "text", f"number {AT_ONCE}")
    assert shown(chromium) == [last]
    assert chromium.evaluate(f"document.getElementById('{last}').textContent.includes('fix number {AT_ONCE}')")
    chromium.open(page, fragment=f"#{last}")
    assert chromium.evaluate(waits) == 0
    chromium.open(page)
    chromium.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert chromium.evaluate(waits) == 0
    chromium.send("Page.removeScriptToEvaluateOnNewDocument", identifier=hook["identifier"])
    assert chromium.complaints == []


def test_report__everything_is_in_the_page_soon_after_it_opened(chromium, tmp_path):
    found = [make_finding(fingerprint=f"{number:016x}") for number in range(AT_ONCE + 30)]
    chromium.open(written(tmp_path, *found))
    chromium.evaluate(
        "new Promise((done) => { const look = () => document.querySelector('.finding > template') ? "
        "setTimeout(look, 20) : done(); look(); })"
    )
    assert chromium.evaluate("document.querySelectorAll('.finding > .body').length") == len(found)
    assert chromium.complaints == []


@pytest.mark.parametrize("clipboard", ["the browser's", "none"])
def test_report__buttons_copy(chromium, tmp_path, clipboard):
    page = written(tmp_path, make_finding(fingerprint="a" * 16, suggestion="<one>\n\ttwo"))
    chromium.open(page)
    chromium.send("Browser.grantPermissions", browser=True, permissions=["clipboardReadWrite"])
    if clipboard == "none":
        chromium.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    chromium.evaluate(
        "window.copied = []; addEventListener('copy', () => copied.push(String(document.activeElement.value)))"
    )
    expected = {
        "Copy link": f"{page.as_uri()}#{'a' * 16}",
        "Copy place": "app/db.py:4",
        "Copy fingerprint": "a" * 16,
        "Copy suggestion": "<one>\n\ttwo",
    }
    for label, text in expected.items():
        chromium.evaluate(
            f"[...document.querySelectorAll('button')].find((one) => one.textContent === {label!r}).focus()"
        )
        chromium.press("Enter")
        chromium.evaluate("new Promise((done) => setTimeout(done, 100))")
        assert chromium.evaluate("document.getElementById('said').textContent") == "Copied"
        assert chromium.evaluate("document.activeElement.textContent") == "Copied"
        got = (
            chromium.evaluate("navigator.clipboard.readText()")
            if clipboard != "none"
            else chromium.evaluate("copied.pop()")
        )
        assert got == text
    assert chromium.complaints == []


def test_report__two_thousand_findings_are_usable_at_once(chromium, tmp_path, record_property):
    lines = ("def find_user(request, cursor):", "    name = request.args.get('name')", "    sql = 'select ' + name")
    code = (*lines, "    cursor.execute(sql + name)", "    return cursor.fetchall()", "", "")
    found = [
        make_finding(
            fingerprint=f"{number:016x}", severity=list(Severity)[number % 4],
            path=f"app/part{number % 50}/file{number}.py",
            trace=Trace(Step("app/db.py", 2, "read"), (), Step("app/db.py", 4, "reaches `execute()`")),
        )
        for number in range(2_000)
    ]  # fmt: skip
    start = process_time()
    page = written(tmp_path, *found, snippets={one.fingerprint: Snippet(1, code) for one in found})
    rendered = process_time() - start
    times = []
    for _ in range(3):
        chromium.open(page)
        entry = "performance.getEntriesByType('navigation')[0]"
        times.append(chromium.evaluate(f"[{entry}.domInteractive, {entry}.loadEventEnd]"))
    usable, loaded = min(times)
    fill(chromium, "text", "warm up")
    filtered = chromium.evaluate(
        "(() => { const field = document.getElementById('text'); field.value = 'file1999';"
        "const start = performance.now();"
        "field.dispatchEvent(new Event('input', {bubbles: true})); document.body.offsetHeight;"
        "return performance.now() - start; })()"
    )
    assert shown(chromium) == [f"{1999:016x}"]
    cleared = chromium.evaluate(
        "(() => { const field = document.getElementById('text'); field.value = ''; const start = performance.now();"
        "field.dispatchEvent(new Event('input', {bubbles: true})); document.body.offsetHeight;"
        "return performance.now() - start; })()"
    )
    figures = (
        f"rendered {rendered:.2f} s of one core, usable {usable:.0f} ms, loaded {loaded:.0f} ms, "
        f"filtered {filtered:.0f} ms, cleared {cleared:.0f} ms"
    )
    print(figures, f"{page.stat().st_size / 1e6:.1f} MB")  # noqa: T201  (shown with -s)
    record_property("figures", figures)
    # The aim is a second for each, on a machine that does nothing else; a busy one is given room.
    assert rendered < 3, figures
    assert loaded < 5_000, figures
    assert max(filtered, cleared) < 1_000, figures
