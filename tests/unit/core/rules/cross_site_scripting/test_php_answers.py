"""Answers that PHP's frameworks make of a text, each in a statement of its own."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.cross_site_scripting import RULE

REPORTED = (
    "return new HtmlResponse('<b>' . $_GET['x'] . '</b>');",
    "$response->setContent('<b>' . $_GET['x'] . '</b>');",
    "$this->response->setBody('<b>' . $_GET['x'] . '</b>');",
    "$this->output->set_output('<b>' . $_GET['x'] . '</b>');",
    "$this->output->append_output('<b>' . $_GET['x'] . '</b>');",
    "return Response::make('<b>' . $_GET['x'] . '</b>');",
    "return new Response('<b>' . $_GET['x'] . '</b>');",
    "return response('<b>' . $_GET['x'] . '</b>');",
    "$response->getBody()->write('<b>' . $_GET['x'] . '</b>');",
    "$ns->tablerender('Search', '<b>' . $_GET['x'] . '</b>');",
    "$page->addMessage('<b>' . $_GET['x'] . '</b>');",
    "return '<b>' . $_GET['x'] . '</b>';",
    "return \"<input value='{$_POST['x']}'>\";",
    "print_r($_GET['x']);",
    "print_r($_GET['x'], false);",
)
QUIET = (
    "return new HtmlResponse('<b>' . htmlspecialchars($_GET['x']) . '</b>');",
    "$response->setContent('<b>' . e($_GET['x']) . '</b>');",
    "$response->setContent(json_encode(['x' => $_GET['x']]));",
    "$this->response->setBody('Hello ' . $_GET['x']);",
    "$response->getBody()->write('Hello ' . $_GET['x']);",
    "$file->write('<b>' . $_GET['x'] . '</b>');",
    "$ns->tablerender('Search', '<b>' . htmlspecialchars($_GET['x']) . '</b>');",
    "$form->addError('unknown: ' . $_GET['x']);",
    "$page->addMessage('<b>known</b>');",
    "return 'unknown: ' . $_GET['x'];",
    "return '<b>' . (int) $_GET['x'] . '</b>';",
    "return '<b>' . label_of($_GET['x']) . '</b>';",
    "error_log(print_r($_POST, true));",
    "$log[] = 'sent: ' . print_r($_POST['x'], 1);",
    "$mail->setSubject('<b>' . $_GET['x'] . '</b>');",
    "return Response::make('<b>known</b>', 200, ['X-Asked' => $_GET['x']]);",
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement."""
    return posted_lines(RULE, f"<?php\nfunction show($response) {{\n    {statement}\n}}\n", path="src/page.php")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [3]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
