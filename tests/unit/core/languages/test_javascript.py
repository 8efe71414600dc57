from __future__ import annotations

import pytest

from devpulse.core.languages import language_of
from devpulse.core.languages.javascript import SUPPORT
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of

MODULE = """\
'use strict';
const express = require('express');
const extname = require('path').extname;

/**
 * Seconds a session lives.
 */
const SESSION_SECONDS = 900, RETRIES = 3;
let counter = 0;

/**
 * Load one user.
 *
 * @param {number} id
 */
async function loadUser(
  id, // the key
  { fields = [] } = {},
) {
  const pick = (row) => {
    return row;
  };
  return pick(await db.get(id));
}

function* pages() { yield 1; }

// Compares
// in constant time.
exports.equal = (a, b) => a === b;
exports.get = exports.head = function (name) {
  return name;
};

module.exports = function create(options) {
  return options;
};

Store.prototype.save = async function () {
  this.flush = () => {};
};

class Cart extends Base {
  #total = () => 0;
  static limit = 5;
  constructor(items) { super(); }
  get size() { return 1; }
  set size(n) {}
  async *pages() {}
  handle = async (event) => {
    return event;
  };
}

const api = {
  list() { return []; },
  'find-one': (id) => id,
  nested: { deep: function () {} },
  plain: 1,
};

export const handler = asyncHandler(async (req, res) => {
  res.end();
});
const timer = setTimeout(() => {}, 10);
export default class extends Cart {}

describe('cart', () => {
  const local = 1;
  function inside() {}
});
"""

ROUTES = """\
// Show a user.
app.get('/users/:id', requireLogin, async (req, res) => {
  const load = () => 1;
  res.send(load());
});
router
  .route('/orders')
  .get(list)
  .post(function (req, res) {
    res.end();
  });
userRouter.delete(`/users/x`, (req, res) => {});
app.use('/static', (req, res, next) => next());
"""


def symbols(text: str) -> tuple[Symbol, ...]:
    return symbols_of("m.js", "javascript", text)


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols(text) if symbol.qualified_name == name)


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("SESSION_SECONDS", "constant", 8, 8),
        ("RETRIES", "constant", 8, 8),
        ("counter", "variable", 9, 9),
        ("loadUser", "function", 16, 24),
        ("loadUser.pick", "function", 20, 22),
        ("pages", "function", 26, 26),
        ("equal", "function", 30, 30),
        ("get", "function", 31, 33),
        ("head", "function", 31, 33),
        ("create", "function", 35, 37),
        ("Store.save", "method", 39, 41),
        ("Store.save.flush", "method", 40, 40),
        ("Cart", "class", 43, 53),
        ("Cart.#total", "method", 44, 44),
        ("Cart.constructor", "method", 46, 46),
        ("Cart.size", "method", 47, 47),
        ("Cart.pages", "method", 49, 49),
        ("Cart.handle", "method", 50, 52),
        ("api", "constant", 55, 60),
        ("api.list", "method", 56, 56),
        ("api.find-one", "method", 57, 57),
        ("api.nested.deep", "method", 58, 58),
        ("handler", "function", 62, 64),
        ("timer", "constant", 65, 65),
        ("default", "class", 66, 66),
        ("inside", "function", 70, 70),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__nothing_else_is_a_symbol():
    assert len(symbols(MODULE)) == 27  # the 26 above and the setter
    assert symbols("import a from 'a';\nfoo(() => {});\nx.y = 1;\nlet z;\nconst { a, b } = q;\n") == ()
    assert symbols("if (x) { const local = 1; }\nitems.forEach((item) => { const y = 2; });\n") == ()
    assert [s.kind for s in symbols("const sum = items.reduce((a, b) => a + b);")] == ["constant"]


def test_extract__signatures():
    assert named(MODULE, "loadUser").signature == "async function loadUser(id, { fields = [] } = {})"
    assert named(MODULE, "equal").signature == "exports.equal = (a, b) =>"
    assert named(MODULE, "Cart").signature == "class Cart extends Base"
    assert named(MODULE, "handler").signature == "export const handler = asyncHandler(async (req, res) =>"
    assert named(MODULE, "api").signature == "const api"


def test_extract__docstrings():
    assert named(MODULE, "loadUser").docstring == "Load one user."
    assert named(MODULE, "SESSION_SECONDS").docstring == ""
    assert named(MODULE, "equal").docstring == "Compares in constant time."
    assert named(MODULE, "Cart").docstring == ""
    assert named("/** One. */\n\nfunction f() {}", "f").docstring == "One."
    assert named("/** @returns {number} */\nfunction f() {}", "f").docstring == ""
    assert named("const a = 1; // of a\nfunction f() {}", "f").docstring == ""
    assert named("// apart\n\nfunction f() {}", "f").docstring == ""


