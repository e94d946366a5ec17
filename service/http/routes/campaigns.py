"""Campaign routes: people with personal tokens, the next session, seats, and statistics.

Only members see a campaign. Everyone else gets the same response as for an unknown campaign.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from flask import Response, url_for
from msgspec import UNSET, Raw, UnsetType

from domain.decider import Refused, Role
from domain.session.messages import (
    Fork,
    SeatTaken,
    TakeSeat,
)
from domain.session.state import HOUSE, Session
from domain.visibility import PUBLIC_VIEWER, visible_session
from projections.results import CAMPAIGN, JobResult
from service.http import auth, models
from service.http.campaign_models import (
    AddSessionRequest,
    CampaignHandOverRequest,
    CampaignManifest,
    CampaignRequest,
    CampaignSessionView,
    CampaignStatistics,
    CampaignStatisticsPending,
    CampaignView,
    CharacterView,
    ForgetQuery,
    JoinRequest,
    ManifestPerson,
    ManifestSession,
    NextSessionRequest,
    PersonRequest,
    PersonTicket,
    PersonView,
    SeatLinkRequest,
)
from service.http.errors import ProblemError, body_errors
from service.http.openapi import Blueprint
from service.http.presenters import iso_time, read_models_optional
from service.http.request_headers import idempotency_key, note_replay, request_identity
from service.http.responses import json_response
from service.http.routes.seats import occupy_seat
from service.http.routes.sessions import OPENING, NewSession, fork_new, open_new
from service.http.routes.statistics import pending_response
from service.jobs import definitions
from service.platform import clock
from service.sessions import idempotency
from service.sessions.access import Holder
from service.sessions.app import App
from service.sessions.campaigns import (
    CREATION,
    Campaign,
    CampaignChangedError,
    CampaignSession,
    Member,
    Person,
    delete_report,
    delete_statistics,
    joining_scope,
)
from service.sessions.checkpoints import log_origin
from service.sessions.idempotency import CommandResult, KeyReusedError
from service.sessions.turns import session_lock
from service.store.errors import SessionBusyError, UnknownSessionError, VersionConflictError

blueprint = Blueprint("Campaigns", __name__, tag="Campaigns")

MAX_ATTEMPTS = 4
"""How often a request is processed if other requests change the campaign at the same time."""
MAX_OPENING_EVENTS = 6
"""The maximum number of events with which a session is opened, until its GM is seated."""
GM_SEAT = "gm"
"""The GM's seat in a new session if the GM has had no other seat in the campaign."""


def retried(view: Callable[..., Response]) -> Callable[..., Response]:
    """Wrap the view so that it runs again if another request changed the campaign first.

    The second attempt sees the change, and refuses the request if it is no longer allowed. Raises
    CampaignChangedError if all attempts fail.
    """

    @wraps(view)
    def attempt(**given: object) -> Response:
        for _ in range(MAX_ATTEMPTS - 1):
            try:
                return view(**given)
            except CampaignChangedError:
                continue
        return view(**given)

    return attempt


@blueprint.operation(
    "createCampaign",
    "POST",
    "/v1/campaigns",
    body=CampaignRequest,
    returns=PersonTicket,
    status=201,
    token="none",
    keyed=True,
    problems=["opening-key-required"],
    sends=["Location"],
)
def create(body: CampaignRequest) -> Response:
    """Create a campaign.

    You become its GM. The response contains your personal token, which is not shown again. If the
    server requires a key to open a session, it requires the same key here.
    """
    auth.require_opening_key()
    app, campaigns, key = auth.services().app, auth.campaigns(), idempotency_key()
    campaign, request = campaigns.campaign_id(key), request_identity(body.person, CREATION)
    token = campaigns.personal_token(campaign, CREATION, key)
    gm = Person(body.person, body.name, Role.GM, clock.now_ms())
    if body.person == HOUSE:
        raise Refused("person-reserved", person=body.person)
    if not campaigns.create(request, campaign, body.title, gm, token):
        # The key was used before. This raises an error if that request was different.
        idempotency.stored_versions(app.recorder, campaign, request)
        if campaigns.find(campaign) is None:  # it was deleted
            raise KeyReusedError(request.key)
        note_replay()
    response = json_response(PersonTicket(campaign, gm.id, gm.name, gm.role, token), 201)
    response.headers["Location"] = url_for("Campaigns.campaign", campaign=campaign)
    return response


