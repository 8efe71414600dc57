"""What servers, queues and other programs hand to a method of Java, by level."""

from __future__ import annotations

from tables import for_each

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Level

SENT = (
    ("void f(HttpServerExchange e) { sink(e.getRequestPath()); }", Level.REQUEST),
    ("void f(HttpServerExchange e) { sink(e.getRelativePath()); }", Level.REQUEST),
    ("void f(HttpServerExchange e) { sink(e.getQueryString()); }", Level.REQUEST),
    ('void f(HttpServerExchange e) { sink(e.getQueryParameters().get("x").getFirst()); }', Level.REQUEST),
    ('void f(HttpServerExchange e) { sink(e.getPathParameters().get("x")); }', Level.REQUEST),
    ('void f(HttpServerExchange e) { sink(e.getRequestHeaders().getFirst("X-Name")); }', Level.REQUEST),
    ("void f(HttpServerExchange e) { sink(e.getStatusCode()); }", Level.UNKNOWN),
    ("String f(@RestQuery String q) { return sink(q); }", Level.REQUEST),
    ("String f(@RestPath String q) { return sink(q); }", Level.REQUEST),
    ("String f(@RestForm String q) { return sink(q); }", Level.REQUEST),
    ('String f(@RestHeader("X-Name") String q) { return sink(q); }', Level.REQUEST),
    ("String f(@RestQuery int q) { return sink(q); }", Level.UNKNOWN),
    ("String f(@RestQualified String q) { return sink(q); }", Level.PARAMETER),
    ('@RocketMQMessageListener(topic = "a") public void f(String q) { sink(q); }', Level.LOCAL_INPUT),
    ("public void f(MessageExt q) { sink(new String(q.getBody())); }", Level.LOCAL_INPUT),
    ('public void f(Intent intent) { sink(intent.getStringExtra("x")); }', Level.LOCAL_INPUT),
    ('public void f() { sink(getIntent().getStringExtra("x")); }', Level.LOCAL_INPUT),
    ("public void f() { sink(getIntent().getDataString()); }", Level.LOCAL_INPUT),
    ('public void f() { sink(getIntent().getIntExtra("x", 0)); }', Level.UNKNOWN),
)


def level(method: str) -> Level:
    """The highest level of what comes to ``sink``."""
    calls = [call for call in analyse("java", f"class A {{\n{method}\n}}").calls if call.callee == "sink"]
    taints = [taint for call in calls for argument in call.arguments for taint in argument.value.taints]
    assert calls
    return max((taint.origin.level for taint in taints), default=Level.UNKNOWN)


@for_each(SENT)
def test_analyse__what_is_sent(row: tuple[str, Level]) -> None:
    method, expected = row
    assert level(method) is expected
