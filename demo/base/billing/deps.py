"""What the billing routes depend on."""

import os
from dataclasses import dataclass

import jwt
import psycopg
from fastapi import Header, HTTPException


@dataclass(frozen=True)
class User:
    """Somebody with a valid token."""

    id: int
    team: str


def current_user(authorization: str = Header()) -> User:
    """The user of the request, or 401."""
    try:
        claims = jwt.decode(authorization.removeprefix("Bearer "), os.environ["TOKEN_KEY"], algorithms=["HS256"])
    except jwt.InvalidTokenError as error:
        raise HTTPException(status_code=401) from error
    return User(id=int(claims["sub"]), team=claims["team"])


def database() -> psycopg.Connection:
    """A connection to the billing database."""
    return psycopg.connect(os.environ["BILLING_DATABASE_URL"])