@blueprint.operation(
    "getCampaign",
    "GET",
    "/v1/campaigns/<campaign:campaign>",
    returns=CampaignView,
    token="personal",
)
def campaign(campaign: str) -> Response:
    """Read a campaign.

    The response contains the people, the sessions with the persons of their seats, and the
    characters of the last session.
    """
    member = auth.require_member(campaign)
    app, found = auth.services().app, _find(campaign)
    states = _states(app, found)
    view = CampaignView(
        campaign,
        found.title,
        member.id,
        [_person_view(each) for each in found.people],
        [
            _session_view(each, states[each.session])
            for each in found.sessions
            if each.session in states
        ],
        _characters(app, found, states),
    )
    return json_response(view)


@blueprint.operation(
    "deleteCampaign",
    "DELETE",
    "/v1/campaigns/<campaign:campaign>",
    returns=None,
    status=204,
    token="personal",
    problems=["refused"],
)
@retried
def delete(campaign: str) -> Response:
    """Delete a campaign.

    Only the GM may do this. The campaign's people and its statistics are deleted, but not its
    sessions, in which the seats and their tokens stay as they are.
    """
    auth.campaigns().delete(auth.require_campaign_gm(campaign))
    delete_statistics(auth.services().app, campaign)
    return Response(status=204)


@blueprint.operation(
    "handOverCampaign",
    "POST",
    "/v1/campaigns/<campaign:campaign>/hand-over",
    body=CampaignHandOverRequest,
    returns=PersonView,
    token="personal",
    keyed=True,
)
@retried
def hand_over(campaign: str, body: CampaignHandOverRequest) -> Response:
    """Hand over a campaign.

    The person becomes the GM of the campaign, and you become a player. The roles in its sessions
    stay as they are.
    """
    member, campaigns = auth.require_member(campaign), auth.campaigns()
    request = request_identity(member.id)
    if campaigns.is_answered(campaign, request):
        note_replay()
        return json_response(_person_view(_find(campaign).person(body.person)))
    return json_response(_person_view(campaigns.hand_over(member, request, body.person)))


@blueprint.operation(
    "addPerson",
    "POST",
    "/v1/campaigns/<campaign:campaign>/people",
    body=PersonRequest,
    returns=PersonTicket,
    status=201,
    token="personal",
    keyed=True,
)
@retried
def add_person(campaign: str, body: PersonRequest) -> Response:
    """Add a person.

    Only the GM may do this. The response contains the personal token, which is not shown again.
    Give it only to that person. If you add a person who has left under the same id, they return,
    and their seats are theirs again.
    """
    member, campaigns = auth.require_campaign_gm(campaign), auth.campaigns()
    request = request_identity(member.id)
    token = campaigns.personal_token(campaign, f"person:{member.id}", idempotency_key())
    if campaigns.is_answered(campaign, request):
        note_replay()
    else:
        campaigns.add_person(member, request, body.person, body.name, token)
    ticket = PersonTicket(campaign, body.person, body.name, Role.PLAYER, token)
    return json_response(ticket, 201)


@blueprint.operation(
    "renewPersonalToken",
    "POST",
    "/v1/campaigns/<campaign:campaign>/people/<person:person>/token",
    returns=PersonTicket,
    status=201,
    token="personal",
    keyed=True,
    problems=["refused"],
)
@retried
def renew(campaign: str, person: str) -> Response:
    """Renew a personal token.

    A person may renew their own token, and the GM those of all people. The response contains the
    new token, which is not shown again. The old one stops working. If you repeat the request for
    your own token with the same Idempotency-Key and your old token, you get the same new token.
    """
    member, campaigns = auth.require_member_or_repeat(campaign), auth.campaigns()
    request = request_identity(member.id)
    token = campaigns.personal_token(campaign, f"renew:{member.id}:{person}", idempotency_key())
    if campaigns.is_answered(campaign, request):
        note_replay()
        found = _find(campaign).member(person)
    else:
        found = campaigns.issue_token(member, request, person, token)
    return json_response(PersonTicket(campaign, person, found.name, found.role, token), 201)


