"""What servers, schemas, windows and other processes hand to a function of Python, by level."""

from __future__ import annotations

from sink_levels import level_at_sink
from tables import for_each

from devpulse.core.flow.values import Level

SENT = (
    ('@app.post("/x")\ndef f(request: RenameRequest):\n    sink(request.title)\n', Level.REQUEST),
    ('@app.post("/x")\ndef f(request: Request):\n    sink(request.title)\n', Level.UNKNOWN),
    ("def f(request: RenameRequest):\n    sink(request.title)\n", Level.UNKNOWN),
    ("class S:\n    @Pyro4.expose\n    def f(self, q):\n        sink(q)\n", Level.REQUEST),
    ("class S:\n    @Pyro5.api.expose\n    def f(self, q):\n        sink(q)\n", Level.REQUEST),
    ("class S:\n    @other.expose_to\n    def f(self, q):\n        sink(q)\n", Level.PARAMETER),
    (
        "@strawberry.type\nclass Q:\n    @strawberry.field\n    def f(self, q: str) -> str:\n        sink(q)\n",
        Level.REQUEST,
    ),
    ("class M:\n    @strawberry.mutation\n    def f(self, q: str) -> str:\n        sink(q)\n", Level.REQUEST),
    ('@query.field("shelf")\ndef f(obj, info, q):\n    sink(q)\n', Level.REQUEST),
    ("class M:\n    @strawberry.mutation\n    def f(self, q: int) -> str:\n        sink(q)\n", Level.UNKNOWN),
    ("class M:\n    @strawberry.directive\n    def f(self, q: str) -> str:\n        sink(q)\n", Level.PARAMETER),
    ("class A:\n    def on_get(self, req, resp):\n        sink(req.media['q'])\n", Level.REQUEST),
    ("class A:\n    def on_post(self, req, resp):\n        sink(req.get_media()['q'])\n", Level.REQUEST),
    ("class A:\n    def on_post(self, req, resp):\n        sink(req.bounded_stream.read())\n", Level.REQUEST),
    ("class A:\n    def on_get(self, req, resp):\n        sink(req.get_param('q'))\n", Level.REQUEST),
    ("class A:\n    def on_get(self, req, resp):\n        sink(req.get_param_as_int('q'))\n", Level.UNKNOWN),
    ("class A:\n    def on_get(self, req, resp):\n        sink(resp.status)\n", Level.PARAMETER),
    ("def view(request):\n    sink(request.matchdict['q'])\n", Level.REQUEST),
    ("def view(request):\n    sink(request.registry.settings['q'])\n", Level.UNKNOWN),
    ("class W(QWidget):\n    def f(self):\n        sink(self.edit.toPlainText())\n", Level.LOCAL_INPUT),
    ("class W(QWidget):\n    def f(self):\n        sink(self.edit.text())\n", Level.UNKNOWN),
    ("class W(QWidget):\n    def f(self):\n        sink(self.edit.font())\n", Level.UNKNOWN),
    ("class F(wx.Frame):\n    def f(self):\n        sink(self.field.GetValue())\n", Level.LOCAL_INPUT),
)


@for_each(SENT)
def test_analyse__what_is_sent(row: tuple[str, Level]) -> None:
    code, expected = row
    assert level_at_sink("python", code) is expected
