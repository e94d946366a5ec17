"""A campaign's statistics: running totals of its sessions.

A session counts as everyone may see it. When its statistics change, its old part is taken away from
the total and the new one is added. When seats are linked to other people, only the parts of those
sessions are added again.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from domain.visibility import PUBLIC_VIEWER, turns_hidden_from
from projections.campaign_model import CampaignLine
from projections.campaign_totals import (
    StoredPart,
    count_parts,
    delete_part,
    read_bodies,
    read_index,
    read_lines,
    read_part,
    read_total,
    write_part,
    write_total,
)
from projections.results import CAMPAIGN, JobResult
from projections.runner import Cursor, catch_up
from service.sessions.app import App
from service.sessions.campaigns import MappedSession, campaigns_of
from workers import session_statistics
from workers.statistics import campaign as campaign_sums
from workers.statistics.campaign import MAX_LINES, Line, Part, Total
from workers.statistics.running import Running


def update_session(app: App, session: str, running: Running) -> None:
    """Bring the campaign of the session up to date, if it belongs to one.

    `running` has the session's statistics as everyone may see them.
    """
    place = campaigns_of(app).place(session)
    if place is None:
        return
    part = campaign_sums.part_of(running)
    with app.read_models.store.writing() as cursor:
        total = _read_total(cursor, place.campaign)
        _replace(cursor, place.campaign, total, place.mapped, part)
        report = _finish(cursor, place.campaign, total)
    if app.read_models.results.version(place.campaign, CAMPAIGN) == place.revision:
        app.read_models.results.put(JobResult(place.campaign, CAMPAIGN, place.revision, report))
    else:  # other sessions may have other seats or people by now
        compute_campaign(app, place.campaign)


def compute_campaign(app: App, campaign: str) -> None:
    """Bring a campaign up to date with its people, its sessions and the links of its seats."""
    mapping = campaigns_of(app).mapping(campaign)
    if mapping is None:
        app.read_models.campaign_totals.delete(campaign)
        return
    with app.read_models.store.reading() as cursor:
        known = read_index(cursor, campaign)
    wanted = {each.session: each for each in mapping.sessions}
    new = {
        session: part
        for session in wanted
        if session not in known and (part := _part(app, session)) is not None
    }
    with app.read_models.store.writing() as cursor:
        index = read_index(cursor, campaign)
        for session in index.keys() - wanted.keys():
            delete_part(cursor, campaign, session)
        total = _read_total(cursor, campaign)
        for session, stored in index.items():
            each = wanted.get(session)
            if each is not None and stored != (each.number, _write_seats(each.seats)):
                _replace(cursor, campaign, total, each, None)
        for session, part in new.items():
            _replace(cursor, campaign, total, wanted[session], part)
        report = _finish(cursor, campaign, total)
    app.read_models.results.put(JobResult(campaign, CAMPAIGN, mapping.revision, report))


def _part(app: App, session: str) -> Part | None:
    """Return what the session adds, or None if it has no events."""
    catch_up(app.log, app.read_models.tallies)
    version = app.read_models.tallies.version(session)
    if not version:
        return None
    state = app.log.at(session, version)
    hidden = turns_hidden_from(state, PUBLIC_VIEWER)
    view = session_statistics.view_of(app.read_models.tallies, state, hidden)
    running, _ = session_statistics.update(app, state, view)
    return campaign_sums.part_of(running)


def _read_total(cursor: Cursor, campaign: str) -> Total:
    """Return the campaign's total.

    If sessions were deleted since the total was stored, add up all others. The total could not be
    subtracted from without an end, because it keeps only a few of the best moments.
    """
    parts, body = read_total(cursor, campaign)
    if body and parts == count_parts(cursor, campaign):
        return _decode_total(body)
    total = Total()
    for session, order, seats, text in read_bodies(cursor, campaign):
        total.add(_decode_part(text), session, order, _decode_seats(seats))
    return total


def _replace(
    cursor: Cursor, campaign: str, total: Total, of: MappedSession, part: Part | None
) -> None:
    """Replace a session's part of the total. If `part` is None, only its seats have changed."""
    old = read_part(cursor, campaign, of.session)
    if old is not None:
        before = _decode_part(old.body)
        total.subtract(before, of.session, _decode_seats(old.seats))
        part = part or before
    if part is None:
        return
    total.add(part, of.session, of.number, of.seats)
    line = campaign_sums.line_of(Line(of.session, of.number, of.seats), part)
    stored = StoredPart(
        of.session,
        of.number,
        part.version,
        _write_seats(of.seats),
        msgspec.json.encode(part).decode(),
        msgspec.json.encode(line).decode(),
    )
    write_part(cursor, campaign, stored)


def _finish(cursor: Cursor, campaign: str, total: Total) -> str:
    """Store the total, and return the campaign's report as JSON.

    The total is stored with the results of the tests, so that the next report only runs the tests
    of dice that were used again.
    """
    lines = tuple(map(_decode_line, read_lines(cursor, campaign, MAX_LINES)))
    report = msgspec.json.encode(campaign_sums.report(total, lines)).decode()
    write_total(cursor, campaign, total.sessions, msgspec.json.encode(total).decode())
    return report


def _write_seats(seats: Mapping[str, str]) -> str:
    return msgspec.json.encode(dict(sorted(seats.items()))).decode()


_decode_total = msgspec.json.Decoder(Total).decode
_decode_part = msgspec.json.Decoder(Part).decode
_decode_seats = msgspec.json.Decoder(dict[str, str]).decode
_decode_line = msgspec.json.Decoder(CampaignLine).decode
