"""Campaign totals: a sum of sessions that is kept up to date at the cost of one session."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import pytest

from domain.rulesets import RULESETS
from projections.campaign_model import CampaignReport
from projections.results import CAMPAIGN
from service.sessions import campaigns
from service.sessions.campaigns import CampaignMapping, MappedPerson, MappedSession, SessionPlace
from tests.support.scale import scale
from tests.support.simulation import simulate
from tests.workers.stand_ins import StandIn, stand_in
from tests.workers.test_running_statistics import nearly
from workers import campaign_statistics
from workers.statistics.campaign import Line, Part, Total, line_of, part_of, report
from workers.statistics.report import fold
from workers.statistics.running import Running

CAMPAIGN_ID = "c" * 32
SEATS = {"gm": "gwen", "p1": "ana", "p2": "bo", "p3": "pia"}
SESSIONS, MAX_SECONDS = 5_000, 0.05
RUNS = 9
read = msgspec.json.Decoder(CampaignReport).decode


def played(seed: int) -> Running:
    ruleset = RULESETS[seed % len(RULESETS)]
    return fold(simulate(ruleset, seed, 25))


def id_of(number: int) -> str:
    return f"{number:032x}"


class FakeCampaign:
    """One campaign, whose mapping the test decides."""

    def __init__(self) -> None:
        self.revision = 1
        self.sessions: dict[str, MappedSession] = {}

    def add(self, number: int, seats: dict[str, str]) -> None:
        self.sessions[id_of(number)] = MappedSession(id_of(number), number, seats)

    def place(self, session: str) -> SessionPlace | None:
        mapped = self.sessions.get(session)
        return None if mapped is None else SessionPlace(CAMPAIGN_ID, self.revision, mapped)

    def mapping(self, campaign: str) -> CampaignMapping:
        people = {person: MappedPerson(person, False) for person in SEATS.values()}
        return CampaignMapping(self.revision, campaign, people, tuple(self.sessions.values()))


@pytest.fixture
def app(tmp_path: Path) -> Iterator[StandIn]:
    app = stand_in(tmp_path)
    yield app
    app.read_models.close()


@pytest.fixture
def campaign(monkeypatch: pytest.MonkeyPatch) -> FakeCampaign:
    fake = FakeCampaign()
    monkeypatch.setattr(campaign_statistics, "campaigns_of", lambda app: fake)
    return fake


def test_the_fake_has_the_methods_of_the_real_one() -> None:
    assert {"place", "mapping"} <= set(dir(campaigns.Campaigns))


def from_the_beginning(parts: dict[int, tuple[Part, dict[str, str]]]) -> CampaignReport:
    total, lines = Total(), []
    for number, (part, seats) in sorted(parts.items()):
        total.add(part, id_of(number), number, seats)
        lines.append(line_of(Line(id_of(number), number, seats), part))
    return report(total, lines[-100:])


def stored(app: Any) -> CampaignReport:
    result = app.read_models.results.latest(CAMPAIGN_ID, CAMPAIGN)
    assert result is not None
    return read(result.body)


def test_totals_follow_every_change(app: StandIn, campaign: FakeCampaign) -> None:
    """Sessions grow, seats get other people, sessions leave the campaign or are deleted."""
    chosen = random.Random(5)
    parts: dict[int, tuple[Part, dict[str, str]]] = {}
    for step in range(scale(30, 400)):
        number = chosen.randint(1, 12)
        match chosen.choice(("play", "play", "link", "remove", "delete")):
            case "play":
                running = played(100 * step + number)
                seats = parts[number][1] if number in parts else dict(SEATS)
                campaign.add(number, seats)
                parts[number] = (part_of(running), seats)
                campaign_statistics.update_session(app, id_of(number), running)
            case "link" if number in parts:
                seats = {seat: chosen.choice([*SEATS.values()]) for seat in SEATS}
                campaign.add(number, seats)
                campaign.revision += 1
                parts[number] = (parts[number][0], seats)
                campaign_statistics.compute_campaign(app, CAMPAIGN_ID)
            case "remove" if number in parts:
                del campaign.sessions[id_of(number)], parts[number]
                campaign.revision += 1
                campaign_statistics.compute_campaign(app, CAMPAIGN_ID)
            case "delete" if number in parts:
                del campaign.sessions[id_of(number)], parts[number]
                app.read_models.store.write(
                    "DELETE FROM campaign_parts WHERE session=?", id_of(number)
                )
                campaign.revision += 1
                campaign_statistics.compute_campaign(app, CAMPAIGN_ID)
        if parts:
            found, expected = stored(app), from_the_beginning(parts)
            for name, value in msgspec.to_builtins(expected).items():
                given = msgspec.to_builtins(found)[name]
                assert given == nearly(value), name


@pytest.mark.long
@pytest.mark.timeout(1_800)
def test_an_update_costs_one_session(app: StandIn, campaign: FakeCampaign) -> None:
    runnings = [played(seed) for seed in range(12)]
    for number in range(1, SESSIONS + 1):
        campaign.add(number, dict(SEATS))
        campaign_statistics.update_session(app, id_of(number), runnings[number % 12])
    seconds = []
    for nth in range(RUNS):
        began = perf_counter()
        campaign_statistics.update_session(app, id_of(SESSIONS - nth), runnings[nth])
        seconds.append(perf_counter() - began)
    median = sorted(seconds)[RUNS // 2]
    print(f"{SESSIONS:,} sessions: {1000 * median:.1f} ms for an update")
    assert stored(app).sessions == SESSIONS
    assert median < MAX_SECONDS
