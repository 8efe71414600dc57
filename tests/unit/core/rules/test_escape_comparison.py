from __future__ import annotations

import pytest
from tables import for_each
from work import assert_time_in_step

from devpulse.core.rules.escape_comparison import cleaned_in, values_of
from devpulse.core.source import Source

VALUES = [
    ("a.b", ["a", "b"]),
    ("'text'", []),
    ("f(MAX, 'x', None)", []),
    ("f(a)", ["a"]),
    ("aa1b (2a)", []),
    ("Group::TABLE", []),
    ('"id $name"', ["id", "name"]),
    ("request.POST['notes']", ["request"]),
]


@for_each(VALUES)
def test_values_of__names_that_are_no_constants(row: tuple[str, list[str]]) -> None:
    expression, expected = row
    assert values_of(expression) == expected


@pytest.mark.slow
def test_values_of__a_long_name_of_a_call_takes_time_in_step() -> None:
    assert_time_in_step(values_of, lambda size: "a" * size + "(b)", 400)


def test_cleaned_in__arguments_and_names_of_added_lines_and_targets_of_others() -> None:
    source = Source("a.py", "python", "x = clean(a.b)\ny = escape( c )\nz = f(d)\n", frozenset({2, 3}))
    found = cleaned_in(source)
    assert found.arguments == {"c"}
    assert found.added == {"escape": [2]}
    assert found.names == {"c": [2]}
    assert found.set == {"x": [1]}
