from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from devpulse.adapters.gemini.failures import Addressee, HttpError, http_failure, network_failure
from devpulse.errors import ModelError, ModelMisconfigured, ModelUnavailable

TO = Addressee("gemini-3.8-flash", "host", "AIzaKEY")


def test_http_failure__retry_after_with_a_date__is_the_time_until_then() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    wait = http_failure(HttpError(503, {}, date), TO).wait
    assert wait is not None
    assert 25 < wait <= 30


@pytest.mark.parametrize("value", ["", "-5", "1e3", "soon", "99999999999999"])
def test_http_failure__retry_after_that_is_none__is_ignored(value) -> None:
    assert http_failure(HttpError(503, {}, value), TO).wait is None


@pytest.mark.parametrize(
    "details",
    [None, [], "text", 5, {}, {"error": None}, {"error": []}, {"error": {"details": {}}}, {"error": {"details": [[]]}}],
)
def test_http_failure__body_of_any_shape__is_told_by_its_status(details) -> None:
    failure = http_failure(HttpError(503, details), TO)
    assert (str(failure.error), failure.transient) == ("Gemini answered 503", True)


@pytest.mark.parametrize(
    "violations", [None, "PerDay", [None], [{"quotaId": 5}], [{"quotaId": "RequestsPerMinutePerProject"}]]
)
def test_http_failure__quota_of_a_shorter_time__passes(violations) -> None:
    quota = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": violations}
    assert http_failure(HttpError(429, {"error": {"details": [quota]}}), TO).transient


def test_http_failure__region_not_served__is_misconfigured() -> None:
    body = {"error": {"status": "FAILED_PRECONDITION", "message": "User location is not supported for the API use."}}
    assert type(http_failure(HttpError(400, body), TO).error) is ModelMisconfigured


@pytest.mark.parametrize(
    ("kind", "text", "error", "transient"),
    [
        ("ConnectError", "[Errno 111] Connection refused", ModelUnavailable, True),
        ("ConnectError", "[SSL: CERTIFICATE_VERIFY_FAILED] self-signed", ModelMisconfigured, False),
        ("ConnectTimeout", "", ModelUnavailable, True),
        ("WriteError", "", ModelUnavailable, True),
        ("ProxyError", "407 Proxy Authentication Required", ModelMisconfigured, False),
        ("ProxyError", "503 Service Unavailable", ModelUnavailable, True),
        ("LocalProtocolError", "Illegal header value b'AIzaKEY'", ModelError, False),
        ("UnsupportedProtocol", "", ModelError, False),
    ],
)
def test_network_failure__each_kind__is_told_apart(kind, text, error, transient) -> None:
    failure = network_failure(kind, text, TO)
    assert (type(failure.error), failure.transient) == (error, transient)
    assert "AIzaKEY" not in str(failure.error)
    assert "host" in str(failure.error) or "proxy" in str(failure.error)
