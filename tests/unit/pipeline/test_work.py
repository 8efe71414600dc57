"""What several runs over one change share."""

from __future__ import annotations

from builders import MemoryIndex, make_change, trees_of

from devpulse.core.change import ChangeSet
from devpulse.core.fence import Fence
from devpulse.core.redaction import Redactor
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.work import Work, read_work


def test_read_work__reads_each_file_once_and_keeps_so_many():
    changes = [make_change(f"part{number}.py", f"+x = {number}\n") for number in range(3)]
    base, head = trees_of(*changes)
    change_set = ChangeSet(None, tuple(changes), "", "")
    work = Work(change_set, base, head, MemoryIndex(), PathGate(head.size), Redactor(), Fence("beef01"))
    reading = read_work(work, keep=2)
    first, second, third = changes
    kept = reading.prepared(second)
    assert kept.shown.head is not None
    assert kept.shown.head.lines == ("x = 1",)
    reading.prepared(first)
    assert reading.prepared(second) is kept
    reading.prepared(third)
    reading.prepared(first)
    assert reading.prepared(second) is not kept
    assert sorted(head.reads) == ["part0.py", "part1.py", "part2.py"]
