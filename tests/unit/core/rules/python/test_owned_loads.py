"""A view that loads an object by its id alone, where its siblings look among those of the caller."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.python.broken_access_control import RULE

TIED_FLASK = """
        @app.route("/notes/<int:note_id>/edit", methods=["POST"])
        @login_required
        def edit(note_id):
            note = Note.query.filter_by(id=note_id, user_id=current_user.id).first_or_404()
            note.text = request.form["text"]
"""
TIED_DJANGO = """
        @login_required
        def edit_note(request, pk):
            note = get_object_or_404(Note, pk=pk, owner=request.user)
            note.save()
"""
REPORTED = {
    "flask": f"""{TIED_FLASK}
        @app.route("/notes/<int:note_id>/archive", methods=["POST"])
        @login_required
        def archive(note_id):
            note = Note.query.get_or_404(note_id)  # BAD
            note.archived = True
        """,
    "django": f"""{TIED_DJANGO}
        @login_required
        def delete_note(request, pk):
            note = get_object_or_404(Note, pk=pk)  # BAD
            note.delete()
        """,
    "fastapi": """
        @router.put("/orders/{order_id}")
        def change(order_id: int, user=Depends(get_current_user)):
            order = session.query(Order).first()
            return Order.objects.get(id=order_id, owner=user)

        @router.delete("/orders/{order_id}")
        def drop(order_id: int, user=Depends(get_current_user)):
            Order.objects.get(id=order_id).delete()  # BAD
        """,
}
QUIET = {
    "the owner is compared": f"""{TIED_FLASK}
        @app.route("/notes/<int:note_id>/archive", methods=["POST"])
        @login_required
        def archive(note_id):
            note = Note.query.get_or_404(note_id)
            if note.user_id != current_user.id:
                abort(403)
            note.archived = True
        """,
    "for administrators": f"""{TIED_DJANGO}
        @staff_member_required
        def delete_note(request, pk):
            get_object_or_404(Note, pk=pk).delete()
        """,
    "no sibling looks among its own": """
        @login_required
        def edit_note(request, pk):
            get_object_or_404(Note, pk=pk).save()

        @login_required
        def delete_note(request, pk):
            get_object_or_404(Note, pk=pk).delete()
        """,
    "only shown": f"""{TIED_FLASK}
        @app.route("/notes/<int:note_id>")
        @login_required
        def show(note_id):
            return render_template("note.html", note=Note.query.get_or_404(note_id))
        """,
    "another model": f"""{TIED_DJANGO}
        @login_required
        def add_note(request, pk):
            tag = get_object_or_404(Tag, pk=pk)
            tag.used()
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports_untied_loads(code: str) -> None:
    assert lines_of(run(RULE, code)) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet_about_owned_loads(code: str) -> None:
    assert run(RULE, code) == []
