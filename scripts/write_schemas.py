"""Write the JSON Schemas of our artifacts and of the configuration file."""

from __future__ import annotations

from pathlib import Path

from devpulse.output.compare_v1 import render_compare_schema
from devpulse.output.json_v1 import render_findings_schema
from devpulse.settings.schema import CONFIG_SCHEMA, render_config_schema

SCHEMAS = Path(__file__).parent.parent / "src" / "devpulse" / "output" / "schemas"


def main() -> None:
    """Write every schema file and name it."""
    schemas = {
        "findings-v1.schema.json": render_findings_schema(),
        "compare-v1.schema.json": render_compare_schema(),
        CONFIG_SCHEMA: render_config_schema(),
    }
    for name, text in schemas.items():
        target = SCHEMAS / name
        target.write_text(text, encoding="utf-8", newline="\n")
        print(target)


if __name__ == "__main__":
    main()
