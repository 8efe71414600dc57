"""The order files are begun in."""

from __future__ import annotations

import pytest
from builders import make_change, make_task
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.riskiness import Kind, is_sensitive, kind_of, riskiest_first


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("app/db.py", Kind.SOURCE),
        ("src/UserController.java", Kind.SOURCE),
        ("app/latest.py", Kind.SOURCE),
        ("Dockerfile", Kind.OTHER),
        ("deploy/shop.yaml", Kind.OTHER),
        ("schema.sql", Kind.OTHER),
        (".env", Kind.OTHER),
        ("tests/test_db.py", Kind.TEST),
        ("src/UserControllerTest.java", Kind.TEST),
        ("app/db.spec.ts", Kind.TEST),
        ("conftest.py", Kind.TEST),
        ("README.md", Kind.DATA),
        ("tests/data/users.csv", Kind.DATA),
        ("docs/conf.py", Kind.DATA),
        ("node_modules/x/index.js", Kind.DATA),
        ("static/app.min.js", Kind.DATA),
        ("package-lock.json", Kind.DATA),
    ],
)
def test_kind_of__by_the_path_alone(path, kind):
    assert kind_of(path) is kind


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("app/auth.py", True),
        ("app/AdminView.py", True),
        ("payments/charge.py", True),
        ("src/sqlHelper.ts", True),
        ("src/SQLBuilder.java", True),
        ("upload_file.php", True),
        ("app/author.py", False),
        ("app/colors.py", False),
        ("app/cryptography_notes/paint.py", False),
    ],
)
def test_is_sensitive__whole_words_in_any_spelling(path, expected):
    assert is_sensitive(path) is expected


def order(*changes):
    return [task.change.path for task in riskiest_first(make_task(change) for change in changes)]


def test_riskiest_first__kind_then_names_then_size():
    changes = [
        make_change("README.md", "+a\n" * 90),
        make_change("tests/test_login.py", "+a\n" * 80),
        make_change("deploy/secrets.yaml"),
        make_change("app/colors.py", "+a\n"),
        make_change("app/shapes.py", "-a\n+b\n"),
        make_change("app/login.py", " a\n" * 50 + "+a\n"),
    ]
    assert order(*changes) == [
        "app/login.py", "app/shapes.py", "app/colors.py", "deploy/secrets.yaml", "tests/test_login.py", "README.md",
    ]  # fmt: skip


def test_riskiest_first__parts_of_a_file_keep_their_order():
    change = make_change("app/login.py")
    parts = [make_task(change, id=str(number), part=number, parts=9) for number in range(1, 10)]
    assert riskiest_first(parts) == tuple(parts)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(["a.py", "auth.py", "b.md", "t/test_x.py", "c.yml", "d.py"]), unique=True))
def test_riskiest_first__loses_and_invents_nothing(paths):
    assert sorted(order(*map(make_change, paths))) == sorted(paths)
