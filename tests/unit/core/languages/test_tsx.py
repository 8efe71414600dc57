from __future__ import annotations

from devpulse.core.languages import language_of
from devpulse.core.syntax import symbols_of

COMPONENT = """\
import React from 'react';

type Props = { html: string };

/** Shows HTML. */
export const Preview: React.FC<Props> = ({ html }) => {
  const onClick = useCallback(() => {
    open(html);
  }, [html]);
  return <div onClick={onClick} dangerouslySetInnerHTML={{ __html: html }} />;
};

export default React.memo(function Card<T,>({ item }: { item: T }) {
  return <Preview html={String(item)} />;
});
"""


def rows(text: str) -> list[tuple[str, str, int, int]]:
    return [(s.qualified_name, s.kind, s.start_line, s.end_line) for s in symbols_of("m.tsx", "tsx", text)]


def test_extract__components_and_their_callbacks():
    assert rows(COMPONENT) == [
        ("Props", "type", 3, 3),
        ("Preview", "function", 6, 11),
        ("Preview.onClick", "function", 7, 9),
        ("Card", "function", 13, 15),
    ]


def test_extract__signature_and_docstring():
    preview = symbols_of("m.tsx", "tsx", COMPONENT)[1]
    assert preview.signature == "export const Preview: React.FC<Props> = ({ html }) =>"
    assert preview.docstring == "Shows HTML."


def test_extract__markup_defines_nothing():
    assert rows("render(<App onClick={() => go()} run={function () {}} />);\n") == []


def test_extract__broken_markup_keeps_the_next_component():
    text = "export function A() {\n  return <div><span></div>;\n}\nexport function B() {\n  return <p>ok</p>;\n}\n"
    assert [row[0] for row in rows(text)] == ["A", "B"]
    assert rows(text)[1][2:] == (4, 6)


def test_language_of__tsx():
    assert language_of("src/App.tsx") == "tsx"
