from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_authentication import RULE

REPORTED = {
    "fast hash": """
        def password=(password)
          self.password_digest = Digest::SHA1.hexdigest("#{salt}#{password}") # BAD
        end
        """,
    "fast hash in a query": """
        def authenticate(email, password)
          find_by(email: email, hash: Digest::MD5.hexdigest(password)) # BAD
        end
        """,
    "plain comparison": """
        def login
          user = User.find_by(email: params[:email])
          sign_in(user) if user.password == params[:password] # BAD
        end
        """,
    "signature": """
        def verify
          expected = OpenSSL::HMAC.hexdigest("SHA256", key, body)
          head(:forbidden) unless signature == expected # BAD
        end
        """,
    "key of a header": """
        def allowed?
          request.headers["X-Api-Token"] == ENV["API_TOKEN"] # BAD
        end
        """,
    "token without signature": """
        payload = JWT.decode(token, nil, false) # BAD
        """,
    "signature compared where it is made": """
        def signed?(body, given)
          OpenSSL::HMAC.hexdigest('sha256', SECRET, body) == given # BAD
        end
        """,
    "key of the application": """
        def allow
          head :unauthorized unless params[:api_key] == Rails.application.credentials.api_key # BAD
        end
        """,
}
QUIET = {
    "bcrypt": """
        def valid_password?(password)
          BCrypt::Password.new(password_digest) == password
        end
        """,
    "secure password": """
        user.authenticate(params[:password])
        """,
    "digest of content": """
        def etag
          Digest::MD5.hexdigest(body)
        end
        """,
    "confirmation": """
        errors.add(:password) if password != password_confirmation
        """,
    "constant time": """
        def verify
          hmac = OpenSSL::HMAC.hexdigest("SHA256", key, body)
          ActiveSupport::SecurityUtils.secure_compare(hmac, signature)
        end
        """,
    "verified token": """
        payload = JWT.decode(token, key, true, algorithm: "HS256")
        """,
    "tokens of a parser": """
        return if token == :end_of_line
        """,
    "signature compared in constant time": """
        def signed?(body, given)
          made = OpenSSL::HMAC.hexdigest('sha256', SECRET, body)
          made.bytesize == given.bytesize && OpenSSL.fixed_length_secure_compare(made, given)
        end
        """,
    "key of the application in constant time": """
        def allow
          known = Rails.application.credentials.api_key
          head :unauthorized unless ActiveSupport::SecurityUtils.secure_compare(params[:api_key].to_s, known)
        end
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="app/models/app.rb") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"weak-authentication"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="app/models/app.rb") if hit.confidence is not Confidence.LOW] == []
