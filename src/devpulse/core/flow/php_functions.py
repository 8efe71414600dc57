"""Functions of PHP: their parameters, what a request offers, and what the language's own functions do to values."""

from __future__ import annotations

import re
from functools import lru_cache

from tree_sitter import Node

from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.syntax_nodes import line_of, node_text
from devpulse.core.flow.tables import words
from devpulse.core.flow.values import Level

_REQUEST_ARRAYS = frozenset({"$_GET", "$_POST", "$_REQUEST", "$_COOKIE", "$_FILES", "$HTTP_RAW_POST_DATA"})
_SERVER_FIELDS = re.compile(
    r"HTTP_\w+|QUERY_STRING|(?:UNENCODED_|ORIG_)?(?:REQUEST_URI|URL|PATH_INFO)|PHP_SELF|PATH_TRANSLATED|"
    r"PHP_AUTH_(?:USER|PW|DIGEST)|CONTENT_TYPE"
)
"""Those of ``$_SERVER`` that a client decides; the rest is the server's configuration."""

_BARE = {
    "php://input": Level.REQUEST,
    **dict.fromkeys(("getallheaders", "apache_request_headers", "filter_input", "filter_input_array"), Level.REQUEST),
    **dict.fromkeys(("request", "input", "I"), Level.REQUEST),  # shortcuts of Laravel, CodeIgniter and ThinkPHP
    "zip_entry_name": Level.ARCHIVE,
    **dict.fromkeys(("INPUT_GET", "INPUT_POST", "INPUT_COOKIE", "INPUT_REQUEST"), Level.REQUEST),
    **dict.fromkeys(("get_query_var", "shortcode_atts", "header from the client", "current.path"), Level.REQUEST),
    **dict.fromkeys(("$argv", "getenv", "getopt", "readline", "php://stdin", "STDIN"), Level.LOCAL_INPUT),
    "$_ENV": Level.LOCAL_INPUT,
    **dict.fromkeys(  # what WordPress keeps for its users
        ("get_option", "get_site_option", "get_post_meta", "get_user_meta", "get_term_meta", "get_theme_mod"),
        Level.UNKNOWN,
    ),
}
_REQUEST_ROOTS = re.compile(
    r"(?i)^(?:\$this\.|Yii\.(?:\$app|app\(\))\.)?\$?(?:http|server)?_?req(?:uest)?(?:interface)?$"
)
_REQUEST_PARTS = re.compile(
    r"(?i)^(?:\$this\.)?\$?req(?:uest)?\.(?:query|request|headers|cookies|files|attributes|cookie|get|post|data)$"
)
_READERS = re.compile(
    r"^(?:get|fetch|read)_?(?:n?filter_)?(?:request|gpc|http)_?(?:var|value|param(?:eter)?|string)$|^gpc_get(?:_string|_cookie)?$|"
    r"^_(?:GET|POST|REQUEST)$"
)
"""Functions by which programs read a value of the request under its name, as they are called by convention."""

_CLIENT_NAMES = frozenset({"getClientFilename", "getClientName"})
"""Names of uploaded files as the client gave them, with all folders: PSR-7, CodeIgniter."""

_OTHERS = {"$_SERVER.argv": Level.LOCAL_INPUT, **dict.fromkeys(("getNameIndex", "statIndex"), Level.ARCHIVE)}
"""Members with their owners, or methods of anything (ZipArchive's), that give what did not come with the request."""

_TEXT_OF = re.compile(
    r"(?i)^get_?(?:(?:display|full|first|last|nick|user|company)_?)?"
    r"(?:name|title|description|comment|caption|e?mail|subject|signature|bio|notes?|headline)$"
)
"""Methods that give a text that somebody wrote into a record."""

_NO_RECORD = re.compile(
    r"(?i)^\$this$|file|upload|request|input|form|query|column|table|field|class|param|reflect|method|type|config"
)
"""Variables that hold no record, but what was sent or a part of the program."""

_TABLES = frozenset({"GET", "POST", "REQUEST", "COOKIE"})
"""Under these names programs keep what was sent in a table of their own."""

