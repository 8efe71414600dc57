"""Made-up secrets of many kinds, each with a line that holds it and the file where such a line stands."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

_SMALL = "abcdefghijklmnopqrstuvwxyz"
_HEX, _ALL = "0123456789abcdef", _SMALL + _SMALL.upper() + "0123456789"
_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


@dataclass(frozen=True)
class Planted:
    """``line`` holds ``value``, which must go nowhere."""

    kind: str
    path: str
    line: str
    value: str


def made(seed: str, length: int, alphabet: str = _ALL) -> str:
    """Characters that look random and are always the same."""
    digits = b"".join(hashlib.sha256(f"{seed}{number}".encode()).digest() for number in range(length // 32 + 1))
    return "".join(alphabet[digit % len(alphabet)] for digit in digits[:length])


def _uuid(seed: str) -> str:
    digits = made(seed, 32, _HEX)
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _part(fields: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")


TOKENS = {
    "aws-key": "AKIA" + made("aws", 16, _BASE32),
    "aws-session-token": "IQoJb3JpZ2lu" + made("session", 200),
    "aws-marketplace-token": "amzn.mws." + _uuid("mws"),
    "aws-appsync-key": "da2-" + made("da2", 26, _SMALL + "0123456789"),
    "google-key": "AIza" + made("google", 35),
    "google-oauth": "GOCSPX-" + made("oauth", 28),
    "azure-client-secret": made("az", 3) + "8Q~" + made("azure", 34),
    "alibaba-key": "LTAI" + made("ali", 20),
    "tencent-key": "AKID" + made("tencent", 32),
    "digitalocean-token": "dop_v1_" + made("do", 64, _HEX),
    "heroku-key": "HRKU-" + _uuid("heroku"),
    "netlify-token": "nfp_" + made("netlify", 36),
    "github-token": "ghp_" + made("gh", 36),
    "github-token app": "ghs_" + made("ghs", 36),
    "github-token fine": "github_pat_" + made("pat", 22) + "_" + made("pat2", 59),
    "gitlab-token": "glpat-" + made("gl", 20),
    "atlassian-token": "ATATT3" + made("atlassian", 180),
    "npm-token": "npm_" + made("npm", 36),
    "pypi-token": "pypi-AgEIcHlwaS" + made("pypi", 80),
    "rubygems-key": "rubygems_" + made("gems", 48, _HEX),
    "nuget-key": "oy2" + made("nuget", 43, _SMALL + "0123456789"),
    "docker-token": "dckr_pat_" + made("docker", 27),
    "terraform-token": made("tf", 14) + ".atlasv1." + made("tfc", 67),
    "vault-token": "hvs." + made("vault", 90),
    "doppler-token": "dp.pt." + made("doppler", 43),
    "pulumi-token": "pul-" + made("pulumi", 40, _HEX),
    "age-key": "AGE-SECRET-KEY-1" + made("age", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    "databricks-token": "dapi" + made("dapi", 32, _HEX),
    "planetscale-token": "pscale_tkn_" + made("ps", 43),
    "tailscale-key": "tskey-auth-" + made("ts", 40),
    "slack-token": "xoxb-" + made("xa", 12, "0123456789") + "-" + made("xb", 12, "0123456789") + "-" + made("xc", 24),
    "stripe-key": "sk_live_" + made("stripe", 24),
    "twilio-key": "SK" + made("twilio", 32, _HEX),
    "sendgrid-key": f"SG.{made('sga', 22)}.{made('sgb', 43)}",
    "mailgun-key": "key-" + made("mailgun", 32, _HEX),
    "mailchimp-key": made("mailchimp", 32, _HEX) + "-us14",
    "square-key": "sq0csp-" + made("square", 43),
    "shopify-token": "shpat_" + made("shopify", 32, _HEX),
    "openai-key": "sk-proj-" + made("oa", 40) + "T3BlbkFJ" + made("ob", 40),
    "anthropic-key": "sk-ant-api03-" + made("ant", 93) + "AA",
    "hugging-face-token": "hf_" + made("hf", 34),
    "new-relic-key": "NRAK-" + made("nr", 27, _BASE32),
    "grafana-token": "glsa_" + made("glsa", 32) + "_" + made("glsb", 8, _HEX),
    "sentry-token": "sntryu_" + made("sentry", 64, _HEX),
    "linear-key": "lin_api_" + made("linear", 40),
    "notion-token": "ntn_" + made("notion", 46),
    "airtable-token": "pat" + made("at", 14) + "." + made("airtable", 64, _HEX),
    "postman-key": f"PMAK-{made('pa', 24, _HEX)}-{made('pb', 34, _HEX)}",
    "telegram-token": made("tg", 9, "123456789") + ":AA" + made("telegram", 33),
    "discord-token": "MT" + made("dc", 24) + "." + made("dd", 6) + "." + made("de", 38),
    "jwt": f"{_part({'alg': 'HS256', 'typ': 'JWT'})}.{_part({'sub': '77', 'iat': 1516239022})}.{made('jwt', 43)}",
}
"""Credentials in their provider's format, told wherever they stand."""