@blueprint.operation(
    "removePerson",
    "DELETE",
    "/v1/campaigns/<campaign:campaign>/people/<person:person>",
    query=ForgetQuery,
    returns=None,
    status=204,
    token="personal",
    problems=["refused"],
)
@retried
def remove_person(campaign: str, person: str, query: ForgetQuery) -> Response:
    """Leave a campaign, or remove a person.

    A person may leave, and the GM may remove a person. From then on, the personal token shows
    nothing. The seats in the sessions stay taken. With `forget`, the person's name and the links
    of their seats are deleted, too. The GM may do this also after the person has left. The GM
    cannot leave without handing over the campaign.
    """
    member = auth.require_member(campaign)
    auth.campaigns().remove_person(member, person, forget=query.forget)
    if query.forget:
        delete_report(auth.services().app, campaign)
    return Response(status=204)


@blueprint.operation(
    "openNextSession",
    "POST",
    "/v1/campaigns/<campaign:campaign>/sessions",
    body=NextSessionRequest,
    returns=models.Ticket,
    status=201,
    token="personal",
    keyed=True,
    sends=["ETag", "Location"],
)
def open_next(campaign: str, body: NextSessionRequest) -> Response:
    """Open the next session.

    Only the GM may do this. Without `ruleset`, the new session continues the last one: it is a
    fork of its newest version, so characters, pools and all other values come along. You need a
    seat in the last session for this. You become the GM of the new session. The response contains
    the token of your seat, which is not shown again.
    """
    member, app = auth.require_campaign_gm(campaign), auth.services().app
    _check_fields(body)
    try:
        new = _open_next(member, body)
    except (KeyReusedError, SessionBusyError):
        auth.require_campaign_gm(campaign)  # fails if the member was removed meanwhile
        raise
    version = app.log.read(new.id).session.version
    response = json_response(new.ticket(version), 201, version=version)
    response.headers["Location"] = url_for("Sessions.session", session=new.id)
    return response


def _open_next(member: Member, body: NextSessionRequest) -> NewSession:
    """Open the next session, or return the one that an earlier request with the same key opened.

    Raises Refused, ProblemError, or the exceptions of `handle`.
    """
    app, access, campaigns = auth.services().app, auth.services().access, auth.campaigns()
    under, key = f"campaign:{member.campaign}:{member.id}", idempotency_key()
    session, token = access.fork_id(under, key), access.token(member.campaign, under, key)
    request = request_identity(member.id)
    # Read the campaign before the answers. Otherwise, a concurrent request with the same key could
    # open the session in between, and this request would continue that session.
    campaign = _find(member.campaign)
    if idempotency.stored_versions(app.recorder, member.campaign, request) is not None:
        note_replay()
        return NewSession(session, body.title, _opening_gm(app, session), token)
    auth.count_session()
    campaigns.require_space(member)
    parent = _parent(campaign, member) if body.ruleset is UNSET else None
    seat = parent[1] if parent else campaign.newest_seat(member.id) or GM_SEAT
    rows = [
        *campaigns.session_rows(member, session, seat),
        idempotency.answer_row(member.campaign, request, campaign.revision, campaign.revision),
    ]
    gm = TakeSeat(seat, Role.GM, member.person.name)
    new = NewSession(session, body.title, gm, token, rows)
    if parent is None:
        answer = open_new(new, _opening(new, body), request_identity(seat, OPENING))
    else:
        last, seat = parent
        answer = fork_new(new, Fork(session, last.version), last.id, seat)
    if answer.repeated:
        note_replay()
    return new


def _check_fields(body: NextSessionRequest) -> None:
    """Raise ProblemError("malformed") if the body has fields that only a new ruleset allows."""
    given = {
        "edition": body.edition,
        "options": body.options,
        "draws": body.draws,
        "free_rolls": body.free_rolls,
    }
    wrong = {name: ["Requires `ruleset`."] for name, value in given.items() if value is not UNSET}
    if wrong and body.ruleset is UNSET:
        raise ProblemError(
            "malformed",
            "A session that continues the last one has the same ruleset and options. Send"
            " `ruleset` too, or leave out the fields in `errors`.",
            errors=body_errors(wrong),
        )


def _opening(new: NewSession, body: NextSessionRequest) -> models.OpenRequest:
    assert body.ruleset is not UNSET
    return models.OpenRequest(
        body.ruleset,
        body.title,
        body.edition,
        {} if body.options is UNSET else body.options,
        new.gm.seat,
        new.gm.name,
        "house" if body.draws is UNSET else body.draws,
        free_rolls=body.free_rolls is True,
    )


def _opening_gm(app: App, session: str) -> TakeSeat:
    """Return the command that seated the session's first GM."""
    for event in app.log.read_events(session, 0, MAX_OPENING_EVENTS):
        if isinstance(event.body, SeatTaken) and event.body.role is Role.GM:
            return TakeSeat(event.body.seat, Role.GM)
    raise UnknownSessionError(session)


