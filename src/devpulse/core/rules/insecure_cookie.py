"""Insecure cookies: sessions and tokens in cookies that scripts can read, or that are sent without encryption.

A flag that is switched off counts for every cookie, a flag that is missing for those that look like a session.
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import (
    GO,
    JAVA,
    JAVASCRIPT,
    LANGUAGES,
    PHP,
    PYTHON,
    RUBY,
    Form,
    Judge,
    Site,
    as_words,
    form_rule,
)
from devpulse.core.rules.wording import Weakness, Wording

_PLAIN = Weakness("insecure-cookie", cwe=614)
_READABLE = Weakness("insecure-cookie", cwe=1004)

PLAIN = Wording(
    title="Session cookie without its protection",
    description="Without Secure the cookie is sent unencrypted, without HttpOnly any script on the page can steal it.",
    fix="Set Secure and HttpOnly on it, and SameSite.",
)
SECURE_OFF = Wording(
    title="Cookie may be sent unencrypted",
    description="Anybody on the network can read the cookie and act as the user it belongs to.",
    fix="Set Secure; switch it off for local development only.",
)
SCRIPT = Wording(
    title="Cookie can be read by scripts",
    description="A script that gets into the page can steal the cookie and act as the user it belongs to.",
    fix="Set HttpOnly.",
)

_SESSION = lazy(
    r"_(?:session|sess|sid|sessionid|session_id|phpsessid|jsessionid|token|jwt|auth|authorization|access|refresh|"
    r"remember_me|rememberme|credential|password|passwd|login|logged_in|api_?key|secret|identity|user_?id"
    r"|username|bearer)_"
)
_NO_SESSION = lazy(
    r"_(?:csrf\w*|xsrf\w*|csrftoken|xsrf_token|theme|lang|language|locale|consent|prefs?|timezone|tz"
    r"|tracking|flash|next|tests?|return_to|redirect\w*)_"
)
_DEVELOPMENT = lazy(
    r"(?i)(?:^|[/_.])(?:dev|devel|development|local|debug|example|examples|sample|demo|defaults?"
    r"|global_settings)(?:[/_.]|$)"
)
_DEVELOPING = lazy(
    r"_(?:debug|dev|development|develop|local|tests?|testing|defaults?|prod|production|env|is_secure"
    r"|secure|https|ssl|tls)_"
)
_REMOVED = lazy(
    r"(?i)max_?-?age\s*[:=(]\s*(?:-1|0)\b|expires\s*[:=]\s*(?:0\b|['\"]Thu, 01|new Date\(0"
    r"|Date\.now\(\)\s*-|datetime\.min)|setMaxAge\(\s*(?:0|-1)\s*\)|MaxAge\s*[:=]\s*-|time\(\)\s*-"
    r"|Duration\.ZERO"
)
_EXPIRED = lazy(
    r"Expires\s*:\s*time\.(?:Now\(\)(?:\.UTC\(\))?\s*(?:[,}]|$|\.Add(?:Date)?\([^,)]*-)|Unix\(\s*[01]\b|Time\{\})"
    r"|Value\s*:\s*\"\"\s*[,}]"
)
"""A Go cookie that takes another one away: its time is over, or it holds nothing."""

_OFF = frozenset({"false", "0", "none", "nil", "null", "off"})


def _looks_like_session(*names: str) -> bool:
    told = [as_words(name) for name in names]
    return any(_SESSION.search(name) for name in told) and not any(_NO_SESSION.search(name) for name in told)


def _is_off(value: str | None) -> bool:
    return value is not None and value in _OFF


def _judge_flags(
    site: Site, secure: str | None, script: str | None, names: list[str], *, script_default: bool
) -> Confidence | None:
    """What a cookie's flags come to; ``None`` stands for one that is not given."""
    if _REMOVED.search(site.arguments):
        return None
    told = [as_words(name) for name in names]
    apart = any(_NO_SESSION.search(name) for name in told)
    session = _looks_like_session(*names)
    missing = secure is None or (script is None and not script_default)
    if _is_off(secure) or (_is_off(script) and not apart):
        return Confidence.LOW if _developing(site) else Confidence.MEDIUM
    if missing and session:
        return Confidence.MEDIUM
    return Confidence.LOW if missing and not apart else None


def _developing(site: Site) -> bool:
    around = as_words(" ".join([*site.named[1:], site.conditions, site.class_name]))
    return bool(_DEVELOPMENT.search(site.source.path) or _DEVELOPING.search(around))


def _python(site: Site) -> Confidence | None:
    if len(site.given) < 2 or any(given.startswith("**") for given in site.given):
        return None
    names = [given for given in site.given[:2] if "=" not in given] + [
        site.option("key") or "",
        site.option("value") or "",
    ]
    return _judge_flags(site, site.option("secure"), site.option("httponly"), names, script_default=False)


