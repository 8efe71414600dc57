from __future__ import annotations

import base64

import pytest

from devpulse.core.redaction import Redactor
from devpulse.main.own_secrets import learn_own_secrets
from devpulse.settings import Settings


def masked(text: str, environ: dict[str, str]) -> str:
    redactor = Redactor()
    learn_own_secrets(Settings.load({}, environ), environ, redactor)
    return redactor.mask(text)


@pytest.mark.parametrize("name", ["HTTP_PROXY", "https_proxy", "ALL_PROXY"])
def test_learn_own_secrets__password_of_a_proxy(name: str):
    environ = {name: "http://agent:s3cr%40t-99@proxy.internal:3128"}
    assert "s3cr" not in masked("no route through s3cr%40t-99", environ)
    assert "s3cr" not in masked("no route through s3cr@t-99", environ)
    sent = base64.b64encode(b"agent:s3cr@t-99").decode()
    assert sent[:-4] not in masked(f"Proxy-Authorization: {sent}", environ)


def test_learn_own_secrets__proxy_without_scheme_or_password_or_sense():
    assert "s3cr" not in masked("s3cret-99x", {"HTTP_PROXY": "agent:s3cret-99x@proxy:3128"})
    for address in ("http://proxy:3128", "", "http://[broken"):
        assert masked("proxy:3128 agent", {"HTTP_PROXY": address}) == "proxy:3128 agent"


def test_learn_own_secrets__key_and_token():
    environ = {"GEMINI_API_KEY": "plain-model-key-7", "GITHUB_TOKEN": "plain-host-token-8"}
    shown = masked("plain-model-key-7 plain-host-token-8", environ)
    assert "plain-model" not in shown
    assert Settings.load({}, environ).github_token is None or "plain-host" not in shown
