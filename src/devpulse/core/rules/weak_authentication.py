"""Weak authentication in Java, Go, PHP and Ruby: fast password hashes, plain comparisons, tokens nobody verifies.

Python and Javascript have modules of their own, whose reading goes further.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import node_text, short_text
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.credentials import (
    COMPARING,
    HASH_WORDING,
    HASHING,
    PLAIN_WORDING,
    TIMING_WORDING,
    UNVERIFIED_WORDING,
    VERIFYING,
    Comparison,
    holds_password,
    judge_comparison,
    last_name,
)
from devpulse.core.rules.cryptography.hashes import HASH_CALLS, algorithm_of, hashes_password, is_broken, is_declaration
from devpulse.core.rules.fixed_keys import FORMS as FIXED_KEYS
from devpulse.core.rules.sites import (
    CALLS,
    GO,
    JAVA,
    PHP,
    RUBY,
    Form,
    FormCheck,
    Judge,
    Site,
    Surely,
    argument_list,
    sites,
    too_many,
)
from devpulse.core.rules.wording import make_hit
from devpulse.core.secrets.names import NameKind, kind_of_name
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

LANGUAGES = JAVA | GO | PHP | RUBY
_NAME = lazy(
    r"(?i)passw|pwd|pass(?![a-z])|passphrase|token|secret|signature|hmac|digest|api_?key|sign(?![a-z])"
    r"|sig(?![a-z])|mac(?![a-z])"
)
_COMPARES = lazy(
    r"(?<![=!<>])(?:[=!]==?(?!=)|<>)|(?<=\.)(?:equals(?:IgnoreCase)?|contentEquals|eql\?)(?=\s*\()|"
    r"(?<!\w)(?:Objects\.equals|StringUtils\.equals|bytes\.Equal|strings\.EqualFold|strings\.Compare|strcmp)(?=\s*\()"
)
_SETTING = re.compile(r"^(?:settings?|config|conf|cfg|viper|opts?)\.Get\w*\(\"?(?:\w+\.)*(\w+)\"?\)$")
"""Go's ``viper.GetString("auth.token")``."""

_SIGNS = lazy(r"^(?:base64_encode\(|Base64\.\w+\()?(?:OpenSSL::HMAC\.\w+|hash_hmac)\(")
"""A signature that is made where it is compared."""

_SERVES = re.compile(r"http\.Request\b|\b(?:gin|echo|fiber)\.(?:Context|Ctx)\b")
_SENT = re.compile(
    r"(?i)^(?:\w*token|\w*secret|\w*api_?key|auth\w*|bearer|\w*header|presented\w*|provided\w*|got)$|\."
    r"(?:Header\.Get|GetHeader|FormValue)\("
)
_OWN = re.compile(r"^[A-Za-z]\w*(?:\.\w+)*\.\w+$")
_KEYS = (NameKind.KEY, NameKind.SECRET)
_EQUAL = frozenset({"==", "===", "!=", "!==", "<>"})
_CONSTANT = lazy(r"^(?:['\"`].*['\"`]|-?\d+|nil|null|true|false|:\w+|''|\"\"|[A-Z]\w*::class)$", re.IGNORECASE)


def _hash(site: Site) -> Confidence | None:
    """SHA-256 for a password is a flaw too, if a smaller one."""
    algorithm = algorithm_of(site)
    if not re.match(r"md[245]|sha|ripemd|whirlpool", algorithm) or not hashes_password(site):
        return None
    return Confidence.HIGH if is_broken(algorithm) else Confidence.MEDIUM


def _hashed_by_project(site: Site) -> Confidence | None:
    """A function of the project that is called like a fast hash, given a password."""
    if is_declaration(site) or not holds_password(_plain(site.arguments)):
        return None
    return Confidence.HIGH


def _not_verified(site: Site) -> Confidence | None:
    """A token that is read, in a file that verifies none."""
    verified = re.search(
        r"(?i)\.verify\(|require\(|JWT\.require|parseClaimsJws|parseSignedClaims|verifyWith|setSigningKey",
        site.source.text,
    )
    return None if verified else Confidence.MEDIUM


def _ruby_decode(site: Site) -> Confidence | None:
    given = site.given
    if len(given) >= 3 and given[2] == "false":
        return Confidence.HIGH
    return Confidence.HIGH if re.search(r"(?i)algorithm:?\s*(?:=>)?\s*['\"]none['\"]", site.arguments) else None


