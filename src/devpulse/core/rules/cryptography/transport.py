"""Transport security switched off: certificates and host names nobody checks, and protocol versions that are broken."""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import GO, JAVA, JAVASCRIPT, PHP, PYTHON, RUBY, Form, Site
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.text import first_in

_VERIFIES_ITSELF = lazy(r"VerifyPeerCertificate|VerifyConnection")
_UNVERIFIED = Weakness("weak-cryptography", cwe=295)
_OLD = Weakness("weak-cryptography", cwe=327)

UNVERIFIED = Wording(
    title="Certificate of the other side not verified",
    description="Anybody on the network can pose as the other side and read or change what is sent.",
    fix="Leave verification on; for a private authority give its certificate instead.",
)
HOST_KEY = Wording(
    title="SSH host key not verified",
    description="Anybody on the network can pose as the server and read or change what is sent.",
    fix="Load the known host keys and reject unknown ones.",
)
OLD_VERSION = Wording(
    title="Broken version of TLS allowed",
    description="SSL and TLS before 1.2 have known attacks that read or change what is sent.",
    fix="Ask for TLS 1.2 or later.",
)
_WISHED = lazy(
    r"(?i)insecure|verif|skip|ignore|check|tls|ssl|cert|allow|trust|debug|\bdev|local|test|self_?signed"
    r"|NODE_ENV|production|strict|\bCA|ca_"
)


def _unverified(site: Site) -> Confidence | None:
    """Sure, unless an option of the program's own asks for it."""
    if site.function_name == "__init__" and re.match(r"(?:self\.)?check_hostname", site.match.group()):
        return Confidence.LOW  # the state a context of one's own begins in
    return Confidence.LOW if _WISHED.search(site.conditions) else Confidence.MEDIUM


def _python_option(site: Site) -> Confidence | None:
    """``verify=False`` for what sends requests."""
    for node in site.named:
        if re.search(r"(?i)jwt|jws|decode|token|signature|load", node):
            return None
    callee = next((name for name in site.named if "." in name or name[:1].isupper() or name in _REQUESTING), "")
    if not re.search(
        r"(?i)(?:requests|httpx|session|client|http|api|aiohttp|urllib3|conn\w*|hvac|kubernetes)\w*\.\w+$|"
        r"\.(?:get|post|put|patch|delete|head|request|options|send|stream)$|(?:Client|Session|Connector)$",
        callee,
    ):
        return None
    return _unverified(site)


_REQUESTING = frozenset({"get", "post", "put", "patch", "delete", "request"})


def _go_skip(site: Site) -> Confidence | None:
    """With an own check of the certificates, the built-in one may be off."""
    if first_in(_VERIFIES_ITSELF, site.source.text):
        return Confidence.LOW
    return _unverified(site)


def _trusts_all(site: Site) -> Confidence | None:
    """A method that should refuse and has no body to do it with."""
    node = site.node
    method = next(
        (above for above in (node.parent, node) if above is not None and above.type == "method_declaration"), None
    )
    body = method.child_by_field_name("body") if method is not None else None
    if body is None:
        return None
    statements = [child for child in body.named_children if "comment" not in child.type]
    return None if statements else Confidence.MEDIUM


def _always_true(site: Site) -> Confidence | None:
    method = site.node.parent
    body = method.child_by_field_name("body") if method is not None and method.type == "method_declaration" else None
    if body is None or "HostnameVerifier" not in site.source.text:
        return None
    text = re.sub(r"//[^\n]*|\s+", " ", (body.text or b"").decode("utf-8", errors="replace")).strip()
    return Confidence.MEDIUM if re.fullmatch(r"\{\s*return true\s*;\s*\}", text) else None


def _ruby_option(site: Site) -> Confidence | None:
    """``verify: false`` in what opens connections."""
    around = " ".join(site.named)
    return (
        _unverified(site) if re.search(r"(?i)http|faraday|rest|excon|ssl|connection|client|typhoeus", around) else None
    )


def _php_verify(site: Site) -> Confidence | None:
    """``'verify' => false`` for Guzzle and what is built on it."""
    around = " ".join(site.named)
    wanted = re.search(
        r"(?i)client|guzzle|->(?:get|post|put|patch|delete|request|send)|http|request|options|withoptions|curl", around
    )
    return _unverified(site) if wanted else None


