"""What a hash or a random value is for, as far as names say."""

from __future__ import annotations

import re
from collections.abc import Iterable

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import Site, as_words

_KEYS = (
    r"(?:api|secret|private|access|auth|session|encryption|encrypt|signing|crypto|aes|activation|license|security)_?key"
)
_PROTECTS = lazy(
    rf"_(?:password|passwd|passphrase|passcode|pwd|secret|token|otp|totp|salt|nonce|csrf|xsrf|csrftoken|credential|sid|"
    rf"session_?id|{_KEYS}|(?:verification|verify|reset|confirmation|confirm|auth|activation|login|sms"
    rf"|security|recovery|"
    rf"backup|invite|access)_?code|pin_?code|remember_?me|remember|authenticator)(?:_|s_|$)"
)
_SIGNS = lazy(
    r"_(?:cert(?:ificate)?s?|signature|sign|signed|signing|hmac|mac|authenticate|auth|authentication|cookie|session)_"
)
_HARMLESS = lazy(
    r"_(?:etag|caches?|cached|cache_key|checksum|files?|filename|paths?|gravatar|avatar|git|uuid|guid"
    r"|dedup\w*|urls?|uris?|"
    r"assets?|images?|integrity|colou?r|bucket|shard|version|revision|fingerprint|tokeni[sz]e\w*|tokens"
    r"|token_(?:ids?|type|count|len|length)|"
    r"(?:max|num|min|n|mask|masked|sample|sampled|next|stop|pad|eos|bos)_token|css|tag|build|jitter|delay"
    r"|backoff|sleep|timeout|interval|rounds?|iterations?|counts?|tests?|mock|fake|"
    r"fixture|dummy|example|demo|placeholder|lorem|noise|animation|websocket|sec_websocket\w*|handshake|boundary|"
    r"(?:file|content|etag)_md5|md5_?sum|sha1_?sum)_"
)
_IDENTIFIER = lazy(r"[A-Za-z_$@][\w$]*")
_USES = 12


def protects(names: Iterable[str], *, signing: bool = False) -> bool:
    """Whether one of the names is that of a password, token, key or code, and none says that it is something else."""
    told = [as_words(name) for name in names if name]
    if any(_HARMLESS.search(name) for name in told):
        return False
    return any(_PROTECTS.search(name) or (signing and _SIGNS.search(name)) for name in told)


def harmless(names: Iterable[str]) -> bool:
    """Whether a name says that nothing is protected: a checksum, a cache key, an entity tag."""
    return any(_HARMLESS.search(as_words(name)) for name in names)


def names_of(text: str) -> list[str]:
    """The names in an expression; words in texts count as well, as they do in ``row["token"]``."""
    return _IDENTIFIER.findall(text)[:30]


def used_for_protection(site: Site, *, signing: bool = False) -> bool:
    """Whether what the result is called, the function around, or a later line that uses it says so."""
    own = site.named
    if protects([*own, site.function_name], signing=signing):
        return True
    if harmless([*own, site.function_name]):
        return False
    target = own[-1] if own else ""
    if not re.fullmatch(r"[\w$@]{3,40}", target):
        return False
    use = re.compile(rf"(?<![\w$@.]){re.escape(target)}(?!\w)")
    lines = [line for line in site.function_text.split("\n") if use.search(line)][:_USES]
    return any(protects(names_of(line[:200]), signing=signing) for line in lines)
