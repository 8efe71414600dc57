from __future__ import annotations

import pytest

from devpulse.core.rules.javascript.answers import is_plausible


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("part", "table.append('<tr>' + cells);"),
        ("part", "table.append(`\n  <tr>`);"),
        ("status", "(req, res) => res.status(404).send(x)"),
        ("body", "ctx.body = page;"),
        ("declared", "new Response(x, { headers: { 'content-type': 'text/html' } })"),
        ("reply", "reply.send(x)"),
        ("dom", "box.innerHTML = x"),
    ],
)
def test_is_plausible__what_can_be_a_page(kind: str, text: str) -> None:
    assert is_plausible(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("part", "form.append('name', x); if (a <b) f();"),
        ("status", "mailer.to(x).send(y)"),
        ("declared", "new Response(x, { status: 404 })"),
    ],
)
def test_is_plausible__what_cannot(kind: str, text: str) -> None:
    assert not is_plausible(kind, text)
