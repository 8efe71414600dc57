from __future__ import annotations

import pytest

from devpulse.core.candidates import ask, candidate_files, complete_languages
from devpulse.core.corpus import build_corpus
from devpulse.core.name_scan import scan_names


@pytest.mark.parametrize(
    ("text", "name", "owners"),
    [
        ("run", "run", ()),
        (" run() ", "run", ()),
        ("Cart.total", "total", ("Cart",)),
        ("shop.orders.Cart.total()", "total", ("shop", "orders", "Cart")),
        ("self.total", "total", ()),
        ("this.total", "total", ()),
        ("GET /users/:id", "GET /users/:id", ()),
        ("", "", ()),
        ("...", "", ()),
    ],
)
def test_ask__names_as_people_write_them(text, name, owners):
    question = ask(text)
    assert (question.name, question.owners) == (name, owners)


def found(name: str, **files: str) -> dict[str, int]:
    groups: dict[str, list[tuple[str, bytes]]] = {"python": [], "javascript": []}
    for path, text in files.items():
        stem, _, extension = path.rpartition("_")
        groups["python" if extension == "py" else "javascript"].append((f"{stem}.{extension}", text.encode()))
    corpus = build_corpus(groups)
    numbers = candidate_files(corpus, scan_names(corpus, complete_languages(corpus)).of(ask(name).name), ask(name))
    return {corpus.paths[number]: shown for number, shown in numbers.items()}


def test_candidate_files__python_only_where_the_scan_saw_it():
    assert found("run", a_py="def run(): pass\ndef run(): pass\n", b_py="run()\nx.run = 1\n") == {"a.py": 2}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("function run() {\n}\n", 1),
        ("const run = async (a) => a;\n", 1),
        ("  run() {\n", 1),
        ("x.run = function () {}\n", 1),
        ("y({\n  'run': wrap(() => 1) })\n", 0),
        ("const { a, run = 3 } = x\n", 0),
    ],
)
def test_candidate_files__javascript_that_may_define_it(text, shown):
    assert found("run", a_js=text) == {"a.js": shown}


@pytest.mark.parametrize(
    "text", ["x.run();\n", "f(run, 1);\n", "import { run } from 'a'\n", "rerun = 1\n", "x.run == 2\n", "x.run => 1\n"]
)
def test_candidate_files__javascript_that_cannot_define_it(text):
    assert found("run", a_js=text) == {}


def test_candidate_files__an_owner_must_be_mentioned_or_be_the_module():
    files = {
        "cart_py": "def total(): pass\n",
        "b_py": "class Cart:\n  def total(s): pass\n",
        "c_py": "def total(): pass\n",
    }
    assert set(found("Cart.total", **files)) == {"b.py"}
    assert set(found("cart.total", **files)) == {"cart.py"}


def test_candidate_files__a_route_by_its_path():
    assert found("GET /users", a_js="app.get('/users', (q, r) => 1)\n", b_js="app.get('/user', f)\n") == {"a.js": 1}


@pytest.mark.parametrize(
    ("text", "owners", "on_itself", "above"),
    [
        ("self.total", (), True, False),
        ("this.cart.total", ("cart",), False, False),
        ("super().total", (), False, True),
        ("super(Cart, self).total()", ("Cart",), False, True),
        ("super(Cart).total", ("Cart",), False, True),
        ("Cart.total", ("Cart",), False, False),
    ],
)
def test_ask__what_a_member_is_asked_of(text, owners, on_itself, above):
    question = ask(text)
    assert (question.name, question.owners, question.on_itself, question.above) == ("total", owners, on_itself, above)


def test_candidate_files__kotlin_extensions_stand_behind_a_dot():
    corpus = build_corpus({"kotlin": [("a.kt", b"fun String.total() = 1\n"), ("b.kt", b"x.total()\n")]})
    assert candidate_files(corpus, scan_names(corpus, complete_languages(corpus)).of("total"), ask("total")) == {0: 1}
