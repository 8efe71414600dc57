"""Formats of secrets that their providers publish, as data.

Every pattern is linear: a fixed prefix, then one bounded character class. ``hints`` are lower-case
literals of which at least one is in every match, so that most lines are never matched at all.
The formats are from the providers' own documentation of their credentials.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provider:
    """One format. The secret is group 1 where there is one, else the whole match."""

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _provider(kind: str, hints: str, pattern: str) -> Provider:
    # Not inside a longer word: a prefix that happens to stand in other base64 text is no credential.
    return Provider(kind, tuple(hints.split()), re.compile(rf"(?<![A-Za-z0-9_-]){pattern}(?![A-Za-z0-9])"))


PROVIDERS: tuple[Provider, ...] = (
    _provider("aws-key", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    _provider(
        "aws-secret",
        "aws",
        r"(?i:aws[a-z_. -]{0,20}(?:secret|key)[a-z_. -]{0,20}['\"]?\]?[ \t]{0,4}(?::=|=>|=|:)[ \t]{0,4})['\"]?"
        r"([A-Za-z0-9/+]{40})",
    ),
    _provider("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _provider("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{50,255}"),
    _provider(
        "gitlab-token",
        "glpat- gldt- glrt- glptt- glft- glsoat- gloas-",
        r"gl(?:pat|dt|rt|ptt|ft|soat|oas)-[\w-]{20,80}",
    ),
    _provider("slack-token", "xox xapp-", r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,250}"),
    _provider(
        "slack-webhook", "hooks.slack.com", r"https://hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/]{20,120})"
    ),
    _provider(
        "discord-webhook", "/api/webhooks/", r"https://discord(?:app)?\.com/api/webhooks/\d{5,30}/([\w-]{30,120})"
    ),
    _provider(
        "stripe-key",
        "sk_live_ rk_live_ sk_test_ rk_test_ whsec_",
        r"(?:(?:sk|rk)_(?:live|test)|whsec)_[A-Za-z0-9]{16,247}",
    ),
    _provider("google-key", "aiza", r"AIza[\w-]{35}"),
    _provider("google-oauth", "gocspx- ya29.", r"(?:GOCSPX-[\w-]{28}|ya29\.[\w-]{20,500})"),
    _provider(
        "openai-key", "sk-", r"sk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{16,160}T3BlbkFJ[A-Za-z0-9_-]{16,160}"
    ),
    _provider("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{24,160}"),
    _provider(
        "azure-key", "accountkey= sharedaccesskey=", r"(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{42,86}={1,2})"
    ),
    _provider("sendgrid-key", "sg.", r"SG\.[\w-]{22}\.[\w-]{43}"),
    _provider("mailgun-key", "key-", r"key-[0-9a-f]{32}"),
    _provider("mailchimp-key", "-us", r"[0-9a-f]{32}-us\d{1,2}"),
    _provider("twilio-key", "sk", r"SK[0-9a-f]{32}"),
    _provider("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _provider("pypi-token", "pypi-ageichlwas", r"pypi-AgEIcHlwaS[\w-]{50,500}"),
    _provider("square-key", "sq0", r"sq0[a-z]{3}-[\w-]{22,43}"),
    _provider("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _provider("telegram-token", ":aa", r"\d{8,10}:AA[\w-]{33}"),
    _provider("hugging-face-token", "hf_", r"hf_[A-Za-z0-9]{34}"),
    _provider("digitalocean-token", "dop_v1_ doo_v1_", r"do[op]_v1_[0-9a-f]{64}"),
    _provider("databricks-token", "dapi", r"dapi[0-9a-f]{32}"),
    _provider("vault-token", "hvs.", r"hvs\.[\w-]{24,200}"),
    _provider("jwt", "eyj", r"eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{16,1000}"),
    _provider("bearer-token", "bearer", r"(?i:bearer)[ \t]{1,4}([\w.~+/-]{20,2000}={0,2})"),
)
