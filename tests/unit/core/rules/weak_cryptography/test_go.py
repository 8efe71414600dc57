from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_cryptography import RULE

REPORTED = {
    "token from a hash": """
        package app
        func newToken(user string) string {
            sum := md5.Sum([]byte(user + time.Now().String())) // BAD
            return hex.EncodeToString(sum[:])
        }
        """,
    "predictable token": """
        package app
        import "math/rand"
        func generateToken(n int) string {
            b := make([]byte, n)
            for i := range b {
                b[i] = letters[rand.Intn(len(letters))] // BAD
            }
            return string(b)
        }
        """,
    "predictable code with a generator of its own": """
        package app
        import "math/rand"
        func verificationCode() int {
            r := rand.New(rand.NewSource(time.Now().UnixNano()))
            return r.Intn(900000) + 100000 // BAD
        }
        """,
    "certificates and hosts": """
        package app
        func client() *http.Client {
            transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // BAD
            config.HostKeyCallback = ssh.InsecureIgnoreHostKey() // BAD
            return &http.Client{Transport: transport}
        }
        """,
    "old protocol": """
        package app
        var config = &tls.Config{MinVersion: tls.VersionTLS10} // BAD
        """,
    "ciphers": """
        package app
        import "crypto/des"
        import "crypto/rc4"
        func encrypt(key []byte) {
            block, _ := des.NewCipher(key) // BAD
            stream, _ := rc4.NewCipher(key) // BAD
            private, _ := rsa.GenerateKey(rand.Reader, 1024) // BAD
        }
        """,
    "start value in bytes": """
        func seal(block cipher.Block, data []byte) {
            iv := []byte{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08}
            // what fills it: rand.Read(iv)
            cipher.NewCBCEncrypter(block, iv).CryptBlocks(data, data) // BAD
        }
        """,
    "short key": """
        func parameters(p *dsa.Parameters) error {
            return dsa.GenerateParameters(p, rand.Reader, dsa.L1024N160) // BAD
        }
        """,
}
QUIET = {
    "etag": """
        package app
        func etag(body []byte) string {
            return fmt.Sprintf("%x", md5.Sum(body))
        }
        """,
    "hash of a file": """
        package app
        func fileSum(path string) []byte {
            h := sha1.New()
            io.Copy(h, open(path))
            return h.Sum(nil)
        }
        """,
    "secure generator": """
        package app
        import "crypto/rand"
        func generateToken() {
            b := make([]byte, 32)
            rand.Read(b)
        }
        """,
    "both generators": """
        package app
        import (
            "crypto/rand"
            mrand "math/rand"
        )
        func generateToken(b []byte) {
            rand.Read(b)
        }
        func pick(n int) int { return mrand.Intn(n) }
        """,
    "jitter": """
        package app
        import "math/rand"
        func jitter(d time.Duration) time.Duration { return d + time.Duration(rand.Int63n(int64(d))) }
        """,
    "option of the program": """
        package app
        func config(insecure bool) *tls.Config {
            return &tls.Config{InsecureSkipVerify: insecure, MinVersion: tls.VersionTLS12}
        }
        """,
    "asked for": """
        package app
        func apply(opts Options, c *tls.Config) {
            if opts.Insecure {
                c.InsecureSkipVerify = true
            }
        }
        """,
    "own check of the certificates": """
        package app
        var config = &tls.Config{InsecureSkipVerify: true, VerifyPeerCertificate: pin}
        """,
    "start value filled": """
        func seal(block cipher.Block, data []byte) {
            iv := make([]byte, 16)
            rand.Read(iv)
            cipher.NewCBCEncrypter(block, iv).CryptBlocks(data, data)
        }
        """,
    "the other package under another name": """
        import (
            crand "crypto/rand"
            "math/rand"
        )

        func newToken() string {
            rand.New(rand.NewSource(1)).Shuffle(3, swap)
            token := make([]byte, 16)
            crand.Read(token)
            return hex.EncodeToString(token)
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"weak-cryptography"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
