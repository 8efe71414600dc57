"""The inputs of the action, as the runner hands them to a container (GitHub's page "Metadata syntax")."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from devpulse.output.characters import clip, visible

_PREFIX = "INPUT_"
_OF_THE_RUNNER = frozenset({"args", "entrypoint"})
"""Inputs that the runner itself heeds for any container action."""
_NAME_SHOWN = 60


@dataclass(frozen=True, slots=True)
class ActionInputs:
    """The inputs that were given a value, by option name, and a warning for each that is no option."""

    values: Mapping[str, str]
    warnings: tuple[str, ...]


def read_inputs(environ: Mapping[str, str], known: Collection[str]) -> ActionInputs:
    """The inputs among the variables of a step.

    The runner writes ``fail-on`` as ``INPUT_FAIL-ON``: upper case, blanks as underscores, hyphens kept. A shell loses
    such names, so ``INPUT_FAIL_ON`` is read as well; the runner's own spelling wins. An empty value means unset.
    Values keep their line breaks and lose blanks at both ends. Values of unknown inputs are never repeated.

    Args:
        environ: the environment.
        known: names of the options that are inputs.
    """
    spellings = {variable: name for name in known for variable in (_underscored(name), _hyphenated(name))}
    values: dict[str, str] = {}
    warnings: list[str] = []
    for variable in sorted(environ, key=lambda name: ("-" in name, name)):  # a hyphen comes later, and wins
        value = environ[variable].strip()
        if not variable.startswith(_PREFIX) or not value:
            continue
        name = spellings.get(variable)
        if name is not None:
            values[name] = value
        elif variable.removeprefix(_PREFIX).lower() not in _OF_THE_RUNNER:
            warnings.append(_warning(variable, known))
    return ActionInputs(values, tuple(warnings))


def _hyphenated(name: str) -> str:
    return f"{_PREFIX}{name.upper().replace(' ', '_')}"


def _underscored(name: str) -> str:
    return _hyphenated(name).replace("-", "_")


def _warning(variable: str, known: Collection[str]) -> str:
    written = variable.removeprefix(_PREFIX).lower()
    near = get_close_matches(written.replace("_", "-")[:_NAME_SHOWN], sorted(known), n=1)
    question = f' Did you mean "{near[0]}"?' if near else ""
    shown = clip(visible(written).replace("\n", "\\n"), _NAME_SHOWN)
    return f'The input "{shown}" is not known and has no effect.{question}'
