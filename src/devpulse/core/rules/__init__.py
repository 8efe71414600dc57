"""The detection rules, one a file, listed here on purpose and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from devpulse.core.categories import Confidence
from devpulse.core.embedded import embedded_in
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
from devpulse.core.rules.browser_pages import OF_SERVERS, is_of_made_file, is_of_page
from devpulse.core.rules.later import change_later, flow_later, later, later_where
from devpulse.core.rules.workflows import is_workflow
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.templates import is_template
from devpulse.errors import ParseLimitReached

_ACCESS, _TOKENS = "broken-access-control", "weak-authentication"
_PYTHON, _JAVASCRIPT = frozenset({"python"}), frozenset({"javascript", "typescript", "tsx"})
_OTHERS = frozenset({"java", "go", "php", "ruby"})
REMOVED_ESCAPE, REMOVED_VALIDATION = "removed-escape", "removed-validation"
OF_REMOVALS = frozenset({REMOVED_ESCAPE, REMOVED_VALIDATION})
"""The rules whose hits are left out where another rule tells the same flaw."""

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
    later("folder-prefix", "path-traversal", _JAVASCRIPT, "javascript.folder_prefix"),
    later("path-prefixes", "path-traversal", frozenset({"java"}), "path_prefixes"),
    later("go-path-prefixes", "path-traversal", frozenset({"go"}), "go_path_prefixes"),
    later("python-folder-prefix", "path-traversal", _PYTHON, "python.folder_prefix"),
    flow_later("ssrf"),
    flow_later("cross_site_scripting"),
    flow_later("open_redirect"),
    later("redirect-checks", "open-redirect", frozenset({"go", "java"}), "redirect_checks"),
    flow_later("ldap_injection"),
    flow_later("xpath_injection"),
    change_later(REMOVED_ESCAPE, "cross-site-scripting", "removed_escape"),
    change_later(REMOVED_VALIDATION, "path-traversal", "removed_validation"),
    later("python-raw-templates", "cross-site-scripting", _PYTHON, "python.raw_templates"),
    later_where("template-output", "cross-site-scripting", is_template, "template_output"),
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

_OF_CODE = tuple(rule for rule in RULES if rule.languages or rule.id in OF_REMOVALS)
"""The rules that want to know the language of what they read."""

_OF_PAGES = tuple(rule for rule in _OF_CODE if rule.category not in OF_SERVERS)
"""Those of them that have something to say of code which runs in a browser."""


def run_rules(source: Source, resolver: Resolver) -> tuple[Hit, ...]:
    """All hits of a file, in the order of its lines; the same for the same text every time.

    Tests do on purpose what programs must not, and vendored code is not the project's to mend: their leads have low
    confidence, which by default is kept in the artifacts and not posted.
    """
    hits = _ordered(source, (hit for rule in RULES for hit in rule.run(source, resolver)))
    if hits:
        from devpulse.core.rules.suggestions import with_suggestions  # noqa: PLC0415  (most files have nothing to mend)

        hits = with_suggestions(source, hits)
    inner = embedded_in(source)
    if not inner.sources:
        return tuple(hits)
    on_server = (h for h in _embedded_hits(inner.server, _OF_CODE, resolver) if is_of_made_file(h, source.path))
    in_page = filter(is_of_page, _embedded_hits(inner.page, _OF_PAGES, resolver))
    return tuple(_surest(_ordered(source, (*hits, *on_server, *in_page))))


def stopped_early(source: Source) -> bool:
    """Whether a rule left a part of a file out, because the file was too much for its limit."""
    if any(rule.stopped(source) for rule in RULES):
        return True
    inner = embedded_in(source)
    if inner.skipped or any(_is_cut_short(one, _OF_CODE) for one in inner.server):
        return True
    return any(_is_cut_short(one, _OF_PAGES) for one in inner.page)


def _ordered(source: Source, found: Iterable[Hit]) -> list[Hit]:
    hits = dict.fromkeys(found)
    if remoteness(source.path):
        hits = {replace(hit, confidence=Confidence.LOW) if hit.kind is HitKind.LEAD else hit: None for hit in hits}
    return sorted(hits, key=lambda hit: (hit.start_line, hit.end_line, hit.side, hit.category, hit.rule_id, hit.title))


def _embedded_hits(sources: Iterable[Source], rules: Iterable[Rule], resolver: Resolver) -> Iterator[Hit]:
    """The hits of the code in a page; rules that read any text have read the page. What no parser gets through is told
    by ``stopped_early``: the rest of its page is reviewed."""
    for source in sources:
        try:
            yield from [hit for rule in rules for hit in rule.run(source, resolver)]
        except ParseLimitReached:
            continue


def _surest(hits: Iterable[Hit]) -> list[Hit]:
    """One hit for a flaw that more than one reading of a line tells: the surest, if possible one with a trace."""
    kept: dict[tuple[object, ...], Hit] = {}
    for hit in hits:
        place = (hit.category, hit.side, hit.start_line)
        known = kept.get(place)
        if known is None or (known.confidence.rank, known.trace is not None) < (
            hit.confidence.rank,
            hit.trace is not None,
        ):
            kept[place] = hit
    return list(kept.values())


def _is_cut_short(source: Source, rules: Iterable[Rule]) -> bool:
    try:
        return any(rule.stopped(source) for rule in rules)
    except ParseLimitReached:
        return True
