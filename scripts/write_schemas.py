"""Write the JSON Schemas of our artifacts beside the code that defines them."""

from __future__ import annotations

from pathlib import Path

from devpulse.output.json_v1 import render_findings_schema

SCHEMAS = Path(__file__).parent.parent / "src" / "devpulse" / "output" / "schemas"


def main() -> None:
    """Write every schema file and name it."""
    target = SCHEMAS / "findings-v1.schema.json"
    target.write_text(render_findings_schema(), encoding="utf-8", newline="\n")
    print(target)


if __name__ == "__main__":
    main()
