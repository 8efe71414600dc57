"""Inside a company: a GitHub Enterprise Server, a proxy, and an authority that nobody else knows."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys

import pytest
import trustme
from fakes.gemini import FakeGemini
from fakes.http_server import HttpReply, LoopbackServer
from marking import marks
from repos import Repo

from devpulse.adapters.github.client import Patience, connect
from devpulse.adapters.github.reads import Reads
from devpulse.errors import GitHubError

KEY = "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab"
VARIABLES = (
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "SSL_CERT_FILE",
)


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture
def authority_file(authority, tmp_path):
    path = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(path))
    return str(path)


@pytest.fixture
def tls(authority):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


@pytest.fixture(autouse=True)
def surroundings(monkeypatch):
    """Nothing of the machine's own proxies and certificates."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def refusing(_):
    return HttpReply(401, b'{"message": "Bad credentials"}', {"content-type": "application/json"})


def asked(url):
    """What reading a pull request of this server ends with."""
    with connect(url, "ghs_x", patience=Patience(0.0)) as client, pytest.raises(GitHubError) as caught:
        Reads(client, "octo/shop").pull(7)
    return f"{caught.value} | {caught.value.hint}"


def test_github__enterprise_server_with_its_own_authority(tls, authority_file, monkeypatch):
    with LoopbackServer(refusing, tls=tls) as server:
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", authority_file)
        assert "401" in asked(f"{server.url}/api/v3")
    assert [request.target for request in server.requests] == ["/api/v3/repos/octo/shop/pulls/7"]


def test_github__an_unknown_authority_is_told_with_the_variable(tls):
    with LoopbackServer(refusing, tls=tls) as server:
        said = asked(f"{server.url}/api/v3")
    assert "certificate is not trusted" in said
    assert "REQUESTS_CA_BUNDLE" in said
    assert server.requests == []


def test_github__proxy_of_the_environment_is_used(monkeypatch):
    with LoopbackServer(refusing) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        assert "401" in asked("http://ghes.invalid/api/v3")
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        asked("https://ghes.invalid/api/v3")
    assert proxy.requests[0].target == "http://ghes.invalid:80/api/v3/repos/octo/shop/pulls/7"
    assert {(request.method, request.target) for request in proxy.requests[1:]} == {("CONNECT", "ghes.invalid:443")}


def test_github__host_in_no_proxy_is_asked_directly(monkeypatch):
    with LoopbackServer(lambda _: HttpReply(500)) as proxy, LoopbackServer(refusing) as server:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        assert "401" in asked(f"{server.url}/api/v3")
    assert proxy.requests == []


def devpulse(*arguments, **variables):
    """The program in a process of its own; these variables are all it has."""
    return subprocess.run(
        [sys.executable, "-m", "devpulse", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], **variables},
        timeout=100,
    )


def test_program__the_authority_of_ssl_cert_file_is_githubs_too(tls, authority_file, tmp_path):
    with LoopbackServer(refusing, tls=tls) as server:
        ran = devpulse(
            *("review", str(tmp_path), "--pull-request-number", "7"),
            GITHUB_API_URL=f"{server.url}/api/v3",
            GITHUB_REPOSITORY="octo/shop",
            SSL_CERT_FILE=authority_file,
            HOME=str(tmp_path),
        )
    assert ran.returncode == 2
    assert "GitHub answered 401" in ran.stderr
    assert {request.target for request in server.requests} == {"/api/v3/repos/octo/shop/pulls/7"}


@pytest.mark.slow  # the libraries of the model are imported in a process of its own
def test_program__the_authority_of_requests_ca_bundle_is_geminis_too(tls, authority_file, tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("app.py", "x = 1  # TOKEN-plain\n")
    repo.commit("code")
    with FakeGemini(marks, tls=tls) as fake:
        ran = devpulse(
            *("scan", str(repo.root), "--engine", "gemini"),
            GOOGLE_GEMINI_BASE_URL=fake.url,
            GEMINI_API_KEY=KEY,
            REQUESTS_CA_BUNDLE=authority_file,
            HOME=str(tmp_path),
        )
    assert ran.returncode == 0, ran.stderr
    report = json.loads((repo.root / "devpulse-artifacts" / "findings.json").read_text())
    assert report["engine"] == "gemini"
    assert [row["outcome"] for row in report["coverage"]] == ["reviewed"]
