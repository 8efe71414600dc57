"""Certificate authorities of a company: named once, trusted by the clients of GitHub and of Gemini alike."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path

_BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
"""What the requests library, GitHub's client, looks at, in this order."""

_SYSTEM = ("SSL_CERT_FILE", "SSL_CERT_DIR")
"""What OpenSSL and Gemini's client look at."""


def share_authorities(environ: MutableMapping[str, str]) -> None:
    """Let each client know the file that only the other one looks for.

    Where a variable of both kinds is set nothing is changed, and a file that is not there is left to the client whose
    variable names it.
    """
    bundle = next((environ[name] for name in _BUNDLES if environ.get(name)), None)
    system = next((environ[name] for name in _SYSTEM if environ.get(name)), None)
    if bundle is not None and system is None and Path(bundle).is_file():
        environ["SSL_CERT_FILE"] = bundle
    if bundle is None and environ.get("SSL_CERT_FILE") and Path(environ["SSL_CERT_FILE"]).is_file():
        environ["REQUESTS_CA_BUNDLE"] = environ["SSL_CERT_FILE"]
