from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_authentication import RULE

REPORTED = {
    "fast hash": """
        class Users {
          String hash(String password) throws Exception {
            MessageDigest digest = MessageDigest.getInstance("MD5"); // BAD
            digest.update(password.getBytes());
            return hex(digest.digest());
          }
        }
        """,
    "fast hash of a library": """
        class Users {
          void save(User user, String password) {
            user.setPasswordHash(DigestUtils.sha256Hex(password)); // BAD
          }
        }
        """,
    "plain comparison": """
        class Users {
          boolean login(User user, String password) {
            return user.getPassword().equals(password); // BAD
          }
          boolean other(ResultSet rows, HttpServletRequest request) {
            return rows.getString("password").equals(request.getParameter("password")); // BAD
          }
        }
        """,
    "signature": """
        class Hooks {
          boolean check(byte[] body, String signature) {
            String expected = hex(hmac.doFinal(body));
            return expected.equals(signature); // BAD
          }
        }
        """,
    "tokens without signature": """
        class Tokens {
          void read(String token) {
            DecodedJWT decoded = JWT.decode(token); // BAD
            String made = JWT.create().sign(Algorithm.none()); // BAD
            Claims claims = Jwts.parserBuilder().build().parseClaimsJwt(token).getBody(); // BAD
          }
        }
        """,
    "keys in the code": """
        String sign(String name) {
            Algorithm words = Algorithm.HMAC256("oak and elm"); // BAD
            Keys.hmacShaKeyFor("oak and elm and ash and yew".getBytes()); // BAD
            return Jwts.builder().setSubject(name).signWith(SignatureAlgorithm.HS512, "oak and elm").compact(); // BAD
        }

        Claims read(String token) {
            return Jwts.parser().setSigningKey("oak and elm").parseClaimsJws(token).getBody(); // BAD
        }
        """,
    "hash of a helper": """
        void signUp(String name, String password) {
            users.save(name, MD5Util.encode(password)); // BAD
            users.save(name, SecureUtil.md5(password)); // BAD
        }
        """,
}
QUIET = {
    "password encoder": """
        class Users {
          boolean login(User user, String password) {
            return encoder.matches(password, user.getPassword());
          }
        }
        """,
    "hash of a file": """
        class Files {
          String sum(byte[] content) throws Exception {
            return hex(MessageDigest.getInstance("MD5").digest(content));
          }
        }
        """,
    "confirmation": """
        class Forms {
          boolean same(String password, String confirmPassword) {
            return password.equals(confirmPassword);
          }
        }
        """,
    "constants and fields": """
        class Forms {
          boolean empty(String password) {
            return "".equals(password) || password == null || "password".equals(field.getName());
          }
        }
        """,
    "constant time": """
        class Hooks {
          boolean check(byte[] hmac, byte[] signature) {
            return MessageDigest.isEqual(hmac, signature);
          }
        }
        """,
    "verified token": """
        class Tokens {
          void read(String token) {
            JWT.require(Algorithm.HMAC256(key)).build().verify(token);
            DecodedJWT decoded = JWT.decode(token);
          }
        }
        """,
    "tokens of a parser": """
        class Parser {
          boolean accept(Token token, Token expected) {
            return token.equals(expected) || this.signature.equals(other.signature);
          }
        }
        """,
    "keys from elsewhere": """
        String sign(String name, SecretKey key) {
            Algorithm words = Algorithm.HMAC256(settings.key());
            Keys.hmacShaKeyFor(Decoders.BASE64.decode(encoded));
            return Jwts.builder().setSubject(name).signWith(key, SignatureAlgorithm.HS512).compact();
        }
        """,
    "hash of a helper over a file": """
        String tag(File file, String title) {
            return MD5Util.encode(title) + SecureUtil.md5(file);
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    keys = code == REPORTED["keys in the code"]
    assert {hit.category for hit in hits} == {"hardcoded-secret" if keys else "weak-authentication"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
