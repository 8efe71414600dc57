"""Random values that can be predicted, where they should be secret."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.categories import Confidence
from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.cryptography.purposes import harmless, used_for_protection
from devpulse.core.rules.sites import GO, JAVA, JAVASCRIPT, PHP, PYTHON, RUBY, Form, Site
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.text import first_in

WEAKNESS = Weakness("weak-cryptography", cwe=330)
WORDING = Wording(
    title="Secret made from predictable random numbers",
    description="This generator can be predicted from a few of its values, and with it the secret made here.",
    fix="Use the system's secure generator: secrets, crypto.randomBytes, SecureRandom, crypto/rand, random_bytes.",
)

_PYTHON_SECURE = lazy(r"SystemRandom|import\s+secrets\s+as\s+random|Crypto(?:dome)?\.Random\s+import\s+random")
_IMPORTED = lazy(r"from\s+random\s+import")
_GO_IMPORT = lazy(r"(?m)^[ \t]*+(?:import[ \t]++)?(\w++)?[ \t]*+\"math/rand(?:/v2)?\"")
_DRAWS = lazy(r"\.(?:text|line|point|rectangle|ellipse|arc|polygon|putpixel|paste|rotate|truetype)$")
_COLORS = lazy(r"(?:fill|colou?r|outline|width|background)\b")
_UP = 12
"""Nodes above a number among which the call that draws is looked for; deeper ones count as not drawn, and are told."""

_GO_SECURE = lazy(r"(?m)^[ \t]*+(?:import[ \t]++)?(\w++)?[ \t]*+\"crypto/rand\"")
_MOCKED = lazy(r"(?i)mock|faker|fixture|seed_?data")


def _judge(site: Site) -> Confidence | None:
    if harmless([site.function_name]) or _MOCKED.search(site.source.path):
        return Confidence.LOW
    return Confidence.MEDIUM if used_for_protection(site) or _remembers(site) else Confidence.LOW


def _remembers(site: Site) -> bool:
    """Whether a later line puts the value into a session or a cookie, by which somebody is known again."""
    name = site.named[-1] if site.named else ""
    if not re.fullmatch(r"\$?\w{1,40}", name):
        return False
    used = rf"[^\n]*(?<![\w.]){re.escape(name)}(?!\w)"
    put = rf"(?:session|cookie)s?(?:\[[^\]\n]*\]\s*=(?!=)|\.(?:set|put|add)\w*\(){used}"
    return re.search(rf"(?i){put}|set_?cookie\({used}", site.function_text) is not None


def _python(site: Site) -> Confidence | None:
    text = site.source.text
    if first_in(_PYTHON_SECURE, text) or _places_something(site.node):
        return None
    bare = "." not in site.match.group()
    return None if bare and not first_in(_IMPORTED, text) else _judge(site)


def _places_something(node: Node) -> bool:
    """Whether a number is a part of what is drawn: a place, an angle, a color."""
    around = node.parent
    for _ in range(_UP):
        if around is None or around.type.endswith("statement"):
            return False
        if around.type == "keyword_argument" and _COLORS.match(node_text(around)):
            return True
        if around.type == "call" and _DRAWS.search(node_text(around.child_by_field_name("function"))):
            return True
        around = around.parent
    return False


def _java(site: Site) -> Confidence | None:
    """Values of a variable count when it is not one of the secure generator."""
    owner = site.match.group("owner")
    if owner is not None:
        made = (
            rf"(?:SecureRandom|getInstanceStrong)[^;\n]{{0,60}}\b{owner}\b"
            rf"|\b{owner}\s*=\s*(?:new\s+)?(?:java\.security\.)?SecureRandom"
        )
        text = site.source.text
        plain = rf"\bRandom\s+{owner}\b|\b{owner}\s*=\s*new\s+(?:java\.util\.)?Random\b"
        if first_in(re.compile(made), text) or not first_in(re.compile(plain), text):
            return None
    return _judge(site)


def _go(site: Site) -> Confidence | None:
    """Of the two packages called ``rand`` the one that is no secret."""
    found = first_in(_GO_IMPORT, site.source.text)
    if found is None:
        return None
    owner, secure = site.match.group("owner"), first_in(_GO_SECURE, site.source.text)
    if secure is not None and owner == (secure.group(1) or "rand"):
        return None
    return _judge(site) if owner == (found.group(1) or "rand") or "rand.New(" in site.source.text else None


def _ruby(site: Site) -> Confidence | None:
    return None if "SecureRandom" in site.arguments else _judge(site)


FORMS = (
    Form(
        PYTHON,
        ("random", "rand"),
        lazy(
            r"(?<![\w.])(?:(?:np\.|numpy\.)?random\.)?(?:random|randint|randrange|choices?|sample"
            r"|getrandbits|randbytes|uniform|shuffle|normalvariate|gauss|triangular|betavariate)\s*\("
        ),
        _python,
        WEAKNESS,
        WORDING,
    ),
    Form(JAVASCRIPT, ("Math.random",), lazy(r"(?<![\w$.])Math\.random\s*\("), _judge, WEAKNESS, WORDING),
    Form(
        JAVA,
        ("andom", "rnd", "rng"),
        lazy(
            r"(?<![\w.])(?:Math\.random|new\s+(?:java\.util\.)?Random\(\s*\w*\s*\)\.next\w+|ThreadLocalRandom\.current"
            r"|RandomStringUtils\.random\w*|(?:this\.)?(?P<owner>\w*[rR][aA][nN][dD]\w*|rnd|rng"
            r"|r)\.next(?:Int|Bytes|Long|Double|Float))\s*\("
        ),
        _java,
        WEAKNESS,
        WORDING,
    ),
    Form(
        GO,
        ("math/rand",),
        lazy(
            r"(?<![\w.])(?P<owner>\w*[rR]and\w*|rnd|rng|r)\.(?:Intn?|IntN|Int31n?|Int63n?|Uint32|Uint64"
            r"|Float64|Float32|Read|Perm|N)\s*\("
        ),
        _go,
        WEAKNESS,
        WORDING,
    ),
    Form(
        PHP,
        ("rand", "uniqid", "lcg_value", "shuffle"),
        lazy(r"(?<![\w>:$\\])\\?(?:mt_rand|rand|uniqid|lcg_value|str_shuffle|array_rand|shuffle)\s*\("),
        _judge,
        WEAKNESS,
        WORDING,
    ),
    Form(
        RUBY,
        ("rand", "Random", ".sample", ".shuffle"),
        lazy(
            r"(?<![\w.:@])(?:Kernel\.|Random\.)?s?rand\b(?=\s*\(|\s+[\d(]|\s*\})|(?<=\.)(?:sample"
            r"|shuffle)\b(?!\s*[:=])"
        ),
        _ruby,
        WEAKNESS,
        WORDING,
    ),
)
