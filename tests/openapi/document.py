"""The OpenAPI document as a file: `python -m tests.openapi.document FILE`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from service.http.app import document


def write(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document(), indent=1))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
