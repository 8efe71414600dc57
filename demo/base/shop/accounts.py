"""Customer accounts: passwords and password resets."""

from werkzeug.security import check_password_hash, generate_password_hash

from shop.db import connection


def set_password(customer_id: int, password: str) -> None:
    """Stores a new password."""
    connection().execute(
        "UPDATE customers SET password_hash = %s WHERE id = %s",
        (generate_password_hash(password), customer_id),
    )


def verify_customer(customer: dict, password: str) -> bool:
    """Whether the password belongs to the customer."""
    return check_password_hash(customer["password_hash"], password)
