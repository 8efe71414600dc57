from __future__ import annotations

import pytest
from planted_secrets import made

from devpulse.core.categories import Confidence
from devpulse.core.redaction import find_secrets

V = "Vx9" + made("assigned", 21)
FOUND = [
    ("a.py", 'if "{0}" == password:'),
    ("a.py", 'TOKEN: str = "{0}"'),
    ("a.py", 'os.environ.get("API_TOKEN") or "{0}"'),
    ("a.py", 'os.getenv("API_TOKEN", default="{0}")'),
    ("a.py", 'run(["tool", "--password", "{0}"])'),
    ("a.py", 'get("https://h/x?access_token={0}&y=1")'),
    ("a.py", 'text = "{{\\"password\\": \\"{0}\\"}}"'),
    ("a.js", "cfg.token ??= `{0}`;"),
    ("a.js", '{{ headers: {{ "X-Api-Key": "{0}" }} }}'),
    ("a.go", 'var apiToken string = "{0}"'),
    ("a.go", 'var jwtKey = []byte("{0}")'),
    ("a.rs", 'let api_key: &str = "{0}";'),
    ("a.c", 'char secret[] = "{0}";'),
    ("A.java", 'System.setProperty("API_TOKEN", "{0}");'),
    ("a.php", "$apiToken .= '{0}';"),
    ("Makefile", 'API_TOKEN ?= "{0}"'),
    ("a.yml", "token: |\n  {0}\n"),
    ("a.json", '{{"name": "DB_PASSWORD", "value": "{0}"}}'),
    ("a.xml", "<token>\n  {0}\n</token>"),
    ("main.tf", 'variable "db_password" {{\n  default = "{0}"\n}}'),
    (".npmrc", "//registry.internal/:_authToken={0}"),
    ("notes.txt", "login bob, password: {0}"),
    ("a.ejs", '<input type="password" name="password" value="{0}">'),
    ("deploy.sh.erb", "login --password {0}"),
    ("a.ts", "private password: string = '{0}';"),
    ("a.css.erb", "password: {0}"),
    ("a.ts", "'apiSecret': string = '{0}';"),
]
QUIET = [
    ("a.go", 'const RequiredPassword = "RequiredPassword"'),
    ("a.go", 'const ShelfAuthTokenKey = "shelfAuthToken"'),
    ("A.java", 'static final String RESET_PASSWORD = "resetPassword";'),
    ("a.php", """$sql = "UPDATE users SET password = '" . $fresh . "' WHERE id = 4";"""),
    ("a.js", """sql = "UPDATE users SET password='" + fresh + "'";"""),
    ("mvnw", 'case "${{MVNW_PASSWORD:+has-password}}" in'),
    ("a.py", '@sensitive("password1", "password2")'),
    ("a.py", 'dependencies = [("auth", "0013_auto_20221214_1224")]'),
    ("a.cs", 'var aa = o.SelectToken("$..[?(@.used>27000)]");'),
    ("a.html", '<input name="authenticity_token" value="{0}">'),
    ("a.ejs", '<input type="password" name="password" id="edit_password" class="form-control" />'),
    ("a.html.erb", '<input id="password" name="password" type="password" class="validate">'),
    ("a.html", "<label for='password'>Password:</label>"),
    ("a.php", '$h .= "<input type=\\"hidden\\" name=\\"password_new\\" value=\\"{{$fresh}}\\" />";'),
    ("a.py", "answer = {{'Password': 'Updated.'}}"),
    ("a.css.erb", 'input[type="password"]:focus, input[type="datetime"]:focus {{ color: red }}'),
    ("database.yml", '<% password = ENV.key?("DB_PASSWORD") ? ENV["DB_PASSWORD"] : "" %>'),
    ("a.html", '&emsp;password = request.POST["password"]<br>&emsp;login(password);'),
    ("a.html", "<code>WHERE name='admin' AND password='<b>anything' OR '1' ='1</b>'</code>"),
    ("a.ts", "if (!newPassword || newPassword === 'undefined') {{"),
    ("notes.txt", "elif users.filter(user=name) and users.filter(password=password):"),
    ("a.sol", "IERC20 public token = IERC20(0x36435796Ca9be2bf150CE0dECc2D8Fab5C4d6E13);"),
    ("a.py", "password = make_password(raw)"),
    ("a.php", "'password' => '--password='.$connection['password'],"),
    ("A.kt", 'val usernameAndPassword = "$username:$password"'),
    ("a.yml", "token: the-name-of-it"),
    ("a.yml", "password: settings.database.password"),
    ("README.md", "The token is sent with every request."),
    ("a.py", 'checksum = "{0}"'),
    ("poetry.lock", 'token = "{0}"'),
]


def sure(path: str, line: str) -> list[str]:
    return [one.value for one in find_secrets(path, line) if one.confidence is not Confidence.LOW]


@pytest.mark.parametrize(("path", "line"), FOUND)
def test_find_assigned__value(path: str, line: str):
    assert sure(path, line.format(V)) == [V]


@pytest.mark.parametrize(("path", "line"), QUIET)
def test_find_assigned__none(path: str, line: str):
    assert sure(path, line.format(V)) == []


def test_find_assigned__made_up_places__are_hidden_and_not_reported():
    for path in ("tests/test_a.py", "docs/a.py", "src/jvmTest/A.kt", "examples/a.py"):
        (secret,) = find_secrets(path, f'password = "{V}"')
        assert secret.confidence is Confidence.LOW
    (secret,) = find_secrets("src/a.rb", '# User.create(password: "abc123x")')
    assert secret.confidence is Confidence.LOW


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", 'password = "<b>{0}"'),
        ("a.xml", "<password>{0}:</password>"),
        ("a.php", "$api_key = '{{$x{0}';"),
    ],
)
def test_find_assigned__what_stands_beside_a_value_hides_it_not(path: str, line: str):
    (found,) = sure(path, line.format(V))
    assert V in found
