from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_cryptography import RULE

REPORTED = {
    "token from a hash": """
        def reset_token
          Digest::MD5.hexdigest("#{id}#{Time.now}") # BAD
        end
        """,
    "predictable token and password": """
        def issue
          self.token = rand(36**20).to_s(36) # BAD
          temporary_password = Array.new(8) { CHARS.sample }.join # BAD
        end
        """,
    "certificates": """
        http.verify_mode = OpenSSL::SSL::VERIFY_NONE # BAD
        RestClient::Resource.new(url, verify_ssl: false) # BAD
        Faraday.new(url, ssl: { verify: false }) # BAD
        """,
    "ciphers": """
        a = OpenSSL::Cipher.new("des-ede3-cbc") # BAD
        b = OpenSSL::Cipher.new("AES-128-ECB") # BAD
        c = OpenSSL::PKey::RSA.new(1024) # BAD
        """,
    "old protocol": """
        http.ssl_version = :TLSv1 # BAD
        """,
}
QUIET = {
    "cache key": """
        def cache_key
          Digest::MD5.hexdigest(url)
        end
        """,
    "avatar": """
        def gravatar_url
          "https://example.org/#{Digest::MD5.hexdigest(email)}"
        end
        """,
    "class that is named": """
        OPTIONS = { encryptor: Digest::SHA1, token: true }
        """,
    "secure": """
        token = SecureRandom.hex(32)
        code = alphabet.sample(random: SecureRandom)
        """,
    "games": """
        side = rand(6) + 1
        winner = players.sample
        """,
    "checked": """
        http.verify_mode = OpenSSL::SSL::VERIFY_PEER
        validates :name, verify: false
        """,
    "hmac is not broken by collisions": """
        hmac = OpenSSL::HMAC.hexdigest(OpenSSL::Digest::SHA1.new, key, token)
        """,
    "sound cipher": """
        cipher = OpenSSL::Cipher.new("aes-256-gcm")
        key = OpenSSL::PKey::RSA.new(4096)
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="app/models/app.rb") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"weak-cryptography"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="app/models/app.rb") if hit.confidence is not Confidence.LOW] == []
