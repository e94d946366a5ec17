"""Campaigns: a group's sessions in a row, and the people who play in them.

A person has a personal token, of which the database contains only the hash. In each session, a
person has one or more seats. Whether two seats belong to the same person is decided by that token,
never by a name.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import NamedTuple

from domain.codec import encode
from domain.decider import Refused, Role
from domain.session.state import HOUSE
from service.platform import clock
from service.sessions import idempotency
from service.sessions.access import DAY_MS, NEVER, secret_text, token_hash
from service.sessions.app import App
from service.sessions.idempotency import RequestIdentity
from service.store.recorder import IntegrityError, Recorder, SideRow, SideRows

TOKEN_PREFIX = "flc_"  # noqa: S105 so that secret scanners can recognize personal tokens
MAX_PEOPLE, MAX_SESSIONS = 64, 10_000
"""The maximum numbers of people, including those who have left, and of sessions of a campaign."""
CREATION = "campaign:"
"""The scope of idempotency keys that create campaigns. No person can have this id."""
MAX_READS = 5

PEOPLE_SELECT = (
    "SELECT person, name, role, joined, ended FROM campaign_people WHERE campaign=?"
    " ORDER BY joined, person"
)
SESSIONS_SELECT = (
    "SELECT campaign_sessions.session, number, at, COALESCE(seat, ''), COALESCE(person, '')"
    " FROM campaign_sessions LEFT JOIN campaign_seats"
    " ON campaign_seats.session=campaign_sessions.session"
    " WHERE campaign_sessions.campaign=? ORDER BY number, seat"
)
PLACE_SELECT = (
    "SELECT campaign, revision, number FROM campaign_sessions"
    " JOIN campaigns ON campaigns.id=campaign_sessions.campaign WHERE session=?"
)
# The statements below fail, and their transactions with them, if they set a column to NULL that may
# not be NULL. This happens if the row that a subquery looks for is no longer there.
MEMBER_GUARD = (
    "UPDATE campaigns SET revision=CASE WHEN EXISTS (SELECT 1 FROM campaign_people"
    " WHERE campaign=? AND person=? AND hash=? AND role=? AND ended=0) THEN revision+? END"
    " WHERE id=?"
)
LINK_GUARD = (
    "UPDATE campaigns SET revision=CASE WHEN EXISTS (SELECT 1 FROM campaign_seats"
    " WHERE campaign=? AND session=? AND seat=? AND person=?) THEN revision END WHERE id=?"
)
PERSON_UPSERT = (
    "INSERT INTO campaign_people (campaign, person, name, role, hash, issued, joined)"
    " VALUES ((SELECT id FROM campaigns WHERE id=?),?,?,?,?,?,?)"
    " ON CONFLICT (campaign, person) DO UPDATE SET name=excluded.name, role=excluded.role,"
    " hash=excluded.hash, renewed=NULL, issued=excluded.issued, joined=excluded.joined,"
    " ended=CASE WHEN campaign_people.ended>0 THEN 0 END"
)
SESSION_INSERT = (
    "INSERT INTO campaign_sessions (session, campaign, number, at) VALUES ("
    "(SELECT originator_id FROM stored_events WHERE originator_id=? AND originator_version=1),"
    "(SELECT id FROM campaigns WHERE id=?),"
    "(SELECT COALESCE(MAX(number), 0)+1 FROM campaign_sessions WHERE campaign=?),?)"
)
SEAT_UPSERT = (
    "INSERT INTO campaign_seats (session, seat, campaign, person) VALUES ("
    "(SELECT session FROM campaign_sessions WHERE session=? AND campaign=?),?,?,"
    "(SELECT person FROM campaign_people WHERE campaign=? AND person=? AND ended=0))"
    " ON CONFLICT (session, seat) DO UPDATE SET person=excluded.person"
)
HEIR_UPDATE = (
    "UPDATE campaign_people SET role=CASE WHEN ended=0 THEN 'gm' END WHERE campaign=? AND person=?"
)
FORMER_GM_UPDATE = (
    "UPDATE campaign_people SET role=CASE WHEN EXISTS (SELECT 1 FROM campaign_people AS heir"
    " WHERE heir.campaign=? AND heir.person=? AND heir.role='gm') THEN 'player' END"
    " WHERE campaign=? AND person=?"
)


class CampaignChangedError(Exception):
    """Another request changed the campaign first, so nothing was stored."""


class NotInCampaignError(Exception):
    """The campaign does not contain `what`, such as "person ana"."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Person(NamedTuple):
    """A person of a campaign.

    `joined` and `ended` are times in ms since the epoch. `ended` is 0 as long as the person is a
    member.
    """

    id: str
    name: str
    role: Role
    joined: int
    ended: int = 0


