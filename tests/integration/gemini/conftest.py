"""The only certificate authority these tests trust; loading the public ones takes a tenth of a second each time."""

from __future__ import annotations

import ssl

import pytest
import trustme


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="session")
def authority_file(authority, tmp_path_factory):
    path = tmp_path_factory.mktemp("authority") / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return path


@pytest.fixture(autouse=True)
def trusted(authority_file, monkeypatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority_file))


@pytest.fixture
def server_tls(authority) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context
