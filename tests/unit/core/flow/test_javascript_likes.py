from __future__ import annotations

from tables import for_each

from devpulse.core.flow.javascript_likes import like_of, page_read
from devpulse.core.flow.operations import Argument
from devpulse.core.flow.syntax_nodes import walk
from devpulse.core.syntax import parse


def like(callee: str, arguments: str) -> str:
    """What a call with these arguments is like."""
    listed = next(node for node in walk(parse("javascript", f"f({arguments})")) if node.type == "arguments")
    return like_of(callee, tuple(map(Argument, listed.named_children)))


@for_each(
    (
        ("few.indexOf", "a", "includes"),
        ("few.lastIndexOf", "a", ""),
        ("axios.get", "a", "fetch"),
        ("app.$http.post", "a, b", "fetch"),
        ("map.get", "a", ""),
        (".text", "a", "escapeHtml"),
        ("box.text", "a", "escapeHtml"),
        ("answer.text", "", ""),
        (".attr", "'title', a", "escapeHtml"),
        ("path.join", "a, b", "node_join"),
        ("path.win32.join", "a, b", "node_join"),
        ("join", "a, b", "node_join"),
        ("join", "','", ""),
        ("resolve", "a, b", "path.resolve"),
        ("resolve", "a", ""),
        ("parts.join", "'/'", ""),
        ("path.resolve", "a, b", ""),
        ("URL", "a, b", "node_url"),
        ("URL", "a", ""),
        ("util.format", "'%s', a", "format_verbs"),
        ("sprintf", "a, b", "format_verbs"),
        ("format", "'%s', a", "format_verbs"),
        ("format", "a, 'yyyy'", ""),
        ("util.format", "", ""),
        ("a.replace", "/b/, c", "concat"),
        ("a.replace", "/b/i, c", "concat"),
        ("a.replace", "'b', c", "concat"),
        ("a.replace", "/b/g, c", ""),
        ("a.replace", "/b/gi, c", ""),
        ("a.replace", "/^b/, c", ""),
        ("a.replace", "/b^/, c", "concat"),
        ("a.replace", "", ""),
        ("a.replaceAll", "'b', c", ""),
        ("a.trim", "", ""),
    )
)
def test_like_of(row: tuple[str, str, str]) -> None:
    callee, arguments, expected = row
    assert like(callee, arguments) == expected


@for_each(
    (
        ("$(link).attr('href')", "$element.attr"),
        ("$link.find('a').attr('data-title')", "$element.attr"),
        ("this.$field.val()", "$element.val"),
        ("jQuery('#a').text()", "$element.text"),
        ("$(this).data('caption')", "$element.data"),
        ("link.getAttribute('title')", "$element.getAttribute"),
        ("field.val()", "$element.val"),
        ("link.attr('title')", "$element.attr"),
        ("link.attr('data-label')", "$element.attr"),
        ("link.attr('href')", ""),
        ("link.attr('value')", ""),
        ("field.val(value)", ""),
        ("$(link).attr('href', to)", ""),
        ("$(link).attr('id')", ""),
        ("$(link).attr('data-user-id')", ""),
        ("$(link).data('index')", ""),
        ("$(link).data(key)", ""),
        ("$field.val(value)", ""),
        ("answer.text()", ""),
        ("chart.data('caption')", ""),
        ("link.getAttribute('class')", ""),
    )
)
def test_page_read(row: tuple[str, str]) -> None:
    code, expected = row
    call = next(node for node in walk(parse("javascript", code)) if node.type == "call_expression")
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    assert function is not None
    assert arguments is not None
    given = tuple(map(Argument, arguments.named_children))
    callee = "." + (function.text or b"").decode().rpartition(".")[2]
    assert page_read(callee, function.child_by_field_name("object"), given) == expected