_SURELY = Surely(Confidence.HIGH)


def _form(languages: frozenset[str], words: str, pattern: str, judge: Judge = _SURELY) -> Form:
    return Form(languages, tuple(words.split()), lazy(pattern), judge, VERIFYING, UNVERIFIED_WORDING)


FORMS = (
    *(
        Form(languages, words, lazy(pattern), _hash, HASHING, HASH_WORDING)
        for languages, (words, pattern) in HASH_CALLS.items()
        if languages <= LANGUAGES
    ),
    Form(
        JAVA | GO,
        ("md5", "MD5", "Md5", "sha1", "SHA1", "Sha1"),
        lazy(
            r"(?<![\w.])(?:(?!DigestUtils\b|md5\b|sha1\b|Hashing\b)\w+\.)?(?:(?:md5|MD5|Md5|sha1|SHA1|Sha1)(?:[A-Z]\w*)?(?<!Util)(?<!Utils)"
            r"|(?:MD5|Md5|SHA1|Sha1)(?:Utils?|Tools?|Helper|Kit|Encoder|Encrypt\w*)?\."
            r"(?:encode|encrypt|hash|digest|md5|getMD5|getMd5|crypt|MD5|toMD5)\w*)\s*\("
        ),
        _hashed_by_project,
        HASHING,
        HASH_WORDING,
    ),
    *FIXED_KEYS,
    _form(JAVA, "JWT.decode", r"(?<![\w.])JWT\.decode\s*\(", _not_verified),
    _form(JAVA, "Algorithm.none", r"(?<![\w.])Algorithm\.none\s*\("),
    _form(
        JAVA,
        "Jwts parseClaimsJwt parseUnsecuredClaims unsecured",
        r"(?<=\.)(?:parseClaimsJwt|parseUnsecuredClaims|parsePlaintextJwt|unsecured"
        r"|setSkipSignatureVerification|setSkipAllValidators)\s*\(",
    ),
    _form(
        JAVA,
        "setSigningKey",
        r"(?<=\.)setSigningKey\s*\([^;\n]{0,120}\)(?:\s*\.build\(\))?\s*\.parse\s*\(",
        Surely(Confidence.MEDIUM),
    ),
    _form(GO, "ParseUnverified", r"(?<=\.)ParseUnverified\s*\("),
    _form(GO, "UnsafeAllowNoneSignatureType WithoutVerification", r"(?<![\w.])jwt\.UnsafeAllowNoneSignatureType\b"),
    _form(GO, "UnsafeClaimsWithoutVerification", r"(?<=\.)UnsafeClaimsWithoutVerification\s*\("),
    _form(
        PHP,
        "JWT::decode",
        r"(?<!\w)JWT::decode\s*\((?=[^;]{0,200}(?:['\"]none['\"]|,\s*null\s*,\s*false|,\s*false\s*\)))",
    ),
    _form(PHP, "Unencrypted None", r"(?<!\w)(?:Configuration::forUnsecuredSigner|new\s+(?:Signer\\)?None)\s*\("),
    _form(RUBY, "JWT.decode", r"(?<![\w:])JWT\.decode\b", _ruby_decode),
)
_COMPARED = Form(
    LANGUAGES,
    ("==", "!=", "<>", "equals", "Equal", "eql", "strcmp", "Compare"),
    _COMPARES,
    Surely(Confidence.MEDIUM),
    COMPARING,
    PLAIN_WORDING,
    near=_NAME,
)


@dataclass(frozen=True, slots=True)
class _Check:
    forms: FormCheck

    def __call__(self, source: Source, resolver: Resolver) -> Iterator[Hit]:
        yield from self.forms(source, resolver)
        yield from _comparisons(source)

    def stopped(self, source: Source) -> bool:
        """Whether a form, or the comparisons, have more places in a file than are looked at."""
        return self.forms.stopped(source) or too_many(_COMPARED, source)


