"""GitHub: the pull request as a change to review, and the place where the review is published."""
