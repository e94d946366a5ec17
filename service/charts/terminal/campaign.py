"""Statistics of a campaign in a terminal: who was lucky, the verdict, records, and the dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import UNSET
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from projections.campaign_model import CampaignRecord, CampaignReport, PersonReport
from projections.statistics_model import DECLARED, DRAWN, Faces
from service.charts.labels import TESTS, TYPED_IN, Names
from service.charts.people import TOO_FEW, describe_successes, ranking
from service.charts.terminal.drawing import QUIET, grid, word
from service.charts.terminal.statistics import PeopleGrid, draw_verdict
from service.platform.text import format_count

MAX_USES = 4
"""How many kinds of actions are listed for each person."""
RECORD_WORDS: Mapping[str, str] = {
    "rarest": "rarest roll",
    "drought": "longest drought",
    "save": "best save",
    "decisive": "most decisive roll",
}


class CampaignNames(NamedTuple):
    """The names in a campaign.

    `people` maps "@" and a person's id to a name. `titles` maps sessions to titles, and `entities`
    sessions to the names of their entities and seats.
    """

    title: str
    people: Mapping[str, str]
    titles: Mapping[str, str]
    entities: Mapping[str, Mapping[str, str]]


def draw_campaign(report: CampaignReport, names: CampaignNames) -> RenderableType:
    return Group(*_parts(report, names))


def _parts(report: CampaignReport, names: CampaignNames) -> Iterator[RenderableType]:
    people = Names(names.people)
    sessions = format_count(report.sessions, "session")
    yield word(f"{names.title}: {sessions}, {format_count(report.turns, 'turn')}")
    yield word(people.fill(report.headline), "bold")
    yield ""
    for origin in (DRAWN, DECLARED):
        luck = {who: of.luck[origin] for who, of in report.people.items() if origin in of.luck}
        if luck:
            if origin == DECLARED:
                yield Text(TYPED_IN, "bold")
            if ranked := ranking(luck, people):
                yield PeopleGrid(ranked)
            for who, of in luck.items():
                if of.percentile is UNSET:
                    yield word(f"{people.seat(who)}: {TOO_FEW}")
            yield ""
    for summary in report.verdicts.values():
        yield from draw_verdict(summary, people)
    yield Text("People", "bold")
    yield _people(report.people, people)
    yield ""
    if report.records:
        yield Text("Records", "bold")
        yield _records(report.records, names)
        yield ""
    yield Text("Dice and decks", "bold")
    yield _dice(report.dice)


def _people(people: Mapping[str, PersonReport], names: Names) -> Table:
    table = grid([" ", "sessions", "turns", "minutes waited", "rolls and successes"])
    table.columns[-1].justify = "left"
    for person, of in people.items():
        table.add_row(
            word(names.seat(person)),
            f"{of.sessions:,}",
            f"{of.turns:,}",
            f"{of.minutes:,.0f}",
            word(", ".join(_uses(of))),
        )
    return table


def _uses(of: PersonReport) -> Iterator[str]:
    every = sorted(of.uses.items(), key=lambda each: (-each[1].rolls, each[0]))
    for use, count in every[:MAX_USES]:
        seen, _ = describe_successes(count.successes)
        yield f"{use} {seen}" if seen else f"{use} {count.rolls:,}"


def _records(records: Mapping[str, CampaignRecord], names: CampaignNames) -> Table:
    table = Table.grid(padding=(0, 2))
    for kind, record in records.items():
        known = Names(names.entities.get(record.session, {}))
        title = names.titles.get(record.session, f"Session {record.number}")
        table.add_row(
            word(f"  {RECORD_WORDS.get(kind, kind)}", QUIET),
            word(f"{known.fill(record.moment.text)} {title}, version {record.moment.first}."),
        )
    return table


def _dice(dice: Mapping[str, Mapping[str, Faces]]) -> Table:
    table = grid([" ", "draws", "verdict"])
    table.columns[-1].justify = "left"
    for origin, sources in dice.items():
        for source, of in sources.items():
            typed = " (typed in)" if origin == DECLARED else ""
            table.add_row(word(f"{source}{typed}"), f"{of.draws:,}", word(_describe(of)))
    return table


def _describe(of: Faces) -> str:
    tests = of.tests.items()
    findings = [TESTS[name] for name, test in tests if test.verdict not in ("fair", "few")]
    if findings:
        return f"chance does not explain it: {', '.join(findings)}"
    is_tested = any(test.p is not UNSET for test in of.tests.values())
    return "nothing suspicious" if is_tested else "too few draws to say"
