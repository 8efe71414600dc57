from __future__ import annotations

import pytest

from devpulse.pipeline.tool_arguments import BadCall, number_of, text_of, unknown_tool, usage


def test_text_of__trimmed():
    assert text_of({"query": " a b\n"}, "query") == "a b"


@pytest.mark.parametrize("given", [{}, {"query": ""}, {"query": " "}, {"query": 1}, {"query": None}, {"query": ["a"]}])
def test_text_of__anything_else_is_named(given):
    with pytest.raises(BadCall, match="query must be a string that is not empty"):
        text_of(given, "query")


@pytest.mark.parametrize(("given", "number"), [(3, 3), ("3", 3), (3.0, 3), (" 7 ", 7)])
def test_number_of__as_models_write_it(given, number):
    assert number_of({"start_line": given}, "start_line") == number


@pytest.mark.parametrize("given", [None, True, "two", [1], float("nan"), float("inf")])
def test_number_of__no_number(given):
    with pytest.raises(BadCall, match="start_line must be a line number"):
        number_of({"start_line": given}, "start_line")


@pytest.mark.parametrize("given", [0, -1, "-5"])
def test_number_of__counts_from_one(given):
    with pytest.raises(BadCall, match="start_line counts from 1"):
        number_of({"start_line": given}, "start_line")


def test_usage__optional_arguments_in_brackets():
    assert usage("search_codebase") == "; call it as search_codebase(query, [path])"
    assert usage("nothing") == usage("submit_review") == ""


@pytest.mark.parametrize(
    ("name", "closest"),
    [("read_line", "; closest: read_lines"), ("loadSymbolSource", "; closest: load_symbol_source"), ("x", "")],
)
def test_unknown_tool__names_the_tools_and_the_closest(name, closest):
    tools = "search_codebase, load_symbol_source, find_references, get_file_diff, read_lines"
    assert unknown_tool(name) == f"unknown tool; the tools are {tools}{closest}"
