"""Requests and responses of the campaign routes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, UnsetType

from domain.decider import Role
from domain.ruleset import Option
from domain.session.messages import Anchored, Draws, SeatId, Title
from projections.campaign_model import CampaignReport
from service.http import models

CampaignId = Annotated[str, Meta(description="the campaign's id, 16 bytes in hex")]
CampaignTitle = Annotated[Title, Meta(description="the campaign's title")]
PersonId = Annotated[
    SeatId, Meta(description="the id of the person, which no one else in the campaign has")
]
PersonName = Annotated[
    models.SeatName,
    Meta(
        description="the person's name; the conditions for the names of seats apply to it, too. It "
        "becomes the name of the seats that the person takes"
    ),
]
PersonRole = Annotated[
    Role, Meta(description="`gm` for the campaign's GM, and `player` for everyone else")
]
PersonalToken = Annotated[
    str, Meta(description="the personal token; send it as `Authorization: Bearer <token>`")
]
SeatsByPerson = Annotated[
    dict[str, str],
    Meta(description="the id of the person of each linked seat, keyed by the seat's id"),
]


class CampaignRequest(models.RequestModel, frozen=True):
    """A request to create a campaign."""

    title: CampaignTitle
    person: Annotated[PersonId, Meta(description="the id that you choose for yourself")]
    name: PersonName


class PersonRequest(models.RequestModel, frozen=True):
    """A request to add a person to a campaign."""

    person: PersonId
    name: PersonName


class CampaignHandOverRequest(models.RequestModel, frozen=True):
    """A request to make another person the campaign's GM."""

    person: Annotated[PersonId, Meta(description="the id of the person who becomes the GM")]


class ForgetQuery(models.RequestModel, frozen=True):
    forget: Annotated[
        bool,
        Meta(
            description="also delete the person's name and the links of their seats, so that "
            "statistics no longer attribute anything to them"
        ),
    ] = False


class NextSessionRequest(models.RequestModel, frozen=True):
    """A request to open the next session of a campaign.

    Without `ruleset`, the new session continues the last one: it is a fork of its newest version,
    with the same ruleset and options.
    """

    title: Title
    ruleset: (
        Annotated[
            str,
            Meta(
                description="the name of the ruleset of a session that begins with an empty table; "
                "default: continue the last session",
                extra={"of": "ruleset"},
            ),
        ]
        | UnsetType
    ) = UNSET
    edition: (
        Annotated[
            str,
            Meta(
                description="the ruleset's edition; requires `ruleset`; default: the newest",
                extra={"of": "edition"},
            ),
        ]
        | UnsetType
    ) = UNSET
    options: (
        Annotated[
            dict[str, Option],
            Meta(
                description="the options to set; requires `ruleset`; all others keep their default "
                "values",
                extra={"of": "options"},
            ),
        ]
        | UnsetType
    ) = UNSET
    draws: (
        Annotated[
            Draws,
            Meta(
                description="who contributes to draws: the server alone (house), or the server and "
                "every present seat with a chain (table); requires `ruleset`; default: house"
            ),
        ]
        | UnsetType
    ) = UNSET
    free_rolls: (
        Annotated[
            bool,
            Meta(
                description="allow `rolls.Roll`, which rolls any dice, in any ruleset; requires "
                "`ruleset`; default: false"
            ),
        ]
        | UnsetType
    ) = UNSET


class AddSessionRequest(models.RequestModel, frozen=True):
    """A request to add an existing session to a campaign."""

    session_token: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            description="the own token of the session's GM, which proves that the GM agrees; the "
            "GM's seat is linked to you",
        ),
    ]


class JoinRequest(models.RequestModel, frozen=True):
    """A request to take your seat in a session of a campaign."""

    seat: (
        Annotated[
            SeatId,
            Meta(
                description="the id of the seat; required with `chain`, because the chain's "
                "signature covers it; default: your seat in this session, or the one that you had "
                "in the last session, or a seat with the id that you have in the campaign"
            ),
        ]
        | UnsetType
    ) = UNSET
    name: (
        Annotated[
            models.SeatName,
            Meta(
                description="the name of the seat; the conditions are those of other seats; "
                "default for a new seat: your name in the campaign"
            ),
        ]
        | UnsetType
    ) = UNSET
    chain: (
        Annotated[
            Anchored, Meta(description="the seat's public key and hash chain; requires `seat`")
        ]
        | UnsetType
    ) = UNSET


