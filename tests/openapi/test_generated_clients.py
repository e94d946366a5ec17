"""Clients that other people's programs generate from the OpenAPI document, each of which plays an evening."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.http.app import document
from tests.openapi import npm
from tests.openapi.document import write
from tests.support.processes import Running

HERE = Path(__file__).parent
EVENINGS = HERE / "evenings"
OPERATIONS = {
    said["operationId"]
    for methods in document()["paths"].values()
    for method, said in methods.items()
    if method != "parameters"
}

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("document") / "openapi.json"
    write(file)
    return file


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with its workers."""
    running = Running(tmp_path_factory.mktemp("data"), "serve")
    try:
        yield running.url()
    finally:
        running.kill()


def test_a_python_client_plays_an_evening(described: Path, url: str, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # it formats with ruff
    command = ["openapi-python-client", "generate", "--meta", "none", "--output-path", "client"]
    made = subprocess.run(
        [*command, "--path", str(described), "--config", str(HERE / "python_client.yaml")],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert "warn" not in (made.stdout + made.stderr).lower()
    endpoints = {file.stem for file in tmp_path.glob("client/api/*/*.py")} - {"__init__"}
    assert {name.replace("_", "") for name in endpoints} == {name.lower() for name in OPERATIONS}
    shutil.copy(EVENINGS / "evening.py", tmp_path)
    played = subprocess.run(
        [sys.executable, "evening.py", url],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    print(played.stdout)


def test_a_typescript_client_plays_an_evening(described: Path, url: str, tmp_path: Path) -> None:
    made = npm.run("openapi-typescript", described, "-o", tmp_path / "schema.ts")
    assert made.returncode == 0, made.stderr
    assert "warn" not in (made.stdout + made.stderr).lower()
    generated = (tmp_path / "schema.ts").read_text()
    assert {name for name in OPERATIONS if f"    {name}: {{" in generated} == OPERATIONS
    shutil.copy(EVENINGS / "evening.ts", tmp_path)
    (tmp_path / "node_modules").symlink_to(HERE / "node_modules")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    options = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "esnext"]
    checked = npm.run(
        "tsc",
        *options,
        *("--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable,dom.asynciterable"),
        *("--types", "node", "evening.ts"),
        cwd=tmp_path,
    )
    assert checked.returncode == 0, checked.stdout
    played = subprocess.run(
        [npm.NODE, "evening.js", url], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert played.returncode == 0, played.stderr
    print(played.stdout)
