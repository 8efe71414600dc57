from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.code_injection import RULE

REPORTED = {
    "literal without an end": """
        def calculate():
            term = request.form["term"]
            if not term.startswith("'") or "'" in term[1:-1]:
                return "only texts"
            return eval(term)  # BAD
        """,
    "name found in a loop": """
        def choose():
            chosen = ""
            for name in request.form.keys():
                if name.startswith("run"):
                    chosen = name
                    break
            exec(chosen)  # BAD
        """,
    "text in memory": """
        def collect():
            buffer = io.StringIO()
            buffer.write("result = ")
            buffer.write(request.args["term"])
            exec(buffer.getvalue())  # BAD
        """,
    "request in an object": """
        def collect():
            sent = tools.RequestWrapper(request)
            exec(sent.get_form_field("term"))  # BAD
        """,
    "brackets are kept": """
        def calculate():
            return eval(re.sub(r"[^\\w()]", "", request.args["term"]))  # BAD
        """,
    "one character of a known few": """
        def calculate():
            term = request.args["term"]
            if any(c in "0123456789" for c in term):
                return eval(term)  # BAD
        """,
    "eval of a request": """
        def calc():
            return str(eval(request.args["expression"]))  # BAD
        """,
    "exec of a built text": """
        def assign(name, value):
            exec("settings.%s = %r" % (name, value))  # BAD
        """,
    "template from a request": """
        def hello():
            page = "<h1>Hello " + request.args.get("name", "") + "</h1>"
            return render_template_string(page)  # BAD
        """,
    "template class": """
        from jinja2 import Template
        @app.post("/preview")
        def preview():
            return Template(request.form["body"]).render(user=current_user)  # BAD
        """,
    "environment": """
        def mail(request):
            text = request.POST["text"]
            return env.from_string(text).render()  # BAD
        """,
    "module named by a request": """
        def plugin():
            return importlib.import_module("plugins." + request.args["name"]).run()  # BAD
        """,
    "compiled": """
        def filter_rows(request):
            code = compile(request.GET["where"], "<filter>", "eval")  # BAD
            return code
        """,
    "expression in a field": "class Filter:\n    def run(self):\n        return eval(self.expression)  # BAD\n",
    "answer evaluated": "def f(url):\n    return eval(requests.get(url).text)  # BAD\n",
    "query of a table": 'def f(df):\n    return df.query(request.args["where"])  # BAD\n',
    "template of a model": "def f(env, chat_template):\n    return env.from_string(chat_template)  # BAD\n",
}
QUIET = {
    "literal as a whole": """
        def calculate():
            term = request.form["term"]
            if not term.startswith("'") or not term.endswith("'") or "'" in term[1:-1]:
                return "only texts"
            return eval(term)
        """,
    "subset of characters": """
        def calculate(term: str):
            allowed = set("0123456789+-*/ ")
            if not set(term).issubset(allowed):
                return None
            return eval(term)
        """,
    "subset by comparison": """
        def calculate():
            term = request.args["term"]
            if not set(term) <= ALLOWED:
                return None
            return eval(term)
        """,
    "superset of characters": """
        def calculate():
            term = request.args["term"]
            if not ALLOWED.issuperset(term):
                return None
            return eval(term)
        """,
    "any other character": """
        def calculate():
            term = request.args["term"]
            if any(c not in "0123456789+-" for c in term):
                return None
            return eval(term)
        """,
    "all others taken away": """
        def calculate():
            return eval(re.sub(r"[^\\w]", "", request.args["term"]))
        """,
    "what else the object has": """
        def collect():
            sent = tools.RequestWrapper(request)
            exec(sent.get_safe_value("term"))
        """,
    "path of a fixed route": """
        @app.route("/reports/yearly")
        def yearly():
            exec(request.path.split("/")[1])
        """,
    "literal_eval": """
        def calc():
            return ast.literal_eval(request.args["expression"])
        """,
    "constant": """
        def version():
            exec(open("version.py").read())
            return eval("1 + 1")
        """,
    "variable of a template": """
        def hello():
            return render_template_string("<h1>Hello {{ name }}</h1>", name=request.args["name"])
        """,
    "template of the program": """
        PAGE = "<p>{{ text }}</p>"
        def show():
            return Template(PAGE).render(text=request.args["text"])
        """,
    "method called eval": """
        def train(model, request):
            model.eval()
            return frame.eval("a + b")
        """,
    "pattern": """
        def find():
            return re.compile(request.args["word"]).search(TEXT)
        """,
    "chosen from a table": """
        ACTIONS = {"start": start, "stop": stop}
        def act():
            return ACTIONS[request.args["action"]]()
        """,
    "number": """
        def power():
            return eval("2 ** %d" % int(request.args["n"]))
        """,
    "allowed": """
        def plugin():
            name = request.args["name"]
            if name not in ("csv", "json"):
                abort(404)
            return importlib.import_module("plugins." + name)
        """,
    "file read as data": "def f(path):\n    with open(path) as file:\n        return ast.literal_eval(file.read())\n",
    "answer read as data": "def f(url):\n    return json.loads(requests.get(url).text)\n",
    "constant query": 'def f(df, low):\n    return df.query("price > @low")\n',
    "mode of a model": "def f(model, loader):\n    model.eval()\n    return model.eval().to(loader)\n",
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.severity == "critical" and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []


def test_check__a_template_has_its_own_cwe() -> None:
    (hit,) = run(RULE, REPORTED["template class"])
    assert (hit.cwe, hit.title) == (1336, "Value used as a template")


def test_check__eval_of_a_file_needs_no_trace() -> None:
    (hit,) = run(RULE, "def f(path):\n    with open(path) as file:\n        return eval(file.read())\n")
    assert (hit.start_line, hit.confidence) == (3, Confidence.MEDIUM)
