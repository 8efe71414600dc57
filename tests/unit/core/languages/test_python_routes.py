from __future__ import annotations

import pytest

from devpulse.core.languages.python_routes import RouteDecorator, mentions_route, route_decorator

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


@pytest.mark.parametrize(
    "text",
    [
        *(f"import a\n\n\n{route[0]}\ndef f(): pass\n" for route in ROUTES),
        "def f(request): pass",
        "async def f(request, name): pass",
        "def get(self, request): pass",
        "def get(\n    self,\n    request: Request,\n): pass",
        "class A:\n    @app.route('/')\n    def f(self): pass",
    ],
)
def test_mentions_route__decorators_and_views(text):
    assert mentions_route(text)


@pytest.mark.parametrize(
    "text",
    ["", "def f(requests): pass", "def f(a, request): pass", "@property\ndef f(self): pass", "request.args['a']"],
)
def test_mentions_route__neither(text):
    assert not mentions_route(text)
