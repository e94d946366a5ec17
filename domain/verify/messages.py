"""Texts for verification reports: verdicts, levels, failures, warnings and limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import UNSET, UnsetType

from domain.chance import Values
from domain.proof.signed_note import parse_vkey
from domain.session.descriptions import fill
from domain.session.rerolls import Reroll
from domain.session.state import HOUSE
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
from domain.verify.void_bias import significant

# Rolls and voided draws.


GRADE_LIMITS = {
    "B": (
        "grade B: only the server and the seat that requested the draw contributed to it. If"
        " the seat contributed random bytes, only the seat can tell whether they are its own, and"
        " the server could have had them early or let other rolls go first"
    ),
    "B or better": (
        "grade B or better. The exact grade depends on which seats were present,"
        " and only the complete log shows this"
    ),
    "C or better": (
        "grade C or better. Only the complete log shows whether the server committed to its secret"
        " bytes in the previous draw. No log shows when it received the recorded random bytes,"
        " or whether the seat that requested the draw sent them"
    ),
    "C": (
        "grade C: drawn by the server alone, which could have known or chosen the result. Only the"
        " complete log shows whether other seats should have contributed"
    ),
}
ROLL_CHECKED = (
    "checked: the checkpoint's signature, each event's inclusion in the signed log,"
    " and the openings, anchors and links"
)
ROLL_CHECKED_VALUES = f"{ROLL_CHECKED}, and the seed and values"
ROLL_UNCHECKED = (
    "not checked: whether the seat sent this command. Only the complete log can show whether a"
    " seat was left out, whether the server's chain was fixed 64 draws in advance, whether draw"
    " numbers and chain positions follow each other without a gap or repetition, whether a voided"
    " draw had reached its deadline, whether these events follow from the rules, and whether the"
    " roll was undone later"
)


def describe_void(void: VoidReport) -> str:
    """Describe a voided draw: who did not answer, and what the result would have been."""
    missing = ", ".join(void.missing)
    result = _describe_voided_result(void)
    text = (
        f"draw {void.k}, requested by {void.seat}, was voided: no answer recorded from {missing}."
        f" {result}"
    )
    if void.again is UNSET:
        return text
    how = ", with physical dice" if void.declared else ""
    return f"{text} The seat's next roll of this kind is at version {void.again}{how}."


def _describe_voided_result(void: VoidReport) -> str:
    if void.values is UNSET or void.told is UNSET:
        return (
            "Its result is unknown because a link, a secret draw's opening or the table is missing."
        )
    lines = " ".join(fill(line, {}) for line in void.told)
    return f"Its result would have been {_list_values(void.values)}: {lines}"


def _list_values(values: Values) -> str:
    return ", ".join(f"{face} (d{sides})" for sides, face in values)


def roll_verdict(roll: RollReport) -> str:
    if roll.failure:
        return f"INVALID at version {roll.failure.version}"
    return "VALID as far as a single roll can be checked"


def describe_roll(roll: RollReport) -> Iterator[str]:
    """Yield lines that describe a roll: its events, and what was and was not checked."""
    if roll.session:
        yield f"draw {roll.k} in session {roll.session}, log key {roll.log_key}"
    if roll.failure:
        return
    links = ", ".join(roll.contributors)
    yield f"requested by {roll.seat}; links asked from {links}; ended at version {roll.version}"
    yield from roll.told
    if roll.missing:
        yield f"voided: no answer recorded from {', '.join(roll.missing)}"
    else:
        yield (
            "values unknown: the roll is secret and has not been opened"
            if roll.values is UNSET
            else _list_values(roll.values)
        )
        yield GRADE_LIMITS[roll.grade]
    yield ROLL_CHECKED if roll.values is UNSET else ROLL_CHECKED_VALUES
    yield ROLL_UNCHECKED


# Levels, failures and warnings, by code.


LEVEL_CHECKS = {
    Level.BYTES: "every line is in canonical form, and every opening matches its commitment",
    Level.TREE: "every checkpoint has the correct root and a valid signature",
    Level.DRAWS: (
        "the links and signatures of every draw are correct, and so are the seed and values of"
        " every draw that is not sealed"
    ),
    Level.RULES: "replaying the commands produced exactly the recorded events",
    Level.VIEWS: "the table, the text and the counts could be computed for every event",
}
"""For each level, the text to print if the level passed for every event."""

FAILURES = {
    "E_FORMAT": "The data does not follow the log format.",
    "E_NONCANONICAL": "The content can be read, but its bytes are not in canonical form.",
    "E_VERSION": "An event was removed, repeated, moved or renumbered.",
    "E_SESSION": "An event, the manifest or a receipt belongs to a different session.",
    "E_TIME": "The times run backwards, or a draw was voided before its deadline.",
    "E_TURN": "The turns are out of order, or a draw is declared and ended in different turns.",
    "E_BODY": "An opening does not match its commitment. The content or the salt was changed.",
    "E_NOTE_FORMAT": "The checkpoint is malformed.",
    "E_KEY": "The key is malformed.",
    "E_UNSIGNED": "No checkpoint covers the events from this version on, so they are not signed.",
    "E_CHECKPOINT_SIG": (
        "The log's signature on the checkpoint is missing or invalid."
        " The checkpoint may have been changed after it was signed."
    ),
    "E_UNTRUSTED_LOG": "The log is signed, but not with the key that you trust.",
    "E_ROOT": "The events do not match the root in a checkpoint or in a fork's first event.",
    "E_INCLUSION": (
        "An event is not in the log, or an entry not in the index, that the checkpoint covers, or a"
        " proof is missing."
    ),
    "E_COSIG": "A cosignature by a witness that you trust is invalid.",
    "E_INCONSISTENT": (
        "The log does not extend a checkpoint that you stored. One of them belongs to another log."
    ),
    "E_TRUNCATED": (
        "The log has fewer events than it had before. Its end was cut off, or the file is older."
    ),
    "E_SPLIT_VIEW": (
        "Two checkpoints for the same log size have different roots, so two conflicting logs exist."
    ),
    "E_SIGNATURE": (
        "A signature by a seat or the server is missing or invalid. "
        "An invalid signature may be a forgery."
    ),
    "E_CHAIN": (
        "A link does not hash to the previous link, or a seat's chains are not numbered in order."
    ),
    "E_POSITION": "A position in a seat's chain was skipped or used twice.",
    "E_ANCHOR": (
        "A chain's anchor is missing, appears too late or was used before,"
        " or a seat uses another seat's key."
    ),
    "E_DRAW_INDEX": "The draws are not numbered consecutively. One was left out or counted twice.",
    "E_ORDER": (
        "A declaration is not followed by the result of its draw, the result contradicts a receipt,"
        " or an event opens a turn that is not sealed."
    ),
    "E_CONTRIBUTORS": (
        "The contributors to a draw are not exactly the seats that had to contribute."
    ),
    "E_BLIND": (
        "The blind of a secret draw is missing or does not match its commitment,"
        " so the values cannot be trusted."
    ),
    "E_FORK": (
        "A seat's signed contribution or statement names a different log, or a state of this log"
        " that is too old or too new."
    ),
    "E_VALUES": "The values do not follow from the seed. A result or the entropy was changed.",
    "E_OUTCOME": (
        "The recorded events, or the server's views of them, differ from what the rules produce."
    ),
    "E_ROLE": (
        "A seat's role does not allow a recorded command. In `fairlog sit`: the log shows a command"
        " of this seat that this program did not send (if another program of yours sent it, use"
        " --elsewhere), or does not show one that it sent."
    ),
    "E_LINEAGE": "A rewind or a fork is not allowed, or the parent's log does not record the fork.",
}

WARNINGS = {
    "W_VOID": (
        "voided draws for which the server recorded no answer from a seat in time",
        "check what result each draw would have had, and whether a seat often fails to answer;"
        " the server may have known the result",
    ),
    "W_VOID_BIAS": (
        "voided draws that would have had lower or higher results than chance usually gives, so"
        " someone may have known the results",
        "compare these voids with what was rolled afterwards, and ask the seats whether they"
        " answered in time",
    ),
    "W_COMPLAINT": (
        "voided draws to which a missing seat says that it contributed (its signed contribution is"
        " in the file of receipts)",
        "ask the other seats whether their answers arrived: the server may have refused this one,"
        " the connection may have been slow, or the seat may not have sent it",
    ),
    "W_HOUSE_ONLY": (
        "draws by the server alone, which could have known or chosen the results",
        "nothing in the log shows whether it did: use a client that sends and checks random bytes,"
        " or open sessions in which the seats draw together (docs/fairness.md, grade C)",
    ),
    "W_ENTROPY": (
        "draws by the server with random bytes that the log records for the requesting seat; if the"
        " server made them up, had them early or let other rolls go first, it could choose the"
        " values",
        "ask the players whether a program of their own checked the bytes (docs/fairness.md,"
        " Entropy), which the pages do not, compare checkpoints with theirs, and look at the rolls"
        " before",
    ),
    "W_CUSTODIAL": (
        "seats without a chain of their own, which contribute no links",
        "no action needed. Only the server's record shows which commands they sent, as for any seat"
        " that did not contribute a link to the draw",
    ),
    "W_ROLLOVER": (
        "next chains that a seat (in format 1, also the server) anchored without leaving",
        "usually the old chain was used up, or the seat moved to a new device: look at chains that"
        " were started just before a roll. In format 1, a new chain lets the server choose the next"
        " values",
    ),
    "W_REROLL_AFTER_REWIND": (
        "undone rolls that were made again for the same kind of command and the same entity"
        " (unopened secret rolls: by the same seat)",
        "read the reasons for the rewinds that undid them, and ask the GMs and players named there"
        " whether these rewinds were theirs",
    ),
    "W_OVERRIDE": ("values that the GM set by hand", "read the reasons recorded in these events"),
    "W_DECLARED_DICE": (
        "rolls of physical dice that were entered by hand and cannot be verified",
        "ask the players who saw the dice",
    ),
    "W_UNOPENED": (
        "secret turns or single events that were not opened; if these are draws, or if the file"
        " does not reveal them, they and everything that depends on them could not be checked",
        "ask the holders of the seats that may open them to do so, or ask for a log file with more"
        " openings",
    ),
    "W_REDACTED": (
        "events whose content is missing, because the log records them as redacted or because they"
        " are where a new seat's name belongs; nothing shows that they were narrations or names",
        "if you have a file from before the redaction, compare it with this one",
    ),
    "W_OPEN_END": (
        "draws that were still waiting for contributions at the end of the log",
        "wait until the draw has ended, and export the log again",
    ),
    "W_UNPINNED": (
        "the key was taken from the log itself, so anyone could have created this log",
        "use --key to pass the key that was announced when the session was opened",
    ),
    "W_UNWITNESSED": (
        "no witness's signature was checked, so the end of the log could be missing, or others"
        " could see a different log",
        "use --witness to name witnesses that you trust (they confirm only what was there when they"
        " signed: look at the size and time), or --checkpoint to pass checkpoints that you stored"
        " (not with --draw: check the complete log)",
    ),
    "W_RULES_MISSING": (
        "the log's ruleset is not installed, so the events were not checked against its rules or"
        " the session's (roles and presence, on which the grades depend)",
        "use a version of Fairlog that includes this ruleset",
    ),
    "W_EXTENSION": (
        "the log uses extensions that this version of Fairlog does not support, so draws, rules and"
        " views were not checked",
        "use a version of Fairlog that supports the extensions listed in session.Opened",
    ),
    "W_FORMAT_1": (
        "the log is in format 1, in which the server could choose the values that it drew alone,"
        " void draws early, and declare seats absent later than they intended or without their"
        " word, also for grade A",
        "if the session is new, ask the host why it does not have format 2, in which Fairlog opens"
        " new sessions (docs/fairness.md, Format 1)",
    ),
}
"""For each warning code, the warning's text and what the reader can do about it."""


