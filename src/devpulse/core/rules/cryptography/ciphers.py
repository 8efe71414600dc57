"""Broken ciphers, modes that show patterns, fixed start values and short keys."""

from __future__ import annotations

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import GO, JAVA, JAVASCRIPT, PHP, PYTHON, RUBY, Form, Site, Surely
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.text import first_in

_ASYMMETRIC = lazy(r"KeyPairGenerator\.getInstance\(\s*\"(?:RSA|DSA|DH|DiffieHellman)")

_BROKEN = Weakness("weak-cryptography", cwe=327)
_SHORT = Weakness("weak-cryptography", cwe=326)
_FIXED = Weakness("weak-cryptography", cwe=329)

CIPHER = Wording(
    title="Broken or outdated cipher",
    description="What it encrypts can be read or changed by who has enough of it, or enough time, without the key.",
    fix="Use AES-GCM or ChaCha20-Poly1305 from a maintained library.",
)
MODE = Wording(
    title="Cipher mode shows patterns",
    description="Equal blocks of text give equal blocks of cipher text, and blocks can be swapped without notice.",
    fix="Use an authenticated mode such as GCM with a new random nonce for each message.",
)
FIXED = Wording(
    title="Fixed start value for a cipher",
    description="With one key and start value equal messages look equal, and streams can be combined to read them.",
    fix="Make a new random start value for each message and store it with the cipher text.",
)
KEY = Wording(
    title="Key too short",
    description="Keys of this length can be broken with affordable computing power.",
    fix="Use at least 2048 bits for RSA and DSA, or an elliptic curve such as Ed25519 or P-256.",
)
PADDING = Wording(
    title="RSA without padding",
    description="Without random padding, equal messages look equal and can be changed or guessed from the cipher text.",
    fix="Use OAEP padding.",
)

_WEAK_NAMES = r"(?:DES(?:ede|3|X)?|TripleDES|3DES|RC[245]|ARC(?:2|4|FOUR)|Blowfish|IDEA|CAST5?|SEED|SKIPJACK)"
_MEDIUM = Surely(Confidence.MEDIUM)


_NAMED = lazy(r"^(?:iv|IV|nonce|initialization_vector)\s*=\s*")
_CONSTANT = lazy(
    r"[bu]?[\"'][^\"'$#{]{8,}[\"']|b?[\"']\\x?0+[^\"']*[\"']\s*\*|bytes\(\s*\d+\s*\)|bytearray\(\s*\d+\s*\)"
    r"|Buffer\.alloc\(\s*\d+\s*(?:,\s*0\s*)?\)|Buffer\.from\(\s*[\"'][^\"']+[\"']|make\(\[\]byte,\s*[\w.]+\)"
    r"|\[\]byte(?:\(\s*\"|\{\s*(?:0x)?\d)|new byte\s*\[\s*\d+\s*\]|\"[^\"]+\"\s*\.getBytes|str_repeat\(\s*[\"']"
)
"""Bytes that are the same every time: a literal, or zeros."""


def _short_key(site: Site) -> Confidence | None:
    return Confidence.MEDIUM if int(site.match.group("bits")) < 2_048 else None


def _java_short_key(site: Site) -> Confidence | None:
    asymmetric = first_in(_ASYMMETRIC, site.source.text)
    return _short_key(site) if asymmetric else None


def _no_mode(site: Site) -> Confidence | None:
    """``AES.new(key)``: the mode was ECB by default."""
    return Confidence.MEDIUM if len(site.given) == 1 else None


def _literal_iv(site: Site) -> Confidence | None:
    """A literal, or zeros made on the spot, as the start value."""
    position = {
        "createCipheriv": 2, "openssl_encrypt": 4, "IvParameterSpec": 0, "AES.new": 2, "modes.CBC": 0,
        "cipher.New": 1,
    }  # fmt: skip
    name = next((known for known in position if known in site.match.group()), "")
    if len(site.given) <= position.get(name, 99):
        return None
    given = site.meant(_NAMED.sub("", site.given[position[name]]))
    if not _CONSTANT.match(given) or (name == "openssl_encrypt" and "''" in given):
        return None
    return Confidence.MEDIUM


def _form(languages: frozenset[str], words: str, pattern: str, wording: Wording) -> Form:
    return Form(languages, tuple(words.split()), lazy(pattern), _MEDIUM, _BROKEN, wording)


_PHP_BROKEN = r"(?:des|rc2|rc4|bf|cast5|seed|idea)(?:3|-|['\"])"

