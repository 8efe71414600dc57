from __future__ import annotations

import pytest

from devpulse.core.imports import Imports
from devpulse.core.ranking import Nearness, family_of, is_within, remoteness

NO_IMPORTS = Imports({}, frozenset())


def test_nearness__the_order_of_the_places():
    imports = Imports({"lib/named.py": frozenset({"run"}), "lib/other.py": frozenset()}, frozenset({"pkg/"}))
    nearness = Nearness("app/views.py", "run", imports)
    ordered = [
        "app/views.py",
        "lib/named.py",
        "lib/other.py",
        "pkg/deep/a.py",
        "app/models.py",
        "app/sub/a.py",
        "zz/a.py",
        "web/a.ts",
        "app/tests/test_views.py",
        "node_modules/a/index.js",
    ]
    shuffled = sorted(ordered)
    assert shuffled != ordered
    assert sorted(shuffled, key=nearness) == ordered


def test_nearness__from_a_test_other_tests_are_not_remote():
    nearness = Nearness("tests/test_a.py", "run", NO_IMPORTS)
    assert nearness("tests/builders.py") < nearness("src/a.py")


def test_nearness__javascript_and_typescript_are_one_family():
    nearness = Nearness("web/a.ts", "run", NO_IMPORTS)
    assert nearness("other/b.js") < nearness("other/a.py")


def test_nearness__without_a_near_file_only_remote_ones_come_last():
    nearness = Nearness(None, "run", NO_IMPORTS)
    assert sorted(["tests/a.py", "z.py", "vendor/a.py"], key=nearness) == ["z.py", "tests/a.py", "vendor/a.py"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/app.py", 0),
        ("contest/a.py", 0),
        ("src/distance.py", 0),
        ("latest.ts", 0),
        ("src/building/a.py", 0),
        ("tests/a.py", 1),
        ("a/test_b.py", 1),
        ("a/b_test.py", 1),
        ("conftest.py", 1),
        ("a.spec.ts", 1),
        ("__tests__/a.js", 1),
        ("net/server_test.go", 1),
        ("lib/user_spec.rb", 1),
        ("src/parser_test.cc", 1),
        ("a/LoginTests.java", 1),
        ("a/LoginIT.kt", 1),
        ("a/LoginTest.php", 1),
        ("a/Latest.java", 0),
        ("a/Audit.kt", 0),
        ("node_modules/a.js", 2),
        ("x/vendor/a.py", 2),
        ("dist/a.js", 2),
        ("a.min.js", 2),
        ("a_pb2.py", 2),
        ("third_party/tests/a.py", 2),
    ],
)
def test_remoteness(path, expected):
    assert remoteness(path) == expected


@pytest.mark.parametrize(
    ("path", "place", "expected"),
    [
        ("a/b.py", None, True),
        ("a/b.py", "", True),
        ("a/b.py", ".", True),
        ("a/b.py", "a/b.py", True),
        ("a/b.py", "a", True),
        ("a/b.py", "./a/", True),
        ("ab/b.py", "a", False),
        ("a/b.py", "a/b", False),
        ("a/b.py", "b.py", False),
    ],
)
def test_is_within(path, place, expected):
    assert is_within(path, place) is expected


@pytest.mark.parametrize(
    ("one", "other", "same"), [("a.ts", "b.js", True), ("a.py", "b.js", False), ("a.txt", "b.md", True)]
)
def test_family_of__languages_that_call_each_other(one, other, same):
    assert (family_of(one) == family_of(other)) == same


def test_remoteness__bundles_are_generated():
    assert [remoteness(path) for path in ("js/katex.bundle.js", "a-min.js", "bundles.js")] == [2, 2, 0]