# The report.


def verdict(report: Report) -> str:
    """Return a short verdict on the log, such as "VALID" or "INVALID at version 5"."""
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
    what = "commands replayed for" if decided else "tables, texts and counts computed for"
    done = f"{what} {part.done:,} of {part.of:,} {'turns' if decided else 'events'}"
    if not unchecked:
        return f"{done}; the others are sealed or redacted"
    if decided:
        reason = "are sealed or come after a sealed turn"
        return f"{done}; the others {reason}, starting at version {part.behind}"
    return f"{done}; tables from version {part.behind} on may be incomplete"


def _describe_grades(report: Report) -> Iterator[str]:
    if report.letters:
        yield "grades: " + ", ".join(
            f"{count:,} {letter}" for letter, count in report.letters.items()
        )
    if unopened := sum(graded.unopened for graded in report.grades):
        yield f"among these, secret rolls whose values are not opened or checked: {unopened:,}"
    if alone := sum(graded.alone for graded in report.grades):
        yield (
            f"grade B rolls with no recorded contributor other than the requesting seat: {alone:,}"
        )


def describe_counts(report: Report, most: int) -> Iterator[str]:
    """Yield lines that list the report's counts. Each list is cut off after `most` items."""
    yield ", ".join(
        f"{count:,} {one if count == 1 else many}"
        for count, one, many in _named_counts(report.counts)
        if count
    )
    if not report.failure:
        yield from _describe_grades(report)
    for void in report.voids[:most]:
        yield describe_void(void)
    if (left := len(report.voids) - most) > 0:
        yield f"and {left:,} more voided draw{'s' if left > 1 else ''} (use --json to list all)"
    if report.take_backs:
        yield "versions at which players took back moves: " + _join_first(
            [str(version) for version in report.take_backs], most
        )
    if report.unopened:
        yield "unopened seals, by seat: " + ", ".join(
            f"{seat} {count:,}" for seat, count in report.unopened.items()
        )
    if report.rerolls:
        yield "undone rolls and the rolls that repeated them, by version: " + _join_first(
            [_describe_reroll(each) for each in report.rerolls], most
        )
    yield from (_describe_cosignature(witness) for witness in report.witnesses if witness.size)
    if report.witnessed:
        yield _describe_witnessed(report)
    if report.origin and report.valid:
        yield describe_origin(report.origin)


