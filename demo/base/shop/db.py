"""One database connection for each request."""

import os

import psycopg
from flask import g
from psycopg.rows import dict_row


def connection() -> psycopg.Connection:
    """The connection of the current request, opened on first use."""
    if "db" not in g:
        g.db = psycopg.connect(os.environ["DATABASE_URL"], row_factory=dict_row)
    return g.db
