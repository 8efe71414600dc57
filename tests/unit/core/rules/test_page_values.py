"""Values that reach a page without having come with its request."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

REPORTED = {
    "exception called after the input": """
        def shelf(request):
            try:
                return places(request)
            except InvalidParameterError as error:
                return HttpResponseBadRequest(str(error))  # BAD
        """,
    "name of what is listed, in a part of a page": """
        def shelf(request, log):
            for book in log:
                request.write("<li>%s" % book.file_name)  # BAD
        """,
    "page of aiohttp": """
        async def hello(request):
            return web.Response(text="<p>" + request.match_info["name"], content_type="text/html")  # BAD
        """,
    "text of a stored object": """
        class Photo(models.Model):
            def preview(self):
                return mark_safe('<img src="%s" alt="%s">' % (self.url(), self.caption))  # BAD
        """,
    "member of a member": """
        class Column:
            def render(self):
                who = self.record.reviewer
                return mark_safe(f"<b>{self.record.title}</b>")  # BAD
        """,
    "list of links": """
        def links(post):
            out = []
            for tag in post.tags.all():
                out.append('<a href="/t/%s">%s</a>' % (tag.pk, tag.word))
            return mark_safe(", ".join(out))  # BAD
        """,
    "exception between tags": """
        def cell(record):
            try:
                return compute()
            except Exception as e:
                return mark_safe(f'<span title="{e}">broken</span>')  # BAD
        """,
    "page with a stack trace": '''
        class Server:
            def failed(self, context):
                trace = traceback.format_exc()
                return """<html><body><pre>%s</pre></body></html>""" % trace  # BAD
        ''',
    "failed cast quotes what was given": """
        class Show(RequestHandler):
            def get(self, number):
                try:
                    number = int(number)
                except ValueError as ex:
                    self.response.write(ex.message)  # BAD
        """,
    "answer that says it is a page": """
        def moved(location, code=302):
            return Response('<a href="%s">here</a>' % location, code, mimetype="text/html")  # BAD
        """,
    "markdown hands html on": """
        @register.filter
        def rendered(text):
            return mark_safe(markdown.markdown(text, extensions=["tables"]))  # BAD
        """,
    "tag that gives json back": """
        @register.tag
        @basictag(takes_context=True)
        def remarks(context, drawing):
            rows = {}
            for remark in drawing.remarks.all():
                rows.setdefault(remark.line, []).append({"text": remark.text})
            return json.dumps(rows)  # BAD
        """,
    "items of a table": """
        @register.tag
        def remarks(context, drawing):
            rows = defaultdict(list)
            for remark in drawing.remarks.all():
                rows[remark.line].append(remark.text)
            return json.dumps(rows)  # BAD
        """,
    "one of several left out": """
        def image_html(picture, alt):
            return '<img src="%s" alt="%s">' % (escape(picture.url), alt)  # BAD
        """,
}
QUIET = {
    "exception called after the input, escaped": """
        def shelf(request):
            try:
                return places(request)
            except InvalidParameterError as error:
                return HttpResponseBadRequest(escape(str(error)))
        """,
    "exception called after something else": """
        def shelf(request):
            try:
                return places(request)
            except ConnectionError as error:
                return HttpResponseBadRequest(str(error))
        """,
    "name of what is listed, escaped": """
        def shelf(request, log):
            for line in log.reverse():
                request.write("Put back %s<br>" % escape(line.page_name))
        """,
    "plain text of aiohttp": """
        async def hello(request):
            return web.Response(text="Hello, " + request.match_info["name"])
        """,
    "all of them escaped": """
        def image_html(picture, alt):
            return '<img src="%s" alt="%s">' % (escape(picture.url), escape(alt))
        """,
    "html made elsewhere beside an escaped one": """
        def image_html(picture, extra_attributes):
            return '<img src="%s" %s>' % (escape(picture.url), extra_attributes)
        """,
    "a pattern is escaped": """
        def pattern(word, name):
            return "(?P<name>%s)" % re.escape(word) + "<b>" + name
        """,
    "escaped text of a stored object": """
        class Photo(models.Model):
            def preview(self):
                return mark_safe('<img src="%s" alt="%s">' % (self.url(), escape(self.caption)))
        """,
    "formatted": """
        class Photo(models.Model):
            def preview(self):
                return format_html('<img src="{}" alt="{}">', self.url(), self.caption)
        """,
    "names that the program gives": """
        class Tool:
            def html(self):
                icon = self.css_class
                return mark_safe('<i class="%s" title="%s" data-f="%s"></i>' % (icon, self.label, self.field.label))
        """,
    "escaped exception": """
        def cell(record):
            try:
                return compute()
            except Exception as e:
                return mark_safe(f'<span title="{escape(str(e))}">broken</span>')
        """,
    "page with an escaped stack trace": '''
        class Server:
            def failed(self, context):
                trace = html.escape(traceback.format_exc())
                return """<html><body><pre>%s</pre></body></html>""" % trace
        ''',
    "stack trace without a page": """
        def failed(context):
            return "failed: %s" % traceback.format_exc()
        """,
    "failed cast of something else": """
        class Show(RequestHandler):
            def get(self, number):
                try:
                    load_settings()
                except ValueError as ex:
                    self.response.write(ex.message)
        """,
    "message of its own": """
        class Show(RequestHandler):
            def get(self, number):
                try:
                    number = int(number)
                except ValueError:
                    self.response.write("no such number")
        """,
    "answer that says it is a page, escaped": """
        def moved(location, code=302):
            return Response('<a href="%s">here</a>' % escape(location), code, mimetype="text/html")
        """,
    "answer that does not say what it is": """
        def moved(location, code=302):
            return Response('<a href="%s">here</a>' % location, code)
        """,
    "markdown that is cleaned": """
        @register.filter
        def rendered(text):
            return mark_safe(bleach.clean(markdown.markdown(text), tags=TAGS))
        """,
    "markdown that escapes": """
        @register.filter
        def rendered(text):
            return mark_safe(markdown2.markdown(text, safe_mode="escape"))
        """,
    "tag that escapes what it gives back": """
        @register.tag
        @basictag(takes_context=True)
        def remarks(context, drawing):
            rows = {}
            for remark in drawing.remarks.all():
                rows.setdefault(remark.line, []).append({"text": escape(remark.text)})
            return json.dumps(rows)
        """,
    "tag that the engine escapes": """
        @register.simple_tag
        def remarks(drawing):
            return json.dumps([remark.text for remark in drawing.remarks.all()])
        """,
    "json of a function that cleans": """
        def rows(request):
            query = antixss(request.GET["q"])
            return render("rows.mako", request, {"rows": json.dumps(query), "first": json.dumps(load(request.user))})
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
