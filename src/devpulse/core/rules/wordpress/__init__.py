"""Rules for plugins and themes of WordPress."""
