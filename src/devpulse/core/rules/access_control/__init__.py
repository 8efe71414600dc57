"""Broken access control where routes and their guards are read by a thin reader a language."""
