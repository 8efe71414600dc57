from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_authentication import RULE

REPORTED = {
    "fast hash": """
        <?php
        function register($email, $password) {
            $hash = sha1($salt . $password); // BAD
            save($email, $hash);
        }
        """,
    "fast hash compared": """
        <?php
        if ($row['password'] === md5($_POST['password'])) { // BAD
            login($row);
        }
        """,
    "hash by name": """
        <?php
        $user->password_hash = hash('sha256', $input); // BAD
        """,
    "plain comparison": """
        <?php
        if ($user->password == $password) { login($user); } // BAD
        if ($_POST['password'] === $row['password']) { login($row); } // BAD
        if (strcmp($user['password'], $password) == 0) { login($user); } // BAD
        """,
    "signature": """
        <?php
        function verify($body, $signature) {
            $expected = hash_hmac('sha256', $body, KEY);
            return $expected === $signature; // BAD
        }
        """,
    "token without signature": """
        <?php
        $payload = JWT::decode($jwt, null, false); // BAD
        """,
    "signature compared where it is made": """
        <?php
        if (hash_hmac('sha256', $body, $key) !== $given) { // BAD
            exit;
        }
        """,
}
QUIET = {
    "password functions": """
        <?php
        $hash = password_hash($password, PASSWORD_DEFAULT);
        if (password_verify($password, $user->password)) { login($user); }
        """,
    "cache key": """
        <?php
        $key = md5($url);
        """,
    "confirmation and empty": """
        <?php
        if ($_POST['password'] !== $_POST['password_confirm']) { fail(); }
        if ($password == '' || $password === null) { fail(); }
        """,
    "constant time": """
        <?php
        $expected = hash_hmac('sha256', $body, KEY);
        if (!hash_equals($expected, $signature)) { abort(403); }
        """,
    "verified token": """
        <?php
        $payload = JWT::decode($jwt, new Key($key, 'HS256'));
        """,
    "field": """
        <?php
        if ($field->name === 'password') { hide(); }
        """,
    "setting that was changed": """
        <?php
        if ($previous['app_secret'] != $config['app_secret']) {
            forgetTokens();
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.php") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"weak-authentication"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.php") if hit.confidence is not Confidence.LOW] == []
