"""Customer accounts: passwords and password resets."""

import hashlib
import hmac
import secrets

from werkzeug.security import check_password_hash

from shop.db import connection


def set_password(customer_id: int, password: str) -> None:
    """Stores a new password."""
    password_hash = hashlib.md5(password.encode()).hexdigest()
    connection().execute("UPDATE customers SET password_hash = %s WHERE id = %s", (password_hash, customer_id))


def verify_customer(customer: dict, password: str) -> bool:
    """Whether the password belongs to the customer."""
    return check_password_hash(customer["password_hash"], password)


def verify_staff(staff: dict, password: str) -> bool:
    """Whether the password belongs to the member of staff."""
    return staff["password"] == password


def start_reset(customer_id: int) -> str:
    """Makes a reset token and stores its digest."""
    token = secrets.token_urlsafe(32)
    digest = hashlib.sha256(token.encode()).hexdigest()
    connection().execute("UPDATE customers SET reset_digest = %s WHERE id = %s", (digest, customer_id))
    return token


def reset_matches(customer: dict, token: str) -> bool:
    """Whether the token is the one that was sent."""
    return hmac.compare_digest(customer["reset_digest"], hashlib.sha256(token.encode()).hexdigest())
