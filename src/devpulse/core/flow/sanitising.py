"""Whether the text of a loaded function makes a value safe: the question an engine asks of what it looked up."""

from __future__ import annotations

from devpulse.core.flow.callees import Verdict, judge_body
from devpulse.core.flow.engine import analyse
from devpulse.core.flow.purposes import PURPOSES
from devpulse.core.languages import language_of


def sanitises(category: str, path: str, text: str) -> bool:
    """Whether the function in ``text``, from the file ``path``, cleans its input for a category's sink.

    ``False`` when that cannot be told: an unknown category or language, or a body that decides nothing.
    """
    purpose, language = PURPOSES.get(category), language_of(path)
    if purpose is None or language is None:
        return False
    return judge_body(language, text, purpose, analyse) is Verdict.CLEANS
