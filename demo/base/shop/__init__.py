"""The storefront API."""
