"""Checks of a session that is played over HTTP: what each seat must see of it, and must not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from service.cli.demo.player import DRAW_KINDS, PlayedStep, SeenEvent, SessionPlayer

Shown = list[tuple[object, ...]]


def play_checked(player: SessionPlayer) -> Iterator[PlayedStep]:
    """Play the session; after each step, check secrets, openings, targets, rewinds and forks."""
    secrets: dict[int, Shown] = {}
    for played in player.play():
        if played.rule:
            continue
        step = played.step
        if step.audience is not UNSET:
            check_secret(player, played)
            turn = player.events("gm", played.version - 1, played.version)[0].turn
            secrets[turn] = next(_shown(player, seat, played) for seat in _audience(player, played))
        if step.open is not UNSET:
            check_opening(player, secrets[player.marks[step.open].turn])
        if step.target is not UNSET:
            check_target(player, played.first, player.marks[step.target].version)
        if step.rewind is not UNSET:
            before = table(player, player.marks[step.rewind].version)
            assert table(player, played.version) == before, step
        if played.fork and step.fork is not UNSET:
            began = table(played.fork, played.fork.steps[0].first - 1)
            assert began == table(player, player.marks[step.fork].version), step
        yield played


def check_secret(player: SessionPlayer, played: PlayedStep) -> None:
    """The audience sees the secret turn; the others see sealed events without any content."""
    audience = _audience(player, played)
    assert audience
    assert set(player.seats) - set(audience)
    for seat in player.seats:
        events = player.events(seat, played.first - 1, played.version)
        sealed = [event for event in events if event.sealed]
        if seat in audience:
            assert not sealed, (seat, events)
            continue
        assert sealed, (seat, events)
        assert not any(event.kind or event.text or event.body for event in sealed), (seat, events)
        assert all(event.sealed or event.kind in DRAW_KINDS for event in events), (seat, events)


def check_opening(player: SessionPlayer, secret: Shown) -> None:
    """Each seat sees the opened turn as its audience saw it before."""
    first, last = secret[0][0], secret[-1][0]
    assert isinstance(first, int)
    assert isinstance(last, int)
    for seat in player.seats:
        assert _of(player.events(seat, first - 1, last)) == secret, seat


def check_target(player: SessionPlayer, declared: int, target: int) -> None:
    """Each seat reads the target of the command, which is still sealed for one of them."""
    for seat in player.seats:
        [event] = player.events(seat, declared - 1, declared)
        assert json.loads(bytes(event.body))["target"] == target, seat
    assert any(player.events(seat, target - 1, target)[0].sealed for seat in player.seats)


def table(player: SessionPlayer, version: int) -> Any:
    """The table of a version, as the GM saw it there."""
    return player.gm.get(f"{player.path}?version={version}").json["table"]


def _audience(player: SessionPlayer, played: PlayedStep) -> list[str]:
    by, audience = played.step.by, played.step.audience
    roles = {held.seat: held.role for held in player.script.seats}
    return [
        seat
        for seat in player.seats
        if (roles[seat] == "gm" and audience != "self") or (seat == by and audience != "blind")
    ]


def _shown(player: SessionPlayer, seat: str, played: PlayedStep) -> Shown:
    return _of(player.events(seat, played.first - 1, played.version))


def _of(events: tuple[SeenEvent, ...]) -> Shown:
    return [(e.version, e.turn, e.kind, bytes(e.body), e.sealed) for e in events]
