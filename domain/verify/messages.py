"""Texts for reports: verdicts, levels, failures, warnings, and what remains to be trusted."""

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

# Rolls and voided draws.


GRADE_LIMITS = {
    "B": "grade B: besides the server, only the seat that requested the draw contributed a link",
    "B or better": (
        "grade B or better: only the whole log shows whether other seats were present"
        " and contributed nothing"
    ),
    "C": (
        "grade C: drawn by the server alone. The result cannot be changed afterwards, but the"
        " server could have known it in advance. Only the whole log shows whether seats had to"
        " contribute"
    ),
}
ROLL_CHECKED = (
    "checked: the checkpoint's signature, each event's inclusion in the log that it signs,"
    " openings, anchors, links, seed and values"
)
ROLL_UNCHECKED = (
    "not checked, because that takes the whole log: whether a seat was left out, whether a chain"
    " position was used twice, whether the rules lead to exactly these events, and whether the"
    " roll was undone later"
)


def describe_void(void: VoidReport) -> str:
    """Describe a voided draw: who did not answer, and what its result would have been."""
    missing = ", ".join(void.missing)
    result = _describe_voided_result(void)
    text = f"draw {void.k}, requested by {void.seat}, no answer from {missing}: {result}"
    if void.again is UNSET:
        return text
    how = "rolled with physical dice" if void.declared else "requested"
    return f"{text}; {how} again at version {void.again}"


def _describe_voided_result(void: VoidReport) -> str:
    if void.values is UNSET or void.told is UNSET:
        return (
            "its result is unknown, because a link, the opening of a secret or the table is missing"
        )
    lines = " ".join(fill(line, {}) for line in void.told)
    return f"the result would have been {_list_values(void.values)}: {lines}"


def _list_values(values: Values) -> str:
    return ", ".join(f"{face} of {sides}" for sides, face in values)


def roll_verdict(roll: RollReport) -> str:
    if roll.failure:
        return f"INVALID at version {roll.failure.version}"
    return "VALID as far as a single roll can show"


def describe_roll(roll: RollReport) -> Iterator[str]:
    """Yield lines that describe a roll: its events, what was proved, and what was not."""
    if roll.session:
        yield f"draw {roll.k} of session {roll.session}, log key {roll.log_key}"
    if roll.failure:
        return
    links = ", ".join(roll.contributors)
    yield f"requested by {roll.seat}, links from {links}, ended at version {roll.version}"
    yield from roll.told
    if roll.missing:
        yield f"voided: no answer from {', '.join(roll.missing)}"
    else:
        yield (
            "values unknown: the roll is secret and was not opened"
            if roll.values is UNSET
            else _list_values(roll.values)
        )
        yield GRADE_LIMITS[roll.grade]
    yield ROLL_CHECKED
    yield ROLL_UNCHECKED


# Levels, failures and warnings, by code.


LEVEL_CHECKS = {
    Level.BYTES: "every line is in canonical form, and every opening matches its commitment",
    Level.TREE: "the checkpoints have the right roots and signatures",
    Level.DRAWS: "every draw has the right links, signatures, seed and values",
    Level.RULES: "every turn was decided again with the same events",
    Level.VIEWS: "every table, text and count could be computed",
}
"""What was checked at each level, if the level passed for every event."""

FAILURES = {
    "E_FORMAT": "The content here is not allowed by the log format.",
    "E_NONCANONICAL": "The bytes are not the canonical form of their content.",
    "E_VERSION": "An event was removed, repeated, moved or renumbered.",
    "E_SESSION": "An event or the manifest belongs to another session.",
    "E_TURN": "Turns are not in order, or a draw ends in a different turn from its declaration.",
    "E_BODY": "The opening does not match its commitment: the text or the salt was changed.",
    "E_NOTE_FORMAT": "The text is not a well-formed checkpoint.",
    "E_KEY": "The text is not a well-formed key.",
    "E_UNSIGNED": "No checkpoint in the log covers these events, so they are not signed.",
    "E_CHECKPOINT_SIG": (
        "The log's signature on the checkpoint is missing or wrong:"
        " the checkpoint may have been changed after it was signed."
    ),
    "E_UNTRUSTED_LOG": "The log is signed, but not by the key that you trust.",
    "E_ROOT": "The events differ from those that the checkpoint signs.",
    "E_INCLUSION": "An event in this proof is not in the log that the checkpoint signs.",
    "E_COSIG": "A cosignature by a witness that you trust is wrong.",
    "E_INCONSISTENT": (
        "The log does not extend the checkpoint that you stored: the log was rewritten."
    ),
    "E_TRUNCATED": "The log has fewer events than were signed: its end was cut off.",
    "E_SPLIT_VIEW": (
        "Two checkpoints of the same size have different roots: two different logs exist."
    ),
    "E_SIGNATURE": (
        "A signature of a seat or the server is missing or wrong: the event may have been forged."
    ),
    "E_CHAIN": (
        "The link does not hash to the previous link: the randomness was replaced or reused."
    ),
    "E_POSITION": "A position in the chain was skipped or used twice.",
    "E_ANCHOR": (
        "A chain's anchor is missing, comes too late or was used before,"
        " or a seat's key belongs to another seat."
    ),
    "E_DRAW_INDEX": "The draws are not numbered in order: one was left out or counted twice.",
    "E_ORDER": (
        "A declaration is not followed by its draw, the result of a draw contradicts a receipt,"
        " or an opening names a turn that is not sealed."
    ),
    "E_CONTRIBUTORS": (
        "The contributors are not the seats that had to contribute: one was left out or added."
    ),
    "E_BLIND": (
        "The blinding of a secret draw does not match its commitment:"
        " its values could have been known or chosen."
    ),
    "E_FORK": "A seat contributed to a different log: two different logs exist.",
    "E_VALUES": "The values are not those that the seed determines: a result was changed.",
    "E_OUTCOME": "The events are not those that the rules require for the command.",
    "E_ROLE": "A seat did something that its role does not allow.",
    "E_LINEAGE": "A rewind or a fork names a version that is not allowed.",
}

