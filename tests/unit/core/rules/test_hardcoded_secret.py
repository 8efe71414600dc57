from __future__ import annotations

import pytest
from rule_tables import lines_of, run

from devpulse.core.finding import HitKind
from devpulse.core.rules.hardcoded_secret import RULE

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"

REPORTED = [
    ("src/app.py", 'AWS_KEY = "AKIAQ3EGRJ7T2KLMNPQR"'),
    ("src/app.py", 'aws_secret_access_key = "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"'),
    ("src/app.py", 'password = "hunter2"'),
    ("src/app.py", "DB_PASSWORD = 'correcthorsebattery'"),
    ("src/app.py", 'password: str = "Tr0ub4dor3"'),
    ("src/app.py", 'if password == "s3cr3t!pw":'),
    ("src/app.py", 'connect(host, user="app", password="pR0d-9x2k")'),
    ("src/app.py", 'config["api_key"] = "9f8a7b6c5d4e3f2a1b0c"'),
    ("src/app.py", '{"client_secret": "Zx81-kk29-QQw7-aa01"}'),
    ("src/app.py", 'os.environ.get("SECRET_KEY", "b8e2f0a9d7c64f11")'),
    ("src/app.py", 'engine = create_engine("postgresql://app:Zx9kq22w@db.internal/prod")'),
    ("src/auth.js", "jwt.sign(payload, process.env.JWT_SECRET || 'kitchensinkpot')"),
    ("src/auth.ts", "const apiKey: string = 'q7R2m9Xw41LkPz83';"),
    ("src/auth.js", f'const t = "{JWT}";'),
    ("src/pay.js", "stripe('sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc')"),
    ("src/Mail.java", 'String smtpPassword = "gT7-mmQ2x";'),
    ("main.go", 'dbPassword := "v3ry-Long-Pass"'),
    ("config/prod.yml", "password: Tr0ub4dor3"),
    (".env", "STRIPE_SECRET=whs8f7a6s5d4f3a2"),
    ("app.properties", "spring.datasource.password=Zq8-mm21x"),
    ("deploy.sh", "export GH=ghp_" + "aB3dE6gH9jK1m2N3p4Q5r6S7t8U9v0W1x2Y3"),
    ("web.config", 'cs="Server=x;User Id=sa;Password=Zx9kq22w!;"'),
    ("curl.md", "curl -H 'Authorization: Bearer a8F5f167f44f4964e6c998dee827110c'"),
    ("tests/test_api.py", 'KEY = "AKIAQ3EGRJ7T2KLMNPQR"'),
]
QUIET = [
    ("src/app.py", 'password = os.environ["DB_PASSWORD"]'),
    ("src/app.py", 'password = ""'),
    ("src/app.py", 'password = "test"'),
    ("src/app.py", 'password = "changeme"'),
    ("src/app.py", 'password = "<your-password>"'),
    ("src/app.py", 'api_key = "your-api-key-here"'),
    ("src/app.py", 'api_key = "xxxxxxxxxxxxxxxx"'),
    ("src/app.py", 'AWS = "AKIAIOSFODNN7EXAMPLE"'),
    ("src/app.py", 'password_field = "abc123xyz"'),
    ("src/app.py", 'token_url = "https://auth.internal/v2/token"'),
    ("src/app.py", 'secret_name = "prod/db/main-9x2k"'),
    ("src/app.py", 'token = "identifier"'),
    ("src/app.py", 'password = f"{user}{suffix}"'),
    ("src/app.py", 'error = {"password": "Password must have 8 characters"}'),
    ("src/app.py", 'next_token = "b8e2f0a9d7c64f11"'),
    ("src/app.py", 'url = f"postgres://{user}:{password}@{host}/db"'),
    ("src/app.py", 'PASSWORD_HASH = "5f4dcc3b5aa765d61d8327deb882cf99"'),
    ("src/app.py", "public_key = '-----BEGIN PUBLIC KEY-----\\nMIIBIjANBgkqhkiG9w0BAQEFAAOC'"),
    ("locale/de.json", '{"password": "Passwort", "token": "Zugang"}'),
    ("locale/es.json", '{"password": "Contraseña"}'),
    ("src/form.tsx", '<input id="password" type="password" name="password" />'),
    ("src/style.css", ".password-input { color: red }"),
    ("src/form.js", "const password = document.getElementById('password').value"),
    ("compose.yml", "password: ${DB_PASSWORD}"),
    ("chart.yaml", 'password: "{{ .Values.dbPassword }}"'),
    ("deploy.yml", "token: ${{ secrets.GITHUB_TOKEN }}"),
    ("README.md", "postgres://user:password@localhost/db"),
    ("package-lock.json", '"token": "sha512-9f8a7b6c5d4e3f2a1b0c9f8a7b6c"'),
    ("yarn.lock", 'secret "9f8a7b6c5d4e3f2a1b0c"'),
    ("tests/test_login.py", 'client.login(username="bob", password="s3cr3t-1")'),
    ("src/app.py", 'K = "-----BEGIN PRIVATE KEY-----\\n...\\n-----END PRIVATE KEY-----"'),
]


@pytest.mark.parametrize(("path", "line"), REPORTED)
def test_check__reports(path: str, line: str):
    hits = run(RULE, f"\n{line}\n", path=path)
    assert lines_of(hits) == [2]
    assert hits[0].kind is HitKind.FINDING
    assert (hits[0].category, hits[0].cwe, hits[0].severity) == ("hardcoded-secret", 798, "critical")


@pytest.mark.parametrize(("path", "line"), QUIET)
def test_check__is_quiet(path: str, line: str):
    assert run(RULE, f"\n{line}\n", path=path) == []


def test_check__key_over_lines_without_its_value():
    text = (
        "-----BEGIN EC PRIVATE KEY-----\n"
        "MHcCAQEEIIGlRn1ab2cd3ef4\n"
        "MHcCAQEEIIGlRn1ab2cd3ef4\n"
        "-----END EC PRIVATE KEY-----\n"
    )
    (hit,) = run(RULE, text, path="id.pem")
    assert (hit.start_line, hit.end_line) == (1, 3)
    assert "MHcC" not in repr(hit)


@pytest.mark.parametrize(
    ("line", "title", "start"),
    [
        ('KEY = "AKIAQ3EGRJ7T2KLMNPQR"', "Hard-coded AWS key", "An AWS key stands"),
        ("stripe('sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc')", "Hard-coded Stripe key", "A Stripe key stands"),
        ('password = "hunter2"', "Hard-coded password", "A password stands"),
    ],
)
def test_check__names_the_service(line, title, start):
    (hit,) = run(RULE, line)
    assert hit.title == title
    assert hit.description.startswith(start)