def _named_counts(counts: LogCounts) -> tuple[tuple[int, str, str], ...]:
    """Return each count with its singular and plural noun."""
    return (
        (counts.events, "event", "events"),
        (counts.turns, "turn", "turns"),
        (counts.draws, "draw", "draws"),
        (counts.voids, "voided draw", "voided draws"),
        (counts.rewinds, "rewind", "rewinds"),
        (counts.rerolls, "roll repeated after a rewind", "rolls repeated after a rewind"),
        (counts.overrides, "override", "overrides"),
        (counts.declared_dice, "roll of physical dice", "rolls of physical dice"),
        (counts.unopened, "unopened seal", "unopened seals"),
        (counts.unchecked, "unchecked turn", "unchecked turns"),
    )


def _join_first(texts: Sequence[str], most: int) -> str:
    rest = len(texts) - most
    return ", ".join(
        [*texts[:most], *([f"and {rest:,} more (use --json to list all)"] if rest > 0 else [])]
    )


def _describe_reroll(reroll: Reroll) -> str:
    """Describe an undone roll and the roll that repeated it, if any, with their values."""
    undone = f"{reroll.undone} ({_list_faces(reroll.undone_values)})"
    if reroll.next is UNSET:
        is_sealed = reroll.undone_values is UNSET
        return f"{undone} → {'unknown while sealed' if is_sealed else 'no open roll repeats it'}"
    return f"{undone} → {reroll.next} ({_list_faces(reroll.next_values)})"


