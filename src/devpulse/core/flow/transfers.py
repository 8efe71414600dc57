"""What calls do to values: known conversions, checks and cleaners by name, everything else by convention."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from devpulse.core.flow.formatting import TEXT_TEMPLATE, Passed, fill_places, format_braces, translated
from devpulse.core.flow.matching import MATCHING, matched
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.replacing import replaced
from devpulse.core.flow.tables import words
from devpulse.core.flow.values import (
    CLEAN,
    HOLE,
    Ask,
    Level,
    Value,
    asking,
    cleaned,
    concatenate,
    join,
    text,
    unite,
)
from devpulse.core.lazy_pattern import lazy

_NUMERIC = frozenset(
    words("""
        int float bool len ord hash round Number parseInt parseFloat Boolean BigInt isinstance hasattr UUID
        Decimal isdigit isnumeric startswith endswith startsWith endsWith includes indexOf find count index exists
        isfile isdir Identifier Literal Placeholder sum time now utcnow today uuid4 randint token_hex hexdigest
        toFixed
    """)
)
_PASS = frozenset(
    words("""
        str repr list dict tuple sorted set frozenset reversed next iter map filter enumerate zip min max
        getattr bytes bytearray loads dumps unquote unquote_plus b64decode b64encode decodeURIComponent
        urlsafe_b64decode urlsafe_b64encode standard_b64decode b32decode b85decode unhexlify decompress
        decodeURI String parse stringify fspath fsencode fsdecode from Array Object unicode Buffer TextDecoder
        URLSearchParams cast gettext _ all
    """)
)
_TEXT_METHODS = frozenset(
    words("""
        strip lstrip rstrip lower upper title capitalize casefold swapcase replace split rsplit splitlines
        encode decode expandtabs ljust rjust center zfill partition rpartition removeprefix removesuffix
        translate get pop popitem items values keys copy getlist get_json get_data read readline readlines
        getvalue group groups trim trimStart trimEnd toLowerCase toUpperCase toString slice substring substr
        replaceAll concat at charAt padStart padEnd flat reverse sort map filter flatMap entries normalize
        first shift dict json text to_dict setdefault formData getAll with_suffix with_name expanduser
        as_posix getOrDefault
    """)
)
MAX_JOINED = 30
"""Items that are joined one by one."""

_PATH_CLEANERS = frozenset(
    {"basename", "secure_filename", "safe_join", "sanitize_filename", "get_valid_filename", "sanitizeFilename"}
)
_JOINS = frozenset({"joinpath", "join"})
_RESOLVERS = frozenset({"abspath", "realpath", "normpath", "resolve", "absolute", "normalize", "realpathSync"})
_PATH_CLASSES = frozenset({"Path", "PurePath", "PosixPath", "UPath"})
_CLEANERS: dict[str, Purpose] = {
    **dict.fromkeys(("shlex.quote", "pipes.quote"), Purpose.SHELL),
    **dict.fromkeys(("html.escape", "markupsafe.escape", "escapeHtml"), Purpose.HTML),
    "encodeURIComponent": Purpose.PATH,
    **dict.fromkeys(
        (
            "quote_ident", "escape_string", "escapeId", "mysql_real_escape_string", "escapeLiteral", "escapeIdentifier",
            "quote_name", "adapt", "mogrify", "escape_identifier", "quote_identifier", "quoteIdent",
        ),
        Purpose.SQL,
    ),
}  # fmt: skip
_ESCAPES_SQL = re.compile(
    r"^(?:mysql2?|connection|conn|pool|client|db|sqlstring|pgp?\.as|SqlString|sequelize)\.(?:escape|format|name|value)$"
)
_DECIDES = re.compile(
    r"(?i)escape|sanit|quote|clean|valid|safe|check|verify|allow|normali[sz]e|whitelist|ensure|assert|filter|absolute|within"
)
_STATES = (
    "no|not|exists?|created|running|started|connected|mounted|mapped|installed|loaded|dirs?|directory|folder|index|table|"
    "session|connection"
)
"""What a function brings about, rather than asks of a text."""

CHECKS = lazy(
    rf"(?i)valid|safe|sanit|check|verify|allow|ensure(?!_(?:\w{{1,40}}_)?(?:{_STATES})(?:_|$))|"
    r"within|white|permit|inside|contain|(?<![a-z])local(?!e|i[sz]|_?storage)|"
    r"is_?local|trusted|relative|same_?(?:site|host|origin)|sub_?(?:path|dir|folder)|"
    r"is_?(?:child|below|in_?(?:dir|folder|root))|(?:is|are)_?under(?![a-z])"
)
"""Names of functions that are asked whether a value may be used; ``localize`` and ``ensure_folder_exists`` are none."""

_BY_PLACE = frozenset({"slice", "substring", "substr", "subList", "charAt", "codePointAt"})
"""Methods that are told by numbers which part to give."""

_OWN_PATH = re.compile(r"^/(?![/\\\ufffc])")
_OWN_ADDRESS = re.compile(r"(?:^|\.)(?:url|nextUrl|originalUrl|location|href|origin)$")
"""The address of the request itself, whose host a link cannot choose."""

_FRESH = re.compile(
    r"^(?:open|urlopen|execute|fetch\w*|query\w*|select\w*|exists|has_\w+|is_\w+|cursor|connect|commit|log\w*|print|debug|info|warning|error|"
    r"hash\w*|md5|sha\w*|filter_by|first_or_404|get_or_404|render(?!_?[mM]arkdown)\w*|jsonify|redirect|url_for|create_engine|findOne|findAll|find(?!all$|iter$)\w*|"
    r"readFile(?:Sync)?|createReadStream|readdir(?:Sync)?|l?stat(?:Sync)?|readJson(?:Sync)?)$"
)


def call_result(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """The value of a call."""
    method = callee.rpartition(".")[2]
    cleaner = _CLEANERS.get(callee) or _CLEANERS.get(method) or (Purpose.SQL if _ESCAPES_SQL.match(callee) else None)
    if method in _NUMERIC:
        return CLEAN
    if cleaner is not None:
        return cleaned(_all(receiver, arguments), cleaner)
    return _SPECIAL.get(method, _by_convention)(callee, receiver, arguments)


def cleaned_by(purposes: frozenset[Purpose], receiver: Value | None, arguments: Sequence[Passed]) -> Value | None:
    """What a call gives that is known to make its arguments safe; ``None`` when it is not known for that."""
    if not purposes:
        return None
    value = _all(receiver, arguments)
    for purpose in sorted(purposes):
        value = cleaned(value, purpose)
    return replace(value, role="") if value.role == JSON else value


def _all(receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    values = [receiver, *(argument.value for argument in arguments)]
    return join(value for value in values if value is not None)


def _flat(value: Value) -> Value:
    """As the receiver's or arguments' taints, but no literal text of their own."""
    return replace(value, skeleton=None if not value.taints else value.skeleton, fields=(), collection=False)


def _by_convention(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    method = callee.rpartition(".")[2]
    if method in _BY_PLACE and receiver is not None:
        return _flat(receiver) if receiver.taints else receiver
    if method in _TEXT_METHODS and receiver is not None:
        kept = [receiver, *(argument.value for argument in arguments if argument.value.taints)]
        if method in ("get", "pop", "setdefault") and not receiver.taints:
            return join(argument.value for argument in arguments[1:])  # a table's own values, or the default
        return join(kept) if len(kept) > 1 else _flat(receiver) if receiver.taints else receiver
    everything = _all(receiver if receiver is not None and receiver.taints else None, arguments)
    if not everything.taints or _FRESH.match(method):
        return CLEAN
    if method in _PASS:
        return _flat(everything)
    return _unknown(callee, everything)


def _unknown(callee: str, value: Value) -> Value:
    """The result of a function not known here: what came in may come out, its body decides."""
    method = callee.rpartition(".")[2]
    kept = tuple(taint for taint in value.taints if taint.origin.level > Level.UNKNOWN or _DECIDES.search(method))
    if not kept:
        return CLEAN
    result = replace(value, taints=kept, fields=(), collection=False, skeleton=HOLE)
    return asking(result, Ask(callee)) if method else result


def _format(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    if receiver is None or receiver.skeleton is None:
        return _by_convention(callee, receiver, arguments)
    if receiver.role == "sql-composable":
        return CLEAN
    return format_braces(receiver, arguments)


def _join(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """Paths put together, or ``separator.join(texts)``."""
    if receiver is not None and receiver.skeleton is not None and not receiver.taints and not receiver.path:
        inner = _all(None, arguments)
        if inner.exact and len(inner.fields) <= MAX_JOINED:
            items = [item for _, item in inner.fields]
            return concatenate([part for item in items for part in (receiver, item)][1:]) if items else text("")
        return replace(inner, collection=False, fields=(), skeleton=inner.skeleton or "\ufffc")
    if callee == "join" or len(arguments) > 1 or callee.endswith(("path.join", "joinpath")):
        begins = receiver is not None and (receiver.path or callee.endswith("joinpath"))
        base = [receiver] if receiver is not None and begins else []
        return join_paths([*base, *(argument.value for argument in arguments)])
    joined = replace(_all(receiver, arguments), collection=False, fields=())
    if receiver is None or not receiver.collection or not arguments or not receiver.taints:
        return joined
    separator = arguments[0].value
    if separator.taints or separator.skeleton is None:
        return joined
    return replace(joined, skeleton=f"{receiver.skeleton or HOLE}{separator.skeleton}{HOLE}", constant=None)


def join_paths(parts: Sequence[Value]) -> Value:
    """A path under the first part."""
    taints = unite(taint for part in parts for taint in part.taints)
    behind = any(part.taints for part in parts[1:])
    return Value(
        taints=taints,
        skeleton="\ufffc",
        joined=behind or any(part.joined for part in parts),
        path=any(part.path for part in parts),
    )


def _node_join(_callee: str, _receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """Node's ``path.join``, which also takes ``..`` out of what it put together."""
    return replace(join_paths([argument.value for argument in arguments]), resolved=True)


