from __future__ import annotations

import pytest

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.replacing import safe_purposes

LIMITED = [
    ("python", "sink(re.sub(r'[^a-z]', '', request.args['x']))"),
    ("python", "P = re.compile('[^a-z0-9-]')\nsink(P.sub('-', request.args['x']))"),
    ("javascript", "sink(req.query.x.replace(/[^a-z]/g, ''));"),
    ("ruby", "sink(params[:x].gsub(/[^a-z]/, ''))"),
    ("php", "<?php sink(preg_replace('/[^a-z]/', '', $_GET['x']));"),
]
UNLIMITED = [
    ("python", "sink(re.sub(r'[a-z]', '', request.args['x']))"),
    ("python", "sink(re.sub(r'[^a-z]', request.args['y'], request.args['x']))"),
    ("javascript", "sink(req.query.x.replace(/[^a-z]/, ''));"),
    ("ruby", "sink(params[:x].gsub(/[a-z]/, ''))"),
    ("php", "<?php sink(preg_replace('/[a-z]/', '', $_GET['x']));"),
]


def cleaned(language: str, code: str) -> list[frozenset[Purpose]]:
    calls = [call for call in analyse(language, code).calls if call.callee == "sink"]
    return [t.cleaned for call in calls for a in call.arguments for t in a.value.taints if t.origin.level >= 3]


@pytest.mark.parametrize(("language", "code"), LIMITED)
def test_replaced__only_letters_are_left(language: str, code: str):
    assert cleaned(language, code) == []


@pytest.mark.parametrize(("language", "code"), UNLIMITED)
def test_replaced__anything_may_be_left(language: str, code: str):
    assert cleaned(language, code)
    assert not any(cleaned(language, code))


@pytest.mark.parametrize(
    ("put", "purpose"), [("", Purpose.QUOTES), ("&apos;", Purpose.QUOTES), ("''", Purpose.DOUBLED), ("\\\\'", None)]
)
def test_replaced__quotes(put: str, purpose: Purpose | None):
    (found,) = cleaned("python", f"""sink(request.args["x"].replace("'", "{put}"))""")
    assert found == ({purpose} if purpose is not None else frozenset())


@pytest.mark.parametrize(
    ("code", "purpose", "expected"),
    [
        (r"sink(req.query.x.replace(/\.\./g, ''));", Purpose.PATH, True),
        (r"sink(path.normalize(req.query.x).replace(/^(\.\.[\/\\])+/, ''));", Purpose.PATH, True),
        (r"sink(req.query.x.replace(/^(\.\.[\/\\])+/, ''));", Purpose.PATH, False),
        (r"sink(req.query.x.replace(/\.\.\//g, ''));", Purpose.PATH, False),
        (r"sink(req.query.x.replace(/\.\./, ''));", Purpose.PATH, False),
        (r"""sink(req.query.x.replace(/'/g, "'\\''"));""", Purpose.SHELL, True),
        (r"""sink(req.query.x.replace(/(["$`\\])/g, "\\$1"));""", Purpose.SHELL, True),
        (r"""sink(req.query.x.replace(/"/g, '\\"'));""", Purpose.SHELL, False),
        (r"sink(req.query.x.replace(/&/g, '&amp;').replace(/</g, '&lt;'));", Purpose.HTML, True),
        (r"sink(req.query.x.replaceAll('<', '&lt;'));", Purpose.HTML, True),
        (r"sink(req.query.x.replace(/[&<>]/g, (sign) => SIGNS[sign]));", Purpose.HTML, True),
        (r"sink(req.query.x.replace(/</, '&lt;'));", Purpose.HTML, False),
        (r"sink(req.query.x.replace(/&/g, '&amp;'));", Purpose.HTML, False),
        (r"sink(req.query.x.replace(/[^<]/g, ''));", Purpose.HTML, False),
        (r"sink(req.query.x.replace(/</g, '<b'));", Purpose.HTML, False),
    ],
)
def test_replaced__climbing_and_shells(code: str, purpose: Purpose, expected: bool):
    (found,) = cleaned("javascript", code)
    assert (purpose in found) is expected


def test_safe_purposes():
    assert Purpose.PATH in safe_purposes(frozenset(" ."))
    assert Purpose.SHELL not in safe_purposes(frozenset(" ."))
    assert Purpose.URL not in safe_purposes(frozenset())
