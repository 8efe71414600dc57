"""Cross-site request forgery: a protection that is switched off, and one that a change takes away.

What identifies its callers in another way than by cookies needs none: interfaces for programs, signed webhooks,
applications without sessions. There it is kept at low confidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.ranking import remoteness
from devpulse.core.rules.sites import (
    GO,
    JAVA,
    JAVASCRIPT,
    LANGUAGES,
    PHP,
    PYTHON,
    RUBY,
    Form,
    FormCheck,
    Judge,
    Site,
    Surely,
    sites,
)
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import innermost, symbols_of
from devpulse.core.text import first_in, split_lines

WEAKNESS = Weakness("csrf")
OFF = Wording(
    title="Protection against forged requests switched off",
    description="Another site can make a user's browser send this request, and it runs with that user's rights.",
    fix="Leave the protection on; except only what proves its caller in another way than by cookies.",
)
REMOVED = Wording(
    title="Protection against forged requests removed",
    description="Without it another site can make a user's browser send requests that run with that user's rights.",
    fix="Keep the check, or do it where every request passes.",
)

_OTHER_CALLERS = lazy(
    r"(?i)webhook|callback|\bhook|stripe|github|paypal|slack|telegram|twilio|signature|hmac|api[_/\\.]"
    r"|/api|_api|\bapi|saml|oauth|oidc|"
    r"\bacs\b|graphql|metrics|health|csp|report_uri|sns|lti|xmlrpc|webdav|rpc\b|jwt|bearer|token_auth"
    r"|api_?key|Authorization|receive_"
)
_CHANGES = lazy(
    r"\.POST\b|\.FILES\b|request\.body|\.json\b|method\s*==\s*[\"'](?:POST|PUT|DELETE|PATCH)|\.save\("
    r"|\.delete\(|\.create\(|\.update\(|"
    r"\.is_valid\(|def (?:post|put|patch|delete)\(|\.form\b|login\("
)
_STATELESS = lazy(
    r"STATELESS|oauth2ResourceServer|httpBasic|[jJ]wt|JWT|[bB]earer|BasicAuth|TokenFilter"
    r"|TokenAuthentication|WebFlux|ApiKey"
)
_REST = lazy(r"(?i)rest_framework|@api_view|APIView|fastapi|tastypie|ninja")


def _switched_off(site: Site) -> Confidence | None:
    development = re.search(r"(?i)(?:^|[/_])(?:test\w*|dev|development|local|ci)(?:[/_.]|$)", site.source.path)
    named = re.search(r"(?i)test|dev|debug", site.class_name + " " + site.conditions + " " + site.function_name)
    return Confidence.LOW if development or named else Confidence.MEDIUM


def _exempt_view(site: Site) -> Confidence | None:
    """A view that is excepted: a flaw where it changes something for whoever a cookie says it is."""
    around = site.node.parent
    while around is not None and around.type not in ("decorated_definition", "module"):
        around = around.parent
    text = (around.text or b"").decode("utf-8", errors="replace")[:6_000] if around is not None else ""
    if around is None or around.type == "module":
        return Confidence.LOW
    if _OTHER_CALLERS.search(text) or _OTHER_CALLERS.search(site.source.path) or first_in(_REST, site.source.text):
        return Confidence.LOW
    return Confidence.MEDIUM if _CHANGES.search(text) else Confidence.LOW


def _spring(site: Site) -> Confidence | None:
    """Switched off for everything, in an application that has sessions."""
    return Confidence.LOW if first_in(_STATELESS, site.source.text) else Confidence.MEDIUM


def _rails(site: Site) -> Confidence | None:
    text = site.source.text
    if (
        _OTHER_CALLERS.search(site.source.path)
        or _OTHER_CALLERS.search(site.class_name)
        or "ActionController::API" in text
    ):
        return Confidence.LOW
    if re.search(r"(?i)\bsigned\b|verified|verifier|ingress|authenticate_by", text):
        return Confidence.LOW
    if re.search(r"(?i)(?<!skip_)before_action\s+:\w*(?:signature|token|api|hmac|webhook)", text):
        return Confidence.LOW
    line = text[site.match.start() : text.find("\n", site.match.start())]
    if re.search(r"if:|unless:|\bif\b|format\.json|json_request", line):
        return Confidence.LOW
    return Confidence.LOW if _OTHER_CALLERS.search(line) else Confidence.MEDIUM


def _form(languages: frozenset[str], words: str, pattern: str, judge: Judge = _switched_off) -> Form:
    return Form(languages, tuple(words.split()), lazy(pattern), judge, WEAKNESS, OFF)


FORMS = (
    _form(
        PYTHON, "csrf_exempt", r"(?<=@)(?:\w+\.)?csrf_exempt\b|(?<!\w)method_decorator\(\s*csrf_exempt\b", _exempt_view
    ),
    _form(PYTHON, "csrf.exempt csrf_protect.exempt", r"(?<=@)csrf(?:_protect)?\.exempt\b", _exempt_view),
    _form(PYTHON, "WTF_CSRF", r"['\"]?(?<!\w)WTF_CSRF_(?:ENABLED|CHECK_DEFAULT)['\"]?\]?\s*[:=]\s*False\b"),
    _form(PYTHON, "csrf", r"(?<![\w.])(?:csrf_enabled\s*=\s*False|csrf\s*=\s*False)\b"),
    _form(PYTHON, "csrf", r"['\"]csrf['\"]\s*:\s*False\b"),
    _form(PYTHON, "xsrf_cookies", r"['\"]?(?<!\w)xsrf_cookies['\"]?\s*[:=]\s*False\b"),
    _form(
        PYTHON,
        "check_xsrf_cookie",
        r"(?<=def )check_xsrf_cookie\s*\(self[^)]*\)[^:\n]*:(?:\s*#[^\n]*)?\s*(?:\"\"\"[^\"]*\"\"\"\s*)?(?:pas"
        r"s|return(?: None| True)?)\s*\n",
    ),
    _form(PYTHON, "csrf_trusted CSRF_TRUSTED", r"(?<!\w)CSRF_TRUSTED_ORIGINS\s*=\s*\[\s*['\"](?:https?://)?\*['\"]"),
    _form(
        JAVA,
        "csrf",
        r"(?<=\.)csrf\(\s*\)\s*\.disable\s*\(|(?<=\.)csrf\(\s*(?:\w+::disable|\(?\s*\w+\s*\)?\s*->\s*"
        r"\{?\s*\w+\.disable\(\))|(?<=\.)csrf\(\s*\)\s*\.ignoring\w+\(\s*\"/?\*\*\"",
        _spring,
    ),
    _form(JAVASCRIPT, "csrf", r"(?<![\w$.])['\"]?csrf['\"]?\s*:\s*(?:false|\{\s*enabled?\s*:\s*false)"),
    _form(JAVASCRIPT, "ignoreMethods", r"(?<![\w$.])ignoreMethods\s*:\s*\[[^\]]*['\"](?:POST|PUT|DELETE|PATCH)['\"]"),
    _form(JAVASCRIPT, "checkOrigin", r"(?<![\w$.])checkOrigin\s*:\s*false\b"),
    _form(GO, "UnsafeSkipCheck", r"(?<!\w)csrf\.UnsafeSkipCheck\s*\("),
    _form(GO, "EnableXSRF", r"(?<!\w)EnableXSRF\s*=\s*false\b"),
    _form(PHP, "except", r"(?<=\$)except\s*=\s*\[\s*(?://[^\n]*\s*)*['\"]/?\*['\"]", Surely(Confidence.MEDIUM)),
    _form(PHP, "validateCsrfTokens", r"(?<=->)validateCsrfTokens\(\s*(?:except\s*:\s*)?\[\s*['\"]/?\*['\"]"),
    _form(
        PHP,
        "CsrfToken",
        r"(?<=->)withoutMiddleware\(\s*\[?\s*\\?(?:[\w\\]*\\)?(?:VerifyCsrfToken|ValidateCsrfToken|PreventRequ"
        r"estForgery)::class",
    ),
    _form(PHP, "csrf_protection", r"['\"]csrf_protection['\"]\]?\s*=>?\s*(?i:false)\b"),
    _form(PHP, "enableCsrfValidation", r"['\"]?(?<![\w])enableCsrfValidation['\"]?\s*=>?\s*(?i:false)\b"),
    _form(
        RUBY,
        "skip_ verify_authenticity_token",
        r"(?<![\w.:])(?:skip_(?:before_action|before_filter)\s*\(?\s*:verify_authenticity_token"
        r"|skip_forgery_protection)\b",
        _rails,
    ),
    _form(RUBY, "allow_forgery_protection", r"(?<=\.)allow_forgery_protection\s*=\s*false\b"),
    _form(
        RUBY,
        "csrf",
        r"(?<![\w.])(?:disable\s+:protection\b|set\s+:protection\s*,\s*false\b|protect_from_csrf:\s*fa"
        r"lse)",
    ),
)
"""``protect_from_forgery with: :null_session`` empties the session of a forged request: it is no flaw by itself."""

_GUARDS = {
    PYTHON: (
        r"CsrfViewMiddleware\b|(?<!\w)(?:CSRFProtect\s*\(|csrf\.(?:init_app|protect)\s*\(|csrf_protect\b"
        r"|validate_csrf\s*\(|requires_csrf_token\b|check_xsrf_cookie\s*\()"
    ),
    JAVASCRIPT: (
        r"(?<![\w$.])(?:csrf|csurf|csrfProtection|doubleCsrfProtection|csrfSynchronisedProtection"
        r"|verifyCsrf\w*|validateCsrf\w*|lusca\.csrf)\b(?=\s*[(),])"
    ),
    JAVA: (
        r"(?<!\w)(?:CookieCsrfTokenRepository|HttpSessionCsrfTokenRepository|CsrfFilter|validateCsrf\w*"
        r"|checkCsrf\w*|verifyCsrf\w*)\b"
    ),
    GO: (
        r"(?<!\w)(?:csrf\.Protect|nosurf\.New\w*|csrf\.New|middleware\.CSRF\w*|checkCSRF\w*|verifyCSRF\w*"
        r"|validateCSRF\w*)\s*\("
    ),
    PHP: (
        r"(?i)(?<!\w)(?:check_admin_referer|check_ajax_referer|wp_verify_nonce|VerifyCsrfToken::class"
        r"|ValidateCsrfToken::class|isCsrfTokenValid|\w*(?:verify|check|validate)_?(?:csrf|xsrf)\w*|(?:csrf"
        r"|xsrf)\w*(?:verify|check|validate)\w*)(?!\w)"
    ),
    RUBY: (
        r"(?<![\w.])(?:protect_from_forgery|verify_authenticity_token|verified_request\?|Rack::Csrf"
        r"|Rack::Protection)\b"
    ),
}
"""What refuses forged requests, by languages."""


_GUARD_FORMS = tuple(
    Form(
        languages,
        ("csrf", "Csrf", "CSRF", "xsrf", "referer", "nonce", "surf", "forgery", "authenticity", "verified_request"),
        lazy(pattern),
        Surely(Confidence.HIGH),
        WEAKNESS,
        REMOVED,
    )
    for languages, pattern in _GUARDS.items()
)


@dataclass(frozen=True, slots=True)
class _Check:
    """What is switched off, and what a change took away."""

    forms: FormCheck

    def __call__(self, source: Source, resolver: Resolver) -> Iterator[Hit]:
        yield from self.forms(source, resolver)
        if source.before is not None and source.text and not remoteness(source.path):
            yield from _removed(source, source.before)

    def stopped(self, source: Source) -> bool:
        """Whether a form has more places in a file than are looked at."""
        return self.forms.stopped(source)


def _removed(source: Source, before: Source) -> Iterator[Hit]:
    """Checks on removed lines of functions that stay, when fewer of them are left."""
    changed = before.changed
    lines = split_lines(before.text)
    for form in _GUARD_FORMS:
        if before.language not in form.languages or not any(
            form.pattern.search(lines[n - 1]) for n in changed if n <= len(lines)
        ):
            continue
        old = _guard_lines(form, before)
        new = _guard_lines(form, source)
        gone = [line for line in old if line in changed]
        if len(new) >= len(old) or any(line in source.changed for line in new):
            continue
        for line in gone:
            if _IMPORT.match(lines[line - 1]) or not _stays(before, source, line):
                continue
            hit = make_hit(WEAKNESS, REMOVED, (line, line), Confidence.HIGH)
            yield replace(hit, side=Side.LEFT, guards=(line,))


_IMPORT = lazy(
    r"\s*(?:import|from|use|require|const\s+[\w{}\s,]+\s*=\s*require|(?:public\s+)?(?:async\s+)?(?:def"
    r"|function|func)\b)"
)


def _guard_lines(form: Form, source: Source) -> list[int]:
    if source.language == "python" and "CsrfViewMiddleware" in source.text:
        quoted = [
            n
            for n, line in enumerate(split_lines(source.text), start=1)
            if re.match(r"\s*['\"]django\.middleware\.csrf", line)
        ]
    else:
        quoted = []
    return sorted({*quoted, *(site.lines[0] for site in sites(form, source))})


def _stays(before: Source, source: Source, line: int) -> bool:
    """Whether the function a check stood in is still there, with something left to protect."""
    if before.language is None or source.language is None:
        return False
    around = innermost(symbols_of("", before.language, before.text), line)
    if around is None:
        return True
    return any(
        symbol.qualified_name == around.qualified_name for symbol in symbols_of("", source.language, source.text)
    )


_CHECK = _Check(FormCheck(FORMS))
RULE = Rule("csrf", "csrf", LANGUAGES, _CHECK, _CHECK.stopped)
