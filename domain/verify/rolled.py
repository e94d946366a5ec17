"""What a single draw means, in words for people: one that was given up, and one that a file alone proves."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from domain.chance import Values
from domain.session.telling import fill
from domain.verify.report import Voided
from domain.verify.roll import Roll

GRADES = {
    "B": "grade B: beside the house only who had asked gave a link",
    "B or better": "grade B or better: whether others were present and gave nothing, only the whole log shows",
    "C": (
        "grade C: drawn by the house alone; cannot be rewritten, is not protected against the house;"
        " whether seats had to be asked, only the whole log shows"
    ),
}
HELD = "held: the checkpoint's signature, each event in the log under it, openings, anchors, links, seed and values"
ALONE = (
    "not shown by a roll alone: that no seat was left out, that no position was used before, that the rules give these"
    " events and no others, and whether the roll was undone; check the whole log for that"
)


def given_up(void: Voided) -> str:
    """A draw that was given up, by whom, and what it would have been."""
    said = f"draw {void.k}, asked by {void.seat}, no answer from {', '.join(void.missing)}: {_shadow(void)}"
    if void.again is UNSET:
        return said
    return f"{said}; {'declared at the table' if void.declared else 'asked for'} again at version {void.again}"


def _shadow(void: Voided) -> str:
    if void.values is UNSET or void.told is UNSET:
        return "what it would have been is not known: a link, what hides a secret one or the table is not open"
    return (
        f"would have been {_faces(void.values)}: {' '.join(fill(line, {}) for line in void.told)}"
    )


def _faces(values: Values) -> str:
    return ", ".join(f"{face} of {sides}" for sides, face in values)


def proved(roll: Roll) -> str:
    """The verdict, in a few words."""
    if roll.failure:
        return f"INVALID at version {roll.failure.version}"
    return "VALID as far as a roll alone shows"


def rolled(roll: Roll) -> Iterator[str]:
    """The roll as it is told, what was proved of it and what was not, a line each."""
    if roll.session:
        yield f"draw {roll.k} of session {roll.session}, log key {roll.log_key}"
    if roll.failure:
        return
    yield f"asked by {roll.seat}, links of {', '.join(roll.contributors)}, ended at version {roll.version}"
    yield from roll.told
    if roll.missing:
        yield f"given up: no answer from {', '.join(roll.missing)}"
    else:
        yield (
            "values withheld: the roll is secret and not open"
            if roll.values is UNSET
            else _faces(roll.values)
        )
        yield GRADES[roll.grade]
    yield HELD
    yield ALONE