class Member(NamedTuple):
    """The person that a personal token belongs to, with the hash of the token."""

    campaign: str
    person: Person
    hash: bytes

    @property
    def id(self) -> str:
        return self.person.id

    @property
    def is_gm(self) -> bool:
        return self.person.role is Role.GM

    def require_gm(self) -> None:
        """Raise Refused("gm-only") unless the person is the campaign's GM."""
        if not self.is_gm:
            raise Refused("gm-only", role=self.person.role.value)


class CampaignSession(NamedTuple):
    """A session of a campaign, and the persons of its linked seats.

    `number` is its place in the order of sessions, which may have gaps. `at` is the time at which
    the session was added, in ms since the epoch.
    """

    session: str
    number: int
    at: int
    seats: dict[str, str]

    def seats_of(self, person: str) -> list[str]:
        return sorted(seat for seat, linked in self.seats.items() if linked == person)


class Campaign(NamedTuple):
    """A campaign. The sessions are in order.

    Statistics of revisions before `forgotten` may contain what has been deleted since.
    """

    id: str
    title: str
    revision: int
    forgotten: int
    people: tuple[Person, ...]
    sessions: tuple[CampaignSession, ...]

    def member(self, person: str) -> Person:
        """Return the person. Raises NotInCampaignError if there is none, or they have left."""
        found = self.person(person)
        if found.ended:
            raise NotInCampaignError(f"person {person}")
        return found

    def person(self, person: str) -> Person:
        """Return the person, who may have left. Raises NotInCampaignError."""
        for found in self.people:
            if found.id == person:
                return found
        raise NotInCampaignError(f"person {person}")

    def session(self, session: str) -> CampaignSession:
        """Return the session. Raises NotInCampaignError if it is not part of the campaign."""
        for found in self.sessions:
            if found.session == session:
                return found
        raise NotInCampaignError(f"session {session}")

    def newest_seat(self, person: str) -> str | None:
        """Return the person's seat in the newest session in which they have one, or None."""
        for found in reversed(self.sessions):
            if seats := found.seats_of(person):
                return seats[0]
        return None


class MappedPerson(NamedTuple):
    name: str
    left: bool


class MappedSession(NamedTuple):
    """A session of a campaign: its place in the order, and the person of each linked seat."""

    session: str
    number: int
    seats: dict[str, str]


class SessionPlace(NamedTuple):
    """The campaign that a session belongs to, and the campaign's revision."""

    campaign: str
    revision: int
    mapped: MappedSession


class CampaignMapping(NamedTuple):
    """What statistics need to know of a campaign.

    `people` contains each person by id, also those who have left. `sessions` is in order.
    """

    revision: int
    title: str
    people: dict[str, MappedPerson]
    sessions: tuple[MappedSession, ...]


def campaigns_of(app: App) -> Campaigns:
    return Campaigns(app.recorder, app.keys.secret, clock.now_ms, app.settings.token_days)


