from __future__ import annotations

from textwrap import dedent

import pytest

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import HOLE, Level, Place, Taint


def call(code: str, callee: str = "sink") -> CallRecord:
    calls = analyse("php", "<?php\n" + dedent(code)).calls
    found = [record for record in calls if record.callee == callee]
    assert len(found) == 1, [record.callee for record in calls]
    return found[0]


def taints(code: str, callee: str = "sink", index: int = 0) -> list[Taint]:
    value = call(code, callee).argument(index)
    assert value is not None
    return [taint for taint in value.taints if taint.origin.level > Level.UNKNOWN]


def level(code: str, callee: str = "sink", index: int = 0) -> int:
    return max((taint.origin.level for taint in taints(code, callee, index)), default=0)


@pytest.mark.parametrize(
    "expression",
    [
        "$_GET['x']",
        "$_POST[$k]",
        "$_REQUEST['a']['b']",
        "$_COOKIE['x']",
        "$_FILES['f']['name']",
        "$_SERVER['HTTP_HOST']",
        "$_SERVER['QUERY_STRING']",
        "$_SERVER['REQUEST_URI']",
        "$_SERVER['PHP_SELF']",
        "file_get_contents('php://input')",
        "getallheaders()['X']",
        "filter_input(INPUT_GET, 'x')",
        "$request->input('x')",
        "$request->name",
        "request('x')",
        "Request::input('x')",
        "$request->query->get('x')",
        "$request->request->get('x')",
        "$request->headers->get('x')",
        "$request->getContent()",
        "$request->getQueryParams()['x']",
        "$request->getParsedBody()['x']",
        "$request->getUploadedFiles()['x']",
        "$this->request->getPost('x')",
        "$this->input->post('x')",
    ],
)
def test_request_field__reads_input(expression: str):
    assert level(f"sink({expression});") == Level.REQUEST


@pytest.mark.parametrize("expression", ["$argv[1]", "getenv('X')", "$_ENV['X']", "file_get_contents('php://stdin')"])
def test_request_field__local_input(expression: str):
    assert level(f"sink({expression});") == Level.LOCAL_INPUT


@pytest.mark.parametrize(
    "expression",
    [
        "$_SERVER['SERVER_NAME']",
        "$_SERVER['DOCUMENT_ROOT']",
        "$_SESSION['x']",
        "PHP_EOL",
        "$_FILES['f']['tmp_name']",
        "Foo::BAR",
        "filter_input(INPUT_GET, 'x', FILTER_VALIDATE_INT)",
        "$request->user()->name",
        "$request->isMethod('post')",
        "$request->query->getInt('x')",
    ],
)
def test_request_field__no_input(expression: str):
    assert level(f"sink({expression});") == 0


@pytest.mark.parametrize(
    "expression",
    [
        '"a $a b"',
        '"a {$a} b"',
        '"a ${a} b"',
        "'a' . $a",
        "<<<EOT\n  x $a\n  EOT",
        "sprintf('%s', $a)",
        "sprintf('%2$s %1$d', 1, $a)",
        "vsprintf('%s', [$a])",
        "implode(',', [$a])",
        "explode(',', $a)[0]",
        "trim(strtolower($a))",
        "str_replace('x', $a, 'y')",
        "preg_replace('/x/', '', $a)",
        "urldecode(base64_decode($a))",
        "json_decode($a)->x",
        "$a ?? 'd'",
        "$a ?: 'd'",
        "$c ? $a : 'd'",
        "@$a",
        "(string) $a",
        "($a)",
        "['k' => $a]['k']",
        "[$a] + ['d']",
        "match($k) { 1 => $a, default => 'd' }",
        "array_map('trim', $a)",
        "array_merge(['x'], $a)",
        "clone $a",
    ],
)
def test_propagation__keeps(expression: str):
    assert level(f"$a = $_GET['x'];\nsink({expression});") == Level.REQUEST