def _parent(campaign: Campaign, member: Member) -> tuple[Session, str]:
    """Return the last session, and the member's seat in it, if possible the GM's.

    Raises Refused if there is none.
    """
    if not campaign.sessions:
        raise Refused("nothing-to-continue")
    last = campaign.sessions[-1]
    state = auth.current_head(last.session).session
    own = [seat for seat in last.seats_of(member.id) if _is_present(state, seat)]
    if not own:
        raise Refused("no-seat-to-continue", session=state.id)
    return state, min(own, key=lambda seat: (state.info.seats[seat].role is not Role.GM, seat))


@blueprint.operation(
    "addSession",
    "PUT",
    "/v1/campaigns/<campaign:campaign>/sessions/<session:session>",
    body=AddSessionRequest,
    returns=CampaignSessionView,
    token="personal",
    problems=["refused"],
)
@retried
def add_session(campaign: str, session: str, body: AddSessionRequest) -> Response:
    """Add a session.

    Only the GM may do this, with the own token of the session's GM. The session becomes the last
    one of the campaign, and its GM's seat is linked to you.
    """
    member, campaigns = auth.require_campaign_gm(campaign), auth.campaigns()
    holder, state = _holder_in(session, body.session_token), None
    if holder is not None:
        state = auth.services().app.log.read(session).session
    if holder is None or state is None or not state.by(holder.seat).is_gm:
        raise Refused("session-token-wrong", session=session)
    if campaigns.of_session(session) is None:
        campaigns.require_space(member)
    campaigns.add_session(member, session, holder.seat)
    return json_response(_session_view(_find(campaign).session(session), state))


@blueprint.operation(
    "removeSession",
    "DELETE",
    "/v1/campaigns/<campaign:campaign>/sessions/<session:session>",
    returns=None,
    status=204,
    token="personal",
    problems=["refused"],
)
@retried
def remove_session(campaign: str, session: str) -> Response:
    """Take a session out of a campaign.

    Only the GM may do this. The session itself stays as it is.
    """
    auth.campaigns().remove_session(auth.require_campaign_gm(campaign), session)
    return Response(status=204)


@blueprint.operation(
    "joinSession",
    "POST",
    "/v1/campaigns/<campaign:campaign>/sessions/<session:session>/join",
    body=JoinRequest,
    returns=models.Ticket,
    status=201,
    token="personal",
    keyed=True,
    sends=["ETag"],
)
def join(campaign: str, session: str, body: JoinRequest) -> Response:
    """Take your seat in a session.

    You need no invitation. You become a player, or you get the seat that is linked to you, with a
    new token. The seat's older tokens are revoked, except for named ones, so a lost token or
    device does not matter. By default, the seat has the same id as the one that you had in the
    last session, so that your characters belong to it. The response contains the token of the
    seat, which is not shown again.
    """
    member = auth.require_member(campaign)
    try:
        seat, answer = _join(member, session, body)
    except (VersionConflictError, SessionBusyError):
        auth.require_member(campaign)  # fails if the member or the session was removed meanwhile
        _find(campaign).session(session)
        raise
    if answer.repeated:
        note_replay()
    state, info = answer.session, answer.session.info
    token = auth.services().access.token(
        session, joining_scope(campaign, member.id), idempotency_key()
    )
    ticket = models.Ticket(
        session, seat, info.seats[seat].role, token, answer.last, info.log_key, log_origin(info)
    )
    return json_response(ticket, 201, version=state.version)


def _join(member: Member, session: str, body: JoinRequest) -> tuple[str, CommandResult]:
    """Take the member's seat, or return the stored result if the request is a repeat.

    Return the seat with the result. Raises Refused, NotInCampaignError, or the exceptions of
    `handle`.
    """
    app, access = auth.services().app, auth.services().access
    scope = joining_scope(member.campaign, member.id)
    request = request_identity("", scope)
    with session_lock(session):  # no other request may take the chosen seat meanwhile
        campaign = _find(member.campaign)
        seats = campaign.session(session).seats
        state = app.log.read(session).session
        answer = idempotency.stored_response(app.recorder, state, request)
        seat = _seat_to_join(campaign, member, state, seats, body.seat)
        is_linked = seats.get(seat) == member.id
        if answer is not None:
            if not is_linked:  # the link was removed after the first request
                raise Refused("seat-held", seat=seat)
            return seat, answer
        held = state.info.seats.get(seat)
        role = held.role if held is not None and is_linked else Role.PLAYER
        name = member.person.name if held is None and body.name is UNSET else body.name
        token = access.token(session, scope, idempotency_key())
        rows = [
            *access.replacement(session, seat, token),
            *auth.campaigns().joining_rows(member, session, seat, is_linked=is_linked),
        ]
        taking = TakeSeat(seat, role, name, body.chain)
        return seat, occupy_seat(state, taking, request, rows, replaces=is_linked)


