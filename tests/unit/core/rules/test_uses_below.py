"""What the lines below a place do with a value."""

from __future__ import annotations

from tables import for_each

from devpulse.core.rules.uses_below import REACH, is_used_below, use_below

USES = [
    ("$s = 'x WHERE a = '.$id;", "sql-injection"),
    ("cursor.execute(id)", "sql-injection"),
    ("exec($id);", "command-injection"),
    ("open(id)", "path-traversal"),
    ("header('Location: ' . $id);", "open-redirect"),
    ("requests.get(id)", "ssrf"),
    ("box.innerHTML = id;", "cross-site-scripting"),
    ("count(id)", None),
    ("open(identity)", None),
    ("open(other-id)", None),
    ("echo htmlspecialchars($id);", None),
]


@for_each(USES)
def test_use_below(row: tuple[str, str | None]) -> None:
    line, category = row
    assert use_below(["id = 1", line], 1, {"id"}, "php") == category
    assert use_below(["id = 1", line], 2, {"id"}, "php") is None
    assert use_below([line], 0, set(), "php") is None


def test_use_below__follows_the_value() -> None:
    assert use_below(["$all = explode(',', $id);", "query($all);"], 0, {"id"}, "php") == "sql-injection"
    assert use_below(["$all = escape($id);", "query($all);"], 0, {"id"}, "php") is None
    assert use_below(["$all = $other;", "query($all);"], 0, {"id"}, "php") is None


def test_is_used_below__within_reach() -> None:
    far = ["x"] * (REACH - 1) + ["f(id)"]
    assert is_used_below(far, 0, {"id"})
    assert not is_used_below(["x", *far], 0, {"id"})
    assert not is_used_below(far, 0, {"other"})
    assert not is_used_below(far, 0, set())