def _list_faces(values: Values | UnsetType) -> str:
    return "sealed" if values is UNSET else " ".join(str(face) for _, face in values)


def _describe_witnessed(report: Report) -> str:
    text = f"witnessed up to event {report.witnessed:,} of {report.counts.events:,}"
    if any(witness.by_index for witness in report.witnesses):
        text += " by an index, which may also contain checkpoints that contradict these"
    if report.witnessed < report.counts.events:
        text += "; later events may be missing or differ for others"
    return text


def _describe_cosignature(witness: WitnessStatus) -> str:
    name, time = _witness_name(witness), _format_time(witness.at)
    if witness.by_index:
        checkpoint = f"the checkpoint of size {witness.size:,}"
        return f"{name} cosigned an index that contains {checkpoint} {time}"
    return f"cosigned by {name} at size {witness.size:,} {time}"


def _witness_name(witness: WitnessStatus) -> str:
    return parse_vkey(witness.vkey).name


def _format_time(seconds: int) -> str:
    """Format a POSIX time in UTC, or as a number if `datetime` cannot represent it."""
    try:
        return f"on {datetime.fromtimestamp(seconds, UTC):%Y-%m-%d at %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return f"at {seconds} seconds since 1970-01-01 UTC"


def describe_origin(origin: ForkOrigin) -> str:
    """Describe which session the log was forked from, and how far this was checked."""
    text = f"forked from version {origin.version} of session {origin.session}"
    if not origin.checked:
        return f"{text}: not checked. To check this, pass the parent's log with --parent"
    if not origin.table:
        return f"{text}: the parent's file has this root, but the tables could not be compared"
    return f"{text}: agrees with the parent's file, whose key was not checked, and with its table"


