from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, make_source

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.rules.csrf import RULE

GONE = {
    "middleware of django": (
        "settings.py",
        "MIDDLEWARE = [\n    'app.Sessions',\n    'django.middleware.csrf.CsrfViewMiddleware',\n]\n",
        "MIDDLEWARE = [\n    'app.Sessions',\n]\n",
        3,
    ),
    "decorator": (
        "views.py",
        "@csrf_protect\ndef save(request):\n    store(request)\n",
        "def save(request):\n    store(request)\n",
        1,
    ),
    "wordpress": (
        "save.php",
        "<?php\nfunction save() {\n    check_admin_referer('save');\n    update($_POST['a']);\n}\n",
        "<?php\nfunction save() {\n    update($_POST['a']);\n}\n",
        3,
    ),
    "rails": (
        "base_controller.rb",
        "class Base\n  protect_from_forgery with: :exception\n  def x; end\nend\n",
        "class Base\n  def x; end\nend\n",
        2,
    ),
    "express": ("app.js", "app.use(csrfProtection);\napp.post('/a', save);\n", "app.post('/a', save);\n", 1),
    "go": (
        "main.go",
        "package main\nfunc main() {\n\tServe(csrf.Protect(key)(r))\n}\n",
        "package main\nfunc main() {\n\tServe(r)\n}\n",
        3,
    ),
}
KEPT = {
    "moved up to all routes": (
        "app.js",
        "app.post('/a', csrfProtection, save);\n",
        "app.use(csrfProtection);\napp.post('/a', save);\n",
    ),
    "gone with its function": (
        "views.py",
        "@csrf_protect\ndef save(request):\n    store(request)\n",
        "def show(request):\n    pass\n",
    ),
    "another check instead": (
        "save.php",
        "<?php\nfunction save() {\n    check_admin_referer('save');\n    update();\n}\n",
        "<?php\nfunction save() {\n    wp_verify_nonce($_POST['n'], 'save');\n    update();\n}\n",
    ),
    "deleted file": ("views.py", "@csrf_protect\ndef save(request):\n    store(request)\n", ""),
    "in a comment": (
        "views.py",
        "# csrf_protect(view) was here\ndef save(request):\n    pass\n",
        "def save(request):\n    pass\n",
    ),
}


@pytest.mark.parametrize(("path", "before", "after", "line"), GONE.values(), ids=GONE)
def test_check__protection_taken_away(path: str, before: str, after: str, line: int) -> None:
    source = make_source(after, path=path, before=before)
    hits = list(RULE.run(source, MemoryResolver()))
    assert [(hit.start_line, hit.side, hit.guards) for hit in hits] == [(line, Side.LEFT, (line,))]
    assert hits[0].confidence is Confidence.HIGH


@pytest.mark.parametrize(("path", "before", "after"), KEPT.values(), ids=KEPT)
def test_check__protection_kept(path: str, before: str, after: str) -> None:
    assert list(RULE.run(make_source(after, path=path, before=before), MemoryResolver())) == []