class Campaigns:
    """Database access for campaigns.

    `now` returns the current time in ms since the epoch. Personal tokens expire after `days` days,
    or never if `days` is 0.

    Each change is made for a member, and in one transaction with a check that the member still has
    the same role and token. Otherwise, it raises CampaignChangedError.
    """

    def __init__(
        self, store: Recorder, secret: bytes, now: Callable[[], int], days: int = 0
    ) -> None:
        self._store, self._secret, self._now, self._lifetime_ms = store, secret, now, days * DAY_MS

    def campaign_id(self, key: str) -> str:
        """Derive the id of a new campaign from the request's idempotency key."""
        return self._secret_of("id", key)[:16].hex()

    def personal_token(self, campaign: str, under: str, key: str) -> str:
        """Derive a personal token from `campaign`, `under` and `key`.

        `under` identifies the requester and the person, and `key` is the idempotency key. A
        repeated request therefore gets the same token.
        """
        return TOKEN_PREFIX + secret_text(self._secret_of("token", campaign, under, key))

    def member(self, token: str) -> Member | None:
        """Return the person that the token belongs to, or None if it is unknown or has expired.

        The person may have left the campaign.
        """
        for found, issued in self._members("hash=?", token):
            expiry = issued + self._lifetime_ms if self._lifetime_ms else NEVER
            if expiry > self._now():
                return found
        return None

    def renewed_by(self, token: str) -> Member | None:
        """Return the member who replaced this token with a new one, or None if there is none."""
        return next((found for found, _ in self._members("renewed=? AND ended=0", token)), None)

    def _members(self, where: str, token: str) -> list[tuple[Member, int]]:
        """Return each member whose row meets the condition, with the time of issue of their token.

        The placeholder in the condition is for the hash of `token`.
        """
        columns = "campaign, hash, issued, person, name, role, joined, ended"
        rows = self._store.query(
            f"SELECT {columns} FROM campaign_people WHERE {where}",  # noqa: S608 our own conditions
            (token_hash(token),),
        )
        return [
            (Member(campaign, Person(person, name, Role(role), *times), bytes(digest)), issued)
            for campaign, digest, issued, person, name, role, *times in rows
        ]

    def find(self, campaign: str) -> Campaign | None:
        """Return the campaign, or None if it is unknown.

        If requests change it during the read, read it again, so that its parts fit together.
        """
        for _ in range(MAX_READS):
            rows = self._store.query(
                "SELECT title, revision, forgotten FROM campaigns WHERE id=?", (campaign,)
            )
            if not rows:
                return None
            title, revision, forgotten = rows[0]
            people, sessions = self._people(campaign), self._sessions(campaign)
            if self.revisions(campaign) == {campaign: revision}:
                break
        return Campaign(campaign, title, revision, forgotten, people, sessions)

    def of_session(self, session: str) -> str | None:
        """Return the id of the campaign that the session belongs to, or None."""
        rows = self._store.query(
            "SELECT campaign FROM campaign_sessions WHERE session=?", (session,)
        )
        return str(rows[0][0]) if rows else None

    def place(self, session: str) -> SessionPlace | None:
        """Return the session's place in its campaign, or None if it belongs to none."""
        rows = self._store.query(PLACE_SELECT, (session,))
        for campaign, revision, number in rows:
            seats = self._store.query(
                "SELECT seat, person FROM campaign_seats WHERE session=? ORDER BY seat", (session,)
            )
            return SessionPlace(campaign, revision, MappedSession(session, number, dict(seats)))
        return None

    def mapping(self, campaign: str) -> CampaignMapping | None:
        """Return what statistics need to know of the campaign, or None if it is unknown."""
        found = self.find(campaign)
        if found is None:
            return None
        people = {each.id: MappedPerson(each.name, each.ended > 0) for each in found.people}
        sessions = tuple(
            MappedSession(each.session, each.number, each.seats) for each in found.sessions
        )
        return CampaignMapping(found.revision, found.title, people, sessions)

    def revisions(self, campaign: str | None = None) -> dict[str, int]:
        """Map the id of each campaign, or only of `campaign`, to its revision."""
        where, values = ("", ()) if campaign is None else (" WHERE id=?", (campaign,))
        rows = self._store.query(f"SELECT id, revision FROM campaigns{where}", values)  # noqa: S608 our own condition
        return dict(map(tuple, rows))

    def create(
        self, request: RequestIdentity, campaign: str, title: str, gm: Person, token: str
    ) -> bool:
        """Store a campaign with its GM, and the answer to the request that created it.

        If the request's idempotency key was used before, store nothing and return False.
        """
        now = self._now()
        try:
            self._store.write(
                (
                    "INSERT INTO campaigns (id, title, at, revision) VALUES (?,?,?,1)",
                    [(campaign, title, now)],
                ),
                self._person_row(campaign, gm, token),
                idempotency.answer_row(campaign, request, 1, 1),
            )
        except IntegrityError:
            return False
        return True

    def is_answered(self, campaign: str, request: RequestIdentity) -> bool:
        """Return True if the request was answered before. Raises KeyReusedError."""
        return idempotency.stored_versions(self._store, campaign, request) is not None

    def add_person(
        self, member: Member, request: RequestIdentity, person: str, name: str, token: str
    ) -> None:
        """Add a person, or let a person who has left return. Raises Refused."""
        campaign = self._found(member)
        there = {each.id: each for each in campaign.people}
        if person == HOUSE:
            raise Refused("person-reserved", person=person)
        if person in there and not there[person].ended:
            raise Refused("person-taken", person=person)
        if person not in there and len(there) >= MAX_PEOPLE:
            raise Refused("too-many-people", most=MAX_PEOPLE)
        added = Person(person, name, Role.PLAYER, self._now())
        self._write(
            member,
            self._person_row(campaign.id, added, token),
            self._answer(campaign, request),
        )

    def issue_token(
        self, member: Member, request: RequestIdentity, person: str, token: str
    ) -> Person:
        """Replace the person's token. Raises Refused or NotInCampaignError."""
        if person != member.id:
            member.require_gm()
        campaign = self._found(member)
        found = campaign.member(person)
        # A person who renews their own token may repeat the request with the old one.
        update = (
            "UPDATE campaign_people SET renewed=CASE WHEN person=? THEN hash END, hash=?, issued=?"
            " WHERE campaign=? AND person=? AND ended=0"
        )
        row = (member.id, token_hash(token), self._now(), campaign.id, person)
        self._write(member, (update, [row]), self._answer(campaign, request), step=0)
        return found

    def hand_over(self, member: Member, request: RequestIdentity, person: str) -> Person:
        """Make the person the GM, and the old GM a player. Raises Refused or NotInCampaignError."""
        member.require_gm()
        campaign = self._found(member)
        heir = campaign.member(person)
        rows: list[SideRow] = []
        if person != member.id:
            rows.append((HEIR_UPDATE, [(campaign.id, person)]))
            rows.append(
                (FORMER_GM_UPDATE, [(campaign.id, person, campaign.id, member.id)]),
            )
        self._write(member, *rows, self._answer(campaign, request))
        return heir._replace(role=Role.GM)

    def remove_person(self, member: Member, person: str, *, forget: bool) -> None:
        """Remove the person from the campaign.

        If `forget` is True, also delete their name and the links of their seats. The GM may do this
        even after the person has left. Raises Refused or NotInCampaignError.
        """
        if person != member.id:
            member.require_gm()
        campaign = self._found(member)
        found = campaign.person(person) if forget else campaign.member(person)
        if found.role is Role.GM and not found.ended:
            raise Refused("last-gm", person=person)
        if forget:
            self._write(member, *_forgetting(campaign.id, person))
            return
        update = (
            "UPDATE campaign_people SET ended=CASE WHEN role<>'gm' THEN ? END, renewed=NULL"
            " WHERE campaign=? AND person=? AND ended=0"
        )
        self._write(member, (update, [(self._now(), campaign.id, person)]))

    def delete(self, member: Member) -> None:
        """Delete the campaign, but not its sessions. Raises Refused."""
        member.require_gm()
        campaign = [(member.campaign,)]
        self._write(
            member,
            ("DELETE FROM campaign_seats WHERE campaign=?", campaign),
            ("DELETE FROM campaign_sessions WHERE campaign=?", campaign),
            ("DELETE FROM campaign_people WHERE campaign=?", campaign),
            ("DELETE FROM campaigns WHERE id=?", campaign),
            # The answer to the request that created the campaign stays, so that a repetition of
            # that request does not create it again.
            ("DELETE FROM answers WHERE session=? AND seat<>?", [(member.campaign, CREATION)]),
        )

    def add_session(self, member: Member, session: str, gm_seat: str) -> None:
        """Add an existing session, and link its GM's seat to the member.

        If the session is already part of the campaign, change nothing. Raises Refused.
        """
        other = self.of_session(session)
        if other is None:
            self._run(member, self.session_rows(member, session, gm_seat))
        elif other != member.campaign:
            raise Refused("session-in-campaign", session=session)

    def require_space(self, member: Member) -> None:
        """Raise Refused if the campaign has as many sessions as it may have."""
        if len(self._found(member).sessions) >= MAX_SESSIONS:
            raise Refused("too-many-sessions", most=MAX_SESSIONS)

    def session_rows(self, member: Member, session: str, gm_seat: str) -> SideRows:
        """Return the side rows that add a session whose GM's seat is the member's."""
        row = (session, member.campaign, member.campaign, self._now())
        return [
            _guard(member, 1),
            (SESSION_INSERT, [row]),
            _link_row(member.campaign, session, gm_seat, member.id),
        ]

    def remove_session(self, member: Member, session: str) -> None:
        """Take the session out of the campaign. Raises Refused or NotInCampaignError."""
        member.require_gm()
        self._found(member).session(session)
        row = [(session, member.campaign)]
        self._write(
            member,
            ("DELETE FROM campaign_seats WHERE session=? AND campaign=?", row),
            ("DELETE FROM campaign_sessions WHERE session=? AND campaign=?", row),
        )

    def link(self, member: Member, session: str, seat: str, person: str) -> None:
        """Link a seat of the session to the person. Raises NotInCampaignError."""
        campaign = self._found(member)
        campaign.member(person)
        if campaign.session(session).seats.get(seat) != person:
            self._write(member, _link_row(campaign.id, session, seat, person))

    def unlink(self, member: Member, session: str, seat: str) -> None:
        """Remove the link of a seat. Raises Refused or NotInCampaignError."""
        linked = self._found(member).session(session).seats.get(seat)
        if linked != member.id:
            member.require_gm()
        if linked is None:
            raise NotInCampaignError(f"link of seat {seat}")
        delete = "DELETE FROM campaign_seats WHERE session=? AND seat=? AND campaign=?"
        self._write(member, (delete, [(session, seat, member.campaign)]))

    def joining_rows(self, member: Member, session: str, seat: str, *, is_linked: bool) -> SideRows:
        """Return the side rows for a member who takes a seat in a session of the campaign.

        They make the transaction fail if the member or the session has left the campaign. Set
        `is_linked` if the seat was already linked to the member when the request began.
        """
        if is_linked:
            row = (member.campaign, session, seat, member.id, member.campaign)
            return [_guard(member, 0), (LINK_GUARD, [row])]
        return [_guard(member, 1), _link_row(member.campaign, session, seat, member.id)]

    def _found(self, member: Member) -> Campaign:
        """Return the member's campaign. Raises CampaignChangedError if it was just deleted."""
        found = self.find(member.campaign)
        if found is None:
            raise CampaignChangedError(member.campaign)
        return found

    def _write(self, member: Member, *rows: SideRow, step: int = 1) -> None:
        """Write the rows, and raise the campaign's revision by `step`."""
        self._run(member, [_guard(member, step), *rows])

    def _run(self, member: Member, rows: SideRows) -> None:
        try:
            self._store.write(*rows)
        except IntegrityError:
            raise CampaignChangedError(member.campaign) from None

    def _answer(self, campaign: Campaign, request: RequestIdentity) -> SideRow:
        return idempotency.answer_row(campaign.id, request, campaign.revision, campaign.revision)

    def _person_row(self, campaign: str, person: Person, token: str) -> SideRow:
        now = self._now()
        return PERSON_UPSERT, [
            (
                campaign,
                person.id,
                person.name,
                person.role.value,
                token_hash(token),
                now,
                person.joined,
            )
        ]

    def _people(self, campaign: str) -> tuple[Person, ...]:
        return tuple(
            Person(person, name, Role(role), joined, ended)
            for person, name, role, joined, ended in self._store.query(PEOPLE_SELECT, (campaign,))
        )

    def _sessions(self, campaign: str) -> tuple[CampaignSession, ...]:
        found: dict[str, CampaignSession] = {}
        for session, number, at, seat, person in self._store.query(SESSIONS_SELECT, (campaign,)):
            added = found.setdefault(session, CampaignSession(session, number, at, {}))
            if seat:
                added.seats[seat] = person
        return tuple(found.values())

    def _secret_of(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, encode(("campaign", *parts)), "sha256")


