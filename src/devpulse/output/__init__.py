"""Pure renderers: a report in, the text of one artifact out."""
