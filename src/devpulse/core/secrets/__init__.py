"""Recognising secrets in text: provider formats, keys, connection strings, literals under telling names."""
