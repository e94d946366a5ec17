"""compose.yaml as it stands: hardened, its secrets files, and the very same commands as processes of this machine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml

from domain.rulesets import RULESETS
from domain.verify import verify
from service.jobs.embedded_server import EmbeddedQueueServer
from service.platform.ed25519 import verify as ed25519
from service.platform.settings import SETTINGS, Settings
from service.sessions.app import build
from service.sessions.log_files import export_log
from tests.support.processes import ROOT, Running, environ, eventually, run
from tests.test_repository import locked

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if service["image"] == "fairlog"]
OPENING, METRICS = "an-opening-key-of-length", "a-metrics-key-of-length"
HERE = {
    "FAIRLOG_HOST": "127.0.0.1",
    "FAIRLOG_PORT": "0",
    "FAIRLOG_SYNCHRONOUS": "NORMAL",
    "FAIRLOG_SWEEP": "1",
}
"""What is another on this machine, and what makes a test wait less."""


def test_every_service_is_hardened() -> None:
    assert set(SERVICES) == {"migrate", "web", "worker", "follower", "postgres", "queue"}
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "privileged" not in service, name
        assert name in OURS or not service["user"].startswith(("0", "root")), name
    # The image has a check of the web server, which migrate is not.
    assert SERVICES["migrate"]["healthcheck"] == {"disable": True}
    checked = {name for name in SERVICES if "test" in SERVICES[name].get("healthcheck", {})}
    assert checked == {*SERVICES} - {"migrate"}
    published = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert all(port.startswith("127.0.0.1:") for port in published), "a proxy stands in front"


def test_every_setting_is_one_and_no_secret_stands_in_it() -> None:
    known = {setting.name: setting for setting in SETTINGS.values()}
    for name in OURS:
        for variable, value in SERVICES[name]["environment"].items():
            setting = known[variable.removesuffix("_FILE")]
            assert setting.secret is False or variable.endswith("_FILE"), variable
            if not variable.endswith("_FILE"):
                setting.parse(value)
    assert "secrets/" in (ROOT / ".gitignore").read_text().splitlines()


def test_every_service_has_the_secrets_the_networks_and_the_memory_that_it_needs() -> None:
    for name, service in SERVICES.items():
        used = str(
            [
                service,
                *(
                    (ROOT / COMPOSE["configs"][each["source"]]["file"]).read_text()
                    for each in service.get("configs", [])
                ),
            ]
        )
        secrets = set(service.get("secrets", []))
        assert secrets == set(re.findall(r"/run/secrets/(\w+)", used)), name
        assert "mem_limit" in service, name
    assert {name for name in SERVICES if "opening_key" in SERVICES[name]["secrets"]} == {"web"}
    outside = {
        name
        for name in COMPOSE["networks"]
        if not (COMPOSE["networks"][name] or {}).get("internal")
    }
    reaching = {name for name in SERVICES if outside & {*SERVICES[name]["networks"]}}
    assert reaching == {"web", "worker"}, "workers send webhooks to other servers"
    assert SERVICES["postgres"]["networks"] == ["database"]
    assert SERVICES["queue"]["networks"] == ["jobs"]
    assert "requirepass" in str(SERVICES["queue"]["command"])
    assert "POSTGRES_USER" not in SERVICES["postgres"]["environment"], "that one is a superuser"
    assert "SUPERUSER" not in (ROOT / "create-database.sh").read_text().upper()


def test_the_image_installs_what_is_locked_and_runs_as_nobody_in_particular() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert "--require-hashes -r requirements.lock" in " ".join(lines)
    user = [line.split()[1] for line in lines if line.startswith("USER")]
    assert user == ["fairlog"]
    final = lines[max(nth for nth, line in enumerate(lines) if line.startswith("FROM")) :]
    assert sum(line.startswith(("RUN", "COPY")) for line in final) <= 5
    assert locked("requirements.lock")


def settings_of(service: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """The service's environment, as it is on this machine: paths below the folder, ports that are free.

    DATABASE_URL is as it comes from outside, SQLite where it is not set.
    """
    found = dict(service["environment"])
    for variable, value in found.items():
        if value.startswith("/run/secrets/"):
            found[variable] = str(folder / "secrets" / Path(value).name)
    database = os.environ.get("FAIRLOG_TEST_DATABASE_URL", "sqlite")
    (folder / "secrets" / "database_url").write_text(database)
    return {**found, **HERE, "FAIRLOG_DATA": str(folder / "data")}


@contextmanager
def brought_up(folder: Path) -> Iterator[dict[str, Running]]:
    """All that compose.yaml starts of ours, in its order, with the same commands."""
    (folder / "secrets").mkdir()
    (folder / "secrets" / "opening_key").write_text(f"{OPENING}\n")
    (folder / "secrets" / "metrics_key").write_text(f"{METRICS}\n")
    queue = EmbeddedQueueServer(Settings.read({"FAIRLOG_DATA": str(folder / "queue-data")}))
    queue.start()
    (folder / "secrets" / "redis_url").write_text(queue.address)
    running: dict[str, Running] = {}
    try:
        once = SERVICES["migrate"]
        made = subprocess.run(
            [sys.executable, "-m", "service", *once["command"]],
            env=environ(folder / "data", **settings_of(once, folder)),
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stderr
        for name in ("web", "worker", "follower"):
            service = SERVICES[name]
            running[name] = Running(
                folder / "data", *service["command"], **settings_of(service, folder)
            )
        yield running
    finally:
        for each in running.values():
            with suppress(ProcessLookupError):
                each.stop()
        queue.stop()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_same_commands_serve_an_evening(tmp_path: Path) -> None:
    """Four web processes, a worker and a follower of their own, a queue, keys in files: played, measured, verified."""
    with brought_up(tmp_path) as running:
        url = running["web"].url()
        assert eventually(lambda: ready(url).status_code == 200, 90)
        body = {"ruleset": RULESETS[0].name, "title": "The mint"}
        assert requests.post(f"{url}/v1/sessions", json=body, timeout=60).status_code == 401
        headers = {"Authorization": f"Bearer {OPENING}"}
        opened = requests.post(f"{url}/v1/sessions", json=body, headers=headers, timeout=60)
        assert opened.status_code == 201, opened.text
        path, own = (
            f"{url}/v1/sessions/{opened.json()['session']}",
            {"Authorization": f"Bearer {opened.json()['token']}"},
        )
        told = [
            requests.post(
                f"{path}/narrate", json={"text": "It rains."}, headers=own, timeout=60
            ).status_code
            for _ in range(40)
        ]
        assert told == [201] * 40
        assert eventually(lambda: set(ready(url).json()["views"].values()) == {0}), (
            "the follower follows"
        )
        assert eventually(
            lambda: requests.get(f"{path}/statistics", headers=own, timeout=60).status_code == 200,
            60,
        )
        assert requests.get(f"{url}/metrics", timeout=60).status_code == 401
        scraped = requests.get(
            f"{url}/metrics", headers={"Authorization": f"Bearer {METRICS}"}, timeout=60
        )
        assert 'fairlog_view_lag{view="tables"} 0.0' in scraped.text
        assert "fairlog_workers 1.0" in scraped.text
        for name in ("worker", "follower"):
            assert eventually(lambda name=name: is_healthy(name, tmp_path)), name
        running["worker"].kill()
        running["follower"].stop()
        assert (
            requests.post(
                f"{path}/narrate", json={"text": "Dark."}, headers=own, timeout=60
            ).status_code
            == 201
        )
        assert not is_healthy("follower", tmp_path), "a view stays behind"
        assert eventually(lambda: not is_healthy("worker", tmp_path))
        for name in ("worker", "follower"):
            service = SERVICES[name]
            running[name] = Running(
                tmp_path / "data", *service["command"], **settings_of(service, tmp_path)
            )
            assert eventually(lambda name=name: is_healthy(name, tmp_path)), name
        settings = Settings.read(
            environ(tmp_path / "data", **settings_of(SERVICES["web"], tmp_path))
        )
    assert {name: each.process.returncode for name, each in running.items()} == dict.fromkeys(
        running, 0
    )
    with closing(build(settings)) as app:
        assert verify(export_log(app, opened.json()["session"]), ed25519).failure is None


def is_healthy(name: str, folder: Path) -> bool:
    """What the service's health check says, run as it stands."""
    how, program, *arguments = SERVICES[name]["healthcheck"]["test"]
    assert (how, program) == ("CMD", "fairlog")
    said = run(folder / "data", *arguments, **settings_of(SERVICES[name], folder))
    assert said.returncode in (0, 1), said.stderr
    assert ("✗" in said.stdout) == bool(said.returncode), said.stdout
    return said.returncode == 0


def ready(url: str) -> requests.Response:
    return requests.get(f"{url}/readyz", timeout=60)
