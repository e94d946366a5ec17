"""Data model for the statistics of a campaign, used by the worker, the API and the command line."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from projections.statistics_model import (
    Faces,
    Highlight,
    Luck,
    ReportPart,
    Successes,
    TestSummary,
)


class UseCount(ReportPart, frozen=True):
    """How often a person rolled for one kind of action."""

    rolls: Annotated[int, Meta(description="the number of rolls, drawn or typed in")]
    successes: (
        Annotated[Successes, Meta(description="absent if the rules name no success")] | UnsetType
    ) = UNSET


class PersonReport(ReportPart, frozen=True):
    """A person over all sessions of the campaign."""

    sessions: Annotated[
        int, Meta(description="the number of sessions in which the person took a turn")
    ]
    turns: Annotated[int, Meta(description="the number of the person's turns")]
    minutes: Annotated[
        float,
        Meta(description="the total number of minutes before the person's turns, without breaks"),
    ]
    luck: Annotated[
        dict[str, Luck],
        Meta(
            description="the luck of all rolls together, keyed by the origin of the values "
            '(`{"drawn": …, "declared": …}`). The series is empty; `lines` has the luck in each '
            "session"
        ),
    ]
    uses: Annotated[
        dict[str, UseCount],
        Meta(description="what the person rolled for, keyed by the kind of action"),
    ]


class SessionPerson(ReportPart, frozen=True):
    """A person in one session of the campaign."""

    turns: Annotated[int, Meta(description="the number of the person's turns")]
    draws: Annotated[int, Meta(description="the number of rolls that count for luck")] = 0
    percentile: (
        Annotated[
            float,
            Meta(description="see `percentile` of a session's statistics; absent if it is absent"),
        ]
        | UnsetType
    ) = UNSET


class CampaignLine(ReportPart, frozen=True):
    """One session of the campaign."""

    session: Annotated[str, Meta(description="the session's id")]
    number: Annotated[int, Meta(description="the number of the session in the campaign, from 1")]
    version: Annotated[int, Meta(description="the version of the session that is counted")]
    began_at: Annotated[
        int,
        Meta(
            description="the time of the first turn in milliseconds since the epoch, or 0 if there "
            "was no turn"
        ),
    ]
    turns: Annotated[int, Meta(description="the number of turns")]
    minutes: Annotated[float, Meta(description="the minutes between turns, without breaks")]
    people: Annotated[
        dict[str, SessionPerson], Meta(description="the people who took part, keyed by id")
    ]


class CampaignRecord(ReportPart, frozen=True):
    """The most memorable moment of its kind in the whole campaign."""

    session: Annotated[str, Meta(description="the id of the session")]
    number: Annotated[int, Meta(description="the number of the session in the campaign, from 1")]
    moment: Annotated[
        Highlight,
        Meta(
            description="the moment; ids in its text are those of the session's seats and entities"
        ),
    ]
    person: (
        Annotated[str, Meta(description="the id of the person; absent if the seat is not linked")]
        | UnsetType
    ) = UNSET


class CampaignReport(ReportPart, frozen=True):
    """The statistics of a campaign, as everyone at its tables may see them."""

    sessions: Annotated[int, Meta(description="the number of sessions that are counted")]
    turns: Annotated[int, Meta(description="the number of turns in all sessions")]
    minutes: Annotated[float, Meta(description="the minutes between turns, without breaks")]
    headline: Annotated[
        str,
        Meta(
            description="who was luckiest over all sessions and whether anything is suspicious; "
            "ids of people in it are in braces after `@`, such as `{@ana}`"
        ),
    ]
    verdicts: Annotated[
        dict[str, TestSummary],
        Meta(
            description="the verdicts on all values of each origin "
            '(`{"drawn": …, "declared": …}`). A campaign goes on, so they are never final: '
            "findings need so much evidence that it does not matter how often one looks"
        ),
    ]
    people: Annotated[
        dict[str, PersonReport], Meta(description="the people of the campaign, keyed by id")
    ]
    dice: Annotated[
        dict[str, dict[str, Faces]],
        Meta(
            description="how often each value came in all sessions, keyed by the origin of the "
            "values, then by die or deck. A physical die that players named, such as "
            "`d6 (the red d6)`, is kept apart"
        ),
    ]
    records: Annotated[
        dict[str, CampaignRecord],
        Meta(description="the most memorable moments, keyed by kind as in `highlights`"),
    ]
    lines: Annotated[
        tuple[CampaignLine, ...],
        Meta(description="the sessions, oldest first; of many, the newest 100"),
    ]
