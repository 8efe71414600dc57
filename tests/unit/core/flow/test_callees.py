from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, make_source

from devpulse.core.flow.callees import MAX_BODY, Judgement, Verdict, judge_callee
from devpulse.core.flow.engine import analyse
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import Ask
from devpulse.core.index import SymbolIndex


def judge(body: str, *, check: bool = False, purpose: Purpose = Purpose.PATH, path: str = "lib.py") -> Verdict:
    resolver = MemoryResolver({"f": body}, path=path)
    return judge_callee(Ask("f", check=check), purpose, make_source("f(x)\n"), resolver, analyse).verdict


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("def f(p):\n    return os.path.basename(p)\n", Verdict.CLEANS),
        ("def f(p):\n    return p.strip()\n", Verdict.PASSES),
        ("def f(p):\n    return os.path.join(BASE, p)\n", Verdict.PASSES),
        ("def f(p):\n    return other(p)\n", Verdict.OPEN),
        ("    def f(self, p):\n        return int(p)\n", Verdict.CLEANS),
        ("@cache\n    def f(self, p):\n        return p\n", Verdict.PASSES),
        ("def f(p):\n    if '..' in p:\n        raise ValueError(p)\n    return p\n", Verdict.CLEANS),
        ("x = 1\n", Verdict.OPEN),
        ("def f(p):\n    pass\n", Verdict.OPEN),
        ("def f(p):\n    return p\n" + "#" * MAX_BODY, Verdict.OPEN),
    ],
)
def test_judge_callee__what_comes_back(body: str, verdict: Verdict):
    assert judge(body) is verdict


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("def f(p):\n    if p not in ALLOWED:\n        raise ValueError(p)\n", Verdict.CLEANS),
        ("def f(p):\n    if p == 'fixed':\n        return True\n    return False\n", Verdict.CLEANS),
        ("def f(p):\n    return bool(p)\n", Verdict.PASSES),
        ("def f(p):\n    if p is None or p == '':\n        raise ValueError(p)\n", Verdict.PASSES),
        ("def f(p):\n    return p is not None and len(p) < 250\n", Verdict.PASSES),
        ("def f(p):\n    check_more(p)\n", Verdict.OPEN),
    ],
)
def test_judge_callee__what_it_checks(body: str, verdict: Verdict):
    assert judge(body, check=True) is verdict


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("{ if (p == null || p.length() > 250) { return false; } return true; }", Verdict.PASSES),
        ("{ return ALLOWED.contains(p); }", Verdict.CLEANS),
    ],
)
def test_judge_callee__a_method_of_the_own_class_by_its_bare_name(body: str, verdict: Verdict):
    text = f"class A {{\n  boolean check(String p) {body}\n}}\n"
    index = SymbolIndex(lambda: ["A.java"], lambda _path: text.encode())
    source = make_source(text, path="A.java")
    assert judge_callee(Ask("check", check=True), Purpose.SQL, source, index, analyse).verdict is verdict


def test_judge_callee__other_languages_and_purposes():
    assert judge("function f(p) { return path.basename(p); }", path="lib.js") is Verdict.CLEANS
    assert judge("function f(p) { return p.trim(); }", path="lib.ts") is Verdict.PASSES
    assert judge("def f(p):\n    return os.path.basename(p)\n", purpose=Purpose.SQL) is Verdict.PASSES
    assert judge("whatever", path="lib.unknown") is Verdict.OPEN
    assert judge_callee(Ask("g"), Purpose.PATH, make_source(""), MemoryResolver(), analyse).verdict is Verdict.OPEN


AGE = "class Age:\n    def clean(self, v):\n        return int(v)\n"
PASSES = "def clean(v):\n    return v.strip()\n"
CLEANS = "def clean(v):\n    return int(v)\n"
HANDS_ON = "def clean(v):\n    return deeper(v)\n"


