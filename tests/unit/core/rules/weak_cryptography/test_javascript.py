from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_cryptography import RULE

REPORTED = {
    "token from a hash": """
        function resetToken(user) {
          return crypto.createHash('md5').update(user.id + Date.now()).digest('hex'); // BAD
        }
        """,
    "signed parameters": """
        const signature = crypto.createHash('sha1').update(params + appSecret).digest('hex'); // BAD
        """,
    "predictable token": """
        const token = Math.random().toString(36).slice(2); // BAD
        """,
    "generator function": """
        function generatePassword(length) {
          let out = '';
          for (let i = 0; i < length; i++) out += CHARS[Math.floor(Math.random() * CHARS.length)]; // BAD
          return out;
        }
        """,
    "arrow function": """
        export const generateApiKey = () => 'k_' + Math.random().toString(16); // BAD
        """,
    "certificates": """
        const agent = new https.Agent({ rejectUnauthorized: false }); // BAD
        process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; // BAD
        request({ url, strictSSL: false }); // BAD
        """,
    "ciphers": """
        const a = crypto.createCipheriv('des-ede3-cbc', key, iv); // BAD
        const b = crypto.createCipheriv('aes-256-ecb', key, null); // BAD
        const c = crypto.createCipher('aes192', secret); // BAD
        const d = crypto.createCipheriv('aes-256-cbc', key, Buffer.alloc(16)); // BAD
        const e = crypto.createCipheriv('aes-128-cbc', key, '1234567890abcdef'); // BAD
        """,
    "old protocol": """
        tls.createServer({ minVersion: 'TLSv1', key, cert }); // BAD
        """,
    "short key": """
        crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }); // BAD
        """,
}
QUIET = {
    "content hash": """
        const etag = crypto.createHash('md5').update(body).digest('hex');
        const fileHash = crypto.createHash('sha1').update(fs.readFileSync(file)).digest('hex');
        """,
    "web socket handshake": """
        function acceptKey(key) {
          return crypto.createHash('sha1').update(key + WEBSOCKET_GUID).digest('base64');
        }
        """,
    "strong": """
        const signature = crypto.createHash('sha256').update(params + secret).digest('hex');
        """,
    "dice, colours, jitter": """
        const side = Math.floor(Math.random() * 6) + 1;
        const color = '#' + Math.random().toString(16).slice(2, 8);
        setTimeout(retry, Math.random() * 1000);
        """,
    "list key": """
        const rows = items.map((item) => <Row key={Math.random()} item={item} />);
        """,
    "secure": """
        const token = crypto.randomBytes(32).toString('hex');
        """,
    "checked": """
        const agent = new https.Agent({ rejectUnauthorized: true, ca });
        const other = new https.Agent({ rejectUnauthorized: options.strict });
        """,
    "asked for by an option": """
        if (options.insecure) {
          agentOptions = { rejectUnauthorized: false };
        }
        """,
    "sound cipher": """
        const c = crypto.createCipheriv('aes-256-gcm', key, crypto.randomBytes(12));
        const d = crypto.createDecipheriv('aes-256-cbc', key, iv);
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"weak-cryptography"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW] == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("const key = new NodeRSA({ b: 1024 });", True),
        ("forge.pki.rsa.generateKeyPair({ bits: 1024, e: 0x10001 });", True),
        ("crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });", True),
        ("const key = new NodeRSA({ b: 2048 });", False),
        ("forge.pki.rsa.generateKeyPair(4096);", False),
        ("const box = new Box({ b: 1024 });", False),
    ],
)
def test_check__short_keys(code: str, expected: bool):
    assert bool(run(RULE, f"{code}\n", path="src/keys.js")) is expected