_OF_METHODS = re.compile(r"(?i)rout|method|handler|verb|map|action|allow|rule|expect|^\$(?:this|app|self)$")
"""Tables by the methods of HTTP."""

_NAMED_READS = frozenset({("Tools", "getValue"), ("Tools", "getAllValues"), ("Input", "get"), ("Input", "all")})
"""Static methods of PrestaShop and Laravel that give what was sent."""

_INPUT_ROOTS = frozenset({"$this.input", "Input", "$input"})
_JOOMLA = frozenset(
    {
        "$app.input",
        "$this.app.input",
        "$jinput",
        "JRequest",
        "JFactory.getApplication().input",
        "Factory.getApplication().input",
    }
)
_JOOMLA_READS = re.compile(r"^get(?:String|Raw|Html|Var|Array)$")
"""What ``get`` gives without a filter has letters, digits and a few signs only."""

_NOT_INPUT = re.compile(
    r"^(?:is|has|with|set|can|was|expects|accepts|wants|when|merge|user|session|filled|missing|ajax|pjax|validate$|"
    r"validateWithBag|method|getMethod|getSession|getUser$|getClientIp|getScheme|getPort|getLocale|getProtocolVersion|"
    r"getServerParams|ip$|ips$|secure|server$|instance|container|offsetUnset|flash|old$|allows|stack|user_id|"
    r"(?:query|request|headers|cookies|files|attributes)$)"
)
_READS = re.compile(
    r"^(?:get|all|post|get_post|post_get|cookie|server|only|except|file|query|input|request_headers|get_request_header|"
    r"raw_input_stream|keys|getAlpha|getAlnum|getString|toArray)$"
)

_LIKE: dict[str, str] = {
    "str_replace": "str_replace",
    "preg_replace": "preg_replace",
    **dict.fromkeys(
        words("""
            trim ltrim rtrim chop strtolower strtoupper ucfirst ucwords lcfirst str_ireplace substr
            mb_substr mb_strtolower mb_strtoupper explode preg_split str_split mb_str_split strtok strstr stristr
            strrchr strrev str_pad str_repeat nl2br wordwrap strval stripslashes stripcslashes urldecode
            rawurldecode base64_decode base64_encode hex2bin json_decode json_encode unserialize serialize
            html_entity_decode htmlspecialchars_decode utf8_encode utf8_decode iconv mb_convert_encoding
            mb_convert_case substr_replace preg_replace_callback strtr parse_url pathinfo
            str_word_count sanitize_email wp_unslash maybe_unserialize gzuncompress gzinflate convert_uudecode
            str_rot13 print_r var_export http_build_query quotemeta addcslashes Str.of Str.lower Str.upper Str.after
            Str.before apply_filters stream_get_contents
        """),
        "str",
    ),
    "strip_tags": "str",
    **dict.fromkeys(
        words("""
            array_merge array_merge_recursive array_values array_keys array_filter array_slice array_reverse
            array_unique array_map array_combine array_flip array_diff array_diff_key array_pop array_shift
            array_column array_chunk array_replace array_fill_keys current reset end next key compact
            iterator_to_array array_pad array_walk array_reduce collect data_get Arr.get Arr.wrap func_get_args
            call_user_func call_user_func_array
        """),
        "list",
    ),
    **dict.fromkeys(
        words("""
            intval floatval doubleval boolval strlen mb_strlen count sizeof ord abs ceil floor round crc32 strcmp
            strcasecmp strncmp strncasecmp substr_count hexdec bindec octdec absint time strtotime mktime rand
            mt_rand random_int uniqid microtime is_array is_string is_null is_object is_callable is_bool is_file
            is_dir is_readable file_exists empty isset hash_equals password_verify md5 sha1 hash hash_hmac
            password_hash md5_file filesize filemtime checkdate in_array array_key_exists array_search levenshtein
            similar_text preg_match_all inet_pton ip2long getInt getBoolean getDigits getEnum integer boolean
            array_sum max_int date number_format str_contains str_ends_with bin2hex random_bytes
        """),
        "int",
    ),
    **dict.fromkeys(words("ctype_digit is_numeric is_int is_integer is_float is_long"), "isdigit"),
    **dict.fromkeys(words("ctype_alnum ctype_alpha ctype_xdigit ctype_lower ctype_upper"), "isalnum"),
    **dict.fromkeys(words("str_starts_with strpos stripos mb_strpos"), "startswith"),
    **dict.fromkeys(words("preg_match mb_ereg ereg"), "preg_match"),
    **dict.fromkeys(words("sprintf vsprintf"), "format_verbs"),
    **dict.fromkeys(words("implode join"), "implode"),
    **dict.fromkeys(words("htmlspecialchars htmlentities esc_html esc_attr"), "html.escape"),
    **dict.fromkeys(words("escapeshellarg escapeshellcmd"), "shlex.quote"),
    **dict.fromkeys(words("pg_escape_literal pg_escape_identifier"), "escape_string"),
    **dict.fromkeys(words("sanitize_file_name basename"), "basename"),
    **dict.fromkeys(words("rawurlencode urlencode"), "encodeURIComponent"),
}
"""Each function by the call of ``transfers`` that does the same to its arguments."""