@pytest.mark.parametrize(
    ("callee", "app", "files", "expected"),
    [
        # The method of a class in the same file is nearer, and not the one that is called.
        ("other.clean", f"import other\n{AGE}", {"other.py": PASSES}, Judgement(Verdict.PASSES)),
        ("other.clean", f"import other\n{AGE}", {"other.py": HANDS_ON}, Judgement(Verdict.OPEN, ("other.clean",))),
        ("o.clean", f"from lib import other as o\n{AGE}", {"lib/other.py": CLEANS}, Judgement(Verdict.CLEANS)),
        ("tidy", f"from lib.other import clean as tidy\n{AGE}", {"lib/other.py": PASSES}, Judgement(Verdict.PASSES)),
        ("clean", AGE, {}, Judgement(Verdict.OPEN, ("app.clean",))),
        ("clean", f"{AGE}\n{CLEANS}", {"other.py": PASSES}, Judgement(Verdict.CLEANS)),
        ("Age.clean", AGE, {"other.py": PASSES}, Judgement(Verdict.CLEANS)),
        ("self.clean", AGE, {"other.py": PASSES}, Judgement(Verdict.CLEANS)),
        # A library's function is not the repository's function of the same name.
        ("bleach.clean", "import bleach\n", {"other.py": CLEANS}, Judgement(Verdict.OPEN, ("bleach.clean",))),
        # An object whose class is not known: all that may be meant must agree.
        ("field.clean", "", {"a.py": CLEANS, "b.py": CLEANS}, Judgement(Verdict.CLEANS)),
        ("field.clean", "", {"a.py": PASSES, "b.py": PASSES}, Judgement(Verdict.PASSES)),
        ("field.clean", "", {"a.py": CLEANS, "b.py": PASSES}, Judgement(Verdict.OPEN, ("b.clean",))),
        (".clean", "", {"a.py": CLEANS, "b.py": HANDS_ON}, Judgement(Verdict.OPEN, ("b.clean",))),
        ("field.clean", "", {f"m{n}.py": CLEANS for n in range(9)}, Judgement(Verdict.OPEN, ("app.clean",))),
        ("field.clean", "", {"a.py": CLEANS, "tests/fake.py": PASSES}, Judgement(Verdict.CLEANS)),
        # Handed on by the package that it is imported from.
        ("clean", "from lib import clean\n", {"lib/inner.py": CLEANS, "z.py": PASSES}, Judgement(Verdict.CLEANS)),
    ],
)
def test_judge_callee__by_owner_and_imports(callee: str, app: str, files: dict[str, str], expected: Judgement):
    tree = {path: text.encode() for path, text in {"app.py": app, **files}.items()}
    index = SymbolIndex(lambda: list(tree), tree.get)
    source = make_source(app, path="app.py")
    assert judge_callee(Ask(callee), Purpose.SQL, source, index, analyse) == expected
    for name in expected.names:  # what is asked for leads to no definition that was ruled out
        assert all(symbol.path in files for symbol in index.definitions(name, near="app.py").rows)


@pytest.mark.parametrize(
    ("line", "callee"),
    [
        ("import { clean as tidy } from './lib/other';", "tidy"),
        ("import * as o from './lib/other.js';", "o.clean"),
        ("const o = require('./lib/other');", "o.clean"),
        ("const { clean: tidy } = require('./lib/other');", "tidy"),
        ("import o from '@/lib/other';", "o.clean"),
    ],
)
def test_judge_callee__ecmascript_imports(line: str, callee: str):
    app = f"{line}\nclass Age {{\n  clean(v) {{ return Number(v); }}\n}}\n"
    files = {"app.js": app, "lib/other.js": "export function clean(v) {\n  return v.trim();\n}\n"}
    index = SymbolIndex(lambda: list(files), lambda path: files[path].encode() if path in files else None)
    source = make_source(app, path="app.js")
    assert judge_callee(Ask(callee), Purpose.SQL, source, index, analyse) == Judgement(Verdict.PASSES)