def describe_warning(report: Report, warning: ReportWarning) -> str:
    """Describe a warning: its text, the number of occurrences, and related counts."""
    text, _ = WARNINGS[warning.code]
    if not warning.versions:
        missing = [_witness_name(witness) for witness in report.witnesses if not witness.size]
        if warning.code == "W_UNWITNESSED" and missing:
            return (
                f"no checkpoint for this log is cosigned by {' or '.join(missing)}"
                " (named with --witness)"
            )
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
                yield f"repeats of an undone roll: {declared:,}"
            if after_voids:
                yield f"rolls after a voided draw: {after_voids:,}"
        case "W_VOID_BIAS":
            for each in significant(report.biases):
                whose = "all seats" if each.seat == HOUSE else f"seat {each.seat}"
                yield (
                    f"voids of {whose}: {each.values:,} values, on average {each.mean:.0%} of the"
                    f" way from lowest to highest (chance: 50%, p = {each.p:.2g})"
                )
        case "W_VOID":
            missed = sorted(report.missed.items())
            yield "draws missed, by seat: " + ", ".join(
                f"{seat} {count:,}" for seat, count in missed
            )


TRUST = (
    "If all contributors to a draw collude, they can learn its result in advance, and even choose"
    " it. A server can run sessions and forks in secret, without listing them in its index. It can"
    " claim that any seat sent a command, unless that seat contributed a link to the command's draw"
    " and its client compares commands. Client or verifier code that the server delivers could leak"
    " or choose a seat's secrets, skip its checks and call any log valid, so install this software"
    " yourself. The server can read sealed events, and until a secret draw is opened, it can show"
    " any values to those who may see them. What happened before the first checkpoint that you or a"
    " witness stored could have been written at any time. The server can show different"
    " continuations to different players until they compare checkpoints. If events after the last"
    " checkpoint that you stored were cut off, only a newer checkpoint reveals this. The log does"
    " not show who holds a seat's key. Nothing forces a seat to contribute to a draw, or the server"
    " to accept the contribution. The log shows only that none was recorded, and what the result"
    " would have been if the missing links become known. If the server draws alone, it can know the"
    " result in advance, choose when to draw, try chains before it fixes one, and choose the"
    " results of secret draws. With random bytes from the seat that requests the draw, it knows the"
    " result only after it has received them, perhaps before the request, and it can let other"
    " rolls go first until it likes one. If it made the bytes up, or had them early, it could"
    " choose the result. Only that seat knows whether they are its own. A parent's log is checked"
    " only under the key that it names itself: verify its file alone with --key."
)
"""What verification cannot prove (see "What still has to be trusted" in docs/fairness.md)."""