class SeatLinkRequest(models.RequestModel, frozen=True):
    """A request to link a seat of a session to a person."""

    person: PersonId
    seat_token: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=200,
                description="the seat's own token, with which you link your own seat; the GM needs "
                "it only if someone else is the session's GM now",
            ),
        ]
        | UnsetType
    ) = UNSET


class PersonTicket(models.ResponseModel, frozen=True):
    """A person of a campaign and their personal token.

    Store the token, because it is shown only once. A personal link is an address of a page with
    the token in its fragment, which browsers do not send to servers.
    """

    campaign: CampaignId
    person: PersonId
    name: PersonName
    role: PersonRole
    token: PersonalToken


class PersonView(models.ResponseModel, frozen=True):
    """A person of a campaign."""

    id: PersonId
    name: PersonName
    role: PersonRole
    since: Annotated[str, Meta(description="the time when the person was added (ISO 8601, UTC)")]
    left: (
        Annotated[
            str,
            Meta(
                description="the time when the person left or was removed (ISO 8601, UTC); absent "
                "for members"
            ),
        ]
        | UnsetType
    ) = UNSET


class CampaignSessionView(models.ResponseModel, frozen=True):
    """A session of a campaign."""

    id: models.SessionId
    title: models.SessionTitle
    ruleset: models.RulesetName
    edition: models.RulesetEdition
    version: models.NewestVersion
    closed: models.IsClosed
    added_at: Annotated[
        str,
        Meta(description="the time when the session was added to the campaign (ISO 8601, UTC)"),
    ]
    seats: SeatsByPerson


class CharacterView(models.ResponseModel, frozen=True):
    """A character, creature or thing on the table of the last session."""

    id: Annotated[str, Meta(description="the id of the entity")]
    name: Annotated[str, Meta(description="the name to display")]
    kind: Annotated[
        str, Meta(description="what the entity is, in the ruleset's words, such as PC or NPC")
    ]
    seat: Annotated[str, Meta(description="the id of the seat that plays the entity")]
    person: (
        Annotated[
            str, Meta(description="the id of the seat's person; absent if the seat is not linked")
        ]
        | UnsetType
    ) = UNSET


class CampaignView(models.ResponseModel, frozen=True):
    """A campaign, as its members see it."""

    id: CampaignId
    title: CampaignTitle
    person: Annotated[str, Meta(description="your own id in the campaign")]
    people: Annotated[
        list[PersonView], Meta(description="the people, including those who have left")
    ]
    sessions: Annotated[list[CampaignSessionView], Meta(description="the sessions, in order")]
    characters: Annotated[
        list[CharacterView],
        Meta(description="the entities of the last session that everyone may see"),
    ]


class CampaignStatistics(models.ResponseModel, frozen=True):
    """The statistics of all sessions of a campaign."""

    campaign: CampaignId
    current: Annotated[
        bool,
        Meta(
            description="false if people, sessions or links of seats have changed since the "
            "statistics were computed"
        ),
    ]
    figures: Annotated[
        Raw,
        Meta(
            description="the statistics, an object in the format of `fairlog stats --json` with "
            "several files (docs/statistics.md)",
            extra_json_schema=models.schema_ref(CampaignReport.__name__),
        ),
    ]


class CampaignStatisticsPending(models.ResponseModel, frozen=True):
    """The response sent while the statistics of a campaign are being computed.

    Try again later, or check the state of the job.
    """

    campaign: CampaignId
    job: models.JobName


class ManifestPerson(models.ResponseModel, frozen=True):
    """A person of a campaign, with the keys that their seats have in the logs."""

    id: PersonId
    name: PersonName
    keys: Annotated[
        list[str],
        Meta(description="the public keys (Ed25519) of the person's seats, 32 bytes in hex each"),
    ]


class ManifestSession(models.ResponseModel, frozen=True):
    session: models.SessionId
    number: Annotated[
        int, Meta(description="the session's place in the order of sessions, which may have gaps")
    ]
    seats: SeatsByPerson


class CampaignManifest(models.ResponseModel, frozen=True):
    """What `fairlog stats` needs to compute the statistics of a campaign from exported logs."""

    v: Annotated[Literal[1], Meta(description="the version of this format, always 1")]
    campaign: CampaignId
    title: CampaignTitle
    people: Annotated[
        list[ManifestPerson], Meta(description="the people, including those who have left")
    ]
    sessions: Annotated[list[ManifestSession], Meta(description="the sessions, in order")]
