"""What a condition keeps from happening."""

from __future__ import annotations

from tables import for_each

from devpulse.core.rules.check_kinds import is_other_check, kind_of

PATH, SSRF, REDIRECT, COMMAND = "path-traversal", "ssrf", "open-redirect", "command-injection"

KINDS = [
    ("if !tree.IsSubPath(dir, full) {", PATH),
    ("if not is_subdir(full, home):", PATH),
    ("if (!isWithin(home, full))", PATH),
    ("if containsDotDot(name) {", PATH),
    ("if !Inbound(full, home) {", PATH),
    ('if strings.ContainsAny(name, "./") {', PATH),
    ("if (name.includes('/')) {", PATH),
    ("if err := box.validateBoxPath(p); err != nil {", PATH),
    ("if not is_global_host(name):", SSRF),
    ("if IsBlockedLocalHostname(name) {", SSRF),
    ("if err := webhook.ValidateURL(text); err != nil {", SSRF),
    ("if ('\\\\' in next_url):", REDIRECT),
    ('if "\\\\" in url:', REDIRECT),
    ('if (redirect.contains("//")) {', REDIRECT),
    ('if strings.HasPrefix(branch, "-") {', COMMAND),
    ("if (pattern.startsWith('-')) {", COMMAND),
]

NONE = [
    "if (count > 3) {",
    "if (name == 'a') {",
    "if (inside) {",
    "if (list.includes(name, 2) && token) {",
    "if (path) {",
    "if (fileName.startsWith(FOLDER_SEPARATOR)) {",
    "if (minus == '-') {",
    "if request.client_ip == '127.0.0.1':",
    "if url is None:",
    "if (isUndo(x)) {",
    "if isGlobal {",
]


@for_each(KINDS)
def test_kind_of__finds(row: tuple[str, str]) -> None:
    condition, kind = row
    assert kind_of(condition) == kind


@for_each(NONE)
def test_kind_of__is_silent(condition: str) -> None:
    assert kind_of(condition) is None


def test_is_other_check__knows_who_may_do_what() -> None:
    assert is_other_check("verifyToken")
    assert not is_other_check("verifyName")
