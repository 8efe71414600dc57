"""The forms of weak cryptography: hashes, ciphers, transport security, randomness, each with all its languages."""
