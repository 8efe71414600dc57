"""The diff parser: any text is a change, or refused with a line; what it takes, it takes whole."""

from __future__ import annotations

from fuzz.mutation import mutated
from fuzz.profile import fuzzed
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.change import Side
from devpulse.core.diff import parse_hunks, parse_patch
from devpulse.core.diff_apply import apply_hunks, matches, shown
from devpulse.errors import PatchInvalid

GIT = """\
diff --git a/app/a.py b/app/a.py
index 83db48f..bf269f4 100644
--- a/app/a.py
+++ b/app/a.py
@@ -1,3 +1,4 @@ def f():
 one
-two
+2
+two and a half
 three
@@ -10,2 +11,1 @@
-ten
 eleven
diff --git a/old b/new
similarity index 90%
rename from old
rename to new
--- a/old
+++ b/new
@@ -1 +1 @@
-x
\\ No newline at end of file
+y
diff --git "a/\\303\\244.py" "b/\\303\\244.py"
new file mode 100755
index 0000000..e69de29
diff --git a/i.png b/i.png
index 83db48f..bf269f4 100644
Binary files a/i.png and b/i.png differ
diff --git a/l b/l
deleted file mode 120000
index 83db48f..0000000
--- a/l
+++ /dev/null
@@ -1 +0,0 @@
-target
"""
PLAIN = "From: me\nSubject: x\n\n--- a.py\t2024-01-01\n+++ b.py\t2024-01-02\n@@ -0,0 +1,2 @@\n+a\n+b\n-- \n2.40\n"
WORDS = [
    "@@ -1 +1 @@\n",
    "--- a/x\n",
    "+++ b/x\n",
    "diff --git a/x b/x\n",
    "\\ No newline at end of file\n",
    "@@ -0,0 +1,99999999999 @@",
]
LINES = st.lists(st.text(alphabet="ab\t -+@\\", max_size=6), max_size=12)


@fuzzed
@given(mutated([GIT, PLAIN], WORDS) | st.text(max_size=200))
def test_parse_patch__any_text(text):
    try:
        files = parse_patch(text)
    except PatchInvalid as error:
        said = str(error), error.hint
        assert all(said)
        return
    assert bool(files) == bool(text.strip())
    assert len({change.path for change in files}) == len(files)
    for change in files:
        for hunk in change.hunks:
            for side in Side:
                numbers = [number for number, _ in shown([hunk], side)]
                assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True
        ends = [(hunk.old_start, hunk.new_start) for hunk in change.hunks]
        assert ends == sorted(ends)


@fuzzed
@given(LINES, LINES)
def test_parse_hunks__a_real_difference_leads_from_each_side_to_the_other(old, new):
    rows = [*(f"-{line}" for line in old), *(f"+{line}" for line in new)]
    if not rows:
        return
    start = f"@@ -{1 if old else 0},{len(old)} +{1 if new else 0},{len(new)} @@"
    hunks = parse_hunks("\n".join([start, *rows]) + "\n")
    assert matches(old, hunks, Side.LEFT)
    assert matches(new, hunks, Side.RIGHT)
    assert apply_hunks(old, hunks, Side.RIGHT) == new
    assert apply_hunks(new, hunks, Side.LEFT) == old