@pytest.mark.parametrize(
    "expression",
    [
        "(int) $a",
        "(bool) $a",
        "intval($a)",
        "strlen($a)",
        "count($a)",
        "md5($a)",
        "-$a",
        "1 + $a",
        "sprintf('%d', $a)",
        "$a === 'x'",
        "isset($a)",
        "array_map('intval', $a)",
        "array_map(fn($x) => (int) $x, $a)",
        "['k' => $a, 'n' => 'c']['n']",
        "match($a) { 'x', 'y' => $a, default => 'd' }",
        "in_array($a, ['x', 'y'], true) ? $a : 'x'",
    ],
)
def test_propagation__drops(expression: str):
    assert level(f"$a = $_GET['x'];\nsink({expression});") == 0


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("$s = 'a'; $s .= $_GET['x']; sink($s);", True),
        ("$s = $_GET['x']; $s = 'a'; sink($s);", False),
        ("$s[] = $_GET['x']; sink($s);", True),
        ("$s['a']['b'] = $_GET['x']; sink($s);", True),
        ("$this->s = $_GET['x']; sink($this->s);", True),
        ("Foo::$s = $_GET['x']; sink(Foo::$s);", True),
        ("$s = &$_GET['x']; sink($s);", True),
        ("[$p, $s] = ['c', $_GET['x']]; sink($s);", True),
        ("[$s, $p] = ['c', $_GET['x']]; sink($s);", False),
        ("['k' => $s] = $_POST; sink($s);", True),
        ("list('a' => $s, 'b' => $t) = ['a' => 'c', 'b' => $_GET['x']]; sink($s);", False),
        ("foreach ($_POST as $k => $s) { sink($s); }", True),
        ("foreach ($_POST as $s => $v) { sink($s); }", True),
        ("foreach ($_POST as [$p, $s]): sink($s); endforeach;", True),
        ("while ($s = array_pop($_POST)) { sink($s); }", True),
        ("array_map(function ($s) { sink($s); }, $_GET['x']);", True),
        ("$t = $_GET['x']; $f = function () use ($t) { sink($t); };", True),
        ("$t = $_GET['x']; $f = fn() => sink($t);", True),
        ("preg_match('/(.*)/', $_GET['x'], $m); sink($m[1]);", True),
        ("static $s = 'a'; sink($s);", False),
        ("if ($c) { $s = $_GET['x']; } else { $s = 'a'; } sink($s);", True),
        ("if ($c): $s = 'b'; elseif ($d): $s = 'c'; else: $s = 'a'; endif; sink($s);", False),
        ("$s = $_GET['x']; switch ($c) { case 1: $s = 'b'; break; default: return; } sink($s);", False),
        ("$s = 'a'; try { $s = f(); } catch (E $e) { $s = $_GET['x']; } sink($s);", True),
        ("$s = $_GET['x']; try { $s = (int) $s; } catch (E $e) { exit; } sink($s);", False),
        ("function pass($p) { return trim($p); } sink(pass($_GET['x']));", True),
        ("function number($p) { return (int) $p; } sink(number($_GET['x']));", False),
    ],
)
def test_statements(code: str, expected: bool):
    assert (level(code) == Level.REQUEST) is expected


@pytest.mark.parametrize(
    "check",
    [
        "if (!in_array($a, ['x', 'y'], true)) { die('no'); }",
        "if (!isset($allowed[$a])) return;",
        "if (!array_key_exists($a, $allowed)) { throw new E(); }",
        "if (!ctype_digit($a)) exit;",
        "if (!is_numeric($a)) { header('x'); exit(1); }",
        "if (!preg_match('/^[a-z_]+$/', $a)) { return; }",
        "if ($a !== 'x') { return; }",
        "in_array($a, ALLOWED) or die('no');",
        "foreach ($xs as $y) { if (!in_array($a, ['x'])) continue; sink($a); } return;",
    ],
)
def test_checks__settle(check: str):
    found = f"$a = $_GET['x'];\n{check}" + ("" if "sink" in check else "\nsink($a);")
    assert level(found) == 0


