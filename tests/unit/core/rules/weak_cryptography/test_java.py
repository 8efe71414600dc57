from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.weak_cryptography import RULE

REPORTED = {
    "token from a hash": """
        class Tokens {
          String createToken(User user) throws Exception {
            MessageDigest digest = MessageDigest.getInstance("SHA-1"); // BAD
            return hex(digest.digest(user.id().getBytes()));
          }
        }
        """,
    "signature of a library": """
        class Pay {
          String sign(Map<String, String> params) {
            return DigestUtils.md5Hex(join(params) + merchantKey); // BAD
          }
        }
        """,
    "predictable session id": """
        class Sessions {
          private final Random random = new Random();
          String newSessionId() {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes); // BAD
            return hex(bytes);
          }
        }
        """,
    "predictable password": """
        class Users {
          String resetPassword() {
            return RandomStringUtils.randomAlphanumeric(10); // BAD
          }
        }
        """,
    "trusting everybody": """
        class Open implements X509TrustManager {
          public void checkServerTrusted(X509Certificate[] chain, String type) { // BAD
          }
          HostnameVerifier all = new HostnameVerifier() {
            public boolean verify(String host, SSLSession session) { // BAD
              return true;
            }
          };
          void use(HttpsURLConnection connection) {
            connection.setHostnameVerifier((host, session) -> true); // BAD
          }
        }
        """,
    "ciphers": """
        class Crypt {
          void run() throws Exception {
            Cipher a = Cipher.getInstance("DES/CBC/PKCS5Padding"); // BAD
            Cipher b = Cipher.getInstance("AES/ECB/PKCS5Padding"); // BAD
            Cipher c = Cipher.getInstance("AES"); // BAD
            KeyGenerator d = KeyGenerator.getInstance("DESede"); // BAD
            Cipher e = Cipher.getInstance("RSA/ECB/NoPadding"); // BAD
            IvParameterSpec iv = new IvParameterSpec("0123456789abcdef".getBytes()); // BAD
            IvParameterSpec zero = new IvParameterSpec(new byte[16]); // BAD
          }
        }
        """,
    "short key": """
        class Keys {
          KeyPair make() throws Exception {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(1024); // BAD
            return generator.generateKeyPair();
          }
        }
        """,
    "key in the code": """
        byte[] hidden(byte[] text) throws Exception {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec("oak-and-elm-1234".getBytes(), "AES"), freshIv()); // BAD
            return cipher.doFinal(text);
        }
        """,
}
QUIET = {
    "checksum": """
        class Files {
          String checksum(Path path) throws Exception {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            return hex(digest.digest(Files.readAllBytes(path)));
          }
        }
        """,
    "strong hash": """
        class Tokens {
          String createToken(User user) throws Exception {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return hex(digest.digest(user.seed()));
          }
        }
        """,
    "secure generator": """
        class Sessions {
          private final SecureRandom random = new SecureRandom();
          String newSessionId() {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            return hex(bytes);
          }
        }
        """,
    "secure generator behind the interface": """
        class Sessions {
          private final Random random = new SecureRandom();
          String newToken() {
            return Long.toHexString(random.nextLong());
          }
        }
        """,
    "games": """
        class Dice {
          private final Random random = new Random();
          int roll() {
            return random.nextInt(6) + 1;
          }
        }
        """,
    "manager that checks": """
        class Pinned implements X509TrustManager {
          public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            parent.checkServerTrusted(chain, type);
          }
          public void checkClientTrusted(X509Certificate[] chain, String type) {
          }
        }
        """,
    "other method called verify": """
        class Schedules {
          boolean verify(String plan, Session session) {
            return true;
          }
        }
        """,
    "sound ciphers": """
        class Crypt {
          void run() throws Exception {
            Cipher a = Cipher.getInstance("AES/GCM/NoPadding");
            Cipher b = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
            IvParameterSpec iv = new IvParameterSpec(bytes);
            buffer.initialize(1024);
          }
        }
        """,
    "key from elsewhere": """
        byte[] hidden(byte[] text, byte[] key) throws Exception {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), freshIv());
            new SecretKeySpec(settings.get("key").getBytes(), "AES");
            return cipher.doFinal(text);
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"weak-cryptography"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
