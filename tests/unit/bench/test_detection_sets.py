"""How the detection bench reads what sets say of their files; the bench itself runs on data that is not here."""

from __future__ import annotations

import json

from detection_cases import Flag
from detection_pairs import pairs_of, read_pairs, score
from detection_rivals import category_of
from detection_secrets import annotated, payloads, samples
from detection_sets import insecure_functions, read_owasp


def test_insecure_functions__those_alone_with_what_they_stand_beside():
    task = "import os\n\ndef show(name):\n    return open(os.path.basename(name))\n"
    tests = (
        "import pytest\nimport html\nfrom cwe_022_0_task import show\nROOT = '/srv'\nOTHER = 1\n\n"
        "def show_unsafe_0(name):\n    return open(ROOT + name)\n\n"
        "def test_show_unsafe(tmp_path):\n    assert show_unsafe_0('a')\n"
    )
    answer = insecure_functions(task, tests)
    assert (
        answer == "import os\nimport html\nROOT = '/srv'\n\n\ndef show_unsafe_0(name):\n    return open(ROOT + name)\n"
    )
    assert insecure_functions(task, "import html\n") == ""


def test_read_owasp__a_row_for_each_file_but_those_of_no_category(tmp_path):
    table = (
        "# test name, category, real vulnerability, cwe\nT1,sqli,true,89\nT2,hash,false,328\nT3,trustbound,true,501\n"
    )
    (tmp_path / "expectedresults-0.1.csv").write_text(table)
    (tmp_path / "testcode").mkdir()
    for name in ("T1", "T2", "T3"):
        (tmp_path / "testcode" / f"{name}.py").write_text(f"# {name}\n")
    found = [(case.path, case.category, case.vulnerable, case.cwe) for case in read_owasp(tmp_path).cases]
    assert found == [
        ("testcode/T1.py", "sql-injection", True, 89),
        ("testcode/T2.py", "weak-cryptography", False, 328),
    ]


def test_read_pairs__two_sides_of_one_pair_under_names_that_say_nothing(tmp_path):
    row = {"pair": "p1", "category": "ssrf", "language": "go", "vulnerable": "a\n", "fixed": "b\n"}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(row) + "\n")
    (pair,) = pairs_of(read_pairs(tmp_path / "pairs.jsonl").cases)
    assert (pair.vulnerable.path, pair.fixed.path) == ("p0001v/module.go", "p0001f/module.go")
    assert (pair.vulnerable.text, pair.fixed.text, pair.category) == ("a\n", "b\n", "ssrf")
    flag, other = Flag("ssrf", 1, 1, "r"), Flag("csrf", 1, 1, "r")
    right = score([pair], {pair.vulnerable.path: [flag], pair.fixed.path: [other]})
    assert (right.right, right.alarms, right.right_any, right.alarms_any) == (1, 0, 0, 1)


def test_annotated__the_line_after_the_comment_which_is_blanked():
    one = annotated("a.txt", "# ruleid: key\nkey = 1\n// ok: key\nkey = 2\nkey = 3")
    assert one.text == "\nkey = 1\n\nkey = 2\nkey = 3"
    assert (one.truth.lines, one.truth.safe) == (frozenset({2}), frozenset({4}))
    spans = [range(2, 3), range(4, 5), range(5, 6)]
    assert (one.truth.found(spans), one.truth.right(spans), one.truth.wrong(spans)) == (1, 1, 1)


def test_payloads__literals_of_one_line():
    text = "x.parametrize('payload, should_flag', [('a', True), ('b\\nc', True), (d, True), ('e', False)])"
    assert [(one.text, bool(one.truth.lines)) for one in payloads("name", text)] == [("a\n", True), ("e\n", False)]


def test_samples__literals_of_both_lists_of_the_rules_that_are_about_secrets():
    text = (
        'r := Rule{RuleID: "x-token"}\ntps := []string{\n\t"one \\"1\\"", // why\n\tmake("two"),\n\t`three`,\n}\n'
        'fps := []string{"four", "a" + b}\nr2 := Rule{RuleID: "x-client-id"}\ntps := []string{"five"}\n'
    )
    found = [(one.path, one.text, bool(one.truth.lines)) for one in samples(text)]
    assert found == [
        ("x-token.txt", 'one "1"\n', True),
        ("x-token.txt", "three\n", True),
        ("x-token.txt", "four\n", False),
    ]


def test_category_of__the_first_number_that_stands_for_one_of_ours():
    assert category_of(["CWE-20: Input", "CWE-089: SQL", "CWE-78: OS"]) == "sql-injection"
    assert category_of(["CWE-20: Input"]) == ""
