"""What a terminal shows of a step as it is played: what was told, who sees a secret, and what looking back came to."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from service.evening import Evening, Fork, Happened
from service.eyes import Aim, Back, Opening, Seen, Sides

STYLES = {Back: "magenta", Aim: "yellow", Sides: "yellow", Opening: "green", Fork: "cyan"}
SHOWN = 16  # characters of a hash


def scene(evening: Evening, happened: Happened) -> RenderableType:
    """A step with all that it came to."""
    return Group(_line(happened), *(_line_below(text) for text in _notes(evening, happened)))


def looks_back(happened: Happened) -> bool:
    """Whether it is one of those steps that are shown of every evening."""
    return isinstance(happened.came, Back | Opening | Fork)


def _line(happened: Happened) -> Grid:
    told, style = " ".join(happened.told), STYLES.get(type(happened.came), "")
    return _row(
        str(happened.version), Text(told or "A roll that is sealed for its own asker.", style)
    )


def _line_below(text: str) -> Grid:
    return _row("", Text(text, "grey62"))


def _row(version: str, text: Text) -> Grid:
    row = Grid.grid(padding=(0, 2))
    row.add_column(width=5, justify="right", style="grey50")
    row.add_row(version, text)
    return row


def _notes(evening: Evening, happened: Happened) -> Iterator[str]:
    match happened.came:
        case Sides() as sides:
            names = {held.seat: f"{held.name} ({held.role})" for held in evening.script.seats}
            if not happened.told:
                yield f"{names[sides.insider]} sees: {_told(sides)}"
            yield f"{names[sides.outsider]} sees: {_outside(sides.outside)}"
        case Opening(sides, proof):
            yield f"now everyone sees what its audience saw at version {sides.inside[-1].version}: {_told(sides)}"
            if proof is not None:
                values = ", ".join(f"d{size} {face}" for size, face in proof.values)
                yield (
                    f"the same all along: command and salt hash to {proof.command[:SHOWN]}…, the blind to"
                    f" {proof.blind[:SHOWN]}…, as version {sides.inside[0].version} committed to; link and blind give"
                    f" {values} again"
                )
        case Aim(version):
            yield f"its aim was fixed before the roll: it names version {version}, which is sealed until it is told"
        case Back() as back:
            yield _back(back)
        case Fork(child, at, further):
            lines = " ".join(line for each in further for line in each.told)
            yield f"{child.script.title} It begins with the table of version {at}, and goes on: {lines}"


def _back(back: Back) -> str:
    if back.redo:
        return f"a redo: version {back.to} had been undone, and its table is back to the last field"
    whose = "a take-back by its player: " if back.take_back else ""
    return f"{whose}the table is that of version {back.to}; {back.undone} events stay in the log, told as undone"


def _outside(events: tuple[Seen, ...]) -> str:
    sealed = sum(event.sealed for event in events)
    return " ".join(
        [event.told for event in events if event.told]
        + [f"[{sealed} of {len(events)} events sealed]"]
    )


def _told(sides: Sides) -> str:
    """The last line: what the turn came to."""
    return sides.inside[-1].told