WARNINGS = {
    "W_VOID": (
        "draws voided because a seat did not answer in time",
        "compare the result that each would have had, and look for seats that often do not answer;"
        " the server may have known the result",
    ),
    "W_HOUSE_ONLY": (
        "draws by the server alone, whose results it cannot change but could know in advance",
        "store checkpoints while you play, and compare them with those of the other players"
        " (docs/fairness.md, grade C)",
    ),
    "W_CUSTODIAL": (
        "seats without a chain of their own, which add nothing to the randomness",
        "nothing to do, but only the server states which commands these seats sent",
    ),
    "W_ROLLOVER": (
        "new chains that seats or the server started",
        "nothing to do: the old chain was used up, or the seat has a new device",
    ),
    "W_REROLL_AFTER_REWIND": (
        "undone rolls that the same seat made again for the same kind of command",
        "read the reasons for the rewinds between them",
    ),
    "W_OVERRIDE": ("values set by the GM by hand", "read the reasons that these events state"),
    "W_DECLARED_DICE": (
        "rolls made with physical dice and entered by hand, which nothing proves",
        "ask those who saw the dice",
    ),
    "W_UNOPENED": (
        "secret turns or single events that were not opened; they and everything that depends on"
        " them could not be checked",
        "ask the seats that may open them to do so, or ask for a log file with more openings",
    ),
    "W_REDACTED": (
        "narrations or names whose text was removed",
        "nothing to do: the rest of the log is unchanged",
    ),
    "W_OPEN_END": (
        "draws that were still waiting for seats at the end of the log",
        "export the log again after the draw has ended",
    ),
    "W_UNPINNED": (
        "the key was taken from the log itself, so anyone could have created this log",
        "use --key to pass the key that was announced when the session was opened",
    ),
    "W_UNWITNESSED": (
        "no witness's signature was checked: nothing shows whether the end of the log was cut off,"
        " or whether others see a different log",
        "name witnesses that you trust with --witness, or pass checkpoints that you stored with"
        " --checkpoint",
    ),
    "W_RULES_MISSING": (
        "the log's ruleset is not installed: links, seeds and values were checked, but not whether"
        " the events follow the rules",
        "use a version of fairlog that has this ruleset",
    ),
}
"""For each warning code, the warning's text and what the reader can do about it."""


# The report.


def verdict(report: Report) -> str:
    """Return a short verdict on the log, such as VALID or INVALID at a version."""
    if report.failure:
        where = " of its parent's log" if report.failure.parent else ""
        return f"INVALID at version {report.failure.version}{where}"
    if report.partly:
        return "VALID as far as it could be checked"
    return "VALID" if report.whole else f"VALID up to level {report.reached}"


def describe_level(report: Report, level: Level) -> str:
    """Describe what was checked at a level that passed, and what could not be checked."""
    for part in report.partly:
        if part.level is level:
            return _describe_partial_level(part, report.counts.unchecked)
    return LEVEL_CHECKS[level]


def _describe_partial_level(part: PartialLevel, unchecked: int) -> str:
    decided = part.level is Level.RULES
    what = "turns decided again" if decided else "events shown, described and counted"
    done = f"{part.done:,} of {part.of:,} {what}"
    if not unchecked:
        return f"{done}, the rest are events without an opening"
    if decided:
        reason = "sealed or depend on sealed events"
        return f"{done}, the rest are {reason}, first at version {part.behind}"
    return f"{done}, tables from version {part.behind} on only as far as they are known"


def describe_counts(report: Report, most: int) -> Iterator[str]:
    """Yield lines with the report's counts; lists are truncated after `most` items."""
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
        yield f"of grade B, with links only from the server and the seat that asked: {alone:,}"
    for void in report.voids[:most]:
        yield describe_void(void)
    if len(report.voids) > most:
        yield f"and {len(report.voids) - most:,} more voided draws (--json has all)"
    if report.take_backs:
        yield "versions at which players took back moves: " + _join_first(
            [str(version) for version in report.take_backs], most
        )
    if report.unopened:
        yield "unopened seals, by seat: " + ", ".join(
            f"{seat} {count:,}" for seat, count in report.unopened.items()
        )
    if report.rerolls:
        yield "undone rolls, and the versions at which they were made again: " + _join_first(
            [_describe_reroll(each) for each in report.rerolls], most
        )
    yield from (_describe_cosignature(witness) for witness in report.witnesses if witness.size)
    if report.origin and report.valid:
        yield describe_origin(report.origin)


