"""What functions of PHP give that somebody outside the program decides, by level."""

from __future__ import annotations

from sink_levels import level_at_sink
from tables import for_each

from devpulse.core.flow.values import Level

SENT = (
    ("while ($e = zip_read($zip)) { sink(zip_entry_name($e)); }", Level.ARCHIVE),
    ("$name = zip_entry_name($e); sink('/srv/' . $name);", Level.ARCHIVE),
    ("sink(zip_entry_filesize($e));", Level.UNKNOWN),
    ("sink($zip->getNameIndex(0));", Level.ARCHIVE),
    ("sink($file->getClientFilename());", Level.REQUEST),
    ("sink($file->getSize());", Level.UNKNOWN),
    ("sink(Tools::getValue('id'));", Level.REQUEST),
    ("sink($blog['GET']['mode']);", Level.REQUEST),
    ("sink($routes['GET']['/']);", Level.UNKNOWN),
    ("sink(Shop::getValue('id'));", Level.UNKNOWN),
    ("sink(\\Drupal::request()->query->get('q'));", Level.REQUEST),
    ("sink(\\Drupal::config('site')->get('q'));", Level.UNKNOWN),
    ("sink(Filter::filterInput(INPUT_GET, 'q', FILTER_DEFAULT));", Level.REQUEST),
    ("sink(GETPOST('note', 'restricthtml'));", Level.REQUEST),
)


@for_each(SENT)
def test_analyse__what_is_sent(row: tuple[str, Level]) -> None:
    code, expected = row
    assert level_at_sink("php", f"<?php\n{code}\n") is expected
