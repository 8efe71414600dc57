"""Settings of the storefront, from the environment."""

import os

DATABASE_URL = os.environ["DATABASE_URL"]
SECRET_KEY = os.environ["SECRET_KEY"]
PAYMENT_API_KEY = os.getenv("PAYMENT_API_KEY", "")
SMTP_PASSWORD_FILE = "/run/secrets/smtp_password"
SESSION_HOURS = 8

# What .env.sample is written from; real values come from the vault.
SAMPLE = {
    "SECRET_KEY": "<random, 32 bytes>",
    "PAYMENT_API_KEY": "your-api-key-here",
    "SMTP_PASSWORD": "${SMTP_PASSWORD}",
}
