"""Code that the embedded engine can only search: no rule knows its language."""

from __future__ import annotations

_NAMES = {
    "Ada": ".adb .ads",
    "Apex": ".cls .apex",
    "ASP.NET": ".aspx .ascx .ashx .asmx .master",
    "Awk": ".awk",
    "batch": ".bat .cmd",
    "C": ".c .h",
    "C++": ".cc .cpp .cxx .c++ .hpp .hh .hxx .h++ .ipp .inl .tpp .cu .cuh",
    "C#": ".cs .csx",
    "Clojure": ".clj .cljs .cljc",
    "CoffeeScript": ".coffee",
    "ColdFusion": ".cfm .cfc .cfml",
    "Crystal": ".cr",
    "Cython": ".pyx .pxd .pxi",
    "D": ".d",
    "Dart": ".dart",
    "Delphi": ".pas .dpr",
    "Dockerfile": ".dockerfile",
    "Elixir": ".ex .exs .eex .heex .leex",
    "Emacs Lisp": ".el",
    "Erlang": ".erl .hrl",
    "F#": ".fs .fsx",
    "Fortran": ".f90 .f95",
    "GDScript": ".gd",
    "Groovy": ".groovy .gradle .gsp",
    "Haskell": ".hs",
    "Julia": ".jl",
    "Kotlin": ".kt .kts",
    "Lua": ".lua",
    "make": ".mk",
    "Nim": ".nim",
    "Objective-C": ".m .mm",
    "OCaml": ".ml .mli",
    "Perl": ".pl .pm .t .cgi",
    "PL/SQL": ".pks .pkb .plsql",
    "PowerShell": ".ps1 .psm1",
    "R": ".r",
    "Racket": ".rkt",
    "Rust": ".rs",
    "Scala": ".scala .sc",
    "shell": ".sh .bash .zsh .ksh .fish",
    "Solidity": ".sol",
    "SQL": ".sql",
    "Swift": ".swift",
    "Tcl": ".tcl",
    "Terraform": ".tf .hcl",
    "Visual Basic": ".vb .bas .vbs",
    "Zig": ".zig",
}
_LANGUAGES = {extension: name for name, extensions in _NAMES.items() for extension in extensions.split()}
_BY_NAME = {"Dockerfile": "Dockerfile", "Containerfile": "Dockerfile", "Jenkinsfile": "Groovy", "Makefile": "make"}

SEARCHED = "secrets, hidden characters and orders to reviewers"
"""What is looked for in any text, whatever its language."""


def searched_language(path: str) -> str:
    """The language of a file of code in which nothing but ``SEARCHED`` is looked for; empty for any other file."""
    slash, dot = path.rfind("/"), path.rfind(".")
    return _LANGUAGES.get(path[dot:].lower(), "") if dot > slash else _BY_NAME.get(path[slash + 1 :], "")
