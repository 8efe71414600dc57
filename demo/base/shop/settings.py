"""Settings of the storefront, from the environment."""

import os

DATABASE_URL = os.environ["DATABASE_URL"]
SESSION_HOURS = 12
