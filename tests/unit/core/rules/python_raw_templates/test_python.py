from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.python.raw_templates import RULE

REPORTED = {
    "for a page": """
        def render_shelf(shelf):
            env = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER))  # BAD
            return env.get_template("shelf.html").render(shelf=shelf)
        """,
    "for a server": """
        class ShelfHandler(RequestHandler):
            def initialize(self):
                self.templates = Environment(loader=PackageLoader("shelves"), undefined=StrictUndefined)  # BAD
        """,
    "beside what is served": """
        def __init__(self, staticdir):
            loader = jinja2.FileSystemLoader(staticdir)
            self.jinja = jinja2.Environment(loader=loader)  # BAD
        """,
    "in a sandbox": """
        def page(request):
            env = SandboxedEnvironment(loader=DictLoader(PAGES))  # BAD
            return Response(env.get_template("page").render())
        """,
}
QUIET = {
    "escapes": """
        def render_shelf(shelf):
            env = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), autoescape=select_autoescape())
            return env.get_template("shelf.html").render(shelf=shelf)
        """,
    "told elsewhere": """
        def render_shelf(shelf):
            env = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), **OPTIONS)
            return env.get_template("shelf.html").render(shelf=shelf)
        """,
    "told later": """
        def render_shelf(shelf):
            env = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER))
            env.autoescape = True
            return env.get_template("shelf.html").render(shelf=shelf)
        """,
    "for settings": """
        def write_settings(shelf):
            env = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER))
            return env.get_template("shelf.conf").render(shelf=shelf)
        """,
    "for code": """
        def write_client(request):
            env = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), trim_blocks=True)
            return env.get_template("client").render(request=request)
        """,
    "nothing of pages": """
        def write_client(names):
            env = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER))
            return env.get_template("client").render(names=names)
        """,
    "other environment": """
        def build(request):
            env = scons.Environment(loader=request)
            return webenv.Environment(loader=request)
        """,
    "no templates of files": """
        def parse(html):
            return jinja2.Environment().parse(html)
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_raw_templates__reports(code: str) -> None:
    assert lines_of(run(RULE, code)) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_raw_templates__stays_quiet(code: str) -> None:
    assert not run(RULE, code)
