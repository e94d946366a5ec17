"""Statistics over several log files: those of a campaign, as the API gives them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import msgspec
from rich.console import Console

from domain.session.descriptions import names
from domain.session.state import HOUSE, Session
from projections.campaign_model import CampaignReport
from service.charts.terminal.campaign import CampaignNames, draw_campaign
from service.cli.verify import UnusableFileError
from workers.statistics import campaign as campaign_sums
from workers.statistics.campaign import MAX_LINES, Line, Part, Total
from workers.statistics.report import fold
from workers.stats_command import chosen_of, public_view, read_session


class ManifestPerson(msgspec.Struct, frozen=True):
    id: str
    name: str
    keys: tuple[str, ...] = ()


class ManifestSession(msgspec.Struct, frozen=True):
    session: str
    number: int
    seats: dict[str, str]


class Manifest(msgspec.Struct, frozen=True):
    """The people and sessions of a campaign, as the API exports them."""

    v: int
    title: str
    people: tuple[ManifestPerson, ...]
    sessions: tuple[ManifestSession, ...]


class Counted(NamedTuple):
    """A session of the campaign, as everyone may see it."""

    session: Session
    part: Part


def show_campaign(files: Sequence[Path], manifest: Path | None, as_json: bool) -> None:
    """Verify log files and print their statistics together.

    Raises SystemExit if a log is invalid, and UnusableFileError if the files do not fit together.
    """
    counted = [_count(file) for file in files]
    _require_different([each.session.id for each in counted], files)
    found = people_by_key(counted) if manifest is None else read_manifest(manifest)
    report = total_report(counted, found, files)
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(report)))
        return
    shown = CampaignNames(
        found.title,
        {f"@{each.id}": each.name for each in found.people},
        {each.session.id: each.session.info.title for each in counted},
        {each.session.id: names(each.session) for each in counted},
    )
    console = Console(highlight=False)
    console.print(draw_campaign(report, shown))
    if missing := len(found.sessions) - len(counted):
        console.print(f"Sessions of the campaign without a file: {missing}", style="yellow")


def read_manifest(file: Path) -> Manifest:
    """Return the manifest in the file. Raises UnusableFileError."""
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as wrong:
        raise UnusableFileError(
            f"{file} is not the manifest of a campaign: {wrong}. Export it again."
        ) from None
    if found.v != 1:
        raise UnusableFileError(
            f"{file} has version {found.v}, which this version of Fairlog cannot read. Update it."
        )
    return found


def people_by_key(counted: Sequence[Counted]) -> Manifest:
    """Return a manifest for files without one.

    A seat with a key is the same person wherever the key is. Every other seat is a person of its
    own, because names alone do not tell who it was.
    """
    people: dict[str, ManifestPerson] = {}
    sessions = []
    for number, each in enumerate(counted, 1):
        seats = {}
        for seat, held in each.session.info.seats.items():
            if seat != HOUSE:
                key = _key(each.session, seat)
                person = f"key-{key[:16]}" if key else f"{seat}-{number}"
                name = held.name or seat
                people[person] = ManifestPerson(person, name if key else f"{name}, file {number}")
                seats[seat] = person
        sessions.append(ManifestSession(each.session.id, number, seats))
    return Manifest(1, f"{len(counted)} files", tuple(people.values()), tuple(sessions))


def _key(session: Session, seat: str) -> str:
    """Return the public key of the seat's chain in hex, or "" if it has none of its own."""
    key = session.info.seats[seat].public_key
    return key if isinstance(key, str) else ""


def total_report(
    counted: Sequence[Counted], manifest: Manifest, files: Sequence[Path]
) -> CampaignReport:
    """Return the statistics of the files, with the people of the manifest."""
    places = {each.session: each for each in manifest.sessions}
    total, lines = Total(), []
    for each, file in sorted(
        zip(counted, files, strict=True), key=lambda one: _number(one[0], places)
    ):
        place = places.get(each.session.id)
        if place is None:
            raise UnusableFileError(
                f"{file} is not a session of the campaign. Leave it out, or export the manifest"
                " again."
            )
        total.add(each.part, place.session, place.number, place.seats)
        lines.append(
            campaign_sums.line_of(Line(place.session, place.number, place.seats), each.part)
        )
    return campaign_sums.report(total, lines[-MAX_LINES:])


def _number(counted: Counted, places: Mapping[str, ManifestSession]) -> int:
    place = places.get(counted.session.id)
    return 0 if place is None else place.number


def _count(file: Path) -> Counted:
    """Return what a file adds: what everyone may see of it, even if it holds more."""
    read, _ = read_session(file)
    public = public_view(read)
    running = fold(public.tallies, chosen=chosen_of(read, public.hidden), hidden=public.hidden)
    return Counted(read.session, campaign_sums.part_of(running))


def _require_different(sessions: Sequence[str], files: Sequence[Path]) -> None:
    seen: dict[str, Path] = {}
    for session, file in zip(sessions, files, strict=True):
        if session in seen:
            raise UnusableFileError(f"{seen[session]} and {file} are of the same session")
        seen[session] = file