def _javascript(site: Site) -> Confidence | None:
    """``res.cookie(name, value, {...})``; options that stand elsewhere are not known."""
    given = site.given
    if len(given) < 2 or (len(given) > 2 and (not given[2].startswith("{") or "..." in given[2])):
        return None
    koa = "cookies.set" in site.match.group()
    return _judge_flags(site, site.option("secure"), site.option("httpOnly"), given[:2], script_default=koa)


def _java(site: Site) -> Confidence | None:
    """``new Cookie(name, value)``, with what the function then sets on it."""
    text, target = site.function_text, site.named[0] if site.named else ""
    if not re.fullmatch(r"\w+", target) or _REMOVED.search(text) or len(site.given) < 2:
        return None
    if not re.search(r"addCookie\(|\.cookie\(", text):
        return None
    own = rf"(?<!\w){re.escape(target)}\.set"
    secure, script = (re.search(rf"{own}{flag}\(\s*(\w+)", text) for flag in ("Secure", "HttpOnly"))
    if (secure is not None and secure.group(1) == "false") or (script is not None and script.group(1) == "false"):
        return None  # said where it is set
    flags = [found.group(1) if found is not None else None for found in (secure, script)]
    return _judge_flags(site, flags[0], flags[1], site.given[:2], script_default=False)


def _java_off(site: Site) -> Confidence | None:
    return None if _REMOVED.search(site.function_text) else _off(site)


def _go(site: Site) -> Confidence | None:
    """``http.Cookie{Name: ..., Secure: ...}``, with what is set on it later."""
    given = site.arguments
    if _REMOVED.search(given) or _EXPIRED.search(given) or "Name" not in given:
        return None
    text = site.function_text
    later = [re.search(rf"\.{flag}\s*=(?!=)", text) is not None for flag in ("Secure", "HttpOnly")]
    flags = [
        site.option(name) or ("set" if is_later else None)
        for name, is_later in zip(("Secure", "HttpOnly"), later, strict=True)
    ]
    names = [site.option("Name") or "", site.option("Value") or ""]
    if not re.search(r"SetCookie\(|\.Add\(|Set-Cookie", text):
        return Confidence.LOW  # a client's, or a part of something
    return _judge_flags(site, flags[0], flags[1], names, script_default=False)


def _gin(site: Site) -> Confidence | None:
    """``c.SetCookie(name, value, maxAge, path, domain, secure, httpOnly)``."""
    given = site.given
    if len(given) != 7 or given[2].startswith("-"):
        return None
    if given[5] != "false" and given[6] != "false":
        return None
    return Confidence.MEDIUM if _looks_like_session(*given[:2]) else Confidence.LOW


def _php(site: Site) -> Confidence | None:
    """``setcookie(name, value, expires, path, domain, secure, httponly)``, or with a table of options."""
    given = site.given
    if len(given) < 2 or given[1] in ("''", '""', "null", "false") or _REMOVED.search(site.arguments):
        return None
    if any(argument.startswith("...") for argument in given):
        return None
    if len(given) == 3 and not re.match(r"time\(|\d|[\w$]+\s*[+*]", given[2]):
        if not given[2].startswith(("[", "array(")):
            return None
        flags = [site.option("secure"), site.option("httponly")]
    else:
        flags = [given[index].lower() if len(given) > index else None for index in (5, 6)]
    return _judge_flags(site, flags[0], flags[1], given[:1], script_default=False)


def _ruby(site: Site) -> Confidence | None:
    """``cookies[:name] = value`` or a table of options; ``signed`` does not hide a cookie from scripts."""
    assignment = site.node.parent.parent if site.node.parent is not None else None
    while assignment is not None and assignment.type not in ("assignment", "body_statement", "program"):
        assignment = assignment.parent
    if assignment is None or assignment.type != "assignment":
        return None
    left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
    name, value = (
        (part.text or b"").decode("utf-8", errors="replace") if part is not None else "" for part in (left, right)
    )
    if value in ("nil", '""', "''") or "cookies" not in name or re.search(r"expires:\s*(?:1|\d+)\.\w+\.ago", value):
        return None
    script = re.search(r"httponly:?\s*(?:=>)?\s*(\w+)", value)
    secure = re.search(r"secure:?\s*(?:=>)?\s*(\w+)", value)
    if not value.startswith("{") and re.fullmatch(r"\w*(?:options|opts|hash|cookie)\w*", value):
        return None
    flags = [found.group(1).lower() if found is not None else None for found in (secure, script)]
    if flags[0] is None:
        flags[0] = "force_ssl"  # a setting of the whole application as a rule
    return _judge_flags(site, flags[0], flags[1], [name[:80]], script_default=False)


