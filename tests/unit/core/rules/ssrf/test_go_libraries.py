"""Clients of Go beside ``net/http``, each in a statement of its own."""

from __future__ import annotations

from rule_tables import run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.ssrf import RULE

REPORTED = (
    ('net.Dial("tcp", x)', "medium"),
    ('net.DialTimeout("tcp", x, limit)', "medium"),
    ('tls.Dial("tcp", x, settings)', "medium"),
    ('ssh.Dial("tcp", x+":22", settings)', "medium"),
    ('rpc.Dial("tcp", x)', "medium"),
    ("goquery.NewDocument(x)", "high"),
    ("chromedp.Run(ctx, chromedp.Navigate(x))", "high"),
    ("target, _ := url.Parse(x); httputil.NewSingleHostReverseProxy(target)", "high"),
    ("collector.Visit(x)", "high"),
    ("c.Visit(x)", "high"),
    ("req.SetRequestURI(x)", "high"),
    ("fp.ParseURL(x)", "high"),
    ("websocket.Dial(x, nil, origin)", "high"),
    ("websocket.DefaultDialer.Dial(x, nil)", "high"),
    ("httplib.Get(x)", "high"),
    ("httplib.NewBeegoRequest(x, method)", "high"),
    ("grequests.Post(x, nil)", "high"),
    ("fasthttp.GetTimeout(nil, x, limit)", "high"),
    ("s.HTTPClient.Get(x)", "high"),
)
QUIET = (
    'net.Dial("tcp", "db.example.org:5432")',
    'net.Dial(x, "db.example.org:5432")',
    'goquery.NewDocument("https://example.org/news/" + x)',
    'collector.Visit("https://example.org/news?page=" + x)',
    'req.SetRequestURI("/news/" + x)',
    "tree.Visit(x)",
    'websocket.Dial("wss://example.org/live", x, origin)',
    "dialogs.Dial(kind, x)",
    'net.DialTimeout("tcp", "db.example.org:5432", limit)',
    'tls.Dial("tcp", "db.example.org:5432", settings)',
    'ssh.Dial("tcp", "git.example.org:22", settings)',
    'rpc.Dial("tcp", "jobs.example.org:99")',
    'chromedp.Run(ctx, chromedp.Navigate("https://example.org/news/"+x))',
    'c.Visit("https://example.org/" + x)',
    'fp.ParseURL("https://example.org/feed?of=" + x)',
    'websocket.DefaultDialer.Dial("wss://example.org/live?of="+x, nil)',
    'httplib.Get("https://example.org/" + x)',
    'grequests.Post("https://example.org/" + x, nil)',
    'fasthttp.GetTimeout(nil, "https://example.org/"+x, limit)',
    'target, _ := url.Parse("https://example.org/" + x); httputil.NewSingleHostReverseProxy(target)',
)


def told(statement: str) -> list[tuple[int, Confidence]]:
    """Line and confidence of what is told of a statement that is given a value of the request."""
    code = f'func show(w http.ResponseWriter, r *http.Request) {{\n    x := r.FormValue("x")\n    {statement}\n}}\n'
    hits = run(RULE, code, path="internal/app.go")
    return [(hit.start_line, hit.confidence) for hit in hits if hit.confidence is not Confidence.LOW]


@for_each(REPORTED)
def test_check__reports(row: tuple[str, str]) -> None:
    statement, confidence = row
    assert told(statement) == [(3, Confidence(confidence))]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
