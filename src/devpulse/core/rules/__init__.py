"""The detection rules, one a file, listed here on purpose and nowhere else."""

from __future__ import annotations

from dataclasses import replace

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit, HitKind
from devpulse.core.ranking import remoteness
from devpulse.core.rules import (
    csrf,
    hardcoded_secret,
    hidden_unicode,
    insecure_cookie,
    password_salts,
    prompt_injection,
    weak_cryptography,
)
from devpulse.core.rules.later import change_later, flow_later, later, later_where
from devpulse.core.rules.workflows import is_workflow
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

_ACCESS, _TOKENS = "broken-access-control", "weak-authentication"
_PYTHON, _JAVASCRIPT = frozenset({"python"}), frozenset({"javascript", "typescript", "tsx"})
_OTHERS = frozenset({"java", "go", "php", "ruby"})
REMOVED_ESCAPE = "removed-escape"
"""The rule whose hits are left out where another rule tells the same flaw."""

RULES: tuple[Rule, ...] = (
    hardcoded_secret.RULE,
    hidden_unicode.RULE,
    prompt_injection.RULE,
    flow_later("sql_injection"),
    later("mybatis-texts", "sql-injection", frozenset({"java"}), "mybatis_texts"),
    flow_later("command_injection"),
    flow_later("code_injection"),
    flow_later("insecure_deserialization"),
    flow_later("xml_external_entity"),
    flow_later("path_traversal"),
    flow_later("ssrf"),
    flow_later("cross_site_scripting"),
    flow_later("open_redirect"),
    flow_later("ldap_injection"),
    flow_later("xpath_injection"),
    change_later(REMOVED_ESCAPE, "cross-site-scripting", "removed_escape"),
    weak_cryptography.RULE,
    later("weak-authentication", _TOKENS, _OTHERS, "weak_authentication"),
    later("decoded-tokens", _TOKENS, _PYTHON | _JAVASCRIPT | _OTHERS, "decoded_tokens"),
    password_salts.RULE,
    insecure_cookie.RULE,
    csrf.RULE,
    later("python-weak-authentication", _TOKENS, _PYTHON, "python.weak_authentication"),
    later("python-broken-access-control", _ACCESS, _PYTHON, "python.broken_access_control"),
    later("javascript-weak-authentication", _TOKENS, _JAVASCRIPT, "javascript.weak_authentication"),
    later("prototype-pollution", "other", _JAVASCRIPT, "javascript.prototype_pollution"),
    later("javascript-broken-access-control", _ACCESS, _JAVASCRIPT, "javascript.broken_access_control"),
    later("java-broken-access-control", _ACCESS, frozenset({"java"}), "access_control.java"),
    later("ruby-broken-access-control", _ACCESS, frozenset({"ruby"}), "access_control.ruby"),
    later("php-broken-access-control", _ACCESS, frozenset({"php"}), "access_control.php"),
    later("wordpress-csrf", "csrf", frozenset({"php"}), "wordpress.csrf"),
    later("wordpress-broken-access-control", _ACCESS, frozenset({"php"}), "wordpress.access"),
    later("go-broken-access-control", _ACCESS, frozenset({"go"}), "access_control.go"),
    later_where("workflow-injection", "command-injection", is_workflow, "workflows.injection"),
    later_where("workflow-checkout", "code-injection", is_workflow, "workflows.checkout"),
)


def run_rules(source: Source, resolver: Resolver) -> tuple[Hit, ...]:
    """All hits of a file, in the order of its lines; the same for the same text every time.

    Tests do on purpose what programs must not, and vendored code is not the project's to mend: their leads have low
    confidence, which by default is kept in the artifacts and not posted.
    """
    hits = {hit: None for rule in RULES for hit in rule.run(source, resolver)}
    if remoteness(source.path):
        hits = {replace(hit, confidence=Confidence.LOW) if hit.kind is HitKind.LEAD else hit: None for hit in hits}
    ordered = sorted(
        hits, key=lambda hit: (hit.start_line, hit.end_line, hit.side, hit.category, hit.rule_id, hit.title)
    )
    if not ordered:
        return ()
    from devpulse.core.rules.suggestions import with_suggestions  # noqa: PLC0415  (most files have nothing to mend)

    return tuple(with_suggestions(source, ordered))


def stopped_early(source: Source) -> bool:
    """Whether a rule left a part of a file out, because the file was too much for its limit."""
    return any(rule.stopped(source) for rule in RULES)
