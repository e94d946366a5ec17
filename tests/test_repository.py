"""The house keeps its own rules: packages, budgets, locks, no trace of any machine, a README that is true."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
from click import Context

from service.cli.main import cli
from service.platform.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("domain", "projections", "service", "workers")
LOCKS = ("requirements.lock", "requirements-dev.lock")
GATES = (
    "ruff format --check",
    "ruff check",
    "mypy --strict",
    "lint-imports",
    "check-jsonschema",
    "pytest",
)

LEAKS = re.compile(
    r"--(?:extra-)?index-url|--find-(?:links)|\b(?:UV|PIP)_\w*INDEX\w*\s*=\s*\w+://"  # package indexes
    r"|\b(?:pypi|pythonhosted|npmjs|docker|ghcr|quay)\.(?:org|io|com)\b"  # registry hosts
    r"|(?<![\w.~-])/(?:home|Users|root|work|workspace|builds)/\w"  # somebody's disk
)


def committed() -> Iterator[Path]:
    """Every file of the tree that .gitignore does not name, so that it works without git as well."""
    lines = (ROOT / ".gitignore").read_text().splitlines()
    ignored = [".git", *(line.rstrip("/") for line in lines if line and not line.startswith("#"))]
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            name for name in folders if not any(fnmatch(name, pattern) for pattern in ignored)
        ]
        yield from (
            Path(folder, name)
            for name in files
            if not any(fnmatch(name, pattern) for pattern in ignored)
        )


def locked(name: str) -> dict[str, list[str]]:
    """Each "name==version" of a lock with the option lines under it."""
    entries = (ROOT / name).read_text().replace("\\\n", "").splitlines()
    return {
        pin.strip(): options
        for pin, *options in (re.split(r"\s+(?=--)", entry) for entry in entries)
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_resolve_inside_the_checkout(package: str) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin == str(ROOT / package / "__init__.py")
    assert (ROOT / package / "py.typed").exists()


def test_no_file_names_an_index_a_registry_or_a_disk() -> None:
    own = re.escape(f"{ROOT}/")
    leaks = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in committed()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
        if LEAKS.search(line) or re.search(own, line)
    ]
    assert leaks == []


@pytest.mark.parametrize("name", LOCKS)
def test_every_entry_of_a_lock_is_pinned_and_hashed(name: str) -> None:
    entries = locked(name)
    assert entries
    assert [pin for pin in entries if not re.fullmatch(r"[a-z0-9.-]+==\S+( ; .+)?", pin)] == []
    assert [pin for pin, lines in entries.items() if not lines] == []
    assert [
        line
        for lines in entries.values()
        for line in lines
        if not re.fullmatch(r"--hash=sha256:\w{64}", line)
    ] == []


def test_locks_agree_with_the_project_and_each_other() -> None:
    runtime, dev = (locked(name) for name in LOCKS)
    assert runtime.items() <= dev.items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for wanted, lock in (
        (project["project"]["dependencies"], runtime),
        (project["project"]["optional-dependencies"]["stats"], runtime),
        (project["dependency-groups"]["dev"], dev),
    ):
        names = {re.split(r"[\[<>=~! ]", requirement)[0] for requirement in wanted}
        assert names <= {pin.split("==")[0] for pin in lock}


def test_every_target_that_readme_names_exists() -> None:
    code = re.findall(r"```.*?```|`[^`\n]+`", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    named = set(re.findall(r"\bmake ([a-z-]+)", "\n".join(code)))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert {"demo", "test"} <= named <= targets


def test_make_test_runs_every_gate() -> None:
    environment = {
        name: text for name, text in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))
    }
    plan = subprocess.run(
        ["make", "--dry-run", "test"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [gate for gate in GATES if gate not in plan.stdout] == []


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert [line for line in lines if line.startswith("make")] == ["make demo", "make test"]


def test_an_audit_that_looked_at_nothing_is_no_pass() -> None:
    """Without --strict a library that the service does not know is left out, and all is said to be well."""
    plan = subprocess.run(
        ["make", "--dry-run", "audit"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert re.search(r"pip-audit==\d", plan)  # a newer one could refuse or report differently
    assert "--strict" in plan.split()
    lines = (ROOT / ".ci" / "audit").read_text().splitlines()
    assert [line for line in lines if line.startswith("make")] == ["make audit"]


def test_every_setting_stands_in_the_operators_page() -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    for setting in SETTINGS.values():
        default = f"`{setting.default}`" if setting.default else ""
        assert f"| `{setting.name}` | {default} | {setting.meaning} |" in page


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = (folder / "README.md").read_text()
    for page in folder.glob("0*.md"):
        assert f"({page.name})" in listed


def test_every_command_stands_in_the_operators_page() -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    assert set(re.findall(r"^\| `fairlog ([a-z]+)` \|", page, re.MULTILINE)) == set(
        cli.list_commands(Context(cli))
    )