def _seat_to_join(
    campaign: Campaign,
    member: Member,
    state: Session,
    linked: dict[str, str],
    asked: str | UnsetType,
) -> str:
    """Return the seat that the member takes. Raises Refused if it is someone else's."""
    own = [seat for seat, person in sorted(linked.items()) if person == member.id]
    own.sort(key=lambda seat: not _is_present(state, seat))
    if own and asked not in (UNSET, *own):
        raise Refused("not-your-seat", seat=str(asked), by=own[0])
    if own:
        return own[0] if asked is UNSET else asked
    wanted = [asked] if asked is not UNSET else [campaign.newest_seat(member.id), member.id]
    candidates = [seat for seat in wanted if seat is not None]
    taken = linked.keys() | state.info.seats.keys()
    seat = next((each for each in candidates if each not in taken), candidates[0])
    held = state.info.seats.get(seat)
    is_keyed = held is not None and not held.present and held.public_key is not UNSET
    # Only the key can show that a seat which was left belongs to the member.
    if seat in linked or (held is not None and not is_keyed):
        raise Refused("seat-held", seat=seat)
    return seat


@blueprint.operation(
    "linkSeat",
    "PUT",
    "/v1/campaigns/<campaign:campaign>/sessions/<session:session>/seats/<seat:seat>",
    body=SeatLinkRequest,
    returns=CampaignSessionView,
    token="personal",
    problems=["refused"],
)
@retried
def link(campaign: str, session: str, seat: str, body: SeatLinkRequest) -> Response:
    """Link a seat to a person.

    Link your own seat with the seat's own token. The GM can link any seat to any person, as long
    as the GM is also the GM of the session. A link replaces an earlier one.
    """
    member = auth.require_member(campaign)
    found = _find(campaign)
    if body.person != member.id:
        member.require_gm()
    found.member(body.person)
    linked = found.session(session)
    state = auth.services().app.log.read(session).session
    if seat == HOUSE:
        raise Refused("seat-reserved", seat=seat)
    if seat not in state.info.seats:
        raise Refused("seat-unknown", seat=seat)
    if body.seat_token is not UNSET:
        holder = _holder_in(session, body.seat_token)
        if holder is None or holder.seat != seat:
            raise Refused("seat-token-wrong", seat=seat)
    else:
        _require_session_gm(member, linked, state)
    auth.campaigns().link(member, session, seat, body.person)
    return json_response(_session_view(_find(campaign).session(session), state))


def _require_session_gm(member: Member, session: CampaignSession, state: Session) -> None:
    """Raise Refused unless the member is the GM of the campaign and of the session.

    With a link, a person can take the seat. Only the session's GM may give away its seats.
    """
    if not member.is_gm or not any(
        _is_present(state, seat) and state.info.seats[seat].role is Role.GM
        for seat in session.seats_of(member.id)
    ):
        raise Refused("seat-token-needed")


@blueprint.operation(
    "unlinkSeat",
    "DELETE",
    "/v1/campaigns/<campaign:campaign>/sessions/<session:session>/seats/<seat:seat>",
    returns=None,
    status=204,
    token="personal",
    problems=["refused"],
)
@retried
def unlink(campaign: str, session: str, seat: str) -> Response:
    """Remove the link of a seat.

    The GM may do this for all seats, and a person for their own. Statistics then no longer
    attribute the seat to the person. The seat stays taken.
    """
    auth.campaigns().unlink(auth.require_member(campaign), session, seat)
    return Response(status=204)


