"""Tokens that came with a request and whose claims are read by hand: decoded, never verified.

A JSON Web Token is three parts with dots between them; the one in the middle is JSON in Base64, which everybody can
read and write (https://www.rfc-editor.org/rfc/rfc7519). Told where a file takes the token from a request and nothing in
it verifies a signature.
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.credentials import UNVERIFIED_WORDING, VERIFYING
from devpulse.core.rules.wording import make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.text import lines_of

_DECODES = lazy(
    r"\batob\(|['\"]base64(?:url)?['\"]|b64decode\(|\bbase64_decode\(|\bBase64\.(?:getUrlDecoder|getDecoder|urlsafe_decode64|"
    r"decode64|decodeBase64)\b|\bbase64\.(?:Raw)?(?:URL|Std)Encoding\.DecodeString\("
)
_SPLITS = lazy(r"(?:split|Split)\(\s*(?:[\w.]{1,60},\s*)?['\"`]\\{0,2}\.['\"`]|explode\(\s*['\"]\.['\"]")
_READS = lazy(
    r"JSON\.parse\(|json\.loads\(|json_decode\(|json\.Unmarshal\(|\breadValue\(|\breadTree\(|new JSONObject\("
)
_SENT = lazy(r"(?i)authorization|bearer|\b(?:req|request|r|ctx|c|event)\.(?:headers?|cookies?)\b|\$_COOKIE|\bcookies\[")
_TOKEN = lazy(r"(?i)token|jwt|bearer|claims|authorization")
_VERIFIES = lazy(
    r"(?i)(?:verif|signature|signing)\w{0,40}\s{0,3}\(|\.verif\w{0,20}\b|jwks|hmac|public_?key|jwt(?:::|\.)(?:decode|parse)\w*\(|jose|validat\w{0,10}\(.{0,40}token"
)
_IN_BROWSER = lazy(r"\b(?:localStorage|sessionStorage|document|window)\.")
_AROUND = 12
"""Lines in front of the decoding in which the token is taken apart."""

_BEHIND = 3
"""Lines behind it in which its claims are read."""


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (as every rule)
    """One hit for each decoding of the claims of a token that a request brought."""
    text = source.text
    if "64" not in text and "atob" not in text:
        return  # said in a moment of nearly every file
    plausible = _DECODES.search(text) and _SPLITS.search(text) and _READS.search(text) and _SENT.search(text)
    if not plausible or _VERIFIES.search(text) or _IN_BROWSER.search(text):
        return
    lines = lines_of(text)
    for number, line in enumerate(lines):
        if _DECODES.search(line) is None:
            continue
        before = "\n".join(lines[max(0, number - _AROUND) : number + 1])
        if not (_SPLITS.search(before) and _TOKEN.search(before)):
            continue
        read = next(
            (at for at in range(number, number + _BEHIND) if at < len(lines) and _READS.search(lines[at])), None
        )
        if read is not None:
            yield make_hit(VERIFYING, UNVERIFIED_WORDING, (number + 1, number + 1), Confidence.MEDIUM)


RULE = Rule(
    id="decoded-tokens",
    category="weak-authentication",
    languages=frozenset({"python", "javascript", "typescript", "tsx", "java", "go", "php", "ruby"}),
    check=check,
)
