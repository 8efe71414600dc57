from __future__ import annotations

import pytest

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import language_of
from devpulse.core.languages.php import standalone
from devpulse.core.languages.php_lines import scan
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import parse, symbols_of

MODULE = r"""<!DOCTYPE html>
<h1><?= $title ?></h1>
<?php
declare(strict_types=1);

namespace App\Shop;

use App\Models\User;

const LIMIT = 50, RETRIES = 3;
define('SECRET', 'hunter2');
$config = ['a' => 1];
$config['b'] = 2;

/**
 * Sums a cart.
 *
 * @param array $lines
 */
#[Pure]
function total(
    array $lines, // one by one
    float &$tax,
): float {
    $add = function ($a, $b) { return $a + $b; };
    return array_reduce($lines, fn ($a, $b) => $a + $b);
}

// A cart.
#[Entity]
abstract class Cart extends Base implements Countable
{
    use Priced;

    public const int MAX = 10, MIN = 1;
    // The lines.
    #[Column]
    protected readonly array $lines;
    private $a = 'x', $b;
    public static ?string $key = 'sk_live';

    public function __construct(private Db $db) {}

    #[Route('/carts/{id}', methods: ['GET'])]
    #[IsGranted('ROLE_USER')]
    public function show(#[MapEntity] Cart $cart): Response
    {
        $sql = <<<SQL
            function not_a_function() {}
SQL;
        $inner = static fn () => 1;
        return new class extends Other { public function nested() {} };
    }

    /** @Route("/old", name="old") */
    public function old() {}

    abstract protected function &todo(): static;
}

interface Priced { public function price(): int; }
trait Named { private static function name() { return 'function x'; } }
enum Suit: string
{
    case Hearts = 'H';
    const Wild = self::Hearts;
    public function label(): string { return ''; }
}
if (!function_exists('helper')) {
    function helper() {}
}
?>
<p>class Text {}</p>
<?php foreach ($rows as $row): ?>
<?php function in_template() {} endforeach;
"""

ROUTES = r"""<?php
// Shows users.
Route::get('/users', function ($request) {
    return User::all();
})->name('users');
Route::post('login', [LoginController::class, 'store']);
Route::middleware(['auth'])->group(function () {
    Route::delete('/users/{id}', 'UserController@destroy');
    Route::prefix('x')->put('/a', Update::class);
});
Route::match(['get', 'post'], '/both', Both::class);
Route::resource('photos', PhotoController::class);
$app->get('/slim/{name}', function ($request, $response) {
    return $response;
});
$this->router->map(['GET'], '/map', Map::class);
$app->get('settings');
$client->get('/remote', ['a' => 1]);
$this->actingAs($user)->get('/request', []);
$app->client()->get('/elsewhere', []);
"""


def names(text: str) -> list[str]:
    return [symbol.qualified_name for symbol in symbols_of("m.php", "php", text)]


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols_of("m.php", "php", text) if symbol.qualified_name == name)


def scanned(text: str) -> set[str]:
    buffer = b"\n" + text.removeprefix("\ufeff").encode()  # as the corpus holds it
    return {name.decode() for _, name in scan(buffer, 1, len(buffer))}


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("App\\Shop", "namespace", 6, 6),
        ("LIMIT", "constant", 10, 10),
        ("RETRIES", "constant", 10, 10),
        ("SECRET", "constant", 11, 11),
        ("config", "variable", 12, 12),
        ("total", "function", 20, 27),
        ("total.add", "function", 25, 25),
        ("Cart", "class", 30, 59),
        ("Cart.MAX", "constant", 35, 35),
        ("Cart.MIN", "constant", 35, 35),
        ("Cart.lines", "property", 37, 38),
        ("Cart.a", "property", 39, 39),
        ("Cart.b", "property", 39, 39),
        ("Cart.key", "property", 40, 40),
        ("Cart.__construct", "method", 42, 42),
        ("Cart.show", "route", 44, 53),
        ("Cart.show.inner", "function", 51, 51),
        ("Cart.show.nested", "method", 52, 52),
        ("Cart.old", "route", 56, 56),
        ("Cart.todo", "method", 58, 58),
        ("Priced", "interface", 61, 61),
        ("Priced.price", "method", 61, 61),
        ("Named", "trait", 62, 62),
        ("Named.name", "method", 62, 62),
        ("Suit", "enum", 63, 68),
        ("Suit.Hearts", "constant", 65, 65),
        ("Suit.Wild", "constant", 66, 66),
        ("Suit.label", "method", 67, 67),
        ("helper", "function", 70, 70),
        ("in_template", "function", 75, 75),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__nothing_else_is_a_symbol():
    assert len(names(MODULE)) == 30
    assert names("<?php f(function () {}); $x->y = 1; if ($a) { $b = 2; } $a['b'] = 1; new class {};") == []
    assert names("function plain_text() {}") == []


@pytest.mark.parametrize(
    ("name", "signature", "docstring"),
    [
        ("SECRET", "define('SECRET'", ""),
        ("config", "$config", ""),
        ("total", "function total(array $lines, float &$tax): float", "Sums a cart."),
        ("Cart", "abstract class Cart extends Base implements Countable", "A cart."),
        ("Cart.lines", "protected readonly array $lines", "The lines."),
        ("Cart.a", "$a", ""),
        ("Cart.key", "public static ?string $key", ""),
        ("Cart.show", "public function show(#[MapEntity] Cart $cart): Response", ""),
        ("Cart.todo", "abstract protected function &todo(): static", ""),
        ("Suit", "enum Suit: string", ""),
        ("Suit.Hearts", "case Hearts", ""),
        ("Suit.Wild", "const Wild", ""),
    ],
)
def test_extract__signatures_and_docstrings(name, signature, docstring):
    symbol = named(MODULE, name)
    assert (symbol.signature, symbol.docstring) == (signature, docstring)


