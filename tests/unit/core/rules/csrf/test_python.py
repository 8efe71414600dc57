from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.csrf import RULE

REPORTED = {
    "view that changes something": """
        @csrf_exempt  # BAD
        @login_required
        def transfer(request):
            account.move(request.POST["to"], request.POST["amount"])
        """,
    "class": """
        @method_decorator(csrf_exempt, name="dispatch")  # BAD
        class ProfileView(View):
            def post(self, request):
                request.user.profile.update(name=request.POST["name"])
        """,
    "flask": """
        @csrf.exempt  # BAD
        @app.route("/settings", methods=["POST"])
        def settings():
            current_user.email = request.form["email"]
        """,
    "settings": """
        app.config["WTF_CSRF_ENABLED"] = False  # BAD
        """,
    "form": """
        class PasswordForm(FlaskForm):
            class Meta:
                csrf = False  # BAD
        """,
    "tornado": """
        class TransferHandler(RequestHandler):
            def check_xsrf_cookie(self):  # BAD
                pass
        """,
}
QUIET = {
    "webhook": """
        @csrf_exempt
        def stripe_webhook(request):
            event = verify(request.body, request.headers["Stripe-Signature"])
            event.save()
        """,
    "interface for programs": """
        from rest_framework.decorators import api_view
        @csrf_exempt
        @api_view(["POST"])
        def create(request):
            Item.objects.create(**request.data)
        """,
    "view that only shows": """
        @csrf_exempt
        def status(request):
            return render(request, "status.html")
        """,
    "settings for tests": """
        class TestConfig(Config):
            WTF_CSRF_ENABLED = False
        """,
    "on": """
        WTF_CSRF_ENABLED = True
        app.config["WTF_CSRF_CHECK_DEFAULT"] = settings.CSRF
        """,
    "other handler": """
        class TransferHandler(RequestHandler):
            def check_xsrf_cookie(self):
                if not self.signed():
                    super().check_xsrf_cookie()
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.py") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"csrf"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.py") if hit.confidence is not Confidence.LOW] == []
