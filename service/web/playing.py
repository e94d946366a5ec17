"""The actions beside a table: what the seat may do, why not, what came of what it did last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import UNSET

from domain.decider import By, Refused, Role
from domain.ruleset import Message
from domain.session.decider import decide
from domain.session.messages import Close, Narrate, Rewind
from domain.session.secrets import is_for
from domain.session.state import Session
from domain.visibility import Viewer
from service.http import models
from service.http.presenters import visible_events
from service.sessions.app import App
from service.web.acts import ACTING, Act, Filled, acts, grouped, refused_now
from service.web.forms import fresh_key
from service.web.looking import Looked
from service.web.refusals import no_of
from service.web.saying import No
from service.web.steps import steps

TURN = 24  # events around the one that an action ended with
SECRETS = 12  # secret turns that can be opened here, the newest
BETWEEN = 40  # events told on a conflict


NOT_FILLED = Filled()


class Sealed(NamedTuple):
    """A secret turn that the seat may open."""

    turn: int
    version: int
    told: str


class Way(NamedTuple):
    """A version to go back to, and why not."""

    to: int
    no: No | None


class Tried(NamedTuple):
    """What was sent and did not come about: the form as it was, the refusal, or what came in between."""

    filled: Filled = NOT_FILLED
    no: No | None = None
    between: list[models.Event] | None = None
    again: str = ""  # what to do, in words, where it is none of these


UNTRIED = Tried()


class Acting(NamedTuple):
    """What the template draws. `stop`: why nothing can be done while one looks like this; `all_no`: by the rules."""

    session: str
    version: int
    seat: str
    role: str
    closed: bool
    stop: str
    all_no: No | None
    groups: list[tuple[str, str, list[Act]]]
    secrets: list[Sealed]
    no_narrate: No | None
    no_close: No | None
    back: list[tuple[str, Way]]
    faces: bool
    came: list[models.Event]
    tried: Tried
    key: str

    def key_of(self, nth: int) -> str:
        """Each form's own."""
        return f"{self.key}{nth:02d}"


def acting(
    app: App, state: Session, viewer: Viewer, asked: Looked, names: Mapping[str, str], tried: Tried
) -> Acting:
    """For whoever looks; without a seat there is nothing in it."""
    if viewer.seat is UNSET:
        return Acting(
            state.id,
            state.version,
            "",
            "",
            state.info.closed,
            "",
            None,
            [],
            [],
            None,
            None,
            [],
            False,
            [],
            tried,
            "",
        )
    by = state.by(viewer.seat)
    closed, all_no = state.info.closed, refused_now(state, by, names)
    found = [] if closed or by.role not in ACTING else acts(app, state, by, names, tried.filled)
    came = [] if asked.did is UNSET else turn_of(app, state, viewer, asked.did)
    return Acting(
        state.id,
        state.version,
        by.seat,
        by.role.value,
        closed,
        _stop(viewer, asked),
        all_no,
        list(grouped(found)),
        list(_secrets(app, state, viewer, by)),
        _no(app, state, by, Narrate("x"), names),
        _no(app, state, by, Close(False), names),
        [] if closed else list(_back(app, state, by, asked, names)),
        state.info.options.get("declared_dice") is True,
        came,
        tried,
        fresh_key(),
    )


def between(app: App, state: Session, viewer: Viewer, since: int) -> list[models.Event]:
    """The newest of what came behind a version."""
    after = max(since, state.version - BETWEEN)
    return [event for _, event in visible_events(app, state, viewer, after, state.version - after)]


def turn_of(app: App, state: Session, viewer: Viewer, version: int) -> list[models.Event]:
    """The events of the version's turn, as far as they stand around it."""
    if version > state.version:
        return []
    near = [
        event for _, event in visible_events(app, state, viewer, max(0, version - TURN), 2 * TURN)
    ]
    turn = next(event.turn for event in near if event.version == version)
    return [event for event in near if event.turn == turn]


def _stop(viewer: Viewer, asked: Looked) -> str:
    if viewer.through is not UNSET:
        return "You look with another seat's eyes. Look with your own to act."
    return (
        ""
        if asked.at is UNSET
        else "You look at the past. What is done is done at the newest version."
    )


def _no(app: App, state: Session, by: By, command: Message, names: Mapping[str, str]) -> No | None:
    """Why the frame would not do it; None where it would."""
    try:
        decide(state, command, by, app.log.history(state.id))
    except Refused as no:
        return no_of(state.ruleset, no.rule, no.facts, names)
    return None


def _secrets(app: App, state: Session, viewer: Viewer, by: By) -> Iterable[Sealed]:
    if by.role not in (*ACTING, Role.SPECTATOR):
        return
    mine = [
        (turn, seal) for turn, seal in state.secrets.seals.items() if is_for(state, seal, by.seat)
    ]
    for turn, seal in mine[: -SECRETS - 1 : -1]:
        lines = (
            event.text
            for event in turn_of(app, state, viewer, seal.version)
            if event.text is not UNSET
        )
        yield Sealed(turn, seal.version, " ".join(lines))


def _back(
    app: App, state: Session, by: By, asked: Looked, names: Mapping[str, str]
) -> Iterable[tuple[str, Way]]:
    """What the seat may want to undo, in words."""
    if by.role is Role.PLAYER and state.info.options.get("take_back") is True:
        deed = state.last_command.before or state.version
        yield "Take back my last wish", Way(deed, _no(app, state, by, Rewind(deed, "x"), names))
    if by.role is not Role.GM:
        return
    if asked.at is not UNSET and 0 < asked.at < state.version:
        yield (
            f"Rewind to version {asked.at}",
            Way(asked.at, _no(app, state, by, Rewind(asked.at, "x"), names)),
        )
    last = steps(app.log, state, state.version).turn_back
    if last:
        yield "Undo the last turn", Way(last, _no(app, state, by, Rewind(last, "x"), names))
