from __future__ import annotations

from rule_tables import lines_of, run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

REPORTED = (
    "writeln(\"<input type='hidden' name='shelf' value='\" + shelfName + \"'/>\");",
    'this.write("<td>" + shelfName + "</td>");',
    'sb.append("<a href=\\"?page=" + shelfUrl + "\\">back</a>");',
    'sb.append("<td class=\\"wide\\">").append(shelfName);',
    'writeln(LINK_BEGIN + "&amp;shelf=" + shelfName + "\'></a>");',
    'htmlPage.append("<p>" + String.format("%s!", shelfName) + "</p>");',
)
QUIET = (
    "writeln(\"<input type='hidden' name='shelf' value='\" + escapeHtml(shelfName) + \"'/>\");",
    'write("<td>" + urlEncode(shelfName) + "</td>");',
    'write("<td>" + HtmlUtils.htmlEscape(shelfName) + "</td>");',
    'write("<td>" + shelfCount + "</td>");',
    'write("<td>" + shelfHtml + "</td>");',
    'write("<shelf name=\\"" + shelfName + "\\"/>");',
    'writeln("<shelf" + LINK_BEGIN + "&amp;shelf=" + shelfName + "\'>");',
    'writeln(LINK_BEGIN + "&amp;shelf=" + shelfName + "\'");',
    'fileWriter.write("<td>" + shelfName + "</td>");',
    'log("<td>" + shelfName + "</td>");',
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement in a class that writes a page."""
    head = "void show(String shelfName, String shelfUrl, String shelfHtml, int shelfCount, StringBuilder sb) {"
    hits = run(RULE, f"class Page {{ {head}\n    {statement}\n}} }}\n", path="src/Page.java")
    return lines_of([hit for hit in hits if hit.confidence is not Confidence.LOW])


@for_each(REPORTED)
def test_judge__reports(row: str) -> None:
    assert told(row) == [2]


@for_each(QUIET)
def test_judge__is_quiet(row: str) -> None:
    assert told(row) == []


DECLARED = (
    'template.HTML("<b>" + shelf + "</b>")',
    'html_template.HTML(fmt.Sprintf("<pre>%s</pre>", shelf))',
    'template.Safe(`<input value="` + c.GetToken() + `">`)',
    "row.ReplaceWithHtml(`<td>` + shelf + `</td>`)",
    'c.SendString("<p>" + shelf + "</p>")',
)
"""What is sent, or declared to be HTML, around a value."""

ENCODED = (
    'template.HTML("<b>" + html.EscapeString(shelf) + "</b>")',
    'template.HTML("<b>" + escapeTitle(c.GetToken()) + "</b>")',
    'template.HTML("<b>" + strconv.Itoa(count) + "</b>")',
    "row.ReplaceWithHtml(`<td>` + html.EscapeString(shelf) + `</td>`)",
    'c.SendString("<p>" + html.EscapeString(shelf) + "</p>")',
    'c.SendString("shelf: " + shelf)',
    'c.SendString("<shelf>" + shelf + "</shelf>")',
)


def told_in_go(statement: str) -> list[int]:
    """Lines of what is told of a value in a function of Go."""
    code = f"package shop\n\nfunc show(c *shop.Page, shelf string, count int) any {{\n    return {statement}\n}}\n"
    hits = run(RULE, code, path="shop/show.go")
    return lines_of([hit for hit in hits if hit.confidence is not Confidence.LOW])


@for_each(DECLARED)
def test_stands_between_tags__reports(row: str) -> None:
    assert told_in_go(row) == [4]


@for_each(ENCODED)
def test_stands_between_tags__is_quiet(row: str) -> None:
    assert told_in_go(row) == []
