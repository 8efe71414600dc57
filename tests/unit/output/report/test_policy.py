"""The content security policy."""

from __future__ import annotations

from devpulse.output.report.policy import content_policy


def test_content_policy__nothing_but_the_two_texts():
    policy = content_policy("a{}", "")
    assert policy.startswith("default-src 'none'; script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';")
    assert "unsafe" not in policy
    assert policy != content_policy("b{}", "")
