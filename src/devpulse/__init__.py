"""DevPulse reviews pull requests for security, each changed file in its own isolated context."""

__version__ = "0.1.0"
