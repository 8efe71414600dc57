"""One attempt: a request through the library, every way it can end told apart. Importing this takes a second."""

from __future__ import annotations

import logging
import re
import threading
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import httpx2
from google.genai.errors import APIError
from langchain_core.exceptions import LangChainException
from langchain_core.messages import AIMessage
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_google_genai.chat_models import ChatGoogleGenerativeAIError
from langsmith import tracing_context

from devpulse.adapters.gemini.body import BodyRefused, BoundedBody
from devpulse.adapters.gemini.config import GeminiConfig, SentRequest
from devpulse.adapters.gemini.conversation import to_declarations, to_langchain
from devpulse.adapters.gemini.failures import Failure, HttpError, http_failure, network_failure, unreadable
from devpulse.adapters.gemini.replies import to_reply
from devpulse.core.messages import ModelReply, ModelRequest
from devpulse.errors import ModelMisconfigured

# What the libraries warn about (an empty reply, an unknown finish reason) is typed in the reply.
logging.getLogger("langchain_google_genai").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", category=UserWarning, module=r"google\.genai\._common")

# GOOGLE_GENAI_HTTP_CLIENT chooses between two HTTP clients with the same classes under two names.
_BACKENDS = [import_module(name) for name in ("httpx2", "httpx") if find_spec(name)]
_NETWORK_ERRORS = (
    *(getattr(backend, name) for backend in _BACKENDS for name in ("HTTPError", "InvalidURL", "StreamError")),
    OSError,
)
_LIBRARY_ERRORS = (APIError, ChatGoogleGenerativeAIError, LangChainException)
_UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
_VERSION = re.compile(r"gemini-(\d+)(?:\.(\d+))?")
_THINKING_BUDGET = 1024


class _Current(threading.local):
    """The attempt a thread is at, for the hooks of the HTTP client."""

    request: ModelRequest | None = None
    number: int = 0
    until: float = 0.0


class GeminiClient:
    """The library's model object, built once; safe to use from several threads.

    Raises:
        ModelMisconfigured: the library cannot be set up with this configuration and environment.
    """

    def __init__(
        self,
        config: GeminiConfig,
        clock: Callable[[], float],
        on_request: Callable[[SentRequest], None] | None,
    ) -> None:
        self._to = config.addressee()
        self._clock = clock
        self._on_request = on_request
        self._current = _Current()
        failure = None
        try:
            self._chat = ChatGoogleGenerativeAI(**self._arguments(config))
        except (*_NETWORK_ERRORS, ValueError, TypeError, ImportError) as error:
            failure = type(error).__name__
        if failure:
            raise ModelMisconfigured(
                f"the Gemini client cannot be set up ({failure})",
                hint="Check GOOGLE_GEMINI_BASE_URL, HTTPS_PROXY (http or https, not socks) and SSL_CERT_FILE.",
            )
        if self._chat.client is None or self._chat.client.vertexai:
            # Its own argument against that is not passed on by LangChain.
            raise ModelMisconfigured(
                "the environment diverts the Gemini client to another service",
                hint="Unset GOOGLE_GENAI_USE_VERTEXAI and GOOGLE_GENAI_USE_ENTERPRISE.",
            )

    def _arguments(self, config: GeminiConfig) -> dict[str, Any]:
        return {
            "model": config.model,
            "api_key": config.api_key,
            "base_url": config.url(),
            # The default, v1, has no system instruction and no tools in its published description.
            "api_version": "v1beta",
            "vertexai": False,
            "max_retries": 1,
            **sampling(config.model, config.thinking_level),
            "client_args": {
                # A redirect would carry the key, which is in a header of its own, to another host.
                "follow_redirects": False,
                "event_hooks": {"request": [self._sent], "response": [self._received]},
            },
        }

    def attempt(self, request: ModelRequest, number: int, seconds: float) -> ModelReply | Failure:
        """Send once and wait at most ``seconds``; ``number`` counts the attempts at this request.

        Raises:
            ModelError: the request cannot be sent as it is.
            DevpulseError: what ``on_request`` raises.
        """
        messages = to_langchain(request.messages)
        self._current.request, self._current.number = request, number
        self._current.until = self._clock() + seconds
        try:
            # LangChain would send prompts to LangSmith when the environment says so.
            with tracing_context(enabled=False):
                message = self._chat.invoke(
                    messages,
                    tools=to_declarations(request.tools),
                    tool_choice=request.forced_tool,
                    max_output_tokens=request.max_output_tokens,
                    timeout=seconds,
                    # Otherwise the library asks again by itself, past every limit.
                    automatic_continuation=False,
                )
        except BodyRefused as refused:
            return refused.failure
        except _LIBRARY_ERRORS as error:
            return self._service_failure(error)
        except _NETWORK_ERRORS as error:
            return network_failure(type(error).__name__, str(error), self._to)
        except _UNREADABLE as error:
            return unreadable(type(error).__name__)
        return to_reply(_checked(message), request, number)

    def _service_failure(self, error: Exception) -> Failure:
        source = error if isinstance(error, APIError) else error.__cause__
        if not isinstance(source, APIError):
            return unreadable(type(error).__name__)
        headers = getattr(source.response, "headers", None) or {}
        answer = HttpError(source.code, source.details, headers.get("retry-after"))
        return http_failure(answer, self._to)

    def _sent(self, sent: httpx2.Request) -> None:
        current = self._current
        if self._on_request and current.request:
            body = sent.content.decode("utf-8")
            self._on_request(SentRequest(current.request.task, current.request.step, current.number, body))

    def _received(self, response: Any) -> None:
        until = self._current.until
        # With the other client the body stays unbounded but for the read timeout.
        if isinstance(response, httpx2.Response) and isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = BoundedBody(response.stream, lambda: self._clock() > until)


def _checked(message: object) -> AIMessage:
    if not isinstance(message, AIMessage):
        raise TypeError("a chat model answers with an AIMessage")
    return message


def sampling(model: str, thinking_level: str) -> dict[str, Any]:
    """Temperature and thinking by the model's generation.

    From Gemini 3 on the provider's temperature is kept (others are advised against or refused) and thinking has
    levels; 2.5 has a thinking budget; older ones do not think. Names without a version, such as
    gemini-flash-latest, are of the newest generation.
    """
    if "gemini" not in model:
        return {"temperature": 0.0}
    version = _VERSION.search(model)
    if version is None or int(version[1]) >= 3:
        return {"temperature": None, "thinking_level": thinking_level}
    if (int(version[1]), int(version[2] or 0)) == (2, 5):
        return {"temperature": 0.0, "thinking_budget": _THINKING_BUDGET}
    return {"temperature": 0.0}
