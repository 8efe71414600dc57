"""The run itself: from a change to findings, through ports only."""