@pytest.mark.parametrize(
    ("name", "start", "end", "signature"),
    [
        ("GET /users", 3, 5, "Route::get('/users', function ($request)"),
        ("POST /login", 6, 6, "Route::post('login', [LoginController::class, 'store'])"),
        ("DELETE /users/{id}", 8, 8, "Route::delete('/users/{id}', 'UserController@destroy')"),
        ("PUT /a", 9, 9, "Route::prefix('x')->put('/a', Update::class)"),
        ("MATCH /both", 11, 11, "Route::match(['get', 'post'], '/both', Both::class)"),
        ("RESOURCE /photos", 12, 12, "Route::resource('photos', PhotoController::class)"),
        ("GET /slim/{name}", 13, 15, "$app->get('/slim/{name}', function ($request, $response)"),
        ("MAP /map", 16, 16, "$this->router->map(['GET'], '/map', Map::class)"),
    ],
)
def test_extract__routes(name, start, end, signature):
    symbol = named(ROUTES, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line, symbol.signature) == ("route", start, end, signature)
    assert name in scanned(ROUTES)


def test_extract__calls_that_are_no_routes():
    assert len(names(ROUTES)) == 8
    assert not {"GET /remote", "GET /request", "GET /settings"} & scanned(ROUTES)
    assert named(ROUTES, "GET /users").docstring == "Shows users."


BROKEN = r"""<?php
class Cart
{
    public function first($x
    {
        return [1, (2;
    }

    #[Route('/b')]
    public function second(): int
    {
        if ($x) {
            return 1;
    }

    private static function third() {}
}

interface Priced extends Other
{
    public function price();
}

function last($a)
{
    return "a{$b";
}

final class Order {
    function total() {
        return 1;
    }
}
"""


def test_extract__broken_code_keeps_what_follows():
    found = {s.qualified_name: (s.kind, s.start_line, s.end_line) for s in symbols_of("m.php", "php", BROKEN)}
    assert found == {
        "Cart": ("class", 2, 17),
        "Cart.first": ("method", 4, 7),
        "Cart.second": ("method", 9, 14),
        "Cart.third": ("method", 16, 16),
        "Priced": ("interface", 19, 22),
        "Priced.price": ("method", 21, 21),
        "last": ("function", 24, 27),
        "Order": ("class", 29, 33),
        "Order.total": ("method", 30, 32),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<?php\r\nclass Caf\u00e9\r\n{\r\n  function \u00fcber() {}\r\n}", ["Caf\u00e9", "Caf\u00e9.\u00fcber"]),
        ("\ufeff<?php class A { function b() {} }", ["A", "A.b"]),
        ("<?php namespace A { class B {} }\nnamespace { function c() {} }", ["A", "B", "c"]),
        ("<?php FUNCTION up() {}\nCLASS Up {}", ["up", "Up"]),
        ("<?php function & ref() {}", ["ref"]),
        ("<?php abstract class A { abstract function b(); ", ["A", "A.b"]),
        ("", []),
        ("<?php } ) ] function", []),
    ],
)
def test_extract__odd_code(text, expected):
    assert names(text) == expected
    assert scanned(text) >= {name.rpartition(".")[2] for name in expected}


def test_extract__deep_nesting_and_long_lines():
    assert names("<?php " + "{" * 5000 + "}" * 5000) == []
    assert len(names("<?php " + "function a(){} " * 3000)) == 3000
    # Every link of a chain is asked whether it is a route.
    assert len(names("<?php Route::a()" + "->get('/x', 1)" * 2000 + ";")) < 2000


def test_scan__finds_every_definition():
    assert {symbol.name for symbol in symbols_of("m.php", "php", MODULE)} <= scanned(MODULE)
    assert scanned("// class Foo {}\n * function x()\n# const A = 1;\n$a->class = 1;\n$function = 1") <= {"function"}


@pytest.mark.parametrize("name", ["Cart.show", "Cart.todo", "Cart.old", "total", "Suit"])
def test_standalone__parses_by_itself(name):
    symbol = named(MODULE, name)
    text = "\n".join(MODULE.split("\n")[symbol.start_line - 1 : symbol.end_line])
    assert not parse("php", standalone(symbol.kind, text)).root_node.has_error


def test_language__file_names():
    assert {language_of(name) for name in ("a.php", "view.phtml", "lib/db.inc")} == {"php"}


@pytest.mark.parametrize("query", ["Cart::show", "Shop\\Cart::show", "App\\Shop\\Cart.show", "$this->show"])
def test_index__finds_a_method_as_php_writes_it(query):
    index = SymbolIndex(lambda: ["app/Shop/Cart.php"], {"app/Shop/Cart.php": MODULE.encode()}.get)
    assert [symbol.qualified_name for symbol in index.definitions(query).rows] == ["Cart.show"]


def test_index__finds_a_route():
    index = SymbolIndex(lambda: ["routes/web.php"], {"routes/web.php": ROUTES.encode()}.get)
    assert [symbol.start_line for symbol in index.definitions("POST /login").rows] == [6]
