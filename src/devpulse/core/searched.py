"""Code that the embedded engine can only search: no rule knows its language."""

from __future__ import annotations

_NAMES = {
    "C": ".c .h",
    "C++": ".cc .cpp .cxx .c++ .hpp .hh .hxx .h++ .ipp .inl .tpp .cu .cuh",
    "C#": ".cs .csx",
    "Clojure": ".clj .cljs .cljc",
    "Dart": ".dart",
    "Elixir": ".ex .exs",
    "Erlang": ".erl",
    "F#": ".fs .fsx",
    "Groovy": ".groovy .gradle",
    "Haskell": ".hs",
    "Julia": ".jl",
    "Kotlin": ".kt .kts",
    "Lua": ".lua",
    "Nim": ".nim",
    "Objective-C": ".m .mm",
    "OCaml": ".ml .mli",
    "Perl": ".pl .pm",
    "PowerShell": ".ps1 .psm1",
    "R": ".r",
    "Rust": ".rs",
    "Scala": ".scala .sc",
    "shell": ".sh .bash .zsh .ksh",
    "Solidity": ".sol",
    "SQL": ".sql",
    "Swift": ".swift",
    "Visual Basic": ".vb .bas",
    "Zig": ".zig",
}
_LANGUAGES = {extension: name for name, extensions in _NAMES.items() for extension in extensions.split()}

SEARCHED = "secrets, hidden characters and orders to reviewers"
"""What is looked for in any text, whatever its language."""


def searched_language(path: str) -> str:
    """The language of a file of code in which nothing but ``SEARCHED`` is looked for; empty for any other file."""
    dot = path.rfind(".")
    return _LANGUAGES.get(path[dot:].lower(), "") if dot > path.rfind("/") else ""
