"""Write the tables of docs/reference.md from the code that defines what they list, between their markers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click
import yaml

from devpulse.cli import devpulse
from devpulse.core.categories import CATEGORIES
from devpulse.core.flow.engine import ADAPTERS
from devpulse.core.knowledge import knowledge_of
from devpulse.core.rules import REMOVED_ESCAPE, REMOVED_VALIDATION, RULES
from devpulse.core.source import Rule
from devpulse.errors import ExitStatus
from devpulse.options import OPTION_BY_NAME, OPTIONS, Option, options_of
from devpulse.output.outputs import OUTPUTS

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "reference.md"

_NAMES = {"javascript": "JavaScript", "typescript": "TypeScript", "tsx": "TypeScript", "php": "PHP"}

STATUSES: Mapping[ExitStatus, str] = {
    ExitStatus.INTERNAL: "a defect of DevPulse: run it again with `--debug` and report the traceback",
    ExitStatus.USAGE: "usage or configuration, or the change cannot be read: "
    "no such revision, GitHub not to be reached",
    ExitStatus.NOTHING_REVIEWED: "nothing that should have been reviewed could be, whatever `fail-on-incomplete` says",
    ExitStatus.GATE: "a finding that counts is at or above `fail-on`; `index`: nothing matches; "
    "`verify-isolation`: it does not hold",
    ExitStatus.INCOMPLETE: "something could not be reviewed, and `fail-on-incomplete`; `publish`: comments or the "
    "summary could not be posted; `compare`: an arm did not do all of the work",
    ExitStatus.OK: "done",
    ExitStatus.INTERRUPTED: "interrupted by Ctrl-C; what was finished is kept",
    ExitStatus.TERMINATED: "ended by a signal, as when a job is cancelled; what was finished is kept",
    ExitStatus.BROKEN_PIPE: "who read the output has gone",
}
"""What each status means, the strongest reason first, then those of a run that was ended from outside."""

ARTIFACTS: Mapping[str, str] = {
    "findings.json": "findings, coverage of every changed file, usage: "
    "[schema](../src/devpulse/output/schemas/findings-v1.schema.json)",
    "report.html": "the same to read, in one file that loads nothing",
    "summary.md": "the same in short",
    "results.sarif": "SARIF 2.1.0, for code scanning and editors; not with `sarif: false`",
    "findings": "a folder with the result of each task: its findings, tokens and cost",
    "comments.json": "what was posted on the pull request, and what was not and why",
    "compare.json": "what `devpulse compare` measured: [schema](../src/devpulse/output/schemas/compare-v1.schema.json)",
    "plan.json": "the tasks, with the status and result of each",
    "shard.json": "of `devpulse review --shard`: what the share covers, with digests, for the merge",
    "progress_notes.md": "a line for each finished task",
    "run_log.jsonl": "each step with time, tokens and a digest of its context; values are cut at 200 characters",
    "decisions.md": "only in runs of very many files: the decisions for which the coordinator's history has no room",
    ".gitignore": "keeps the folder out of git, and says whose it is",
    ".lock": "keeps a second run out while one is at work",
}
"""Every name in the output folder, those that people open first."""


def input_table() -> str:
    """The inputs, in the order of the table of options."""
    rows = [
        (
            f"`{option.name}`",
            f"`{option.default}`" if option.default else "",
            _cell(f"{option.help} Allowed: {option.allowed}."),
            _commands(option),
            "yes" if option.in_config else "no",
            ", ".join(f"`{name}`" for name in (option.variable, *option.variables)),
        )
        for option in OPTIONS
    ]
    return _table(("Input", "Default", "Meaning", "Heeded by", "In `.devpulse.yml`", "Environment"), rows)


def _commands(option: Option) -> str:
    if not option.is_input:
        return "any run; only the environment sets it"
    return ", ".join(f"`{name}`" for name in devpulse.commands if option in options_of(name))


def output_table() -> str:
    """The outputs of the action, described as ``action.yml`` does."""
    described = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["outputs"]
    return _table(("Output", "Meaning"), [(f"`{name}`", _cell(described[name]["description"])) for name in OUTPUTS])


def status_table() -> str:
    """The exit statuses."""
    return _table(("Exit status", "Meaning"), [(str(int(status)), text) for status, text in STATUSES.items()])


def artifact_table() -> str:
    """What is in the output folder."""
    return _table(("Artifact", "What it holds"), [(f"`{name}`", text) for name, text in ARTIFACTS.items()])


def category_table() -> str:
    """The categories of findings with their CWE numbers, usual severity, and where rules look for them."""
    rows = [
        (f"`{each.name}`", each.title, ", ".join(map(str, each.cwes)), each.severity.value, _looked_for(each.name))
        for each in CATEGORIES.values()
    ]
    return _table(("Category", "Weakness", "CWE", "Severity", "Rules look in"), rows)


_PLACES = {
    "template-output": "templates",
    REMOVED_ESCAPE: "removed escapes in any text",
    REMOVED_VALIDATION: "removed checks in any text",
    "workflow-injection": "workflows and actions of GitHub",
    "workflow-checkout": "workflows of GitHub",
}
"""What the rules that are for no language look into, where that is not any text."""


_TOLD_TOO = {
    REMOVED_ESCAPE: frozenset({"command-injection", "sql-injection", "ldap-injection", "path-traversal"}),
    REMOVED_VALIDATION: frozenset(
        {"cross-site-scripting", "command-injection", "sql-injection", "ssrf", "open-redirect", "broken-access-control"}
    ),
}
"""Categories that rules over a change tell besides their own."""


def _looked_for(category: str) -> str:
    rules = [rule for rule in RULES if rule.category == category or category in _TOLD_TOO.get(rule.id, ())]
    found = {_NAMES.get(each, each.title()) for rule in rules for each in rule.languages if _knows(rule, each)}
    anywhere = [rule for rule in rules if not rule.languages]
    places = [_PLACES[rule.id] for rule in anywhere if rule.id in _PLACES]
    if len(places) < len(anywhere):
        return "any text"
    listed = ", ".join(sorted(found)) or "nothing: models only"
    return "; ".join((listed, *dict.fromkeys(places)))


def _knows(rule: Rule, language: str) -> bool:
    """Whether it can report anything there: over data flow only where a sink of the category is known."""
    languages = {name for name in ADAPTERS if _has_sink(name, rule.category)}
    return language in languages or not languages


def _has_sink(language: str, category: str) -> bool:
    knowledge = knowledge_of(language)
    return knowledge is not None and any(
        sink.category == category for sinks in knowledge.sinks.values() for sink in sinks
    )


def command_table() -> str:
    """The commands with the arguments and flags that are no inputs."""
    rows = [
        (f"`devpulse {name}`", _cell(_first_sentence(command)), _cell(_own_flags(command)))
        for name, command in _leaves(devpulse, "")
    ]
    return _table(("Command", "What it does", "Flags beside the inputs"), rows)


def _leaves(group: click.Group, prefix: str) -> list[tuple[str, click.Command]]:
    found = []
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            found += _leaves(command, f"{prefix}{name} ")
        else:
            arguments = [each.make_metavar(click.Context(command)) for each in command.params if _is_argument(each)]
            found.append((" ".join([prefix + name, *arguments]), command))
    return found


def _is_argument(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument)


def _first_sentence(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def _own_flags(command: click.Command) -> str:
    flags = [each.opts[0] for each in command.params if isinstance(each, click.Option) and not each.hidden]
    return ", ".join(f"`{flag}`" for flag in flags if flag.removeprefix("--") not in OPTION_BY_NAME)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


TABLES: Mapping[str, Callable[[], str]] = {
    "inputs": input_table,
    "outputs": output_table,
    "statuses": status_table,
    "artifacts": artifact_table,
    "categories": category_table,
    "commands": command_table,
}


def with_tables(document: str) -> str:
    """The document with every table written again.

    Raises:
        ValueError: a pair of markers is missing.
    """
    for name, render in TABLES.items():
        begin, end = f"<!-- {name}: begin -->\n", f"\n<!-- {name}: end -->"
        table = begin + render() + end
        pattern = re.escape(begin) + ".*?" + re.escape(end.lstrip())
        document, count = re.subn(pattern, lambda _, table=table: table, document, flags=re.DOTALL)  # type: ignore[misc]
        if count != 1:
            raise ValueError(f"{count} places for the table of {name}")
    return document


def main() -> None:
    """Write the tables and name the file."""
    text = with_tables(DOCUMENT.read_text(encoding="utf-8"))
    DOCUMENT.write_text(text, encoding="utf-8", newline="\n")
    print(DOCUMENT)


if __name__ == "__main__":
    main()
