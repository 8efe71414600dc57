from __future__ import annotations

from rule_tables import lines_of, marked_lines, run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.sql_injection import RULE

REPORTED = {
    "value in the place of a mark": """
        def rows(name):
            cursor.execute("SELECT * FROM rows WHERE name = '__NAME__'".replace("__NAME__", name))  # BAD
        """,
    "a text or a number": """
        @app.get("/rows")
        def rows(by: Union[int, str]):
            cursor.execute(f"SELECT * FROM rows ORDER BY {by}")  # BAD
        """,
    "field of a model": """
        @app.post("/rows")
        def rows(row: Row):
            cursor.execute(f"SELECT * FROM rows WHERE name = '{row.value}'")  # BAD
        """,
    "text with a default": """
        @app.route("/rows")
        def rows():
            cursor.execute("SELECT * FROM rows LIMIT " + request.args.get("n", "10"))  # BAD
        """,
    "text of a date": """
        @app.route("/rows")
        def rows():
            day = datetime.now().strftime(request.args["format"])
            cursor.execute("SELECT * FROM rows WHERE day > '%s'" % day)  # BAD
        """,
}
QUIET = {
    "constant in the place of a mark": """
        def rows(name):
            cursor.execute("SELECT * FROM __ROWS__ WHERE name = ?".replace("__ROWS__", ROWS), (name,))
        """,
    "one of a few texts": """
        @app.get("/rows")
        def rows(by: Literal["asc", "desc"] = "asc"):
            cursor.execute(f"SELECT * FROM rows ORDER BY id {by}")
        """,
    "one of an enumeration": """
        @app.get("/rows")
        def rows(by: SortOrder):
            cursor.execute(f"SELECT * FROM rows ORDER BY id {by.value}")
        """,
    "number with a note": """
        @app.get("/rows")
        def rows(many: Annotated[int, Query(gt=0)]):
            cursor.execute(f"SELECT * FROM rows LIMIT {many}")
        """,
    "number as the framework reads it": """
        @app.route("/rows")
        def rows():
            many = request.args.get("n", 10, type=int)
            cursor.execute(f"SELECT * FROM rows LIMIT {many}")
        """,
    "dates": """
        @app.route("/rows")
        def rows():
            first = datetime.strptime(request.args["first"], "%Y-%m-%d")
            last = date.fromisoformat(request.args["last"])
            cursor.execute(f"SELECT * FROM rows WHERE day > '{first}' AND day < '{last.isoformat()}'")
        """,
}


@for_each(REPORTED.values())
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@for_each(QUIET.values())
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