_KEY = "\n".join(made(f"key{number}", 64) for number in range(6))
_PASS = "Vx9!q" + made("pass", 9)
PLANTED = (
    *(Planted(kind, "src/client.py", f'client = connect("{value}")', value) for kind, value in TOKENS.items()),
    Planted("python", "src/app.py", f'db_password = "{_PASS}a"', _PASS + "a"),
    Planted("quotes", "src/quotes.py", 'smtp_password = "q9\\"x8<z&W7!kk"', 'q9\\"x8<z&W7!kk'),
    Planted("javascript", "src/auth.js", f"const opts = {{ apiKey: '{made('js', 24)}' }};", made("js", 24)),
    Planted("java", "src/Mail.java", f'mailer.setPassword("{_PASS}b");', _PASS + "b"),
    Planted("go", "main.go", f"apiToken := `{made('go', 24)}`", made("go", 24)),
    Planted("ruby", "lib/a.rb", f":secret => '{_PASS}c'", _PASS + "c"),
    Planted("php", "web/a.php", f"define('DB_PASSWORD', '{_PASS}d');", _PASS + "d"),
    Planted("csharp", "src/A.cs", f'string clientSecret = @"{_PASS}e";', _PASS + "e"),
    Planted("yaml", "deploy/prod.yml", f"password: {_PASS}f", _PASS + "f"),
    Planted("kubernetes", "deploy/pod.yaml", f"- name: DB_PASSWORD\n  value: '{_PASS}g'", _PASS + "g"),
    Planted("json", "config/a.json", f'{{"auth_token": "{made("json", 24)}"}}', made("json", 24)),
    Planted("toml", "config/a.toml", f'secret_key = "{made("toml", 32)}"', made("toml", 32)),
    Planted("env", ".env.production", f"STRIPE_SECRET={_PASS}h", _PASS + "h"),
    Planted("xml", "config/a.xml", f"<password>{_PASS}i</password>", _PASS + "i"),
    Planted("xml attribute", "web.config", f'<add key="ApiKey" value="{made("xml", 24)}"/>', made("xml", 24)),
    Planted("hcl", "infra/main.tf", f'  master_password = "{_PASS}j"', _PASS + "j"),
    Planted("dockerfile", "Dockerfile", f"ENV API_TOKEN={made('df', 24)}", made("df", 24)),
    Planted("shell", "deploy.sh", f"export DB_PASSWORD={_PASS}k", _PASS + "k"),
    Planted("option", "run.sh", f"tool --user app --password {_PASS}l", _PASS + "l"),
    Planted("properties", "app.properties", f"spring.datasource.password={_PASS}m", _PASS + "m"),
    Planted("address", "src/db.py", f'URL = "postgresql://app:{made("pg", 12)}@db.internal/prod"', made("pg", 12)),
    Planted("ado", "src/Db.cs", f'cs = "Server=x;User Id=sa;Password={made("ado", 14)};"', made("ado", 14)),
    Planted("jdbc", "src/Db.java", f'url = "jdbc:mysql://h/db?user=a&password={made("jdbc", 14)}";', made("jdbc", 14)),
    Planted("bearer", "curl.sh", f'curl -H "Authorization: Bearer {made("bearer", 40)}"', made("bearer", 40)),
    Planted("curl", "get.sh", f"curl -u admin:{made('curl', 14)} https://h.internal", made("curl", 14)),
    Planted("cookie", "src/c.py", f'h = {{"Cookie": "sessionid={made("cookie", 32)}"}}', made("cookie", 32)),
    Planted(
        "pem",
        "deploy/id.txt",
        f"-----BEGIN RSA PRIVATE KEY-----\n{_KEY}\n-----END RSA PRIVATE KEY-----",
        made("key3", 64),
    ),
    Planted(
        "pem in json",
        "deploy/sa.json",
        json.dumps({"private_key": f"-----BEGIN PRIVATE KEY-----\n{made('sa', 64)}\n-----END PRIVATE KEY-----\n"}),
        made("sa", 64),
    ),
    Planted(
        "pgp",
        "deploy/a.asc",
        f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{made('pgp', 64)}\n-----END PGP PRIVATE KEY BLOCK-----",
        made("pgp", 64),
    ),
)


def forms(value: str) -> set[tuple[str, str]]:
    """Texts that hold a value escaped or encoded, each with what of it tells the value.

    Made here and not by the code under test.
    """
    raw = value.encode()
    quoted = quote(value, safe="")
    lowered = re.sub("%[0-9A-F]{2}", lambda match: match.group().lower(), quoted)
    escaped = {value, json.dumps(value)[1:-1], html.escape(value), quoted, lowered, quote_plus(value)}
    packed = {
        base64.b64encode(b"x" * before + raw + b"y" * after).decode() for before in range(3) for after in range(3)
    }
    packed |= {one.replace("+", "-").replace("/", "_") for one in packed}
    return {(one, one) for one in escaped} | {(one, one[4:-4]) for one in packed}
