"""Texts of a report: its verdict, levels, failures and warnings, and what remains trust."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import UNSET, UnsetType

from domain.chance import Values
from domain.proof.signed_note import parse_vkey
from domain.session.descriptions import fill
from domain.session.rerolls import Reroll
from domain.verify.report import (
    ForkOrigin,
    Level,
    LogCounts,
    PartialLevel,
    Report,
    ReportWarning,
    VoidReport,
    WitnessStatus,
)
from domain.verify.single_draw import RollReport

GRADE_LIMITS = {
    "B": "grade B: beside the house only who had asked gave a link",
    "B or better": "grade B or better: whether others were present and gave nothing, only the whole log shows",
    "C": (
        "grade C: drawn by the house alone; cannot be rewritten, is not protected against the house;"
        " whether seats had to be asked, only the whole log shows"
    ),
}
ROLL_CHECKED = "held: the checkpoint's signature, each event in the log under it, openings, anchors, links, seed and values"
ROLL_UNCHECKED = (
    "not shown by a roll alone: that no seat was left out, that no position was used before, that the rules give these"
    " events and no others, and whether the roll was undone; check the whole log for that"
)


def describe_void(void: VoidReport) -> str:
    """Return a line on a voided draw: who did not answer, and the result it would have had."""
    said = f"draw {void.k}, asked by {void.seat}, no answer from {', '.join(void.missing)}: {_describe_voided_result(void)}"
    if void.again is UNSET:
        return said
    return f"{said}; {'declared at the table' if void.declared else 'asked for'} again at version {void.again}"


def _describe_voided_result(void: VoidReport) -> str:
    if void.values is UNSET or void.told is UNSET:
        return "what it would have been is not known: a link, what hides a secret one or the table is not open"
    return f"would have been {_list_values(void.values)}: {' '.join(fill(line, {}) for line in void.told)}"


def _list_values(values: Values) -> str:
    return ", ".join(f"{face} of {sides}" for sides, face in values)


def roll_verdict(roll: RollReport) -> str:
    """Return the verdict on a roll in a few words."""
    if roll.failure:
        return f"INVALID at version {roll.failure.version}"
    return "VALID as far as a roll alone shows"


def describe_roll(roll: RollReport) -> Iterator[str]:
    """Yield lines on a roll: its text, what was proved and what was not."""
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
            else _list_values(roll.values)
        )
        yield GRADE_LIMITS[roll.grade]
    yield ROLL_CHECKED
    yield ROLL_UNCHECKED


LEVEL_CHECKS = {
    Level.BYTES: "every line as it was written, openings match their commitments",
    Level.TREE: "roots and signatures of the checkpoints",
    Level.DRAWS: "links, signatures, seeds and values",
    Level.RULES: "every turn decided again",
    Level.VIEWS: "everything shown, told and counted",
}
"""What a rung that held says."""

FAILURES = {
    "E_FORMAT": "This is not what a log holds here.",
    "E_NONCANONICAL": "The bytes are not those that would be written for what they say.",
    "E_VERSION": "An event was removed, doubled, moved or renumbered.",
    "E_SESSION": "An event or the manifest belongs to another session.",
    "E_TURN": "The turns are not numbered one after the other, or a draw ends in another turn than it was asked in.",
    "E_BODY": "The opening is not what was committed to: text or salt were changed.",
    "E_NOTE_FORMAT": "This is no checkpoint.",
    "E_KEY": "This is no well-formed key.",
    "E_UNSIGNED": "No checkpoint covers these events.",
    "E_CHECKPOINT_SIG": "The checkpoint was changed after it was signed.",
    "E_UNTRUSTED_LOG": "The log is signed, but not by the key that you trust.",
    "E_ROOT": "The events are not those that were signed.",
    "E_INCLUSION": "An event of this proof is not in the log that was signed.",
    "E_COSIG": "A witness that you trust is named under this checkpoint, but did not sign it so.",
    "E_INCONSISTENT": "The log is not an extension of the checkpoint that you kept: history was rewritten.",
    "E_TRUNCATED": "The log is shorter than what was signed: its end was cut off.",
    "E_SPLIT_VIEW": "The same version was signed twice with different contents: two logs are shown.",
    "E_SIGNATURE": "A seat's or the house's signature is missing or does not hold: somebody wrote in its name.",
    "E_CHAIN": "The link does not sit on the one before: the randomness was replaced or reused.",
    "E_POSITION": "A link of the chain was skipped or used again.",
    "E_ANCHOR": "A chain's anchor is missing, late or equal to another, or a key is not its seat's own.",
    "E_DRAW_INDEX": "A draw was left out or counted twice.",
    "E_ORDER": (
        "Declaration and draw do not follow each other, a draw was given up against a receipt, or what is opened is "
        "not sealed."
    ),
    "E_CONTRIBUTORS": "Not the seats that the rule names gave the randomness: one was left out, or added.",
    "E_BLIND": "A secret draw is not blinded as it says: its values could have been known, or chosen.",
    "E_FORK": "A seat gave its link on another log than this one: two logs are shown.",
    "E_VALUES": "The values are not what the seed gives: a die was bent.",
    "E_OUTCOME": "The events are not what the rules make of the command.",
    "E_ROLE": "A seat did what its role may not.",
    "E_LINEAGE": "A rewind or a fork leads where none may lead.",
}

WARNINGS = {
    "W_VOID": (
        "draws were given up, for a seat did not answer in time",
        "read what each would have been, and who is missing again and again; the house may have known it",
    ),
    "W_HOUSE_ONLY": (
        "draws came from the house alone: nothing of them can be rewritten, but the house could know them beforehand",
        "keep checkpoints while you play, and compare them with the others' at the table (docs/fairness.md, grade C)",
    ),
    "W_CUSTODIAL": (
        "seats have no chain of their own: they added nothing to the randomness",
        "nothing to do, their draws are of grade C: what was shown cannot be changed, who asked is the house's word",
    ),
    "W_ROLLOVER": (
        "times a seat or the house began a new chain",
        "nothing to do: the old one ran out, or the seat has a new device",
    ),
    "W_REROLL_AFTER_REWIND": (
        "rolls that a rewind had undone were made again by the same seat, of the same kind",
        "read the reasons of the rewinds between them",
    ),
    "W_OVERRIDE": ("times the GM set a value by hand", "read the reasons that stand beside them"),
    "W_DECLARED_DICE": (
        "rolls were thrown at the table and typed in: nothing proves them",
        "trust who saw them",
    ),
    "W_UNOPENED": (
        "secret turns or single facts are not open: what is sealed is not checked, nor what follows from it",
        "ask those who may to open them, or who gave you this file for one with more openings",
    ),
    "W_REDACTED": (
        "narrations or names lost their words",
        "nothing to do: the rest stands as it was",
    ),
    "W_OPEN_END": (
        "draw waits for its seats where the log ends",
        "take the log home again once the draw is made or given up",
    ),
    "W_UNPINNED": (
        "the key was taken from the log itself, so anyone could have made it",
        "pass with --key the one that was told when the evening opened",
    ),
    "W_UNWITNESSED": (
        "no witness that you named signed beside the log: a tail cut off, or another log shown to others, leaves no"
        " trace here",
        "name with --witness whose cosignatures you trust, or keep checkpoints and pass them with --checkpoint",
    ),
    "W_RULES_MISSING": (
        "these rules are not installed: links, seeds and values hold, outcomes were not decided again",
        "use a newer fairlog",
    ),
}


def verdict(report: Report) -> str:
    """Return how far the log is valid, in a few words."""
    if report.failure:
        where = " of its parent's log" if report.failure.parent else ""
        return f"INVALID at version {report.failure.version}{where}"
    if report.partly:
        return "VALID as far as it is open"
    return "VALID" if report.whole else f"VALID up to the rung {report.reached}"


def describe_level(report: Report, level: Level) -> str:
    """Return what was checked at a level that held, and what could not be checked."""
    for part in report.partly:
        if part.level is level:
            return _describe_partial_level(part, report.counts.unchecked)
    return LEVEL_CHECKS[level]


def _describe_partial_level(part: PartialLevel, unchecked: int) -> str:
    decided = part.level is Level.RULES
    done = f"{part.done:,} of {part.of:,} {'turns decided again' if decided else 'events shown, told and counted'}"
    if not unchecked:
        return f"{done}, the rest are events without opening"
    if decided:
        return f"{done}, the rest is sealed or follows from what is, at first version {part.behind}"
    return f"{done}, the tables behind version {part.behind} as far as they are open"


def describe_counts(report: Report, most: int) -> Iterator[str]:
    """Yield lines on what the log holds; long lists end after `most` items."""
    yield ", ".join(
        f"{count:,} {one if count == 1 else many}"
        for count, one, many in _named_counts(report.counts)
        if count
    )
    if report.letters:
        yield "grades: " + ", ".join(
            f"{count:,} {letter}" for letter, count in report.letters.items()
        )
    if alone := sum(graded.alone for graded in report.grades):
        yield f"of the B, beside the house only who had asked gave a link: {alone:,}"
    for void in report.voids[:most]:
        yield describe_void(void)
    if len(report.voids) > most:
        yield f"and {len(report.voids) - most:,} more draws that were given up (--json has all)"
    if report.take_backs:
        yield "taken back by players: " + _join_first(
            [str(version) for version in report.take_backs], most
        )
    if report.unopened:
        yield "unopened, by seat: " + ", ".join(
            f"{seat} {count:,}" for seat, count in report.unopened.items()
        )
    if report.rerolls:
        yield "undone rolls, and where they were made again: " + _join_first(
            [_describe_reroll(each) for each in report.rerolls], most
        )
    yield from (_describe_cosignature(witness) for witness in report.witnesses if witness.size)
    if report.origin and report.valid:
        yield describe_origin(report.origin)


def _named_counts(counts: LogCounts) -> tuple[tuple[int, str, str], ...]:
    """Return each count with its singular and its plural."""
    return (
        (counts.events, "event", "events"),
        (counts.turns, "turn", "turns"),
        (counts.draws, "draw", "draws"),
        (counts.voids, "draw given up", "draws given up"),
        (counts.rewinds, "rewind", "rewinds"),
        (counts.rerolls, "roll made again after a rewind", "rolls made again after a rewind"),
        (counts.overrides, "override", "overrides"),
        (counts.declared_dice, "declared die", "declared dice"),
        (counts.unopened, "unopened seal", "unopened seals"),
        (counts.unchecked, "turn unchecked", "turns unchecked"),
    )


def _join_first(told: Sequence[str], most: int) -> str:
    rest = len(told) - most
    return ", ".join([*told[:most], *([f"and {rest:,} more (--json has all)"] if rest > 0 else [])])


def _describe_reroll(reroll: Reroll) -> str:
    """Return an undone roll and the next of its kind, if any, with their values."""
    undone = f"{reroll.undone} ({_list_faces(reroll.undone_values)})"
    return f"{undone} → {'never' if reroll.next is UNSET else f'{reroll.next} ({_list_faces(reroll.next_values)})'}"


def _list_faces(values: Values | UnsetType) -> str:
    return "sealed" if values is UNSET else " ".join(str(face) for _, face in values)


def _describe_cosignature(witness: WitnessStatus) -> str:
    return (
        f"cosigned by {_witness_name(witness)} at size {witness.size:,}, {_format_time(witness.at)}"
    )


def _witness_name(witness: WitnessStatus) -> str:
    return parse_vkey(witness.vkey).name


def _format_time(seconds: int) -> str:
    """Return the time in UTC, or in seconds if the calendar does not go so far."""
    try:
        return f"on {datetime.fromtimestamp(seconds, UTC):%Y-%m-%d at %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return f"at {seconds} seconds since 1970"


def describe_origin(origin: ForkOrigin) -> str:
    """Return where a fork comes from, and how much of that was checked."""
    told = f"a fork of version {origin.version} of session {origin.session}"
    if not origin.checked:
        return f"{told}: provenance not checked, pass the parent's log with --parent"
    if not origin.table:
        return f"{told}: the parent's log says so too; the table that it began with is not open in both"
    return f"{told}: the parent's log says so too, and has the table that it began with"


def describe_warning(report: Report, caution: ReportWarning) -> str:
    """Return the text of a warning: how often, what, and what it is related to."""
    meaning, _ = WARNINGS[caution.code]
    again = {reroll.next: reroll.declared for reroll in report.rerolls if reroll.next is not UNSET}
    declared = sum(again.values())
    if caution.code == "W_REROLL_AFTER_REWIND":
        meaning += f", in {len(again):,} later ones: {len(again) - declared:,} drawn, {declared:,} declared"
    missing = [_witness_name(witness) for witness in report.witnesses if not witness.size]
    if caution.code == "W_UNWITNESSED" and missing:
        meaning = f"no checkpoint in it is cosigned by {', '.join(missing)}, whom you named"
    if caution.code == "W_DECLARED_DICE":
        behind = {void.again for void in report.voids if void.declared}
        meaning += f"; {declared:,} of them repeat an undone one" if declared else ""
        meaning += f"; {len(behind):,} of them follow a draw that was given up" if behind else ""
    if caution.code == "W_VOID":
        meaning += ": no answer from " + ", ".join(
            f"{seat} {n:,}" for seat, n in sorted(report.missed.items())
        )
    return f"{caution.count:,} {meaning}" if caution.versions else meaning


TRUST = (
    "All contributors of one draw together can know it beforehand, hence choose it. A host can play sessions and forks "
    "that it shows to nobody and enters in no index. Who asked is the house's word where no draw follows. Code served "
    "by the host could leak a seat's secret (run the client or the verifier yourself). The house can read what is "
    "sealed. A tail cut off after the last checkpoint you kept cannot be seen without a newer one. Outsiders cannot "
    "tell real seats from sock puppets. Giving up a draw cannot be prevented, only shown with what it would have been."
)
"""What stays trust: fairness.md's own words."""
