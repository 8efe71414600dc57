"""The languages the product can parse, one file each, listed here on purpose and nowhere else.

A language's module is imported when a file of it is met: the patterns of all of them take longer to compile than
the names of a large repository take to find. For names alone not even that: only what scans the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from devpulse.core.languages.base import LanguageSupport, NameScan

_EXTENSIONS: dict[str, tuple[str, ...]] = {
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cu", ".cuh"),
    "csharp": (".cs",),
    "go": (".go",),
    "java": (".java",),
    "javascript": (".js", ".jsx", ".mjs", ".cjs"),
    "kotlin": (".kt", ".kts"),
    "php": (".php", ".phtml", ".inc"),
    "python": (".py", ".pyi", ".pyw"),
    "ruby": (".rb", ".rake", ".gemspec", ".ru"),
    "rust": (".rs",),
    "tsx": (".tsx",),
    "typescript": (".ts", ".mts", ".cts"),
}
"""By the name of a language, which is its module's too: its ``SUPPORT.extensions``."""

_COMPLETE = frozenset({"c", "cpp", "csharp", "go", "java", "php", "python", "ruby", "rust"})
"""The languages whose ``SUPPORT.scan_is_complete``."""

_BY_LINE = frozenset({"python"})
"""The languages whose ``SUPPORT.scans_by_line``."""

_LINES = {"cpp": "c", "javascript": "ecmascript", "tsx": "ecmascript", "typescript": "ecmascript"}
"""The languages whose ``SUPPORT.scan`` is another's: the module is called like it, with ``_lines`` behind."""

_BY_NAME = dict.fromkeys(
    ("Rakefile", "Gemfile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile", "Dangerfile"),
    "ruby",
)
"""Files whose whole name says their language."""

EXTENSIONS = {extension: name for name, extensions in _EXTENSIONS.items() for extension in extensions}
"""The languages by extension."""


class Languages(Mapping[str, "LanguageSupport"]):
    """Every language by its name, each loaded when first asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, LanguageSupport] = {}

    def __getitem__(self, name: str) -> LanguageSupport:
        support = self._loaded.get(name)
        if support is None:
            if name not in _EXTENSIONS:
                raise KeyError(name)
            module = import_module(f"{__name__}.{name}")
            support = self._loaded[name] = cast("LanguageSupport", module.SUPPORT)
        return support

    def scan_of(self, name: str) -> NameScan:
        """A language's ``scan``, without loading the rest of it.

        Raises:
            KeyError: there is no such language.
        """
        support = self._loaded.get(name)
        if support is not None:
            return support.scan
        if name not in _EXTENSIONS:
            raise KeyError(name)
        return cast("NameScan", import_module(f"{__name__}.{_LINES.get(name, name)}_lines").scan)

    def scan_is_complete(self, name: str) -> bool:
        """A language's ``scan_is_complete``, without loading it."""
        support = self._loaded.get(name)
        return name in _COMPLETE if support is None else support.scan_is_complete

    def scans_by_line(self, name: str) -> bool:
        """A language's ``scans_by_line``, without loading it."""
        support = self._loaded.get(name)
        return name in _BY_LINE if support is None else support.scans_by_line

    def __iter__(self) -> Iterator[str]:
        return iter(_EXTENSIONS)

    def __len__(self) -> int:
        return len(_EXTENSIONS)


LANGUAGES = Languages()


def language_of(path: str) -> str | None:
    """The language of a path by its extension or whole name, or ``None`` when it has no grammar here."""
    dot, slash = path.rfind("."), path.rfind("/")
    return EXTENSIONS.get(path[dot:].lower()) if dot > slash else _BY_NAME.get(path[slash + 1 :])