def joining_scope(campaign: str, person: str) -> str:
    """Return the scope of the idempotency keys with which the person takes seats."""
    return f"join:{campaign}:{person}"


def delete_report(app: App, campaign: str) -> None:
    """Delete the stored statistics of the campaign. The sweep then enqueues a job for new ones."""
    with app.read_models.store.writing() as cursor:
        cursor.execute("DELETE FROM results WHERE session=?", (campaign,))


def delete_statistics(app: App, campaign: str) -> None:
    """Delete all that read models store of a deleted campaign."""
    delete_report(app, campaign)
    app.read_models.campaign_totals.delete(campaign)


def session_deletions(session: str) -> SideRows:
    """Return the statements that take a deleted session out of its campaign, if it is in one."""
    return [
        (
            "UPDATE campaigns SET revision=revision+1, forgotten=revision+1"
            " WHERE id IN (SELECT campaign FROM campaign_sessions WHERE session=?)",
            [(session,)],
        ),
        ("DELETE FROM campaign_seats WHERE session=?", [(session,)]),
        ("DELETE FROM campaign_sessions WHERE session=?", [(session,)]),
    ]


def _guard(member: Member, step: int) -> SideRow:
    role = member.person.role.value
    return MEMBER_GUARD, [(member.campaign, member.id, member.hash, role, step, member.campaign)]


def _link_row(campaign: str, session: str, seat: str, person: str) -> SideRow:
    return SEAT_UPSERT, [(session, campaign, seat, campaign, campaign, person)]


def _forgetting(campaign: str, person: str) -> SideRows:
    """Return the statements that delete what the campaign knows of the person.

    They follow the one that raises the revision.
    """
    return [
        ("UPDATE campaigns SET forgotten=revision WHERE id=?", [(campaign,)]),
        ("DELETE FROM campaign_seats WHERE campaign=? AND person=?", [(campaign, person)]),
        ("DELETE FROM campaign_people WHERE campaign=? AND person=?", [(campaign, person)]),
        # Answers name the person, and those to joining also the session.
        ("DELETE FROM answers WHERE session=? AND seat=?", [(campaign, person)]),
        (
            "DELETE FROM answers WHERE seat=?"
            " AND session IN (SELECT session FROM campaign_sessions WHERE campaign=?)",
            [(joining_scope(campaign, person), campaign)],
        ),
    ]
