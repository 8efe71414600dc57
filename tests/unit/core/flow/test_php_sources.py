"""What functions of PHP give that somebody outside the program decides, by level."""

from __future__ import annotations

from tables import for_each

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Level

SENT = (
    ("while ($e = zip_read($zip)) { sink(zip_entry_name($e)); }", Level.ARCHIVE),
    ("$name = zip_entry_name($e); sink('/srv/' . $name);", Level.ARCHIVE),
    ("sink(zip_entry_filesize($e));", Level.UNKNOWN),
    ("sink($zip->getNameIndex(0));", Level.ARCHIVE),
    ("sink($file->getClientFilename());", Level.REQUEST),
    ("sink($file->getSize());", Level.UNKNOWN),
)


def level(code: str) -> Level:
    """The highest level of what comes to ``sink``."""
    calls = [call for call in analyse("php", f"<?php\n{code}\n").calls if call.callee == "sink"]
    taints = [taint for call in calls for argument in call.arguments for taint in argument.value.taints]
    assert calls
    return max((taint.origin.level for taint in taints), default=Level.UNKNOWN)


@for_each(SENT)
def test_analyse__what_is_sent(row: tuple[str, Level]) -> None:
    code, expected = row
    assert level(code) is expected
