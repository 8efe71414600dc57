"""Clients of PHP, each in a statement of its own."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.ssrf import RULE

REPORTED = (
    "new SoapClient($_GET['x']);",
    "file_get_html($_GET['x']);",
    "fetch_feed($_GET['x']);",
    "(new DOMDocument())->loadHTMLFile($_GET['x']);",
    "$page->loadHTMLFile('https://' . $_GET['x']);",
    "get_meta_tags($_GET['x']);",
    "Requests::get($_GET['x']);",
    "Requests::post($_GET['x'], [], $data);",
    "Requests::request($_GET['x']);",
    "Http::withToken($token)->get($_GET['x']);",
)
QUIET = (
    "new SoapClient('https://example.org/shop?wsdl', ['login' => $_GET['x']]);",
    "file_get_html('https://example.org/news/' . $_GET['x']);",
    "fetch_feed('https://example.org/feed?of=' . $_GET['x']);",
    "$page->loadHTML($_GET['x']);",
    "get_meta_tags('https://example.org/' . $_GET['x']);",
    "Requests::get('https://example.org/', ['X-Asked' => $_GET['x']]);",
    "Cache::store('x')->get($_GET['x']);",
    "(new DOMDocument())->loadHTMLFile('https://example.org/?of=' . $_GET['x']);",
    "Requests::post('https://example.org/', [], $_GET['x']);",
    "Requests::request('https://example.org/' . $_GET['x']);",
    "Http::withToken($_GET['x'])->get('https://example.org/');",
    "Http::withToken($token)->get('https://example.org/' . $_GET['x']);",
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement."""
    return posted_lines(RULE, f"<?php\n{statement}\n", path="src/page.php")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [2]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