FORMS = (
    _form(
        PYTHON,
        "DES ARC Blowfish CAST",
        r"(?<![\w.])(?:Crypto(?:dome)?\.Cipher\.)?(?:DES3?|ARC[24]|Blowfish|CAST|XOR)\.new\s*\(",
        CIPHER,
    ),
    _form(
        PYTHON,
        "TripleDES ARC4 Blowfish IDEA CAST5 SEED",
        r"(?<!\w)algorithms\.(?:TripleDES|ARC4|Blowfish|IDEA|CAST5|SEED)\s*\(",
        CIPHER,
    ),
    _form(PYTHON, "ECB", r"(?<!\w)(?:AES\.MODE_ECB\b(?=\s*[,)])|modes\.ECB\s*\()", MODE),
    Form(PYTHON, ("AES.new",), lazy(r"(?<!\w)AES\.new\s*\("), _no_mode, _BROKEN, MODE),
    Form(PYTHON, ("AES.new", "modes.CBC"), lazy(r"(?<!\w)(?:AES\.new|modes\.CBC)\s*\("), _literal_iv, _FIXED, FIXED),
    Form(
        PYTHON,
        ("RSA", "rsa", "dsa", "DSA"),
        lazy(r"(?<!\w)(?:(?:RSA|DSA)\.generate\(\s*(?:bits\s*=\s*)?(?P<bits>\d{3,4})\b)"),
        _short_key,
        _SHORT,
        KEY,
    ),
    Form(
        PYTHON,
        ("key_size",),
        lazy(r"(?<!\w)key_size\s*=\s*(?P<bits>512|768|1024|1536)\b"),
        _short_key,
        _SHORT,
        KEY,
    ),
    _form(
        JAVASCRIPT,
        "createCipher",
        r"(?<![\w$])createCipheriv\s*\(\s*['\"`](?:des|rc2|rc4|bf|cast|seed|idea)[\w-]*['\"`]"
        r"|(?<![\w$])createCipher\s*\(",
        CIPHER,
    ),
    _form(
        JAVASCRIPT,
        "ecb ECB",
        r"(?<![\w$])createCipheriv\s*\(\s*['\"`][\w-]*-ecb['\"`]|(?<![\w$])CryptoJS\.mode\.ECB\b",
        MODE,
    ),
    _form(JAVASCRIPT, "CryptoJS", r"(?<![\w$])CryptoJS\.(?:DES|TripleDES|RC4|RC4Drop|Rabbit)\.encrypt\s*\(", CIPHER),
    Form(JAVASCRIPT, ("createCipheriv",), lazy(r"(?<![\w$])createCipheriv\s*\("), _literal_iv, _FIXED, FIXED),
    Form(
        JAVASCRIPT,
        ("modulusLength", "NodeRSA", "generateKeyPair"),
        lazy(
            r"(?<![\w$])(?:modulusLength\s*:\s*|new NodeRSA\(\s*\{\s*b\s*:\s*|(?:rsa|pki\.rsa)\.generateKeyPair\(\s*"
            r"(?:\{\s*bits\s*:\s*)?)(?P<bits>\d{3,4})\b"
        ),
        _short_key,
        _SHORT,
        KEY,
    ),
    _form(
        JAVA,
        "getInstance",
        rf"(?<!\w)(?:(?:javax\.crypto\.)?Cipher|KeyGenerator"
        rf"|SecretKeyFactory)\.getInstance\(\s*\"{_WEAK_NAMES}\b[^\"]*\"",
        CIPHER,
    ),
    _form(JAVA, "getInstance", r"(?<!\w)Cipher\.getInstance\(\s*\"AES(?:/ECB/\w+)?\"", MODE),
    _form(JAVA, "getInstance", r"(?<!\w)Cipher\.getInstance\(\s*\"RSA/\w+/NoPadding\"", PADDING),
    Form(JAVA, ("IvParameterSpec",), lazy(r"(?<!\w)new\s+IvParameterSpec\s*\("), _literal_iv, _FIXED, FIXED),
    Form(
        JAVA,
        ("KeyPairGenerator",),
        lazy(r"(?<!\w)initialize\(\s*(?P<bits>\d{3,4})\b"),
        _java_short_key,
        _SHORT,
        KEY,
    ),
    _form(GO, "crypto/des crypto/rc4", r"(?<![\w.])(?:des\.New(?:TripleDES)?Cipher|rc4\.NewCipher)\s*\(", CIPHER),
    Form(
        GO,
        ("cipher.New",),
        lazy(r"(?<![\w.])cipher\.New(?:CBCEncrypter|CTR|CFBEncrypter|OFB)\s*\("),
        _literal_iv,
        _FIXED,
        FIXED,
    ),
    _form(GO, "L1024N160", r"(?<![\w.])dsa\.L1024N160\b", KEY),
    Form(
        GO,
        ("GenerateKey",),
        lazy(r"(?<![\w.])rsa\.GenerateKey\(\s*[\w.]+\s*,\s*(?P<bits>\d{3,4})\s*\)"),
        _short_key,
        _SHORT,
        KEY,
    ),
    _form(PHP, "openssl_encrypt", rf"(?i)(?<![\w>:$])openssl_encrypt\s*\((?=[^;]{{0,200}}?['\"]{_PHP_BROKEN})", CIPHER),
    _form(PHP, "openssl_encrypt", r"(?i)(?<![\w>:$])openssl_encrypt\s*\((?=[^;]{0,200}?['\"][\w-]+-ecb['\"])", MODE),
    _form(PHP, "mcrypt_", r"(?<![\w>:$])mcrypt_(?:encrypt|cbc|ecb|cfb|ofb|generic)\s*\(", CIPHER),
    Form(PHP, ("openssl_encrypt",), lazy(r"(?<![\w>:$])openssl_encrypt\s*\("), _literal_iv, _FIXED, FIXED),
    _form(
        RUBY,
        "Cipher",
        r"(?i)(?<![\w:])OpenSSL::Cipher(?:::Cipher)?(?:\.new\(\s*['\"](?:des|rc2|rc4|bf|cast|seed"
        r"|idea)[\w-]*['\"]|::(?:DES|RC2|RC4|BF|CAST5|IDEA)\b)",
        CIPHER,
    ),
    _form(RUBY, "Cipher", r"(?i)(?<![\w:])OpenSSL::Cipher(?:::Cipher)?\.new\(\s*['\"][\w-]+-ecb['\"]", MODE),
    Form(
        RUBY,
        ("RSA",),
        lazy(r"(?<![\w:])(?:OpenSSL::PKey::)?(?:RSA|DSA)\.(?:new|generate)\(?\s*(?P<bits>\d{3,4})\b"),
        _short_key,
        _SHORT,
        KEY,
    ),
)