@pytest.mark.parametrize(
    "check",
    [
        "if (in_array($a, ['x'])) { log($a); }",
        "if (!in_array($a, $_POST['list'])) { return; }",
        "if (!preg_match('/[a-z]+/', $a)) { return; }",
        "if (!preg_match('/^[a-z]+$/m', $a)) { return; }",
        "if (!isset($a)) { return; }",
        "if (!is_string($a)) { return; }",
        "if ($a == 'x') { return; }",
    ],
)
def test_checks__that_prove_nothing(check: str):
    assert level(f"$a = $_GET['x'];\n{check}\nsink($a);") == Level.REQUEST


def test_checks__hold_for_an_item_by_its_key():
    assert level("if (!in_array($_GET['x'], ['a'])) die; sink($_GET['x']);") == 0
    assert level("if (in_array($_GET['x'], ['a'])) { f(); } sink($_GET['x']);") == Level.REQUEST


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        ("case 'x': case 'y': sink($_GET['x']);", 0),
        ("case 'f': f(); break; case 'z': sink($_GET['x']);", 0),
        ("case $b: sink($_GET['x']);", Level.REQUEST),
        ("default: sink($_GET['x']);", Level.REQUEST),
        ("case 'x': f(); } if ($c) { sink($_GET['x']);", Level.REQUEST),
    ],
)
def test_switch__a_case_of_constants_is_one_of_them(cases: str, expected: int):
    assert level(f"switch ($_GET['x']) {{ {cases} }}") == expected


def test_switch__a_case_that_runs_on_tells_nothing_of_the_next():
    code = "switch ($_GET['x']) { default: f(); case 'x': sink($_GET['x']); }"
    assert level(code) == Level.REQUEST


@pytest.mark.parametrize(
    "check",
    [
        "if (strpos($p, '..') !== false) { die; }",
        "$p = realpath('/base/' . $p); if (strpos($p, '/base/') !== 0) { die; }",
        "$p = realpath($p); if (!str_starts_with($p, $base)) { throw new E(); }",
        "$p = basename($p);",
    ],
)
def test_paths__contained(check: str):
    (taint,) = [t for t in taints(f"$p = $_GET['x'];\n{check}\nsink($p);") if t.origin.level == Level.REQUEST]
    assert Purpose.PATH in taint.cleaned


@pytest.mark.parametrize(
    ("function", "purpose"),
    [
        ("escapeshellarg", Purpose.SHELL),
        ("htmlspecialchars", Purpose.HTML),
        ("mysqli_real_escape_string", Purpose.DOUBLED),
        ("addslashes", Purpose.DOUBLED),
        ("basename", Purpose.PATH),
    ],
)
def test_cleaners(function: str, purpose: Purpose):
    (taint,) = taints(f"sink({function}($_GET['x']));")
    assert purpose in taint.cleaned


@pytest.mark.parametrize(
    ("code", "callee", "index"),
    [
        ("echo 'a', $_GET['x'];", "echo", 1),
        ("print $_GET['x'];", "print", 0),
        ("print('a' . $_GET['x']);", "print", 0),
        ("include $_GET['x'] . '.php';", "include", 0),
        ("include_once($_GET['x']);", "include_once", 0),
        ("require 'a/' . $_GET['x'];", "require", 0),
        ("require_once $_GET['x'];", "require_once", 0),
        ("eval('a' . $_GET['x']);", "eval", 0),
        ("exit($_GET['x']);", "exit", 0),
        ("die('a' . $_GET['x']);", "exit", 0),
        ("`ls {$_GET['x']}`;", "shell_exec", 0),
        ("$this->db->query($_GET['x']);", "this.db.query", 0),
        ("$wpdb?->query($_GET['x']);", "wpdb.query", 0),
        ("$this->db()->query($_GET['x']);", ".query", 0),
        ("DB::raw($_GET['x']);", "DB.raw", 0),
        ("\\A\\B\\DB::raw($_GET['x']);", "DB.raw", 0),
        ("\\system($_GET['x']);", "system", 0),
        ("new Foo(1, $_GET['x']);", "Foo", 1),
        ("new \\A\\Foo($_GET['x']);", "Foo", 0),
        ("$f($_GET['x']);", "$f", 0),
        ("f(...[1], a: $_GET['x']);", "f", 1),
    ],
)
def test_call__callees_and_positions(code: str, callee: str, index: int):
    record = call(code, callee)
    value = record.arguments[index].value
    assert any(taint.origin.level == Level.REQUEST for taint in value.taints)