def _comparisons(source: Source) -> Iterator[Hit]:
    """One hit a line for comparisons whose sides are passwords, signatures or tokens by their names."""
    signed = re.search(r"(?i)hmac", source.text) is not None
    serves = source.language == "go" and _SERVES.search(source.text) is not None
    seen: set[int] = set()
    for site in sites(_COMPARED, source):
        compared = _sides(site)
        if compared is None or compared[0].start_point[0] + 1 in seen:
            continue
        node, left, right = compared
        if _CONSTANT.match(left) or _CONSTANT.match(right):
            continue
        signs = any(map(_SIGNS.match, (left, right)))
        left, right = _plain(left), _plain(right)
        found = judge_comparison(left, right, signed=signed)
        if found is None and signs:
            found = Comparison(TIMING_WORDING, Confidence.MEDIUM)
        if found is None and serves and _is_own_token(left, right):
            found = Comparison(TIMING_WORDING, Confidence.MEDIUM)
        if found is not None:
            lines = (node.start_point[0] + 1, node.end_point[0] + 1)
            seen.add(lines[0])
            yield make_hit(COMPARING, found.wording, lines, found.confidence)


def _is_own_token(left: str, right: str) -> bool:
    """Whether a token that was sent is compared with one the server has: ``token == s.adminToken``."""
    return any(
        _SENT.search(sent) is not None and _OWN.match(own) is not None and kind_of_name(last_name(own)) in _KEYS
        for sent, own in ((left, right), (right, left))
    )


def _sides(site: Site) -> tuple[Node, str, str] | None:
    """The comparison at an operator, or at a call that compares, with its two sides as they are written."""
    node = site.node.parent
    while node is not None and node.type not in ("binary_expression", "binary") and node.type not in CALLS:
        node = node.parent if node.type in ("selector_expression", "field_access", "scope_resolution") else None
    if node is None or node.type in CALLS:
        return _called_sides(node) if node is not None else None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node_text(node.child_by_field_name("operator")) not in _EQUAL or left is None or right is None:
        return None
    return node, short_text(left, 201), short_text(right, 201)


def _called_sides(call: Node) -> tuple[Node, str, str] | None:
    arguments = argument_list(call)
    if arguments is None:
        return None
    callee = node_text(call)[: arguments.start_byte - call.start_byte].strip()
    given = [short_text(child, 201) for child in arguments.named_children]
    if len(given) == 1:
        return call, callee.rpartition(".")[0], given[0]
    return (call, given[0], given[1]) if len(given) == 2 else None


_READS = lazy(
    r"(?:->|\.)(?:getParameter|getHeader|getString|getAttribute|get|getProperty|FormValue|PostFormValue"
    r"|PostForm|Query|Param|Get|GetHeader|"
    r"DefaultQuery|input|post|query|header|getPost|fetch)\((['\"][\w-]+['\"])[^()]*\)"
)
_ENVIRONMENT = lazy(r"(?:System\.getenv|os\.Getenv|getenv|ENV\.fetch)\(([^()]*)\)|\bENV\[([^\]]*)\]")
_GETTER = lazy(r"\.get([A-Z])(\w*)\(\)")
_WRAPPED = lazy(
    r"^(?:\[\]byte|string|new String|String\.valueOf|trim|strval|strings\.TrimSpace|\(string\))\s*\((.*)\)$"
)


def _plain(text: str) -> str:
    """An expression of any of the languages in the words of the comparison's judge: dots, and items in brackets."""
    for _ in range(2):
        wrapped = _WRAPPED.match(text)
        text = wrapped.group(1) if wrapped else text
    text = _SETTING.sub(r"conf.\1", text).removesuffix("()")
    text = _READS.sub(r"[\1]", text)
    text = _ENVIRONMENT.sub(lambda match: f"env[{match.group(1) or match.group(2)}]", text)
    text = _GETTER.sub(lambda match: f".{match.group(1).lower()}{match.group(2)}", text)
    text = text.replace("?->", ".").replace("->", ".").replace("::", ".").replace("&.", ".").replace("$", "")
    text = re.sub(r"\[:(\w+)\]", r'["\1"]', text)
    text = re.sub(
        r"(?:\.toCharArray|\.getBytes|\.to_s|\.to_str|\.bytes|\.strip|\.trim|\.toString)(?:\([^()]*\))?$", "", text
    )
    return text.replace("@", "self.").strip()


_CHECK = _Check(FormCheck(FORMS))
RULE = Rule("weak-authentication", "weak-authentication", LANGUAGES, _CHECK, _CHECK.stopped)