@blueprint.operation(
    "getCampaignStatistics",
    "GET",
    "/v1/campaigns/<campaign:campaign>/statistics",
    returns=CampaignStatistics,
    token="personal",
    also={202: CampaignStatisticsPending},
    sends=["Location", "Retry-After"],
)
def statistics(campaign: str) -> Response:
    """Read the statistics of a campaign.

    They cover all sessions of the campaign, as everyone at the table may see them. If they have
    not been computed yet, the response is 202, and `Location` is the address of the job that
    computes them.
    """
    auth.require_member(campaign)
    now = _find(campaign)
    found = _report(auth.services().app, now)
    if found is None:
        job = definitions.campaign(campaign)  # the sweep enqueues it
        return pending_response(CampaignStatisticsPending(campaign, job.name), job)
    current = found.version == now.revision
    return json_response(CampaignStatistics(campaign, current, Raw(found.body.encode())))


def _report(app: App, campaign: Campaign) -> JobResult | None:
    """Return the stored statistics, or None if there are none.

    A result's version is the campaign's revision. Statistics that may name a person or contain a
    session that has been deleted since are never returned.
    """
    with read_models_optional():
        found = app.read_models.results.latest(campaign.id, CAMPAIGN)
        if found is not None and found.version >= campaign.forgotten:
            return found
    return None


@blueprint.operation(
    "getCampaignManifest",
    "GET",
    "/v1/campaigns/<campaign:campaign>/manifest",
    returns=CampaignManifest,
    token="personal",
)
def manifest(campaign: str) -> Response:
    """Read the manifest of a campaign.

    It says which seat of which session belongs to whom. With it and the exported logs,
    `fairlog stats` computes the same statistics without a server.
    """
    auth.require_member(campaign)
    app, found = auth.services().app, _find(campaign)
    states = _states(app, found)
    keys: dict[str, set[str]] = {each.id: set() for each in found.people}
    for each in found.sessions:
        seats = states[each.session].info.seats if each.session in states else {}
        for seat, person in each.seats.items():
            key = seats[seat].public_key if seat in seats else UNSET
            if key is not UNSET and person in keys:
                keys[person].add(key)
    people = [ManifestPerson(each.id, each.name, sorted(keys[each.id])) for each in found.people]
    sessions = [ManifestSession(each.session, each.number, each.seats) for each in found.sessions]
    return json_response(CampaignManifest(1, campaign, found.title, people, sessions))


def _find(campaign: str) -> Campaign:
    """Return the campaign. Raises ProblemError if it was just deleted."""
    found = auth.campaigns().find(campaign)
    if found is None:
        raise ProblemError("not-found", auth.NO_CAMPAIGN)
    return found


def _states(app: App, campaign: Campaign) -> dict[str, Session]:
    """Return the newest state of each of the campaign's sessions.

    Sessions that have just been deleted are left out.
    """
    states = {}
    for each in campaign.sessions:
        try:
            states[each.session] = app.log.read(each.session).session
        except UnknownSessionError:
            continue
    return states


def _holder_in(session: str, token: str) -> Holder | None:
    """Return the holder of a token that a body contains, if it is a seat's own of this session.

    A named token that someone else was given does not allow to give the seat away.
    """
    found = auth.services().access.holder(token)
    if found is None or found.revoked or found.session != session:
        return None
    return found if "manage" in found.scopes else None


def _is_present(session: Session, seat: str) -> bool:
    held = session.info.seats.get(seat)
    return held is not None and held.present


def _person_view(person: Person) -> PersonView:
    left = iso_time(person.ended) if person.ended else UNSET
    return PersonView(person.id, person.name, person.role, iso_time(person.joined), left)


def _session_view(session: CampaignSession, state: Session) -> CampaignSessionView:
    info = state.info
    return CampaignSessionView(
        state.id,
        info.title,
        info.ruleset,
        info.edition,
        state.version,
        info.closed,
        iso_time(session.at),
        session.seats,
    )


def _characters(app: App, campaign: Campaign, states: dict[str, Session]) -> list[CharacterView]:
    """Return the entities of the last session that everyone may see.

    As long as no one has taken a seat in the last session, it counts as that of the person who had
    it before, because they get it when they join.
    """
    last = next((each for each in reversed(campaign.sessions) if each.session in states), None)
    if last is None:
        return []
    state = states[last.session]
    members = (each.id for each in campaign.people if not each.ended)
    expected = {campaign.newest_seat(person): person for person in members}
    persons = {
        seat: person for seat, person in expected.items() if seat not in state.info.seats
    } | last.seats
    seen = visible_session(state, PUBLIC_VIEWER, app.log.history(state.id))
    return [
        CharacterView(id_, each.name, each.kind, each.seat, persons.get(each.seat, UNSET))
        for id_, each in seen.ruleset.show(seen.table).entities.items()
    ]