def _off(site: Site) -> Confidence | None:
    """A flag that is switched off in so many words."""
    return Confidence.LOW if _developing(site) else Confidence.MEDIUM


def _session_options(site: Site) -> Confidence | None:
    """``cookie: { secure: false }`` of a session."""
    around = as_words(" ".join([*site.named, site.statement.type]))
    if not re.search(r"_(?:session|cookie|cookies|auth|jwt|token)_", around):
        return None
    return _off(site)


def _form(
    languages: frozenset[str],
    words: str,
    pattern: str,
    judge: Judge,
    wording: Wording = PLAIN,
    *,
    readable: bool = False,
) -> Form:
    weakness = _READABLE if readable else _PLAIN
    return Form(languages, tuple(words.split()), lazy(pattern), judge, weakness, wording)


_SETTING = r"(?:SESSION|CSRF|REMEMBER|LANGUAGE|JWT|AUTH)_COOKIE_"
_PYTHON_SETTING = rf"['\"]?(?<!\w){_SETTING}%s['\"]?\]?\s*[:=]\s*False\b"

FORMS = (
    _form(PYTHON, "set_cookie", r"(?<!def )(?<!\w)set_(?:signed_)?cookie\s*\(", _python),
    _form(PYTHON, "_COOKIE_SECURE", _PYTHON_SETTING % "SECURE", _off, SECURE_OFF),
    _form(
        PYTHON,
        "_COOKIE_HTTPONLY",
        r"['\"]?(?<!\w)(?:SESSION|REMEMBER)_COOKIE_HTTPONLY['\"]?\]?\s*[:=]\s*False\b",
        _off,
        SCRIPT,
        readable=True,
    ),
    _form(
        JAVASCRIPT,
        "cookie",
        r"(?<![\w$])(?:res|response|reply|resp|h)\.(?:cookie|setCookie)\s*\(|(?<![\w$])(?:ctx\.cookies"
        r"|cookies\(\)|res\.cookies|response\.cookies|cookieStore)\.set\s*\(",
        _javascript,
    ),
    _form(JAVASCRIPT, "secure", r"(?<![\w$.])secure\s*:\s*false\b", _session_options, SECURE_OFF),
    _form(JAVASCRIPT, "httpOnly", r"(?<![\w$.])httpOnly\s*:\s*false\b", _session_options, SCRIPT, readable=True),
    _form(JAVA, "Cookie", r"(?<!\w)new\s+(?:javax\.servlet\.http\.|jakarta\.servlet\.http\.)?Cookie\s*\(", _java),
    _form(
        JAVA,
        "setSecure secure",
        r"(?<=\.)(?:setSecure|secure|setUseSecureCookie|setCookieSecure)\s*\(\s*false\s*\)",
        _java_off,
        SECURE_OFF,
    ),
    _form(
        JAVA,
        "ttpOnly",
        r"(?<=\.)(?:setHttpOnly|httpOnly|setCookieHttpOnly|setUseHttpOnlyCookie)\s*\(\s*false\s*\)",
        _java_off,
        SCRIPT,
        readable=True,
    ),
    _form(GO, "http.Cookie", r"(?<![\w.])http\.Cookie\s*\{", _go),
    _form(GO, "SetCookie", r"(?<=\.)SetCookie\s*\(\s*[\w\".]+\s*,", _gin),
    _form(
        GO,
        "sessions.Options",
        r"(?<![\w.])(?:Secure|HttpOnly)\s*:\s*false\b(?=[^{}]{0,200}\})",
        _session_options,
        SECURE_OFF,
    ),
    _form(PHP, "setcookie setrawcookie", r"(?<![\w>:$])set(?:raw)?cookie\s*\(", _php),
    _form(
        PHP,
        "session.cookie_",
        r"(?<![\w>:$])ini_set\s*\(\s*['\"]session\.cookie_(?:httponly|secure)['\"]\s*,\s*(?i:0|false"
        r"|['\"](?:0|off|false|)['\"])",
        _off,
        PLAIN,
    ),
    _form(
        PHP,
        "session_set_cookie_params session_start",
        r"['\"](?:cookie_)?(?:secure|httponly)['\"]\s*=>\s*(?i:false|0)\b",
        _off,
        PLAIN,
    ),
    _form(RUBY, "cookies", r"(?<![\w.:@])cookies(?:\.(?:signed|encrypted|permanent))*\[", _ruby),
    _form(
        RUBY, "session_store", r"(?<![\w])session_store\b(?=[^\n]*(?:secure|httponly):?\s*(?:=>)?\s*false)", _off, PLAIN
    ),
)

RULE = form_rule("insecure-cookie", "insecure-cookie", LANGUAGES, FORMS)
