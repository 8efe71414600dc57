"""Functions that Python hands to a pool or a thread, which calls them with what it is given."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.command_injection import RULE

REPORTED = (
    "await run_in_threadpool(os.system, x)",
    "await concurrency.run_in_threadpool(subprocess.run, x, shell=True)",
    "pool.apply_async(os.system, (x,))",
    'pool.apply_async(subprocess.getoutput, ["ls " + x])',
    "await anyio.to_thread.run_sync(os.system, x)",
)
QUIET = (
    "await run_in_threadpool(greet, x)",
    'await run_in_threadpool(subprocess.run, ["ls", "--", x])',
    'await run_in_threadpool(os.system, "ls")',
    "pool.apply_async(greet, (x,))",
    'pool.apply_async(os.system, ("ls",), callback=x)',
    'await anyio.to_thread.run_sync(os.system, "ls")',
    'await concurrency.run_in_threadpool(subprocess.run, "ls", shell=True, cwd="/srv")',
    'pool.apply_async(subprocess.getoutput, ["ls"])',
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement in a view."""
    code = f'@app.post("/x")\nasync def view(request):\n    x = request.query_params["x"]\n    {statement}\n'
    return posted_lines(RULE, code)


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [4]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
