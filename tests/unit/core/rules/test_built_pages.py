"""Which files can have a page that is put together by hand."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.built_pages import is_plausible
from devpulse.core.rules.cross_site_scripting import RULE
from devpulse.core.source import Source


def _source(text: str) -> Source:
    return Source("a.py", "python", text, frozenset())


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("built", "return '<b>' + request.GET['x']"),
        ("built", "data = '<b>' + self.get_argument('x')"),
        ("written", "request.write('Moved %s<br>' % name)"),
        ("markdown", "entry.html = markdown(text)"),
        ("composed", "return 'See <a href=%s>' % url"),
    ],
)
def test_is_plausible(kind: str, text: str) -> None:
    assert is_plausible(kind, _source(text))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("built", "return '<b>' + name"),
        ("built", "return request.GET['x'] < y"),
        ("written", "request.write('Moved %s' % name)"),
        ("markdown", "html = markdown(text)"),
        ("composed", "def as_text(value): return value"),
        ("composed", "return '<note>%s</note>' % text"),
        ("markdown", "entry.html = bleach.clean(text)\nentry.text = markdown(entry.html)"),
    ],
)
def test_is_plausible__nothing_of_the_kind(kind: str, text: str) -> None:
    assert not is_plausible(kind, _source(text))


COMPOSED = {
    "called after HTML": """
        def as_html(self, value):
            return force_str(value)  # BAD
        """,
    "parameter": """
        def cover(url):
            return '<img src="%s" class="cover">' % url  # BAD
        """,
    "parameters of a text in another language": """
        def link(url, title):
            return _("<a href='%(url)s'>%(title)s</a>") % {"url": url, "title": title}  # BAD
        """,
    "part of a parameter": """
        def heading(chapter):
            return "<code>%s</code>" % chapter["title"]  # BAD
        """,
    "what somebody wrote": """
        def thumbnail(self):
            return '<img src="%s" alt="%s">' % (self.address(), self.caption)  # BAD
        """,
    "made a text": """
        def note(message):
            return f"<p>{force_str(message)}</p>"  # BAD
        """,
    "view": """
        def shelf(request, shelf):
            return "<b>%s</b>" % shelf  # BAD
        """,
    "answer of web2py": """
        def missing(title):
            raise HTTP(404, "<h1>There is no %s</h1>" % title)  # BAD
        """,
    "filter of a template": """
        @register.filter
        def shown(output):
            return "<pre>%s</pre>" % output  # BAD
        """,
    "title with words behind": """
        @library.global_function
        def page_title(title):
            return jinja2.Markup("%s | shelves" % title)  # BAD
        """,
    "title of what was fetched": """
        def shown(page):
            content = page.get_content(1)
            title = content.title or content.heading
            return mark_safe(f"<em>{title}</em>")  # BAD
        """,
    "found by a language": """
        def shown(titles, lang):
            found = titles.get(lang)
            return mark_safe("<em>%s</em>" % found.title)  # BAD
        """,
    "declared to be safe after a translation": """
        def clash(path):
            message = gettext("<b>%(path)s</b> is taken") % {"path": path}
            raise ValidationError(mark_safe(message))  # BAD
        """,
}
NOT_SURE = {
    "text of its own": """
        def heading(code):
            return Markup("%s" % code)
        """,
    "word of a few in what is declared safe": """
        def link(path, language):
            address = f"?language={language}"
            return mark_safe(f'<a href="{address}">{escape(path)}</a>')
        """,
    "language in a text that is declared safe": """
        def shown(language):
            return mark_safe("<i lang='%s'></i>" % language)
        """,
}
"""Flaws, perhaps: too little is known of the values."""

NOT_COMPOSED = {
    "called after HTML, and escapes": """
        def as_html(self, value):
            return escape(force_str(value))
        """,
    "called after HTML, and asks others": """
        def as_html(self, value):
            return self.block.render(value)
        """,
    "called after a text": """
        def as_text(self, value):
            return force_str(value)
        """,
    "value as it came": """
        def read_html(value):
            return value
        """,
    "HTML as it came": """
        def to_html(html):
            return html.strip()
        """,
    "name of a class": """
        def heading(class_name):
            return '<b class="%s">chapter</b>' % class_name
        """,
    "no filter": """
        def shown(output):
            return "<pre>%s</pre>" % output
        """,
    "filter that escapes": """
        @register.filter
        def shown(output):
            return "<pre>%s</pre>" % escape(output)
        """,
    "escaped": """
        def cover(url):
            return '<img src="%s">' % html.escape(url)
        """,
    "escaped by a function of the program": """
        def cover(url):
            return '<img src="%s">' % attribute(url)
        """,
    "number": """
        def heading(count):
            return "<b>%d</b>" % count
        """,
    "HTML that is made elsewhere": """
        def box(content, rows):
            return "<div>%s</div><table>%s</table>" % (content, "".join(rows))
        """,
    "other language with tags": """
        def entry(title):
            return "<entry><name>%s</name></entry>" % title
        """,
    "no tags": """
        def entry(title):
            return "%s <%s>" % (title, title)
        """,
    "name of the program's own": """
        def icon(self):
            return '<i class="%s"></i>' % self.settings.name
        """,
    "not given back": """
        def heading(title):
            log.debug("<b>%s</b>" % title)
        """,
    "address of a page by its name": """
        def link(request, number):
            return '<a href="%s">here</a>' % reverse("shelf", args=[number])
        """,
    "answer without tags": """
        def away(location):
            raise HTTP(303, "See %s" % location)
        """,
}


@pytest.mark.parametrize("code", COMPOSED.values(), ids=COMPOSED)
def test_of_composed(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", NOT_COMPOSED.values(), ids=NOT_COMPOSED)
def test_of_composed__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []


@pytest.mark.parametrize("code", NOT_SURE.values(), ids=NOT_SURE)
def test_of_composed__too_little_is_known(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
