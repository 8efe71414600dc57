from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, lines_of, make_source, marked_lines, run

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.python.broken_access_control import RULE

REPORTED = {
    "marks that say only what is taken": """
        @app.post("/pages")
        @only_site_admins
        def create_page():
            save()

        @app.post("/users/<id>")  # BAD
        @only_numbers
        def update_user(id):
            save(id)

        @app.delete("/users/<id>")  # BAD
        @only_plugins
        def delete_user(id):
            remove(id)
        """,
    "flask": """
        @app.route("/users/<id>", methods=["PUT"])
        @login_required
        def update_user(id):
            save(id)

        @app.route("/users/<id>", methods=["DELETE"])  # BAD
        def delete_user(id):
            remove(id)
        """,
    "fastapi": """
        @router.get("/invoices")
        def invoices(user: User = Depends(get_current_user)):
            return load(user)

        @router.post("/invoices")
        def create(body: Invoice, user: User = Depends(get_current_user)):
            return save(body)

        @router.delete("/invoices/{id}")  # BAD
        def delete_invoice(id: int):
            remove(id)
        """,
    "django": """
        @login_required
        def edit_post(request, pk):
            return render(request, "edit.html")

        def delete_post(request, pk):  # BAD
            Post.objects.get(pk=pk).delete()
        """,
    "reading an export beside guarded reading": """
        @app.get("/admin/users")
        @admin_required
        def users():
            return all_users()

        @app.get("/admin/export")  # BAD
        def export():
            return dump()
        """,
    "guard in the body of the neighbour": """
        @app.post("/settings")
        def settings():
            if not current_user.is_admin:
                abort(403)
            store()

        @app.post("/billing")  # BAD
        def billing():
            charge()
        """,
}
QUIET = {
    "guards called by whom they let in": """
        @app.post("/pages/add")
        @only_admins
        def add():
            return "added"

        @app.post("/pages/change")
        @only_writers
        def change():
            return "changed"
        """,
    "all guarded": """
        @app.route("/users", methods=["POST"])
        @login_required
        def create():
            save()

        @app.route("/users/<id>", methods=["DELETE"])
        @roles_required("admin")
        def delete(id):
            remove(id)
        """,
    "nobody guarded": (
        '@app.post("/users")\ndef create():\n    save()\n\n@app.delete("/users")\ndef delete():\n    drop()\n'
    ),
    "login": (
        '@app.post("/users")\n'
        "@login_required\n"
        "def create():\n"
        "    save()\n"
        "\n"
        '@app.post("/login")\n'
        "def login():\n"
        "    check()\n"
    ),
    "health": (
        '@app.get("/admin")\n'
        "@login_required\n"
        "def admin():\n"
        "    show()\n"
        "\n"
        '@app.get("/health")\n'
        "def health():\n"
        '    return "ok"\n'
    ),
    "register": (
        '@app.post("/users")\n'
        "@login_required\n"
        "def create():\n"
        "    save()\n"
        "\n"
        '@app.post("/register")\n'
        "def register():\n"
        "    add()\n"
    ),
    "webhook": (
        '@app.post("/users")\n'
        "@login_required\n"
        "def create():\n"
        "    save()\n"
        "\n"
        '@app.post("/webhook/stripe")\n'
        "def stripe():\n"
        "    verify()\n"
    ),
    "before request": """
        @bp.before_request
        def guard():
            require_user()

        @bp.post("/users")
        @admin_required
        def create():
            save()

        @bp.delete("/users")
        def delete():
            drop()
        """,
    "router dependencies": """
        router = APIRouter(prefix="/admin", dependencies=[Depends(require_admin)])

        @router.get("/a")
        def a(user=Depends(get_current_user)):
            pass

        @router.delete("/users")
        def delete():
            drop()
        """,
    "class permissions": """
        class Users(APIView):
            permission_classes = [IsAdminUser]

            @action(detail=True, methods=["post"])
            def delete_user(self, request):
                drop()
        """,
    "public reading": (
        '@app.post("/posts")\n'
        "@login_required\n"
        "def create():\n"
        "    save()\n"
        "\n"
        '@app.get("/posts")\n'
        "def posts():\n"
        "    return load()\n"
    ),
    "dependency of the route": """
        @router.post("/users")
        def create(user=Depends(get_current_user)):
            pass

        @router.delete("/users", dependencies=[Depends(require_admin)])
        def delete():
            drop()
        """,
    "early exit": """
        @app.post("/users")
        @login_required
        def create():
            save()

        @app.delete("/users")
        def delete():
            if "user_id" not in session:
                return redirect("/login")
            drop()
        """,
    "mock.patch": (
        '@mock.patch("os.read")\n'
        "@login_required\n"
        "def test_a():\n"
        "    pass\n"
        "\n"
        '@mock.patch("os.write")\n'
        "def test_delete():\n"
        "    pass\n"
    ),
    "broken code": '@app.post("/users"\n@login_required\ndef create(:\n',
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports_the_unguarded(code: str):
    hits = run(RULE, code)
    assert lines_of(hits) == marked_lines(code)
    assert (hits[0].cwe, hits[0].severity, hits[0].side) == (862, "high", Side.RIGHT)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code) == []


GUARDED = """
@app.route("/users/<id>", methods=["DELETE"])
@login_required
def delete_user(id):
    if not current_user.is_admin:
        abort(403)
    remove(id)
"""


def removed(after: str, before: str = GUARDED) -> list[Hit]:
    return list(RULE.run(make_source(after, before=before), MemoryResolver()))


@pytest.mark.parametrize(
    ("gone", "lines"),
    [("@login_required\n", (3, 3)), ("    if not current_user.is_admin:\n        abort(403)\n", (5, 6))],
)
def test_check__reports_the_removed_guard(gone: str, lines: tuple[int, int]):
    (hit,) = removed(GUARDED.replace(gone, ""))
    assert (hit.start_line, hit.end_line) == lines
    assert hit.side is Side.LEFT
    assert hit.guards


def test_check__reports_removed_dependency_and_class_guard():
    before = "@router.get('/a')\ndef a(\n    x: int,\n    user=Depends(get_current_user),\n):\n    pass\n"
    assert lines_of(removed(before.replace("    user=Depends(get_current_user),\n", ""), before)) == [4]
    before = "class V(View):\n    permission_classes = [IsAdmin]\n\n    def post(self, request):\n        pass\n"
    assert 2 in lines_of(removed(before.replace("    permission_classes = [IsAdmin]\n\n", ""), before))


@pytest.mark.parametrize(
    "after",
    [
        GUARDED,
        GUARDED.replace("@login_required", "@permission_required('users.delete')"),
        GUARDED.replace("remove(id)", "soft_delete(id)"),
        GUARDED.replace("def delete_user", "def delete_account"),
        "",
    ],
    ids=["unchanged", "replaced", "body changed", "renamed", "deleted"],
)
def test_check__no_guard_was_removed(after: str):
    assert [hit for hit in removed(after) if hit.side is Side.LEFT] == []
