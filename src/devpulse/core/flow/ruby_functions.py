"""Methods of Ruby: their parameters, what a request offers, and what the core's own methods do to values."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.syntax_nodes import line_of, node_text
from devpulse.core.flow.tables import words
from devpulse.core.flow.values import Level

_BARE = {
    **dict.fromkeys(("params", "cookies", "Rack.Request.params"), Level.REQUEST),
    **dict.fromkeys(("gets", "ARGV", "ENV", "ARGF", "readline", "readlines", "$*"), Level.LOCAL_INPUT),
}
_REQUEST_ROOTS = re.compile(r"^(?:self\.|@)?(?:rack_)?req(?:uest)?$")
_FIELDS = frozenset(
    {
        "params", "query_string", "path", "fullpath", "original_fullpath", "path_info", "url", "original_url", "body",
        "raw_post", "headers", "referer", "referrer", "user_agent", "cookies", "host", "host_with_port", "subdomain",
        "query_parameters", "request_parameters", "path_parameters", "filtered_parameters", "GET", "POST",
        "request_uri", "parameters", "media_type", "content_type", "get_header", "base_url", "form_data", "query",
    }
)  # fmt: skip
_RACK_FIELDS = re.compile(
    r"HTTP_\w+|QUERY_STRING|PATH_INFO|REQUEST_(?:PATH|URI)|rack\.(?:input|request\.\w+)|CONTENT_TYPE"
)
_STREAMS = frozenset({"STDIN", "$stdin", "ARGF", "Readline", "Kernel", "Reline"})
_READS = frozenset({"read", "gets", "readline", "readlines", "each_line", "getc"})
_INPUTS = frozenset({"params", "cookies", "self.params", "@params", "self.cookies"})
_NOT_INPUT = re.compile(r"[?!]$|^(?:delete|delete_all|size|length|count|permitted|signed|encrypted|permanent|is_a)$")

ARCHIVES = frozenset(words("Zip::File.open Zip::File.new Gem::Package::TarReader.new TarReader.new"))
"""What gives an archive whose members are iterated over."""

_LIKE: dict[str, str] = {
    "gsub": "gsub",
    **dict.fromkeys(
        words("""
            strip lstrip rstrip split encode join replace sub downcase upcase swapcase to_s to_str to_sym chomp
            chop squeeze squish force_encoding freeze dup clone html_safe presence tr tr_s delete titleize camelize
            classify underscore humanize pluralize singularize reverse last inspect unpack unpack1 scrub
            unicode_normalize b chars lines bytes each_line each_char to_a to_h to_unsafe_h to_json as_json permit
            permit! require fetch dig slice except values_at compact compact_blank flatten uniq sort sort_by shuffle
            take drop sample merge reverse_merge with_indifferent_access symbolize_keys stringify_keys collect
            select reject flat_map filter_map each each_with_index each_with_object inject reduce group_by partition
            detect min_by max_by zip tap then yield_self try itself center delete_prefix delete_suffix truncate
            first second prepend concat insert push unshift append original_filename tempfile deep_dup gsub! sub!
            strip! downcase! upcase! chomp! squeeze! tr! string to_query each_pair sum strip_heredoc indent succ
            next captures named_captures [] slice! compact! capitalize
        """),
        "strip",
    ),
    **dict.fromkeys(
        words("""
            unescape unescapeHTML decode64 urlsafe_decode64 strict_decode64 encode64 strict_encode64
            urlsafe_encode64 decode_www_form String Array URI load JSON.parse JSON.generate CGI.unescape URI.parse
            URI.join CGI.parse
        """),
        "str",
    ),
    **dict.fromkeys(
        words("""
            to_i to_f to_r to_d to_c Integer Float Rational Complex BigDecimal hex oct ord size length bytesize hash
            object_id to_date to_time to_datetime Boolean hexdigest digest index casecmp count nil? blank? present?
            empty? is_a? any? all? zero? exist? file? directory? class equal? round abs instance_of? kind_of?
            respond_to? valid? none? positive? negative? even? odd? eql? secure_compare numeric? persisted?
        """),
        "int",
    ),
    **dict.fromkeys(words("key? has_key? include? member? cover? exclude?"), "includes"),
    **dict.fromkeys(words("start_with? starts_with?"), "startswith"),
    **dict.fromkeys(words("end_with? ends_with?"), "endswith"),
    **dict.fromkeys(
        words("""
            where find_by find_by! find find_or_create_by find_or_initialize_by order joins includes limit offset
            group having pluck create create! update update! save save! destroy delete_all find_each reorder rewhere
            unscoped update_all destroy_all exists? find_by_sql select_all execute exec_query
        """),
        "clear",
    ),
    **dict.fromkeys(words("format sprintf"), "format_verbs"),
    **dict.fromkeys(
        words("""
            escapeHTML escape_html html_escape h CGI.escapeHTML sanitize strip_tags html_escape_once escape_once
        """),
        "html.escape",
    ),
    **dict.fromkeys(words("shellescape Shellwords.escape Shellwords.shellescape shelljoin"), "shlex.quote"),
    **dict.fromkeys(
        words("""
            sanitize_sql_like quote_string sanitize_sql sanitize_sql_for_conditions quote_table_name
            quote_column_name sanitize_sql_array connection.quote conn.quote escape_literal db.escape client.escape
        """),
        "escape_string",
    ),
    **dict.fromkeys(words("CGI.escape url_encode encode_www_form_component parameterize"), "encodeURIComponent"),
    **dict.fromkeys(words("File.expand_path realpath File.realpath File.absolute_path cleanpath"), "realpath"),
    **dict.fromkeys(words("File.basename"), "basename"),
    **dict.fromkeys(words("Rails.root.join File.join"), "joinpath"),
    **dict.fromkeys(ARCHIVES, "ZipFile"),
}
"""Each method by the call of ``transfers`` that does the same to its receiver and arguments."""

FILLING = frozenset({"push", "append", "concat", "prepend", "insert", "unshift", "merge!", "store", "update", "add"})
"""Methods that put their arguments into their receiver."""

ROUTES = frozenset({"get", "post", "put", "patch", "delete", "options", "head", "route"})
_OBJECTS = frozenset(
    {
        "self", "db", "conn", "connection", "client", "request", "req", "response", "res", "env", "logger", "app",
        "session", "controller", "user", "current_user", "block", "blk", "form", "f", "t", "config", "klass", "error",
        "e", "ex",
    }
)  # fmt: skip
_KINDS = {"splat_parameter": "*", "hash_splat_parameter": "**", "keyword_parameter": "keyword"}
_NUMBER = re.compile(r"-?\d[\d_]*(?:\.\d+)?|true|false")


def request_field(owner: str, name: str) -> Level | None:
    """The level of ``owner.name``, also where ``name`` is a method that reads input."""
    if not owner:
        return _BARE.get(name)
    if owner in ("ENV", "ARGV", "ARGF") or (owner in _STREAMS and name in _READS):
        return Level.LOCAL_INPUT
    if owner in _INPUTS:
        reads = not _NOT_INPUT.search(name)
    elif owner == "env" or owner.endswith(".env"):
        reads = _RACK_FIELDS.fullmatch(name) is not None
    else:
        reads = name in _FIELDS and _REQUEST_ROOTS.match(owner) is not None
    return Level.REQUEST if reads else None


def like(callee: str) -> str:
    """The call of ``transfers`` that a method does the same as; empty for one not known here."""
    owner, _, method = callee.rpartition(".")
    return _LIKE.get(callee) or _LIKE.get(f"{owner.rpartition('.')[2]}.{method}") or _LIKE.get(method, "")


def parameters_of(function: Node) -> tuple[Parameter, ...]:
    """The parameters of a method, a lambda, or a block that is kept, with their levels."""
    listed = function.child_by_field_name("parameters")
    found: list[Parameter] = []
    for node in listed.named_children if listed is not None else []:
        name = node_text(node.child_by_field_name("name") or (node if node.type == "identifier" else None))
        default = node_text(node.child_by_field_name("value"))
        harmless = name in _OBJECTS or node.type == "block_parameter" or _NUMBER.fullmatch(default)
        if name:
            level = None if harmless else Level.PARAMETER
            found.append(Parameter(name, level, line_of(node), name, _KINDS.get(node.type, "")))
    return tuple(found)
