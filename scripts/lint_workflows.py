"""Check the workflows, action.yml, the recipes and the workflows in the README: actionlint, zizmor, GitHub's schemas.

Offline. What stands for the user's own choice in a recipe (``@COMMIT``) is filled in first.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
_COMMIT = "@" + "0" * 40
_EXAMPLE = re.compile(r"```yaml\n(.*?)```", re.DOTALL)


def workflows(root: Path) -> dict[str, str]:
    """The text of each workflow by its name: own ones, recipes, and whole ones among the README's examples."""
    paths = [*(root / ".github" / "workflows").glob("*.y*ml"), *(root / "docs" / "recipes").glob("*.y*ml")]
    found = {f"{path.parent.name}-{path.name}": path.read_text(encoding="utf-8") for path in sorted(paths)}
    examples = _EXAMPLE.findall((root / "README.md").read_text(encoding="utf-8"))
    whole = [text for text in examples if re.search(r"^jobs:", text, re.MULTILINE)]
    found |= {f"README-{number}.yml": text for number, text in enumerate(whole, start=1)}
    return {name: text.replace("@COMMIT", _COMMIT) for name, text in found.items()}


def problems(texts: Mapping[str, str], action: str) -> list[str]:
    """What each linter that is not content says of these workflows and of this ``action.yml``.

    Raises:
        OSError: a linter is not installed.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, ".github", "workflows")
        folder.mkdir(parents=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        (Path(scratch) / "action.yml").write_text(action, encoding="utf-8")
        names = [f".github/workflows/{name}" for name in texts]
        commands = (
            # shellcheck and pyflakes check what is on the machine only if they happen to be there: not at all, then.
            ["actionlint", "-no-color", "-shellcheck=", "-pyflakes=", *names],
            ["zizmor", "--offline", "--no-progress", "--color=never", "action.yml", *names],
            ["check-jsonschema", "--builtin-schema", "vendor.github-workflows", *names],
            ["check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"],
        )
        return [said for command in commands if (said := _complaint(command, scratch))]


def _complaint(command: list[str], folder: str) -> str:
    program = shutil.which(command[0], path=str(Path(sys.executable).parent))
    if program is None:
        raise FileNotFoundError(f"{command[0]} is not installed: run make install")
    done = subprocess.run([program, *command[1:]], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603  (fixed arguments)
    return f"{command[0]}:\n{done.stdout}{done.stderr}" if done.returncode else ""


def main() -> None:
    """Check them all; ends with status 1 and what was said when there is anything."""
    texts = workflows(ROOT)
    found = problems(texts, (ROOT / "action.yml").read_text(encoding="utf-8"))
    if found:
        sys.exit("\n".join(found))
    print(f"{len(texts)} workflows and action.yml: nothing to complain of")


if __name__ == "__main__":
    main()
