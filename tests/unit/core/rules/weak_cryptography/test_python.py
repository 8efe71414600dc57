from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_cryptography import RULE

REPORTED = {
    "remembered by a number": """
        import random
        def login(user):
            value = str(random.random())[2:]  # BAD
            sessions[f"remember-{user.id}"] = value
            key = random.getrandbits(64)  # BAD
            response.set_cookie("known", str(key))
        """,
    "start value set before": """
        def seal(key, data):
            iv = b"\\x00" * 16
            cipher = AES.new(key, AES.MODE_CBC, iv)  # BAD
            return cipher.encrypt(pad(data, 16))
        """,
    "certificate by its hash": """
        def hash_certificate(certificate):
            return hashlib.sha1(certificate.encode()).hexdigest()  # BAD
        """,
    "token from a hash of the id": """
        import hashlib
        def make_reset_token(user):
            return hashlib.md5(str(user.id).encode()).hexdigest()  # BAD
        """,
    "signature by name of the algorithm": """
        def sign_payload(payload):
            return hashlib.new("sha1", payload + SHARED).hexdigest()  # BAD
        """,
    "session id from random letters": """
        import random, string
        def login(user):
            session_id = "".join(random.choice(string.ascii_letters) for _ in range(24))  # BAD
            return session_id
        """,
    "code sent to a phone": """
        from random import randint
        def send(phone):
            otp = randint(100000, 999999)  # BAD
            sms.send(phone, str(otp))
        """,
    "value that becomes a token later": """
        import random
        def invite(member):
            value = "%030x" % random.getrandbits(120)  # BAD
            member.invite_token = value
        """,
    "certificate checks off": """
        import requests, httpx, ssl
        requests.get(url, verify=False)  # BAD
        client = httpx.AsyncClient(base_url=URL, verify=False)  # BAD
        context.check_hostname = False  # BAD
        context.verify_mode = ssl.CERT_NONE  # BAD
        ssl._create_default_https_context = ssl._create_unverified_context  # BAD
        """,
    "unknown hosts accepted": """
        ssh.set_missing_host_key_policy(paramiko.AutoAddPolicy())  # BAD
        """,
    "old protocol": """
        context.minimum_version = ssl.TLSVersion.TLSv1  # BAD
        old = ssl.SSLContext(ssl.PROTOCOL_TLSv1)  # BAD
        """,
    "ciphers": """
        from Crypto.Cipher import AES, DES
        one = DES.new(key, DES.MODE_CBC, iv)  # BAD
        two = AES.new(key, AES.MODE_ECB)  # BAD
        three = AES.new(key, AES.MODE_CBC, b"0123456789abcdef")  # BAD
        four = Cipher(algorithms.ARC4(key), mode=None)  # BAD
        five = Cipher(algorithms.AES(key), modes.ECB())  # BAD
        """,
    "short key": """
        private = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # BAD
        other = RSA.generate(1024)  # BAD
        """,
}
QUIET = {
    "places of what is drawn": """
        def get_verify_code(self):
            for place, letter in enumerate(self.letters):
                self.pen.text((9 * place + random.randint(-3, 3), 2), letter, fill=(random.randint(32, 127), 0, 0))
        """,
    "a random start value set before": """
        def seal(key, data):
            iv = get_random_bytes(16)
            return iv + AES.new(key, AES.MODE_CBC, iv).encrypt(pad(data, 16))
        def seal_with(key, iv, data):
            return AES.new(key, AES.MODE_CBC, iv).encrypt(data)
        """,
    "zeros that are filled": """
        def seal(key, data):
            iv = bytearray(16)
            fill(iv)
            return AES.new(key, AES.MODE_CBC, iv).encrypt(data)
        """,
    "cache key and etag": """
        def page(url, body):
            cache_key = hashlib.md5(url.encode()).hexdigest()
            etag = hashlib.sha1(body).hexdigest()
        """,
    "said to be no protection": """
        def token_index(token):
            return hashlib.md5(token, usedforsecurity=False).hexdigest()
        """,
    "checksum of a file": """
        def file_checksum(path):
            return hashlib.md5(open(path, "rb").read()).hexdigest()
        """,
    "strong hash": """
        def make_reset_token(user):
            return hashlib.sha256(user.secret + now).hexdigest()
        """,
    "size of a hash": """
        salt = os.urandom(sha1().digest_size)
        """,
    "protocol that prescribes it": """
        def answer(realm, nonce, cnonce):
            token = hashlib.md5(nonce + cnonce).hexdigest()
        """,
    "secure generators": """
        import random, secrets
        token = secrets.token_hex(16)
        password = "".join(random.SystemRandom().choice(letters) for _ in range(12))
        """,
    "game and retries": """
        import random
        def roll():
            return random.randint(1, 6)
        def backoff(attempt):
            delay = random.uniform(0, 2 ** attempt)
        """,
    "words of a language model": """
        import random
        def mask(tokens):
            masked_token = random.choice(tokens)
        """,
    "option of the program": """
        def connect(url, verify):
            if not verify:
                context.check_hostname = False
                context.verify_mode = ssl.CERT_NONE
        """,
    "not a request": """
        claims = jwt.decode(token, key, verify=False)
        form.save(verify=False)
        """,
    "authority of one's own": """
        requests.get(url, verify="/etc/ssl/internal.pem")
        """,
    "sound ciphers": """
        cipher = AES.new(key, AES.MODE_GCM, nonce=get_random_bytes(12))
        other = AES.new(key, AES.MODE_CBC, iv)
        private = rsa.generate_private_key(public_exponent=65537, key_size=3072)
        """,
    "comment and text": """
        # never use DES.new(key) or verify=False
        HELP = "requests.get(url, verify=False) is dangerous"
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.py") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"weak-cryptography"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.py") if hit.confidence is not Confidence.LOW] == []
