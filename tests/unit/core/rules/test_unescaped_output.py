from __future__ import annotations

from tables import for_each

from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.unescaped_output import Unescaped, unescaped

LINES = [
    ("{{ a }}", "{{ a|safe }}", [Unescaped(9, raw=True)]),
    ("{{ a|e }}", "{{ a|safe }}", [Unescaped(9, raw=True)]),
    ("{{ a|e }}", "{{ a }}", [Unescaped(3, raw=False)]),
    ('<c:out value="${a}"/>', "${a}", [Unescaped(3, raw=False, automatic=False)]),
    ("<%= h @a %>", "<%= @a %>", [Unescaped(3, raw=False)]),
    ("{{ a|safe }}", "{{ a }}", []),
    ("{{ a }}", "{{ b|safe }}", []),
    ("icon = '<svg/>'", "icon = '<svg/>'.html_safe", []),
    ("{{ 'hello'|trans }}", "{{ 'hello'|trans|raw }}", []),
    ("box.textContent = a;", "box.innerHTML = a;", [Unescaped(9, raw=True)]),
    ("box.textContent = '<';", "box.innerHTML = '<';", []),
    ("box.textContent = gettext('a');", "box.innerHTML = gettext('a');", []),
]


@for_each(LINES)
def test_unescaped__lines(row: tuple[str, str, list[Unescaped]]) -> None:
    removed, added, expected = row
    assert unescaped(Run(((3, removed),), ((9, added),))) == expected