def test_extract__anonymous_exports():
    assert [(s.name, s.qualified_name) for s in symbols("module.exports = () => 1;")] == [("exports", "module.exports")]
    assert [s.qualified_name for s in symbols("module.exports = { run() {}, stop: () => {} };")] == ["run", "stop"]
    assert [s.qualified_name for s in symbols("export default () => 1;")] == ["default"]
    assert [s.qualified_name for s in symbols("export default function main() {}")] == ["main"]


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("GET /users/:id", 2, 5),
        ("GET /users/:id.load", 3, 3),
        ("POST /orders", 9, 11),
        ("DELETE /users/x", 12, 12),
        ("USE /static", 13, 13),
    ],
)
def test_extract__routes(name, start, end):
    symbol = named(ROUTES, name)
    assert (symbol.start_line, symbol.end_line) == (start, end)


def test_extract__route_name_kind_signature_and_comment():
    route = named(ROUTES, "GET /users/:id")
    assert (route.name, route.kind, route.docstring) == ("GET /users/:id", "route", "Show a user.")
    assert route.signature == "app.get('/users/:id', requireLogin, async (req, res) =>"
    assert len(symbols(ROUTES)) == 5


@pytest.mark.parametrize(
    "line",
    [
        "cache.get('/k', () => 1);",
        "app.get('view engine', () => 1);",
        "app.get('/x', controller.show);",
        "axios.post('/x', (r) => r);",
        "app.listen('/x', () => 1);",
        "app.get(path, () => 1);",
        "get('/x', () => 1);",
    ],
)
def test_extract__calls_that_are_no_routes(line):
    assert symbols(line) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "function a() {\n  const x = call(1,\n}\nexport function b(q) {\n  if (q {\n    return 1;\n}\n"
                "class C {\n  m() { return { a: ; }\n  n() { return 2; }\n}\nfunction d() { return 4 }\n"
            ),
            [("a", 1, 3), ("b", 4, 7), ("C", 8, 11), ("C.m", 9, 9), ("C.n", 10, 10), ("d", 12, 12)],
        ),
        ("const f = (a) => {\n  return [1, 2\n};\nfunction g() {}\n", [("f", 1, 3), ("g", 4, 4)]),
        ("<<<<<<< HEAD\nfunction a() {}\n=======\nfunction b() {}\n>>>>>>> x\n", [("a", 2, 2), ("b", 4, 4)]),
    ],
)
def test_extract__broken_code_gives_what_stands_around_the_damage(text, expected):
    assert [(s.qualified_name, s.start_line, s.end_line) for s in symbols(text)] == expected


def test_extract__jsx():
    text = "export function Page() {\n  const onClick = () => go();\n  return <a onClick={onClick}>1</a>;\n}\n"
    assert [(s.qualified_name, s.start_line, s.end_line) for s in symbols(text)] == [
        ("Page", 1, 4),
        ("Page.onClick", 2, 2),
    ]


@pytest.mark.parametrize("text", ["\ufefffunction f() {\n}\n", "function f() {\r\n}\r\n", "function f() {\n\t}"])
def test_extract__bom_line_endings_tabs(text):
    assert [(s.name, s.start_line, s.end_line) for s in symbols(text)] == [("f", 1, 2)]


def test_scan__finds_most_definition_lines_and_no_plain_calls():
    source = b"\n" + MODULE.encode()
    found = {name.decode() for _, name in SUPPORT.scan(source, 1, len(source))}
    assert {"loadUser", "pick", "pages", "equal", "save", "Cart", "handle", "list", "api", "inside"} <= found
    nothing = b"\nif (x) {\nfoo(1);\nreturn call(x);\nfor (const a of b) {\nwhile (true) {\n"
    assert list(SUPPORT.scan(nothing, 1, len(nothing))) == []


def test_language_of__javascript_extensions():
    assert [language_of(p) for p in ("a.js", "a.jsx", "a.mjs", "a.cjs", "a.json")] == ["javascript"] * 4 + [None]


IN_PLACE = """\
app.get('/x', async function handler (req, res) { return 1 })
use(function plug (a) { function inner () {} })
function outer () { return function made () {} }
const wrapped = memo(function wrapped () { return 1 })
log.warn = function mock () {}
exports.same = function same () {}
stub('X', class Fake { run () {} })
require('./hooks').runner = function () {}
use(function () {})
"""


def test_extract__functions_and_classes_with_a_name_where_they_are_handed_over():
    assert [(s.kind, s.qualified_name) for s in symbols(IN_PLACE)] == [
        ("route", "GET /x"), ("function", "GET /x.handler"),
        ("function", "plug"), ("function", "plug.inner"),
        ("function", "outer"), ("function", "outer.made"),
        ("function", "wrapped"),
        ("function", "log.warn"),
        ("function", "same"),
        ("class", "Fake"), ("method", "Fake.run"),
        ("function", "runner"),
    ]  # fmt: skip
