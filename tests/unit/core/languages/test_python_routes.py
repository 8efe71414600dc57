from __future__ import annotations

import pytest

from devpulse.core.languages.python_routes import RouteDecorator, route_decorator

ROUTES = [
    ("@app.route('/a')", "route", "/a"),
    ("@bp.route(rule='/a', methods=['POST'])", "route", "/a"),
    ("@app.websocket('/ws')", "websocket", "/ws"),
    ("@self.router.get(path='/a/{id}')", "get", "/a/{id}"),
    ("@router.delete('')", "delete", ""),
    ("@router.post(f'{PREFIX}/a')", "post", "{PREFIX}/a"),
    ("@get('/a')", "get", "/a"),
    ("@api_view(['GET'])", "api_view", ""),
    ("@decorators.action(detail=True)", "action", ""),
    ("@require_POST", "require_POST", ""),
    ("@view_config(route_name='a')", "view_config", ""),
]


@pytest.mark.parametrize(("text", "word", "path"), ROUTES)
def test_route_decorator__routes(text, word, path):
    assert route_decorator(text) == RouteDecorator(word, path)


@pytest.mark.parametrize(
    "text",
    [
        "@mock.patch('a.b')",
        "@patch('os.read')",
        "@cache.get('key')",
        "@login_required",
        "@property",
        "@app.cli.command('/a')",
    ],
)
def test_route_decorator__others(text):
    assert route_decorator(text) is None
