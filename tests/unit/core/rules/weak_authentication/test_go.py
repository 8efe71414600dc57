from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_authentication import RULE

REPORTED = {
    "fast hash": """
        package app
        func hashPassword(password string) string {
            sum := md5.Sum([]byte(password)) // BAD
            return hex.EncodeToString(sum[:])
        }
        """,
    "fast hash that is fed": """
        package app
        func store(user *User, password string) {
            h := sha256.New() // BAD
            h.Write([]byte(password))
            user.Hash = h.Sum(nil)
        }
        """,
    "plain comparison": """
        package app
        func login(user *User, r *http.Request) bool {
            return user.Password == r.FormValue("password") // BAD
        }
        """,
    "signature": """
        package app
        func verify(body []byte, signature string) bool {
            mac := hmac.New(sha256.New, key)
            mac.Write(body)
            expected := hex.EncodeToString(mac.Sum(nil))
            return signature == expected // BAD
        }
        """,
    "key of a header": """
        package app
        func allowed(r *http.Request) bool {
            return r.Header.Get("X-Api-Key") == os.Getenv("API_KEY") // BAD
        }
        """,
    "token without signature": """
        package app
        func read(token string) {
            parser.ParseUnverified(token, claims) // BAD
            jwt.Parse(token, func(t *jwt.Token) (interface{}, error) {
                return jwt.UnsafeAllowNoneSignatureType, nil // BAD
            })
        }
        """,
    "token of a server": """
        func (s *Server) allowed(w http.ResponseWriter, r *http.Request) bool {
            token := r.Header.Get("Authorization")
            return token == s.adminToken // BAD
        }
        """,
    "second of two on a line": """
        func (s *Server) basic(r *http.Request) bool {
            user, password, ok := r.BasicAuth()
            return ok && user == s.config.User && password == s.config.Password // BAD
        }
        """,
    "setting that is called for": """
        func check(c *gin.Context) bool {
            token := c.GetHeader("X-Token")
            return token == viper.GetString("admin.token") // BAD
        }
        """,
    "keys in the code": """
        import "github.com/golang-jwt/jwt/v5"

        var store = sessions.NewCookieStore([]byte("oak and elm")) // BAD

        func sign(token *jwt.Token) (string, error) {
            return token.SignedString([]byte("oak and elm")) // BAD
        }

        func keyOf(token *jwt.Token) (interface{}, error) {
            return []byte("oak and elm"), nil // BAD
        }
        """,
    "hash of a helper": """
        func signUp(w http.ResponseWriter, r *http.Request) {
            keep(r.FormValue("name"), tools.Sha1([]byte(r.FormValue("password")+salt))) // BAD
        }
        """,
}
QUIET = {
    "bcrypt": """
        package app
        func login(user *User, password string) error {
            return bcrypt.CompareHashAndPassword(user.Hash, []byte(password))
        }
        """,
    "before bcrypt": """
        package app
        func hash(password string) ([]byte, error) {
            sum := sha256.Sum256([]byte(password))
            return bcrypt.GenerateFromPassword(sum[:], 12)
        }
        """,
    "hash of content": """
        package app
        func sum(content []byte) [32]byte { return sha256.Sum256(content) }
        """,
    "empty and confirmation": """
        package app
        func check(password, passwordConfirm string) error {
            if password == "" || password != passwordConfirm {
                return errInput
            }
            return nil
        }
        """,
    "constant time": """
        package app
        func verify(signature, expected []byte) bool {
            return hmac.Equal(signature, expected) && subtle.ConstantTimeCompare(signature, expected) == 1
        }
        """,
    "verified token": """
        package app
        func read(token string) { jwt.ParseWithClaims(token, claims, keyFunc) }
        """,
    "tokens of a parser": """
        package app
        func (p *parser) accept(token Token) bool { return token == p.token || tok.Kind == TokenName }
        """,
    "tokens of a grammar": """
        func (p *Parser) accept(token Token) bool {
            return token == p.token
        }
        """,
    "token in constant time": """
        func (s *Server) allowed(w http.ResponseWriter, r *http.Request) bool {
            token := r.Header.Get("Authorization")
            return subtle.ConstantTimeCompare([]byte(token), []byte(s.adminToken)) == 1
        }
        """,
    "which sort it is": """
        func check(hook Hook, body []byte) bool {
            mac := hmac.New(sha256.New, key)
            mac.Write(body)
            return hook.Type == PlainSignature
        }
        """,
    "whether it changed": """
        func changed(oldUser, user *User) bool {
            return oldUser.Password != user.Password || oldUser.NeedsPassword != user.NeedsPassword
        }
        """,
    "keys from elsewhere": """
        import "github.com/golang-jwt/jwt/v5"

        func sign(token *jwt.Token, key []byte) (string, error) {
            sessions.NewCookieStore([]byte(os.Getenv("SESSION_KEY")))
            return token.SignedString([]byte(settings.Key))
        }

        func greeting() ([]byte, error) {
            return []byte("hello"), nil
        }
        """,
    "hash of a helper over a file": """
        func Md5Of(password string) string {
            return ""
        }

        func stored(path string) string {
            return tools.Md5(path) + Md5Of(path)
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    keys = code == REPORTED["keys in the code"]
    assert {hit.category for hit in hits} == {"hardcoded-secret" if keys else "weak-authentication"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
