from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_cryptography import RULE

REPORTED = {
    "token from a hash": """
        <?php
        function createToken($user) {
            return md5($user->id . time()); // BAD
        }
        """,
    "signature": """
        <?php
        $signature = sha1($payload . $this->merchantKey); // BAD
        """,
    "predictable password and token": """
        <?php
        function generatePassword($length) {
            $out = '';
            for ($i = 0; $i < $length; $i++) {
                $out .= CHARS[mt_rand(0, 61)]; // BAD
            }
            return $out;
        }
        $user->reset_token = uniqid('', true); // BAD
        """,
    "certificates": """
        <?php
        curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, false); // BAD
        curl_setopt_array($ch, [
            CURLOPT_SSL_VERIFYHOST => 0, // BAD
        ]);
        $client = new Client(['verify' => false]); // BAD
        $context = stream_context_create(['ssl' => ['verify_peer' => false]]); // BAD
        wp_remote_get($url, array('sslverify' => false)); // BAD
        """,
    "ciphers": """
        <?php
        $a = openssl_encrypt($data, 'des-ede3-cbc', $key, 0, $iv); // BAD
        $b = openssl_encrypt($data, 'AES-128-ECB', $key); // BAD
        $c = mcrypt_encrypt(MCRYPT_RIJNDAEL_128, $key, $data, MCRYPT_MODE_CBC, $iv); // BAD
        $d = openssl_encrypt($data, 'aes-256-cbc', $key, 0, '1234567890123456'); // BAD
        """,
    "old protocol": """
        <?php
        curl_setopt($ch, CURLOPT_SSLVERSION, CURL_SSLVERSION_SSLv3); // BAD
        """,
}
QUIET = {
    "cache key": """
        <?php
        $cacheKey = md5($url . serialize($options));
        $name = sha1($content) . '.jpg';
        """,
    "file": """
        <?php
        function fileChecksum($path) { return md5(file_get_contents($path)); }
        """,
    "methods of the same name": """
        <?php
        $token = $this->rand($seed);
        $secret = Hasher::md5($value);
        """,
    "secure": """
        <?php
        $token = bin2hex(random_bytes(32));
        $code = random_int(100000, 999999);
        """,
    "shuffle of songs": """
        <?php
        $song = $songs[array_rand($songs)];
        $color = mt_rand(0, 255);
        """,
    "checked": """
        <?php
        curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, true);
        curl_setopt($ch, CURLOPT_SSL_VERIFYHOST, 2);
        $client = new Client(['verify' => $bundle]);
        $rules = ['verify' => false, 'title' => 'required'];
        """,
    "comparison of versions": """
        <?php
        if ($method === STREAM_CRYPTO_METHOD_TLSv1_0_CLIENT) { throw new InvalidArgumentException('too old'); }
        """,
    "sound cipher": """
        <?php
        $c = openssl_encrypt($data, 'aes-256-gcm', $key, 0, $iv, $tag);
        """,
    "key under which something is kept": """
        <?php
        function triesOfPassword($session, $address) {
            $slot = 'password_tries_' . md5($address);
            return $session->get($slot);
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.php") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"weak-cryptography"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.php") if hit.confidence is not Confidence.LOW] == []
