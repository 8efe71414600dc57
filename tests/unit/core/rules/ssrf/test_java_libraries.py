"""Clients of Java, each in a statement of its own."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.ssrf import RULE

REPORTED = (
    "restTemplate.patchForObject(x, body, String.class);",
    "restTemplate.optionsForAllow(x);",
    "restTemplate.put(x, body);",
    "restTemplate.delete(x);",
    'HttpUtil.createPost("http://" + x).execute();',
    "HttpUtil.downloadBytes(x);",
    "byte[] y = Resources.toByteArray(new URL(x));",
)
QUIET = (
    'restTemplate.patchForObject("https://example.org/users/" + x, body, String.class);',
    'restTemplate.patchForObject("https://example.org/users/{name}", body, String.class, x);',
    'restTemplate.optionsForAllow("https://example.org/users/" + x);',
    "users.put(x, body);",
    "users.delete(x);",
    'byte[] y = Resources.toByteArray(Resources.getResource("known.txt"));',
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement that is given a value of the request."""
    code = (
        "class Shown {\n    private final RestTemplate restTemplate = new RestTemplate();\n"
        '    @GetMapping("/shown")\n    void shown(@RequestParam String x) throws IOException {\n'
        f"        {statement}\n    }}\n}}\n"
    )
    return posted_lines(RULE, code, path="src/Shown.java")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [5]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
