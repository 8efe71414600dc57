"""A real HTTP server on loopback whose answers are given by a function; it records what arrives and can misbehave."""

from __future__ import annotations

import json
import os
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast


class Fault(Enum):
    """What goes wrong below HTTP."""

    RESET = "the connection is reset before a byte of the answer"
    CUT = "the connection ends in the middle of the body"
    TRICKLE = "the body comes a byte at a time and never ends"


@dataclass(frozen=True)
class HttpRequest:
    """A request as it arrived. ``target`` is the path and query; header names are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class HttpReply:
    """An answer. ``delay`` is in seconds and ends early when the server is closed."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    fault: Fault | None = None


class LoopbackServer:
    """Serves ``answer`` from threads on a free port of 127.0.0.1 while its ``with`` block runs.

    ``tls`` makes it an HTTPS server. An exception in ``answer`` gives a 500 and is raised on leaving the block.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpReply], tls: ssl.SSLContext | None = None) -> None:
        self._answer = answer
        self._scheme = "https" if tls else "http"
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self.requests: list[HttpRequest] = []
        self.errors: list[BaseException] = []
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if error is None and self.errors:
            raise self.errors[0]

    def reply_to(self, request: HttpRequest) -> HttpReply:
        with self._lock:
            self.requests.append(request)
        try:
            reply = self._answer(request)
        except Exception as error:  # noqa: BLE001  (a server thread must not swallow a failing test)
            with self._lock:
                self.errors.append(error)
            return HttpReply(500, json.dumps({"error": {"message": repr(error)}}).encode())
        if reply.delay:
            self._closing.wait(reply.delay)
        return reply

    def closing(self, seconds: float) -> bool:
        """Wait; true when the server is being closed."""
        return self._closing.wait(seconds)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: LoopbackServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is not worth a traceback; the test asserts on what the client saw."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Unbuffered writes and Nagle's algorithm together cost 40 ms a reply.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        owner = cast("_Server", self.server).owner
        length = int(self.headers.get("content-length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = owner.reply_to(HttpRequest(self.command, self.path, headers, self.rfile.read(length)))
        if reply.fault is Fault.RESET:
            self._reset()
            return
        self._head(reply)
        if reply.fault is Fault.CUT:
            self.wfile.write(reply.body[: len(reply.body) // 2])
            self.close_connection = True
        elif reply.fault is Fault.TRICKLE:
            self._trickle(owner)
        else:
            self.wfile.write(reply.body)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_CONNECT = do_GET  # noqa: N815  (the names http.server looks for)

    def _head(self, reply: HttpReply) -> None:
        self.send_response(reply.status)
        length = 1_000_000 if reply.fault is Fault.TRICKLE else len(reply.body)
        for name, value in {"content-length": str(length), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _trickle(self, owner: LoopbackServer) -> None:
        self.close_connection = True
        while not owner.closing(0.02):
            self.wfile.write(b" ")
            self.wfile.flush()

    def _reset(self) -> None:
        # Linger of zero seconds turns the close into a TCP reset.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        os.close(self.connection.detach())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the inherited name)
        """Requests are recorded, not printed."""
