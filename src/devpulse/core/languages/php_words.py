"""The words by which PHP frameworks register routes, and those of PHP's own that it takes in any case."""

from __future__ import annotations

import re

from devpulse.core.languages.folding import fold

ROUTE_WORDS = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "any", "match", "map", "view", "redirect"}
    | {"resource", "apiResource"}
)
"""Methods of a router that take a path; ``match`` and ``map`` take the HTTP methods before it."""

VERBS_FIRST = frozenset({"match", "map"})

FACADES = frozenset({"Route", "Router"})
"""Classes whose static methods register routes."""

ROUTERS = re.compile(r"(?:app|application|router|routes?|group|slim|klein)$", re.IGNORECASE)
"""How the variable that registers routes is called; ``$cache->get("/x", 1)`` is none."""

OWN_FUNCTIONS = frozenset({
    "assert", "call_user_func", "call_user_func_array", "create_function", "curl_init", "die", "echo", "eval", "exec",
    "exit", "file_get_contents", "file_put_contents", "fopen", "header", "include", "include_once", "mysqli_query",
    "passthru", "pcntl_exec", "popen", "preg_replace", "print", "print_r", "printf", "proc_open", "readfile", "require",
    "require_once", "shell_exec", "system", "unlink", "unserialize",
})  # fmt: skip
"""Functions and statements that do harm, and that code which hides writes in another case: ``EVAL(…)``."""

_ATTRIBUTE = re.compile(r"(?:\\?\w+\\)*(?:Route|Get|Post|Put|Patch|Delete|Any|Head|Options)$")
_ANNOTATION = re.compile(r"@(?:\w+\\)*(?:Route|Get|Post|Put|Patch|Delete)\s*\(")
_PATH_LIMIT = 100


def route_name(word: str, path: str) -> str:
    """How a route is called: ``GET /x``; Laravel lets the first slash away."""
    return fold(f"{word.upper()} {path if path.startswith(('/', '*')) else '/' + path}", _PATH_LIMIT)


def is_route_attribute(name: str) -> bool:
    """Whether an attribute makes a method a web entry point: ``Route``, ``Attribute\\Get``."""
    return _ATTRIBUTE.match(name) is not None


def is_route_comment(text: str) -> bool:
    """Whether a documentation comment does: ``@Route("/x")``."""
    return _ANNOTATION.search(text) is not None
