from __future__ import annotations

from devpulse.core.embedded.components import component_parts
from devpulse.core.embedded.scripts import Script


def test_component_parts__outputs_in_scripts_and_comments_are_none():
    text = "<script>  h={a}</script><!--  h={b}--> h={c}"
    outputs = [
        (text.index(f"h={{{name}}}") - 1, text.index(f"{{{name}}}") + 1, text.index(f"{name}}}") + 1) for name in "abc"
    ]
    (masked,) = component_parts(text, outputs).texts.values()
    assert masked.split() == ["h={a};", ";_\u0175(c)"]


def test_component_parts__minified_scripts_are_skipped():
    parts = component_parts("<script>" + "a=1;" * 6_000 + "</script>", ())
    assert parts.skipped
    assert parts.texts == {}


def test_component_parts__code_of_the_server():
    text = "-a()-<script>b()</script>"
    parts = component_parts(text, (), [Script("typescript", 1, 4, "")])
    assert {kind: masked.strip() for kind, masked in parts.texts.items()} == {
        ("typescript", "server"): "a();",
        ("javascript", "page"): "b();",
    }


def test_component_parts__many_outputs_and_comments_take_no_more_than_one_look_each():
    text = "<!-- --> h={a}" * 20_000
    outputs = [(place + 8, place + 12, place + 13) for place in range(0, len(text), 14)]
    (masked,) = component_parts(text, outputs).texts.values()
    assert masked.count("_\u0175(a)") == 20_000
