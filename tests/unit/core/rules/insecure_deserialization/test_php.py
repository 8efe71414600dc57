from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.insecure_deserialization import RULE

PATH = "src/cart.php"
REPORTED = {
    "a field of a row": """
        <?php function events() {
          foreach ($this->rows() as $row) {
            $found[] = unserialize($row['event']); // BAD
          }
          return $found;
        }
        """,
    "a method that reads a kind of record": """
        <?php function unserializeEvent($given) {
          return unserialize($given); // BAD
        }
        """,
    "cookie": """
        <?php
        $cart = unserialize(base64_decode($_COOKIE['cart'])); // BAD
        """,
    "all classes allowed": """
        <?php
        $prefs = unserialize($_POST['prefs'], ['allowed_classes' => true]); // BAD
        """,
    "depth alone": """
        <?php
        $prefs = unserialize($_POST['prefs'], array('max_depth' => 3)); // BAD
        """,
    "wordpress": """
        <?php
        $map = maybe_unserialize(wp_unslash($_REQUEST['map'])); // BAD
        """,
}
QUIET = {
    "a field of a row without classes": """
        <?php function events() {
          foreach ($this->rows() as $row) { $found[] = unserialize($row['event'], ['allowed_classes' => false]); }
          return $found;
        }
        """,
    "a method of a store that reads its own data": """
        <?php function unserializeData($data) { return unserialize($data); }
        """,
    "what a store has written": """
        <?php
        class ArrayStore {
            protected function unserialize($value) { return is_numeric($value) ? $value : unserialize($value); }
        }
        """,
    "no classes": """
        <?php
        $cart = unserialize($_COOKIE['cart'], ['allowed_classes' => false]);
        $map = @unserialize(trim($_POST['map']), array("allowed_classes" => false));
        """,
    "some classes": """
        <?php
        $cart = unserialize($_COOKIE['cart'], ['allowed_classes' => [Item::class]]);
        """,
    "json": """
        <?php
        $cart = json_decode($_COOKIE['cart'], true);
        """,
    "of the program": """
        <?php
        $state = unserialize(file_get_contents(__DIR__ . '/state.ser'));
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW] == []
