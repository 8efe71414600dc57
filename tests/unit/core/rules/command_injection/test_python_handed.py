"""Functions that Python hands to a pool or a thread, which calls them with what it is given."""

from __future__ import annotations

from rule_tables import posted_lines, run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.command_injection import RULE

REPORTED = (
    "await run_in_threadpool(os.system, x)",
    "await concurrency.run_in_threadpool(subprocess.run, x, shell=True)",
    "pool.apply_async(os.system, (x,))",
    'pool.apply_async(subprocess.getoutput, ["ls " + x])',
    "await anyio.to_thread.run_sync(os.system, x)",
    'pool.apply_async(os.system, args=("ls " + x,))',
    "pool.apply(os.system, (x,))",
    "executor.map(os.system, [x])",
    "pool.map(os.system, ['ls ' + name for name in x])",
    'pool.starmap(os.system, [("ls " + x,)])',
    "await sync_to_async(os.system)(x)",
    "await sync_to_async(os.system, thread_sensitive=True)('ls ' + x)",
    "functools.partial(os.system, x)()",
    "threading.Timer(5, os.system, args=[x]).start()",
    "multiprocessing.Process(target=os.system, args=(x,)).start()",
    "tasks.add_task(os.system, x)",
    "loop.call_later(5, os.system, x)",
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
    'pool.apply_async(os.system, args=("ls",), callback=x)',
    "pool.apply(subprocess.run, (['ls', '--', x],))",
    "executor.map(greet, [x])",
    "pool.map(os.system, ['ls', 'df'])",
    'pool.starmap(subprocess.run, [(["ls", "--", x],)])',
    "await sync_to_async(greet)(x)",
    "await sync_to_async(os.listdir)('/srv')",
    "functools.partial(os.system, 'ls')(x)",
    'threading.Timer(5, os.system, args=["ls"]).start()',
    "multiprocessing.Process(target=os.system, args=('ls',), name=x).start()",
    "tasks.add_task(os.system, 'ls')",
    "loop.call_later(x, os.system, 'ls')",
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


def test_check__function_of_the_file_that_is_handed_over() -> None:
    code = """
        def show(name):
            return name
        def start(name):
            os.system("run " + name)  # BAD
        def view(request):
            x = request.GET["x"]
            executor.submit(start, x)
            pool.apply_async(start, args=(shlex.quote(x),))
            executor.submit(show, x)
        """
    found = run(RULE, code)
    assert [(hit.start_line, hit.confidence) for hit in found] == [(5, Confidence.HIGH)]


def test_check__function_of_the_file_that_is_handed_what_is_clean() -> None:
    code = """
        def _start(name):
            os.system("run " + name)
        def view(request):
            executor.submit(_start, shlex.quote(request.GET["x"]))
        """
    assert [hit for hit in run(RULE, code) if hit.confidence is Confidence.HIGH] == []
