"""What list pages do with the words people type."""

_SORTABLE = {"placed": "placed_at", "total": "total", "state": "state"}


def sort_column(name: str) -> str:
    """The column to sort by: one of the known ones, whatever was asked for."""
    return _SORTABLE.get(name, "placed_at")


def tidy_term(text: str) -> str:
    """The text with runs of white space made one space."""
    return " ".join(text.split())
