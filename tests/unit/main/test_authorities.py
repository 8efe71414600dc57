from __future__ import annotations

import pytest

from devpulse.main.authorities import share_authorities


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "ca.pem"
    path.write_text("certificates")
    return str(path)


@pytest.mark.parametrize(
    ("given", "added"),
    [
        ({}, {}),
        ({"REQUESTS_CA_BUNDLE": "file"}, {"SSL_CERT_FILE": "file"}),
        ({"CURL_CA_BUNDLE": "file"}, {"SSL_CERT_FILE": "file"}),
        ({"SSL_CERT_FILE": "file"}, {"REQUESTS_CA_BUNDLE": "file"}),
        ({"SSL_CERT_FILE": "file", "REQUESTS_CA_BUNDLE": ""}, {"REQUESTS_CA_BUNDLE": "file"}),
        ({"SSL_CERT_FILE": "file", "REQUESTS_CA_BUNDLE": "/other"}, {}),
        ({"SSL_CERT_FILE": "file", "CURL_CA_BUNDLE": "/other"}, {}),
        ({"SSL_CERT_DIR": "/certs", "REQUESTS_CA_BUNDLE": "file"}, {}),
        ({"SSL_CERT_FILE": "/gone"}, {}),
        ({"REQUESTS_CA_BUNDLE": "/gone"}, {}),
    ],
)
def test_share_authorities__each_client_learns_what_only_the_other_one_was_told(file, given, added):
    environ = {name: file if value == "file" else value for name, value in given.items()}
    before = dict(environ)
    share_authorities(environ)
    assert environ == {**before, **dict.fromkeys(added, file)}