def _node_url(_callee: str, _receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """``new URL(path, base)``: a path of the program's own leads to the base's host; that of a request is its own."""
    path, base = (argument.value for argument in arguments[:2])
    if not _OWN_PATH.match(path.skeleton or ""):
        return _by_convention("URL", None, arguments)
    own = all(_OWN_ADDRESS.search(taint.origin.label) for taint in base.taints)
    return path if own and base.taints else concatenate((base, path))


def _resolve(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    if callee.startswith("path."):  # Node: path.resolve and path.normalize take the parts themselves
        return replace(join_paths([argument.value for argument in arguments]), resolved=True)
    source = receiver if receiver is not None and receiver.path else _all(receiver, arguments)
    return replace(source, resolved=True, collection=False)


def _path_class(_callee: str, _receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    values = [argument.value for argument in arguments]
    return replace(join_paths(values), path=True) if values else Value(path=True)


def _path_clean(_callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    return cleaned(_all(receiver if receiver is not None and receiver.taints else None, arguments), Purpose.PATH)


def _split_ending(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """``os.path.splitext``: what follows the last dot of the name has no separator in it."""
    whole = _all(None, arguments)
    if not whole.taints:
        return _by_convention(callee, receiver, arguments)
    ending = cleaned(Value(whole.taints, HOLE), Purpose.PATH)
    return Value(whole.taints, fields=(("0", _flat(whole)), ("1", ending)), collection=True, exact=True)


def _composable(_callee: str, _receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    return replace(_all(None, arguments), role="sql-composable")


def _quote(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """``quote`` of urllib keeps slashes; of a database connection it makes a literal."""
    if callee in ("quote", "urllib.parse.quote", "urllib.quote", "parse.quote"):
        return _flat(_all(None, arguments))
    return _by_convention(callee, receiver, arguments)


def _role(role: str) -> _Special:
    """A call whose result keeps its arguments' taints and is recognised when it is compared."""

    def give(_callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
        source = _all(receiver if receiver is not None and receiver.taints else None, arguments)
        return replace(source, role=role, collection=False, fields=())

    return give


def _implode(_callee: str, _receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """``implode(separator, texts)``, where the separator may be missing."""
    inner = _all(None, arguments[-1:])
    return replace(_all(None, arguments), collection=False, fields=(), skeleton=inner.skeleton or "\ufffc")


def _compile(_callee: str, _receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """A pattern that is kept: its text is what it matches with."""
    pattern = arguments[0].value if arguments else CLEAN
    return replace(pattern, role="pattern", constant=None) if pattern.skeleton is not None else CLEAN


def _replace(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """A text after a replacement; what is put in gets into it as well."""
    method = callee.rpartition(".")[2]
    if method == "replace" and receiver is not None and not receiver.taints and len(arguments) > 1:
        placed = _placed(receiver, arguments[0].value, arguments[1].value)
        if placed is not None:
            return placed
    known = replaced(receiver, arguments, method=method)
    if known is not None or method in ("replace", "replaceAll"):
        value = known or _by_convention(callee, receiver, arguments)
        return replace(value, role="") if value.role == JSON else value
    everything = _all(receiver if receiver is not None and receiver.taints else None, arguments)
    if not everything.taints:
        return CLEAN
    return _unknown(callee, everything) if method == "sub" else _flat(everything)


def _placed(template: Value, mark: Value, value: Value) -> Value | None:
    """A constant text with a value in the place of a mark; ``None`` for anything else."""
    if template.skeleton is None or mark.constant is None or not value.taints or not mark.skeleton:
        return None
    parts = template.skeleton.split(mark.skeleton, MAX_JOINED)
    return concatenate([part for piece in parts for part in (value, text(piece))][1:])


JSON = "json"
"""The role of a text that is JSON as it is: in a page's script it may end the script."""

RAW_TEMPLATES, RAW_TEMPLATE = "raw templates", "raw template"
"""The roles of a template engine that does not escape, and of its templates."""

_NO_PAGE = re.compile(
    r"\.(?:txt|te?xt\.\w+|sql|ya?ml|conf|cfg|ini|sh|md|rst|py|json|toml|tex|csv)(?:\.(?:j2|jinja2?))?$"
)


def _dumps(callee: str, _receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    value = _by_convention(callee, None, [item for item in arguments if item.keyword is None])
    encoders = (item.value for item in arguments if item.keyword in ("cls", "default"))
    escapes = any("html" in taint.origin.label.lower() for encoder in encoders for taint in encoder.taints)
    return value if escapes or not value.taints else replace(value, role=JSON)


def _templates(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    """Jinja's environment, which escapes only where it is told to."""
    told = next((item.value for item in arguments if item.keyword == "autoescape"), None)
    if told is not None and told.constant is not False:
        return _by_convention(callee, receiver, arguments)
    return Value(role=RAW_TEMPLATES)


def _template(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    if receiver is None or receiver.role != RAW_TEMPLATES:
        return _by_convention(callee, receiver, arguments)
    name = arguments[0].value.skeleton if arguments else ""
    return CLEAN if _NO_PAGE.search(name or "") else Value(role=RAW_TEMPLATE)


def _text_template(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    template = arguments[0].value if arguments else CLEAN
    known = not template.taints and "$" in (template.skeleton or "")
    kept = Value(skeleton=template.skeleton, role=TEXT_TEMPLATE)
    return kept if known else _by_convention(callee, receiver, arguments)


def _substitute(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    known = receiver is not None and receiver.role == TEXT_TEMPLATE
    return fill_places(receiver, arguments) if known and receiver else _by_convention(callee, receiver, arguments)


def _match(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    return matched(_by_convention(callee, receiver, arguments), callee, receiver, arguments)


def _translate(callee: str, receiver: Value | None, arguments: Sequence[Passed]) -> Value:
    return translated(arguments) or _by_convention(callee, receiver, arguments)


_Special = Callable[[str, Value | None, Sequence[Passed]], Value]
_SPECIAL: dict[str, _Special] = {
    "format": _format,
    "compile": _compile,
    **dict.fromkeys(
        words("replace replaceAll sub gsub preg_replace str_replace ReplaceAll ReplaceAllString"), _replace
    ),
    **dict.fromkeys(MATCHING, _match),
    "implode": _implode,
    **dict.fromkeys(words("_ gettext ugettext gettext_lazy ugettext_lazy lazy_gettext"), _translate),
    "dumps": _dumps,
    **dict.fromkeys(("Environment", "SandboxedEnvironment"), _templates),
    **dict.fromkeys(("get_template", "select_template", "from_string"), _template),
    "SQL": _composable,
    "Template": _text_template,
    **dict.fromkeys(("substitute", "safe_substitute"), _substitute),
    "splitext": _split_ending,
    "quote": _quote,
    "commonpath": _role("commonpath"),
    "commonprefix": _role("commonpath"),
    "relative": _role("relative"),
    "dirname": _role("dirname"),
    "relpath": _role("relative"),
    **dict.fromkeys(("infolist", "namelist", "getmembers", "getnames"), _role("members")),
    **dict.fromkeys(("ZipFile", "TarFile"), _role("archive")),
    **dict.fromkeys(_JOINS, _join),
    "node_join": _node_join,
    "node_url": _node_url,
    **dict.fromkeys(_RESOLVERS, _resolve),
    **dict.fromkeys(_PATH_CLASSES, _path_class),
    **dict.fromkeys(_PATH_CLEANERS, _path_clean),
}


def decides(name: str) -> bool:
    """Whether a function's name says that it checks or cleans what it is given."""
    return bool(_DECIDES.search(name))
