"""Python functions that a library calls with what somebody sent, where no web route says so.

Chat bots, tools that a language model calls, messages of sockets and queues, calls from another process: told by the
decorator that registers the function, by the name a library looks for, or by parameters that only its callbacks have.
Also what is read off an object: the environment of WSGI, ASGI and CGI, connections, inputs of Streamlit and of windows,
the handlers of ``http.server``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.values import Level

_TOLD = re.compile(
    r"""@\s*(?:
        [\w.]+\.(?:message_handler|callback_query_handler|inline_handler|edited_message_handler|channel_post_handler
            |callback_query|inline_query|edited_message|channel_post|on_message|on_edited_message|on_callback_query
            |on_inline_query|message|chat_message)\s*\(
      | [\w.]+\.on\s*\(\s*(?:events|re)\.
      | (?:[\w.]+\.)?(?:socketio|sio|socket|io)\w*\.(?:on|event|on_event)\b
      | (?:[\w.]*(?:mcp|server|agent|toolkit|registry)\w*\.)(?:tool|tool_plain|call_tool|resource|prompt)\b
      | (?:function_tool|kernel_function|tool)\s*(?:\(|$)
      | (?:[\w.]*(?:rpc|dispatcher)\w*\.)(?:method|add_method|register)\b
      | (?:query|mutation|subscription|strawberry)\.(?:field|mutation|subscription)\b
      | Pyro[45](?:\.api)?\.expose\b
    )""",
    re.VERBOSE,
)
"""Decorators of telebot, aiogram, Pyrogram, Telethon, Socket.IO, tools of models, JSON-RPC, GraphQL and Pyro."""

_COMMAND = re.compile(
    r"@\s*(?:[\w.]+\.)?(?:command|hybrid_command|slash_command|user_command|message_command|context_menu|event"
    r"|listener|listen|shortcut|action|view|message)\b"
)
"""Commands and events of chats, if the parameters are those of a chat as well: ``click`` has commands too."""

_OF_TERMINAL = re.compile(r"@\s*(?:click|typer|cli)\b|\.(?:argument|option|pass_\w+)\b")
_KEPT = re.compile(
    r"(?i)owner|admin|sudo|permission|role|restrict|author|filters?\.(?:user|chat)|allow|staff|check|whitelist"
)
"""Decorators that keep others out: what the few may send is their own business."""

_SPOKEN_TO = re.compile(r"^(?:ctx|context|interaction|inter|itx)$")
_TALK = re.compile(r"(?:^|[\s.\[])(?:Interaction|ApplicationContext|SlashContext|InteractionContext)\b")
_SENT_TYPES = re.compile(
    r"^(?:(?:\w+\.)*types|discord|telegram|telebot|pyrogram|nextcord|disnake)\.(?:\w+\.)*"
    r"(?:Message|CallbackQuery|InlineQuery|Interaction|Update)\b"
    r"|^(?:(?:Optional|[Ll]ist|Annotated)\[)*(?:\w+\.)*(?:UploadFile|FileStorage)\b"
)
"""Messages of chats, and uploaded files with the names that clients give them."""

_SLACK = frozenset(
    {"command", "event", "message", "body", "payload", "action", "shortcut", "view", "logger", "options"}
)
_CALLED_WITH_TEXT = re.compile(
    r"^(?:on_?[mM]essage(?:_\w+)?|(?:data|line|rawData|datagram|string)Received|(?:data|datagram)_received|exposed_\w+)$"
)
"""Methods of protocols and services that a library calls by their names."""

_CALLED_WITH = (
    (re.compile(r"^receive(?:_json)?$"), frozenset({"text_data", "bytes_data", "content"})),
    (re.compile(r"^(?:resolve_\w+|mutate)$"), frozenset({"info", "_info"})),
)
"""The same of consumers and schemas, whose methods have a parameter that tells them from others of that name."""

_OWN = frozenset({"self", "cls"})
_GIVEN = frozenset(
    {"sid", "environ", "auth", "ack", "say", "respond", "client", "bot", "ctx", "context", "info", "root", "parent",
     "_", "userdata",
     "ws", "websocket", "properties", "method", "channel", "ch", "addr", "sender", "isBinary", "is_binary"}
)  # fmt: skip
"""Parameters of handlers that the library makes itself."""

_QUEUED = ("method", "properties"), ("method", "props"), ("method", "header"), ("method_frame", "header_frame")
_REPLACED = {"context": "bot context", "environ": "wsgi environ", "scope": "asgi scope"}


def sent_to(name: str, written: Sequence[str], kinds: Sequence[str], found: list[Parameter]) -> list[Parameter] | None:
    """The parameters of a handler with what is sent marked as such; ``None`` for a function that is none.

    ``written`` are its decorators, ``kinds`` the annotations of its parameters.
    """
    if not found or any(_KEPT.search(text) for text in written):
        return None
    names = [item.name for item in found]
    own = names[:1] if names[0] in _OWN else []
    given = names[len(own) :]
    if any(map(_TOLD.match, written)) or _is_command(written, given, kinds):
        return _marked(found)
    if _CALLED_WITH_TEXT.match(name) and (own or given[1:2] == ["userdata"]):
        return _marked(found)
    if any(called.match(name) and not also.isdisjoint(given) for called, also in _CALLED_WITH):
        return _marked(found)
    return _by_parameters(given, kinds, found)


def _is_command(written: Sequence[str], given: list[str], kinds: Sequence[str]) -> bool:
    """Whether a command or event is one of a chat: it is given what answers, too."""
    if not any(map(_COMMAND.match, written)) or any(map(_OF_TERMINAL.search, written)):
        return False
    if {"ack", "say", "respond"} & set(given):
        return not _SLACK.isdisjoint(given)
    if given[:1] == ["message"]:
        return True
    return bool(given) and (_SPOKEN_TO.match(given[0]) is not None or any(map(_TALK.search, kinds)))


def _by_parameters(given: list[str], kinds: Sequence[str], found: list[Parameter]) -> list[Parameter] | None:
    """The same of callbacks whose parameters give them away."""
    if len(given) == 4 and tuple(given[1:3]) in _QUEUED:
        return [*found[:-1], _sent(found[-1])]
    pair = tuple(given[:2])
    if pair in (("update", "context"), ("bot", "update")) or pair == ("event", "context"):
        return _marked(found)
    if pair == ("environ", "start_response") or given == ["scope", "receive", "send"]:
        return [replace(item, role=_REPLACED.get(item.name, item.role)) for item in found]
    if any(map(_SENT_TYPES.match, kinds)):
        return [_sent(item) if _SENT_TYPES.match(kind) else item for item, kind in zip(found, kinds, strict=True)]
    return None


def _marked(found: list[Parameter]) -> list[Parameter]:
    return [_MARKS.get(item.name, _sent)(item) for item in found]


def _kept(parameter: Parameter) -> Parameter:
    return parameter


def _context(parameter: Parameter) -> Parameter:
    return replace(parameter, role=_REPLACED["context"])


def _sent(parameter: Parameter) -> Parameter:
    return replace(parameter, level=Level.REQUEST) if parameter.level is Level.PARAMETER else parameter


_MARKS: dict[str, Callable[[Parameter], Parameter]] = {**dict.fromkeys(_GIVEN | _OWN, _kept), "context": _context}
"""What becomes of a parameter of a handler by its name; all others are sent."""

_READ_OFF = {
    "bot context": frozenset({"args", "matches", "match"}),
    "wsgi environ": frozenset(
        {"QUERY_STRING", "PATH_INFO", "REQUEST_URI", "HTTP_COOKIE", "HTTP_USER_AGENT", "HTTP_REFERER", "HTTP_HOST",
         "wsgi.input", "CONTENT_TYPE", "get"}
    ),
    "asgi scope": frozenset({"path", "query_string", "headers", "raw_path"}),
    "os.environ": frozenset(
        {"QUERY_STRING", "PATH_INFO", "REQUEST_URI", "HTTP_COOKIE", "HTTP_USER_AGENT", "HTTP_REFERER", "HTTP_HOST"}
    ),
    "ctx.message": frozenset({"content"}),
    "st": frozenset(
        {"text_input", "text_area", "chat_input", "file_uploader", "query_params", "experimental_get_query_params"}
    ),
}  # fmt: skip
"""What is sent, by what it is read off: by the role of a parameter or by the dotted name."""

_FROM_NETWORK = frozenset(
    {"recv", "recvfrom", "recv_string", "recv_multipart", "receive_text", "receive_json", "receive_bytes"}
)
_TYPED_IN = frozenset({"GetValue", "toPlainText"})


def read_off(owner: str, name: str) -> Level | None:
    """The level of ``owner.name`` where that is what somebody sent over a connection or typed into a window."""
    if name in _FROM_NETWORK:
        return Level.REQUEST
    if name in _TYPED_IN:
        return Level.LOCAL_INPUT
    known = _READ_OFF.get(owner)
    return Level.REQUEST if known is not None and name in known else None


_SPEAKERS = re.compile(
    r"(?:^|\.)(?:chat|from_user|author|guild|server|channel|member|sender|effective_user|effective_chat|current_user"
    r"|(?:request|interaction|ctx|context|g|self|session|message|event)\.user)$"
)
_MESSAGES = re.compile(
    r"(?:^|[._])(?:message|msg|event|update|call|callback|interaction|ctx|context|query|reply_to_message)$"
)
_NUMBERS_OF_MESSAGES = frozenset({"chat_id", "message_id", "guild_id", "channel_id", "sender_id", "from_id"})


def is_number_of(owner: str, name: str) -> bool:
    """Whether a member is the number of who speaks or of where: ``message.chat.id``, ``event.chat_id``."""
    if name == "id":
        return _SPEAKERS.search(owner) is not None
    return name in _NUMBERS_OF_MESSAGES and _MESSAGES.search(owner) is not None


_SERVES = re.compile(r"HTTPRequestHandler\b")


def fields_of_server(bases: str, line: int) -> tuple[Parameter, ...]:
    """The fields of a handler of ``http.server`` that hold what was asked for."""
    if _SERVES.search(bases) is None:
        return ()
    return tuple(Parameter(name, Level.REQUEST, line, kind="keyword") for name in ("self.path", "self.headers"))
