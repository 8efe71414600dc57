"""The lines of a workflow with their keys."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.rules.workflows.lines import key_lines, trigger

TEXT = """\
on:
  push:
    branches: [main]  # only there
"quoted key": 'v'
jobs:
  one:
    steps:
      - name: first
        run: |
          # stays
          echo: no key

          done
        shell: bash
      - uses: a/b
"""


def test_key_lines__keys_around_each_line():
    assert [(line.number, line.keys, line.value) for line in key_lines(TEXT)] == [
        (1, ("on",), ""),
        (2, ("on", "push"), ""),
        (3, ("on", "push", "branches"), "[main]"),
        (4, ("quoted key",), "'v'"),
        (5, ("jobs",), ""),
        (6, ("jobs", "one"), ""),
        (7, ("jobs", "one", "steps"), ""),
        (8, ("jobs", "one", "steps", "name"), "first"),
        (9, ("jobs", "one", "steps", "run"), "|"),
        (10, ("jobs", "one", "steps", "run"), "          # stays"),
        (11, ("jobs", "one", "steps", "run"), "          echo: no key"),
        (13, ("jobs", "one", "steps", "run"), "          done"),
        (14, ("jobs", "one", "steps", "shell"), "bash"),
        (15, ("jobs", "one", "steps", "uses"), "a/b"),
    ]


def test_key_lines__items_begin_with_a_dash():
    assert [line.number for line in key_lines(TEXT) if line.begins_item] == [8, 15]


def test_trigger__first_line_that_names_it():
    lines = list(key_lines(TEXT))

    assert trigger(lines, re.compile("push")) == 2
    assert trigger(lines, re.compile("main")) == 0
    assert trigger(list(key_lines("true: [push, fork]")), re.compile("fork")) == 1


@given(st.text(alphabet="ab:-|># '\"\n\t{", max_size=200))
def test_key_lines__any_text_gives_each_line_at_most_once_and_in_order(text):
    numbers = [line.number for line in key_lines(text)]

    assert numbers == sorted(set(numbers))
    assert all(1 <= number <= text.count("\n") + 1 for number in numbers)