def test_call__by_a_name_from_the_request():
    receiver = call("$f = $_GET['f']; $f(1);", "$f").receiver
    assert receiver is not None
    assert receiver.taints[0].origin.level == Level.REQUEST


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("\"SELECT * FROM t WHERE a = '$a'\"", Place.QUOTED),
        ('"SELECT * FROM t WHERE a = $a"', Place.DATA),
        ("'SELECT * FROM ' . $a", Place.IDENTIFIER),
        ("sprintf('SELECT * FROM t WHERE a = \\'%s\\'', $a)", Place.QUOTED),
        ("<<<SQL\n  SELECT * FROM t WHERE a = {$a}\n  SQL", Place.DATA),
    ],
)
def test_template__places(code: str, place: Place):
    (taint,) = taints(f"$a = $_GET['x'];\nsink({code});")
    assert taint.place is place


def test_template__skeleton():
    value = call("sink(\"a\\n{$_GET['x']} \\$b $c[d]\");").argument(0)
    assert value is not None
    assert value.skeleton == f"a\n{HOLE} $b {HOLE}"


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("$a", Level.PARAMETER),
        ("string $a", Level.PARAMETER),
        ("?string $a = null", Level.PARAMETER),
        ("array &$a", Level.PARAMETER),
        ("int|string $a", Level.PARAMETER),
        ("...$a", Level.PARAMETER),
        ("int $a", 0),
        ("?float $a", 0),
        ("bool $a", 0),
        ("$a = 1", 0),
        ("PDO $a", 0),
        ("Request $request, $a", Level.REQUEST),
        ("ServerRequestInterface $request, Response $response, array $a", Level.REQUEST),
    ],
)
def test_parameters_of__levels(parameters: str, expected: int):
    assert level(f"function f({parameters}) {{ sink($a); }}") == expected


def test_parameters_of__a_route():
    code = "class C { #[Route('/x/{a}')] public function f(string $a) { sink($a); } }"
    assert level(code) == Level.REQUEST


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("<h1><?= $_GET['x'] ?></h1>\n<p>\n<?= $_GET['y'] ?>", [1, 3]),
        ("<?php if ($a): ?>\n<?= $_GET['x'] ?>\n<?php endif; echo $_GET['x'] ?>", [2, 3]),
        ("<?php foreach ($_GET as $x): ?><li><?= $x; ?></li><?php endforeach ?>", [1]),
    ],
)
def test_echo_tags(text: str, lines: list[int]):
    echoes = [record for record in analyse("php", text).calls if record.callee == "echo"]
    assert [record.start_line for record in echoes] == lines
    assert all(record.arguments[0].value.taints[0].origin.level == Level.REQUEST for record in echoes)


@pytest.mark.parametrize(
    "text",
    [
        "public function f($a) {\n  sink($a);\n}",
        "function f($a) { sink($a);",
        "<?php class C { private function f($a) { sink($a); } ",
        "<?php function f($a) { if ($b { } sink($a); }",
        "private function f($a)\n{\n  $b = $a\n  ;sink($b);\n}\nprivate $x;",
    ],
)
def test_fragments(text: str):
    (record,) = [record for record in analyse("php", text).calls if record.callee == "sink"]
    assert record.arguments[0].value.taints[0].origin.level == Level.PARAMETER


def test_fragments__plain_html_is_no_code():
    assert analyse("php", "<p>It costs 5 dollars, isn't it (really)?</p>").calls == []
