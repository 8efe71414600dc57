"""Code that is broken in every way, in every language: definitions with lines that exist, and searches that end."""

from __future__ import annotations

import pytest
from fuzz.mutation import mutated
from fuzz.profile import fuzzed
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import LANGUAGES
from devpulse.core.syntax import symbols_of

CODE = {
    "python": (
        "import os\n@app.route('/')\ndef f(a, *b):\n    class C(B):\n        async def "
        "m(self): return {1: [2]}\n    x = lambda: 0\n"
    ),
    "javascript": (
        "import a, {b as c} from './x';\nexport default class A extends B { static m() "
        "{} #p = 1 }\nconst f = async (x) => { return `t${x}` };\n"
    ),
    "typescript": (
        "export interface I<T> { m(): T }\nabstract class A implements I<string> { "
        "private m = () => 'x' }\nenum E { A = 1 }\n"
    ),
    "tsx": "export const C: FC<P> = ({ a }) => <div onClick={() => f(a)}>{a}</div>;\n",
    "go": 'package p\n\nfunc (r *R[T]) M(a int) (b error) { return func() {}() }\ntype S struct { A int `json:"a"` }\n',
    "java": (
        "package p;\npublic class A<T> extends B implements I { @O int m(T t) throws E { "
        "return 1; } record R(int x) {} }\n"
    ),
    "kotlin": ("package p\nclass A(val x: Int) : B() { fun <T> T.m() = x; companion object { const val C = 1 } }\n"),
    "csharp": (
        "namespace N { public partial class A<T> : B where T : new() { int P { get; set; } void M() => F(); } }\n"
    ),
    "c": ("#define M(x) ((x)+1)\nstatic int f(char *a, int (*b)(void)) { return M(1); }\nstruct s { int a; };\n"),
    "cpp": (
        "template <class T> class A : public B { public: ~A(); T operator()(int) const; "
        "};\nauto N::f() -> int { return 1; }\n"
    ),
    "ruby": (
        "module M\n  class A < B\n    def self.m(a) = a\n    private def n; <<~X\n      t\n    X\n    end\n  end\nend\n"
    ),
    "php": (
        "<?php\nnamespace N;\nabstract class A extends B implements I { public function "
        "m(?int $a): ?string { return <<<X\nt\nX; } }\n"
    ),
    "rust": (
        "impl<'a, T: X> A<'a, T> { pub async fn m(&self) -> R<()> { r#\"t\"#; Ok(()) } }\nmacro_rules! m { () => {} }\n"
    ),
}
WORDS = [
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "/*",
    "*/",
    "//",
    '"""',
    "'",
    "`",
    "#if X\n",
    "#endif\n",
    "<?php",
    "?>",
    "<<X\n",
    "${",
    "=>",
    "::",
    ";",
    "class ",
    "def ",
    "fn ",
]


def test_code__of_every_language():
    assert set(CODE) == set(LANGUAGES)


@pytest.mark.parametrize("language", CODE)
def test_symbols_of__broken_code(language):
    support = LANGUAGES[language]

    @fuzzed
    @given(mutated([CODE[language]], WORDS), st.sampled_from(["f", "A", "m", "nothing", "x", ""]))
    def check(text, name):
        path = f"app/a{support.extensions[0]}"
        lines = text.count("\n") + 1
        symbols = symbols_of(path, language, text)
        for symbol in symbols:
            assert 1 <= symbol.start_line <= symbol.end_line <= lines
            assert symbol.name
        starts = [symbol.start_line for symbol in symbols]
        assert starts == sorted(starts)
        source = text.encode("utf-8", "replace")
        files = {path: source, f"app/b{support.extensions[0]}": CODE[language].encode()}
        index = SymbolIndex(
            lambda: list(files), files.get, lambda paths, *_: ((p, files[p]) for p in paths), lambda p: len(files[p])
        )
        for symbol in index.definitions(name).rows:
            assert symbol.name == name or symbol.qualified_name.endswith(name)
        index.references(name)
        index.search(name)
        if support.imports is not None:
            decoded = source.decode()
            list(support.imports.files(path, decoded, frozenset(files)))
            list(support.imports.names(decoded))
        for symbol in symbols:
            cut = "\n".join(text.split("\n")[symbol.start_line - 1 : symbol.end_line])
            assert isinstance(support.standalone(symbol.kind, cut), str)

    check()
