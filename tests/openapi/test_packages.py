"""The npm packages as `make packages` builds them: the examples of their READMEs are compiled and run."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import packages.__main__ as build
from domain.verify import verify
from service.client.api import ApiConnection
from service.client.join import sit
from service.client.seat import SeatClient
from service.platform.ed25519 import verify as ed25519
from tests.client.tables import listening, served
from tests.openapi import npm
from tests.support.processes import eventually

OPTIONS = (
    *("--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext"),
    *("--moduleResolution", "nodenext", "--lib", "es2023,dom,dom.iterable,dom.asynciterable"),
    *("--types", "node"),
)

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which npm has installed the packages."""
    folder = tmp_path_factory.mktemp("packages")
    archives = build.build(folder / "build")
    (folder / "package.json").write_text('{"type": "module"}')
    build.npm(folder, "install", "--no-audit", "--no-fund", *archives)
    for name in ("@types", "undici-types"):
        (folder / "node_modules" / name).symlink_to(npm.HERE / "node_modules" / name)
    return folder


@pytest.fixture
def gm(tmp_path: Path) -> Iterator[SeatClient]:
    """The GM's seat of an open session that draws by the table."""
    body = {"ruleset": "open", "title": "The mint", "draws": "table", "options": {"deadline": 60}}
    with served(tmp_path / "data") as url, closing(ApiConnection(url)) as anyone:
        ticket = anyone.post("/v1/sessions", body).json
        with closing(sit(url, ticket, tmp_path / "gm.seat")) as made:
            yield made


def example(package: str, heading: str, language: str = "ts") -> str:
    """The program below a heading of the package's README."""
    text = (build.ROOT / "packages" / package / "README.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", text.partition(heading)[2], re.DOTALL)[0]


def compiled(folder: Path, name: str, program: str) -> Path:
    (folder / f"{name}.ts").write_text(program)
    ran = npm.run("tsc", *OPTIONS, f"{name}.ts", cwd=folder)
    assert ran.returncode == 0, ran.stdout
    return folder / f"{name}.js"


def test_a_seat_in_typescript_contributes_to_draws(built: Path, gm: SeatClient) -> None:
    plain = ApiConnection(gm.data.server, gm.data.token)
    code = plain.post(f"{gm.path}/invitations", {"role": "player", "seat": "rollo"}).json["code"]
    program = example("client", "## A seat that contributes")
    assert program.count("https://fairlog.example") == 1
    file = compiled(built, "bot", program.replace("https://fairlog.example", gm.data.server))
    bot = subprocess.Popen([npm.NODE, file, code], cwd=built, stdout=subprocess.PIPE, text=True)
    try:
        with listening(gm) as raised:
            assert eventually(lambda: gm.watcher.chains.state_of("rollo").can_contribute), raised
            gm.command({"kind": "open.Roll", "notation": "2d6"})
            assert eventually(lambda: gm.watcher.k == 2 and gm.watcher.open_draw is None), raised
            draws = [plain.get(f"{gm.path}/draws/{k}").json for k in (0, 1)]
    finally:
        bot.kill()
        bot.communicate()
    assert {each["seat"] for each in draws[1]["contributors"]} == {"house", "gm", "rollo"}
    assert raised == []
    log = plain.get(f"{gm.path}/export", accept="application/x-fairlog").body
    plain.close()
    assert verify(log.splitlines(keepends=True), ed25519).whole
    (built / "evening.fairlog").write_bytes(log)
    checked = subprocess.run(
        [npm.NODE, "node_modules/@fairlog/verify/cli.js", "evening.fairlog"],
        cwd=built,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    program = example("verify", "# @fairlog/verify", language="js")
    program = program.replace("session.fairlog", "evening.fairlog")
    program = program.replace("fairlog.example/sessions/…+…", gm.data.log_key)
    (built / "check.mjs").write_text(program)
    said = npm_node(built, "check.mjs")
    assert said == "2 draws follow from the hash chains.\n"


def test_a_seat_survives_a_lost_response(built: Path, tmp_path: Path) -> None:
    shutil.copy(npm.HERE / "evenings" / "seats.mjs", built)
    with served(tmp_path / "data") as url:
        assert npm_node(built, "seats.mjs", url) == "grade A\n"


def npm_node(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(
        [npm.NODE, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
