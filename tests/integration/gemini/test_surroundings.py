"""The environment of the engine: proxies, certificates, and variables that would divert requests elsewhere."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
import trustme
from fakes.gemini import FakeGemini, script
from fakes.gemini_client import KEY, MODEL, Sleeps, a_request, gemini_for
from fakes.gemini_replies import http_error, no_candidates, raw, text
from fakes.http_server import Fault, HttpReply, LoopbackServer

from devpulse.adapters.gemini.config import PUBLIC_URL, GeminiConfig
from devpulse.adapters.gemini.model import preload
from devpulse.errors import ModelMisconfigured, ModelUnavailable


def test_proxy__of_the_environment__is_used(monkeypatch) -> None:
    with FakeGemini(script([text("through the proxy")])) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        assert gemini_for("http://gemini.invalid").complete(a_request()).text == "through the proxy"
    assert proxy.wire[0].target.startswith("http://gemini.invalid/v1beta/models/")


def test_proxy__host_in_no_proxy__is_asked_directly(monkeypatch) -> None:
    with LoopbackServer(lambda _: HttpReply(500)) as proxy, FakeGemini(script([text("direct")])) as fake:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        assert gemini_for(fake).complete(a_request()).text == "direct"
    assert proxy.requests == []


def test_proxy__wants_a_password__is_misconfigured(monkeypatch) -> None:
    with LoopbackServer(lambda _: HttpReply(407)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        with pytest.raises(ModelMisconfigured, match="proxy"):
            gemini_for("https://gemini.invalid").complete(a_request())
    assert [request.method for request in proxy.requests] == ["CONNECT"]


def test_proxy__refuses_for_now__is_tried_again(monkeypatch) -> None:
    with LoopbackServer(lambda _: HttpReply(503)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("http://", "http://someone:s3cret@"))
        with pytest.raises(ModelUnavailable, match="the proxy refused") as caught:
            gemini_for("https://gemini.invalid").complete(a_request())
    assert len(proxy.requests) == 4
    assert "s3cret" not in str(caught.value) + caught.value.hint


def test_proxy__of_a_kind_that_is_not_supported__is_misconfigured(monkeypatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1")
    with pytest.raises(ModelMisconfigured) as caught:
        gemini_for("http://127.0.0.1:1").complete(a_request())
    assert "HTTPS_PROXY" in caught.value.hint


def test_certificates__own_authority_in_ssl_cert_file__is_trusted(server_tls) -> None:
    with FakeGemini(script([text("over TLS")]), tls=server_tls) as fake:
        assert fake.url.startswith("https://")
        assert gemini_for(fake).complete(a_request()).text == "over TLS"


def test_certificates__unknown_authority__is_misconfigured_and_names_the_remedy(
    server_tls, tmp_path, monkeypatch
) -> None:
    trustme.CA().cert_pem.write_to_path(str(tmp_path / "other.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "other.pem"))
    sleeps = Sleeps()
    with FakeGemini(script([]), tls=server_tls) as fake, pytest.raises(ModelMisconfigured) as caught:
        gemini_for(fake, sleeps=sleeps).complete(a_request())
    assert "SSL_CERT_FILE" in caught.value.hint
    assert sleeps == []


def test_certificates__file_is_missing__is_misconfigured(monkeypatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/ca.pem")
    with pytest.raises(ModelMisconfigured) as caught:
        gemini_for("https://127.0.0.1:1").complete(a_request())
    assert "SSL_CERT_FILE" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1"),
        ("LANGSMITH_GATEWAY", "http://127.0.0.1:1"),
        ("GOOGLE_CLOUD_PROJECT", "somebody"),
        ("GOOGLE_GENAI_API_VERSION", "v1"),
        ("GOOGLE_API_KEY", "AIzaSy-of-somebody-else"),
        ("GOOGLE_API_USE_MTLS_ENDPOINT", "always"),
    ],
)
def test_environment__variables_of_the_library__divert_nothing(name, value, monkeypatch) -> None:
    monkeypatch.setenv(name, value)
    with FakeGemini(script([text("here")])) as fake:
        assert gemini_for(fake).complete(a_request()).text == "here"
    assert fake.wire[0].headers["x-goog-api-key"] == KEY


@pytest.mark.parametrize("name", ["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE"])
def test_environment__diverts_to_another_service__is_misconfigured(name, monkeypatch) -> None:
    monkeypatch.setenv(name, "true")
    with FakeGemini(script([])) as fake, pytest.raises(ModelMisconfigured) as caught:
        gemini_for(fake).complete(a_request())
    assert name in caught.value.hint
    assert fake.wire == []


@pytest.mark.parametrize("fault", [Fault.RESET, Fault.CUT])
def test_environment__other_http_client__has_its_errors_told_apart_too(fault, monkeypatch) -> None:
    pytest.importorskip("httpx")
    monkeypatch.setenv("GOOGLE_GENAI_HTTP_CLIENT", "httpx")
    with LoopbackServer(lambda _: HttpReply(body=b"{}", fault=fault)) as server, pytest.raises(ModelUnavailable):
        gemini_for(server.url).complete(a_request())
    assert len(server.requests) == 4


def test_environment__tracing_to_langsmith__sends_nothing_there(monkeypatch) -> None:
    from langchain_core.tracers.langchain import wait_for_all_tracers  # noqa: PLC0415  (slow to import)

    forget = import_module("langsmith.utils").get_env_var.cache_clear
    with LoopbackServer(lambda _: HttpReply(body=b"{}")) as langsmith:
        for name, value in {"TRACING": "true", "API_KEY": "ls-key", "ENDPOINT": langsmith.url}.items():
            monkeypatch.setenv(f"LANGSMITH_{name}", value)
        forget()
        with FakeGemini(script([text("untraced")])) as fake:
            gemini_for(fake).complete(a_request())
        wait_for_all_tracers()
    forget()
    assert langsmith.requests == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"api_key": ""},
        {"api_key": "AIza with blanks"},
        {"api_key": "AIza\n"},
        {"api_key": "schlüssel"},
        {"model": ""},
        {"model": "gemini-3.8-flash:streamGenerateContent?x="},
        {"model": "../v1/models/x"},
        {"base_url": "gemini.example"},
        {"base_url": "ftp://gemini.example"},
        {"base_url": "http://"},
        {"base_url": "http://host:port"},
    ],
)
def test_gemini_model__what_cannot_be_right__is_refused_when_it_is_built(wrong) -> None:
    with pytest.raises(ModelMisconfigured) as caught:
        gemini_for("http://127.0.0.1:1", **wrong)
    assert caught.value.hint
    assert not wrong.get("api_key") or wrong["api_key"] not in str(caught.value)


def test_config__without_a_base_url__is_the_public_service_and_hides_the_key() -> None:
    config = GeminiConfig(KEY, MODEL)
    assert config.url() == PUBLIC_URL
    assert KEY not in repr(config)


def test_gemini_model__version__changes_with_the_thinking_level() -> None:
    low, high = (gemini_for("http://127.0.0.1:1", thinking_level=level) for level in ("low", "high"))
    assert low.version != high.version


def test_import__of_the_engine__does_not_import_the_library() -> None:
    code = (
        "import sys; from devpulse.adapters.gemini.model import GeminiModel, preload; "
        "print({'langchain_core', 'langchain_google_genai', 'google.genai', 'httpx2', 'langsmith'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_preload__imports_the_library() -> None:
    preload()
    assert {"devpulse.adapters.gemini.client", "langchain_google_genai"} <= set(sys.modules)


def test_library__prints_nothing(tmp_path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from fakes.gemini_client import a_request, gemini_for; from devpulse.errors import ModelError\n"
        "for _ in range(3):\n"
        "    try: gemini_for(sys.argv[2]).complete(a_request())\n"
        "    except ModelError: pass\n"
    )
    unusual = [no_candidates(), raw(b'{"candidates": [{"finishReason": "BRAND_NEW"}]}'), http_error(400)]
    tests = next(path for path in sys.path if path.endswith("tests"))
    with FakeGemini(script(unusual)) as fake:
        command = [sys.executable, "-c", code, tests, fake.url]
        run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert (run.stdout, run.stderr, len(fake.wire)) == ("", "", 3)