def _named_counts(counts: LogCounts) -> tuple[tuple[int, str, str], ...]:
    """Return each count with its noun, in the singular and in the plural."""
    return (
        (counts.events, "event", "events"),
        (counts.turns, "turn", "turns"),
        (counts.draws, "draw", "draws"),
        (counts.voids, "voided draw", "voided draws"),
        (counts.rewinds, "rewind", "rewinds"),
        (counts.rerolls, "roll made again after a rewind", "rolls made again after a rewind"),
        (counts.overrides, "override", "overrides"),
        (counts.declared_dice, "declared die", "declared dice"),
        (counts.unopened, "unopened seal", "unopened seals"),
        (counts.unchecked, "unchecked turn", "unchecked turns"),
    )


def _join_first(texts: Sequence[str], most: int) -> str:
    rest = len(texts) - most
    return ", ".join(
        [*texts[:most], *([f"and {rest:,} more (--json has all)"] if rest > 0 else [])]
    )


def _describe_reroll(reroll: Reroll) -> str:
    """Describe an undone roll and the roll that repeated it, if any, with their values."""
    undone = f"{reroll.undone} ({_list_faces(reroll.undone_values)})"
    if reroll.next is UNSET:
        return f"{undone} → never"
    return f"{undone} → {reroll.next} ({_list_faces(reroll.next_values)})"


def _list_faces(values: Values | UnsetType) -> str:
    return "sealed" if values is UNSET else " ".join(str(face) for _, face in values)


def _describe_cosignature(witness: WitnessStatus) -> str:
    return (
        f"cosigned by {_witness_name(witness)} at size {witness.size:,}, {_format_time(witness.at)}"
    )


def _witness_name(witness: WitnessStatus) -> str:
    return parse_vkey(witness.vkey).name


def _format_time(seconds: int) -> str:
    """Format the time in UTC, or as a number of seconds if `datetime` cannot represent it."""
    try:
        return f"on {datetime.fromtimestamp(seconds, UTC):%Y-%m-%d at %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return f"at {seconds} seconds since 1970"


def describe_origin(origin: ForkOrigin) -> str:
    """Describe which session the log was forked from, and how much of that was checked."""
    text = f"a fork of version {origin.version} of session {origin.session}"
    if not origin.checked:
        return f"{text}: not checked; to check it, pass the parent's log with --parent"
    if not origin.table:
        return f"{text}: confirmed by the parent's log, but the tables could not be compared"
    return f"{text}: confirmed by the parent's log, including the inherited table"


def describe_warning(report: Report, warning: ReportWarning) -> str:
    """Describe a warning: its text, the number of occurrences, and related counts."""
    text, _ = WARNINGS[warning.code]
    if not warning.versions:
        missing = [_witness_name(witness) for witness in report.witnesses if not witness.size]
        if warning.code == "W_UNWITNESSED" and missing:
            return f"no checkpoint of this log is cosigned by {', '.join(missing)}, which you named"
        return text
    return "; ".join((f"{text}: {warning.count:,}", *_related_counts(report, warning.code)))


def _related_counts(report: Report, code: str) -> Iterator[str]:
    again = {reroll.next: reroll.declared for reroll in report.rerolls if reroll.next is not UNSET}
    declared = sum(again.values())
    match code:
        case "W_REROLL_AFTER_REWIND":
            drawn = len(again) - declared
            yield (
                f"later rolls that repeat them: {len(again):,}"
                f" ({drawn:,} drawn, {declared:,} with physical dice)"
            )
        case "W_DECLARED_DICE":
            after_voids = len({void.again for void in report.voids if void.declared})
            if declared:
                yield f"{declared:,} of them repeat an undone roll"
            if after_voids:
                yield f"{after_voids:,} of them follow a voided draw"
        case "W_VOID":
            missed = sorted(report.missed.items())
            yield "no answer from " + ", ".join(f"{seat} ({count:,})" for seat, count in missed)


TRUST = (
    "If all contributors to a draw cooperate, they can know its result in advance and so choose"
    " it. A host can play sessions and forks that it shows to no one and lists in no index. If a"
    " command needs no draw, only the server states which seat sent it. Code that the host serves"
    " could leak a seat's secret: run the client or the verifier yourself. The server can read"
    " what is sealed. If events were cut off after the last checkpoint that you stored, only a"
    " newer checkpoint shows it. Outsiders cannot tell real players from invented ones. A seat"
    " cannot be kept from giving up a draw; the log only shows that it did, and the result that"
    " the draw would have had."
)
"""What the reader must still take on trust; fairness.md explains it."""