def _old(site: Site) -> Confidence | None:
    parent = site.node.parent
    if parent is not None and parent.type == "qualified_name":
        parent = parent.parent
    if parent is not None and parent.type in ("binary_expression", "match_condition_list", "case_statement"):
        return None  # asked for, not set
    return Confidence.LOW if _WISHED.search(site.conditions) else Confidence.MEDIUM


def _off(languages: frozenset[str], words: str, pattern: str, wording: Wording = UNVERIFIED) -> Form:
    return Form(languages, tuple(words.split()), lazy(pattern), _unverified, _UNVERIFIED, wording)


def _version(languages: frozenset[str], words: str, pattern: str) -> Form:
    return Form(languages, tuple(words.split()), lazy(pattern), _old, _OLD, OLD_VERSION)


FORMS = (
    Form(PYTHON, ("verify",), lazy(r"(?<![\w.])verify\s*=\s*False\b"), _python_option, _UNVERIFIED, UNVERIFIED),
    _off(
        PYTHON,
        "verify = False",
        r"(?<!\w)(?:session|client|s|sess|self\.\w*(?:session|client|http))\.verify\s*=\s*False\b",
    ),
    _off(PYTHON, "_create_unverified_context", r"(?<!\w)_create_unverified_context\b"),
    _off(PYTHON, "check_hostname", r"(?<!\w)(?<!def )check_hostname\s*=\s*False\b"),
    _off(PYTHON, "CERT_NONE", r"(?:(?<!\w)verify_mode|(?<!\w)cert_reqs)\s*=\s*(?:ssl\.|[\"'])?CERT_NONE\b"),
    _off(
        PYTHON,
        "verify_ssl ssl_verify ssl",
        r"(?<![\w.])(?:verify_ssl|ssl_verify|verify_certs|validate_certs|ssl)\s*=\s*False(?=\s*[,)])",
    ),
    _off(PYTHON, "AutoAddPolicy", r"(?<!\w)set_missing_host_key_policy\s*\(\s*(?:\w+\.)*AutoAddPolicy\b", HOST_KEY),
    _version(
        PYTHON,
        "PROTOCOL_ TLSVersion _METHOD",
        r"(?<!\w)(?:ssl_version|minimum_version|min_version"
        r"|minimum_tls_version)\s*=\s*(?:\w+\.)*(?:PROTOCOL_)?(?:SSLv[23]|TLSv1(?:_1)?)\b(?!_[2-9])"
        r"|(?<!\w)SSLContext\(\s*(?:ssl\.)?PROTOCOL_(?:SSLv[23]|TLSv1(?:_1)?)\b"
        r"|(?<!\w)SSL\.Context\(\s*SSL\.(?:SSLv[23]|TLSv1(?:_1)?)_METHOD",
    ),
    _off(JAVASCRIPT, "rejectUnauthorized", r"(?<![\w$.])['\"]?rejectUnauthorized['\"]?\s*:\s*(?:false|0|!1)\b"),
    _off(JAVASCRIPT, "rejectUnauthorized", r"(?<=\.)rejectUnauthorized\s*=\s*false\b"),
    _off(
        JAVASCRIPT,
        "NODE_TLS_REJECT_UNAUTHORIZED",
        r"(?<!\w)process\.env(?:\.|\[['\"])NODE_TLS_REJECT_UNAUTHORIZED(?:['\"]\])?\s*=\s*['\"]?0",
    ),
    _off(JAVASCRIPT, "strictSSL", r"(?<![\w$.])['\"]?strictSSL['\"]?\s*:\s*false\b"),
    _off(
        JAVASCRIPT,
        "checkServerIdentity",
        r"(?<![\w$.])checkServerIdentity\s*:\s*(?:\([^)]*\)\s*=>\s*(?:undefined|null|\{\s*\}|true)"
        r"|function\s*\w*\([^)]*\)\s*\{\s*\})",
    ),
    _version(
        JAVASCRIPT,
        "secureProtocol minVersion",
        r"(?<![\w$.])(?:secureProtocol\s*:\s*['\"](?:SSLv[23]|TLSv1(?:_1)?)_(?:client_|server_)?method['\"]"
        r"|minVersion\s*:\s*['\"](?:SSLv[23]|TLSv1(?:\.1)?)['\"])",
    ),
    Form(
        JAVA,
        ("checkServerTrusted",),
        lazy(r"(?<!\w)checkServerTrusted(?=\s*\()"),
        _trusts_all,
        _UNVERIFIED,
        UNVERIFIED,
    ),
    Form(
        JAVA,
        ("HostnameVerifier",),
        lazy(r"(?<![\w.])verify(?=\s*\(\s*(?:final\s+)?String\s+\w+\s*,\s*(?:final\s+)?SSLSession)"),
        _always_true,
        _UNVERIFIED,
        UNVERIFIED,
    ),
    _off(
        JAVA,
        "ostnameVerifier",
        r"(?<!\w)(?:set(?:Default|SSL)?HostnameVerifier|hostnameVerifier)\s*\(\s*\(?\s*\w+\s*,\s*\w+"
        r"\s*\)?\s*->\s*true\b",
    ),
    _off(
        JAVA,
        "NoopHostnameVerifier ALLOW_ALL AllowAllHostnameVerifier",
        r"(?<!\w)(?:NoopHostnameVerifier\.INSTANCE|new\s+(?:NoopHostnameVerifier|AllowAllHostnameVerif"
        r"ier)\b|(?:SSLSocketFactory\.|SSLConnectionSocketFactory\.)?ALLOW_ALL_HOSTNAME_VERIFIER\b)",
    ),
    _off(
        JAVA,
        "TrustAll InsecureTrustManagerFactory",
        r"(?<!\w)(?:TrustAllStrategy\b|InsecureTrustManagerFactory\.INSTANCE)(?!\s*;\s*$)(?<!import )",
    ),
    _version(JAVA, "SSLContext", r"(?<!\w)SSLContext\.getInstance\(\s*\"(?:SSLv[23]|TLSv1(?:\.1)?)\""),
    Form(
        GO,
        ("InsecureSkipVerify",),
        lazy(r"(?<!\w)InsecureSkipVerify\s*[:=]\s*true\b"),
        _go_skip,
        _UNVERIFIED,
        UNVERIFIED,
    ),
    _off(GO, "InsecureIgnoreHostKey", r"(?<!\w)ssh\.InsecureIgnoreHostKey\s*\(", HOST_KEY),
    _version(GO, "tls.Version", r"(?<!\w)MinVersion\s*[:=]\s*tls\.Version(?:SSL30|TLS10|TLS11)\b"),
    _off(
        PHP,
        "CURLOPT_SSL_VERIFY",
        r"(?<!\w)CURLOPT_SSL_VERIFY(?:PEER\s*(?:,|=>)\s*(?i:false|0|FALSE)|HOST\s*(?:,|=>)\s*(?i:false|0|1"
        r"|true))\b",
    ),
    _off(
        PHP,
        "verify_peer sslverify",
        r"['\"](?:verify_peer(?:_name)?|sslverify|ssl_verify_peer|verify_host)['\"]\s*=>\s*(?i:false|0)\b",
    ),
    Form(PHP, ("verify",), lazy(r"['\"]verify['\"]\s*=>\s*(?i:false)\b"), _php_verify, _UNVERIFIED, UNVERIFIED),
    _off(PHP, "withoutVerifying", r"(?<=[>:])withoutVerifying\s*\("),
    _version(
        PHP,
        "CURL_SSLVERSION STREAM_CRYPTO",
        r"(?<!\w)(?:CURL_SSLVERSION_(?:SSLv[23]|TLSv1_[01])|STREAM_CRYPTO_METHOD_(?:SSLv[23]"
        r"|TLSv1_[01])_CLIENT)\b",
    ),
    _off(RUBY, "VERIFY_NONE", r"(?<!\w)(?:OpenSSL::)?SSL::VERIFY_NONE\b"),
    _off(
        RUBY,
        "verify",
        r"(?<![\w.])(?:verify_ssl|ssl_verify|ssl_verify_peer|verify_peer|validate_certs)(?::\s*|\s*=>\s*"
        r"|\s*=\s*)false\b",
    ),
    Form(
        RUBY,
        ("verify",),
        lazy(r"(?<![\w.]):?verify(?::\s*|\s*=>\s*)false\b"),
        _ruby_option,
        _UNVERIFIED,
        UNVERIFIED,
    ),
    _version(
        RUBY,
        "ssl_version min_version",
        r"(?<!\w)(?:ssl_version|min_version)\s*(?:=|:)\s*(?::|['\"]|OpenSSL::SSL::)(?:SSLv[23]|TLSv1(?:_1)?"
        r"|TLS1(?:_1)?_VERSION|SSL3_VERSION)\b",
    ),
)