FOR_QUOTES = frozenset(
    words("""
        addslashes esc_sql real_escape_string mysqli_real_escape_string mysql_real_escape_string mysqli_escape_string
        mysql_escape_string pg_escape_string sqlite_escape_string escape_string
    """)
)
"""Escapes of what stands between quotes: without those the value can still say what the statement does."""

_ESCAPES_HTML = re.compile(
    r"(?i)(?:html_?(?:special_?)?(?:escape|chars|entities|encode|safe)|(?:escape|encode|esc|clean|purify|sanitize)_?(?:html|attr|input|js|output|chars|markup)"
    r"|special_?chars)(?:_\w{1,12})?$|(?:^|[._])(?:xss_?clean|xss_?filter|remove_?xss|string_(?:attribute|display\w*|html_\w+)|kses)$|"
    r"(?:^rcu?(?:be|mail)\.Q|(?:text|view|escaper|this|html)\.(?:e|escape\w*|h))$"
)

OUTPUTS = {"preg_match": 2, "preg_match_all": 2, "parse_str": 1, "mb_parse_str": 1, "array_push": 0, "array_unshift": 0}
"""Functions that put what they are given into one of their arguments, by its position."""

_HARMLESS_TYPES = re.compile(r"(?i)^\??(?:int|float|bool|false|true|null|void|callable|closure|\\?DateTime\w*)$")
_TEXT_TYPES = re.compile(r"(?i)\b(?:string|array|iterable|mixed|object|stringable)\b")
_REQUEST_TYPE = re.compile(r"Request$|ServerRequestInterface$")  # the bare interface is a client's
_ROUTE = re.compile(r"#\[[^\]]*\b(?:Route|Get|Post|Put|Patch|Delete)\b")
_ESCAPE = re.compile(rb"\b(htmlspecialchars|htmlentities|esc_html|esc_attr|esc_url)\s*\(")
_ASKED = re.compile(rb"\$(_(?:GET|POST|REQUEST|COOKIE|SERVER))\b")
_TAGS = re.compile(rb"[\"'>]\s*<[a-z]")
_ATTRIBUTES = re.compile(r"(?i)^\$(?:_?at+s?|attrs?|attributes?|args?|params?|sc_?\w*|options)$")
_OBJECTS = frozenset(
    {
        "$this", "$db", "$pdo", "$dbh", "$conn", "$connection", "$mysqli", "$wpdb", "$link", "$em", "$entityManager",
        "$request", "$req", "$response", "$res", "$logger", "$app", "$container", "$session", "$next", "$e", "$ex",
        "$exception", "$kernel", "$twig", "$view", "$mailer", "$cache", "$config", "$stmt", "$handler", "$event",
    }
)  # fmt: skip


