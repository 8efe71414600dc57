"""``report.html``: one page that holds all it needs, and asks for nothing."""
