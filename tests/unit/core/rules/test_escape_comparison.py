from __future__ import annotations

from tables import for_each

from devpulse.core.rules.escape_comparison import cleaned_in, values_of
from devpulse.core.source import Source

VALUES = [
    ("a.b", ["a", "b"]),
    ("'text'", []),
    ("f(MAX, 'x', None)", []),
    ("f(a)", ["a"]),
    ("Group::TABLE", []),
    ('"id $name"', ["id", "name"]),
    ("request.POST['notes']", ["request"]),
]


@for_each(VALUES)
def test_values_of__names_that_are_no_constants(row: tuple[str, list[str]]) -> None:
    expression, expected = row
    assert values_of(expression) == expected


def test_cleaned_in__arguments_and_names_of_added_lines_and_targets_of_others() -> None:
    source = Source("a.py", "python", "x = clean(a.b)\ny = escape( c )\nz = f(d)\n", frozenset({2, 3}))
    found = cleaned_in(source)
    assert found.arguments == {"c"}
    assert found.added == {"escape": [2]}
    assert found.names == {"c": [2]}
    assert found.set == {"x": [1]}
