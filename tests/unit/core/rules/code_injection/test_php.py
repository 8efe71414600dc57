from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.code_injection import RULE

PATH = "src/go.php"
REPORTED = {
    "function by name": """
        <?php
        call_user_func($_GET['do']); // BAD
        """,
    "callback by name": """
        <?php
        usort($rows, $_GET['by']); // BAD
        $kept = array_filter($rows, $_POST['filter']); // BAD
        """,
    "eval": """
        <?php
        function compute($formula) { return eval('return ' . $formula . ';'); } // BAD
        """,
    "names of methods and classes": """
        <?php
        $step = $_GET['step'];
        $this->$step(); // BAD
        $kind = $_POST['kind'];
        $made = new $kind($_POST['with']); // BAD
        extract($_REQUEST); // BAD
        """,
    "name of a method read from a request": """
        <?php
        class Songs {
            public function run(Request $request) {
                $step = $request->input('step');
                return $this->$step(); // BAD
            }
        }
        """,
}
QUIET = {
    "what callbacks run over": """
        <?php
        $parts = array_filter(explode('/', trim($_SERVER['REQUEST_URI'], '/')));
        $names = $_POST['names']; usort($names, 'strcmp');
        """,
    "table": """
        <?php
        $all = ['list' => 'show_list', 'item' => 'show_item'];
        if (isset($all[$_GET['do']])) { call_user_func($all[$_GET['do']]); }
        """,
    "looked at alone": """
        <?php
        $method = new ReflectionMethod($controller, $request->attributes->get('_method'));
        """,
    "names that the program chose": """
        <?php
        $step = 'do' . $_GET['step'];
        $this->$step();
        $kind = $kinds[$_POST['kind']] ?? Plain::class;
        $made = new $kind($_POST['with']);
        $way = $_GET['way'];
        if (in_array($way, ['up', 'down'], true)) {
            $this->$way();
        }
        extract($row);
        extract($_POST, EXTR_SKIP);
        """,
    "names of classes": """
        <?php
        function make($kind) {
            $reader = Request::class;
            return new $reader(build($kind, SongRequest::class));
        }
        function build($kind, $sort) {
            return new $sort($kind);
        }
        """,
    "names beside a request": """
        <?php
        class Songs {
            public function linked(SongRequest $request, mixed $song, Link $link) {
                $name = $link->name;
                return $song->{$name}();
            }
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW] == []
