"""Forms inside prose."""

from __future__ import annotations

import pytest

from devpulse.core.json_in_prose import find_form


@pytest.mark.parametrize(
    "text",
    [
        '{"findings": []}',
        'Sure {"not": "it"}! ```json\n{"findings": []}\n``` done',
        'a { b { {"findings": []} } }',
        '{"wrapped": {"findings": []}} then {"findings": []}',
    ],
)
def test_find_form__finds_the_whole_object(text):
    assert find_form(text, ["findings"]) == {"findings": []}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        '{"findings": [',
        "{'findings': []}",
        '["findings"]',
        '{"finding": []}',
        "{" * 10_000,
        "{[" * 5_000,
    ],
)
def test_find_form__what_is_not_whole_is_nothing(text):
    assert find_form(text, ["findings"]) is None