@lru_cache(maxsize=4096)
def request_field(owner: str, name: str) -> Level | None:
    """The level of ``owner.name``, also where ``name`` is a method that reads input."""
    if owner in _REQUEST_ARRAYS or (not owner and name in _REQUEST_ARRAYS) or _is_own_table(owner, name):
        return Level.REQUEST
    if owner and (known := _OTHERS.get(f"{owner}.{name}") or _OTHERS.get(name)) is not None:
        return known
    if name in _CLIENT_NAMES or (owner, name) in _NAMED_READS or (owner == "$mybb" and name in ("input", "get_input")):
        return Level.REQUEST
    if owner == "":
        return _BARE.get(name) or (Level.REQUEST if _READERS.match(name) else None)
    if owner == "$_ENV":
        return _BARE.get(owner)
    if owner == "$_SERVER":
        reads = _SERVER_FIELDS.fullmatch(name) is not None
    elif _REQUEST_ROOTS.match(owner):
        reads = not _NOT_INPUT.match(name) or name in ("query", "cookies", "headers")
    elif owner in _JOOMLA:
        reads = _JOOMLA_READS.match(name) is not None
    else:
        reads = (owner in _INPUT_ROOTS or _REQUEST_PARTS.match(owner) is not None) and _READS.match(name) is not None
    return Level.REQUEST if reads else _level_of_text(owner, name)


def _level_of_text(owner: str, name: str) -> Level | None:
    return Level.UNKNOWN if owner.startswith("$") and _TEXT_OF.match(name) and not _NO_RECORD.search(owner) else None


def _is_own_table(owner: str, name: str) -> bool:
    return name in _TABLES and owner.startswith("$") and not _OF_METHODS.search(owner)


@lru_cache(maxsize=4096)
def like(callee: str) -> str:
    """The call of ``transfers`` that a function or method does the same as; empty for one not known here.

    A program's own function that is called like an escape for pages is taken for one.
    """
    known = _LIKE.get(callee) or _LIKE.get(callee.rpartition(".")[2], "")
    return "html.escape" if not known and _ESCAPES_HTML.search(callee[-60:]) else known


def parameters_of(function: Node) -> tuple[Parameter, ...]:
    """The parameters with their levels: those of a route or next to a request object are requests."""
    listed = function.child_by_field_name("parameters")
    nodes = listed.named_children if listed is not None else []
    types = [node_text(node.child_by_field_name("type")) for node in nodes]
    names = [_name(node) for node in nodes]
    attributes = node_text(function.child_by_field_name("attributes"))
    routed = any(map(_REQUEST_TYPE.search, types)) or _ROUTE.search(attributes) is not None
    routed = routed or names[:2] in (["$request", "$response"], ["$req", "$res"])
    level = Level.REQUEST if routed else Level.PARAMETER
    return tuple(
        Parameter(name, level if _can_harm(name, kind, node) else None, line_of(node), name.lstrip("$"))
        for node, kind, name in zip(nodes, types, names, strict=True)
        if name
    )


def is_shortcode(first: Parameter, body: Node) -> bool:
    """Whether a function makes the HTML of a WordPress shortcode, whose attributes any author of a page chooses."""
    return _ATTRIBUTES.match(first.name) is not None and b"shortcode_atts" in (body.text or b"")


def escape_of(body: Node) -> str:
    """As what call the returns of a function count that makes HTML and escapes a part of it or reads what was sent;
    empty for any other.
    """
    written = body.text or b""
    if b"return" not in written or not _TAGS.search(written):
        return ""
    found = _ESCAPE.search(written)
    if found is not None:
        return f"{found.group(1).decode()}.return"
    asked = _ASKED.search(written)
    return f"{asked.group(1).decode()}.return" if asked is not None else "return.return"


def _name(node: Node) -> str:
    name = node.child_by_field_name("name")
    while name is not None and name.type != "variable_name":  # by reference
        name = name.named_children[0] if name.named_children else None
    return node_text(name)


def _can_harm(name: str, kind: str, node: Node) -> bool:
    if name in _OBJECTS or (kind and all(_HARMLESS_TYPES.match(part.strip()) for part in kind.split("|"))):
        return False
    default = node_text(node.child_by_field_name("default_value"))
    if not kind and re.fullmatch(r"(?i)-?\d+(?:\.\d+)?|true|false", default):
        return False
    return not kind or _TEXT_TYPES.search(kind) is not None
