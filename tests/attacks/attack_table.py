"""The attacks on the fairness of a session, and what becomes of each.

`python -m tests.attacks.attack_table` runs every row and prints the table. An attack is prevented, or
detected (by the code that is named), or something that docs/fairness.md says has to be trusted. The
evidence of a row is a log that both verifiers must refuse, a test that tries it, or that sentence.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from tests.domain.verify.test_tamper import FAULTS

ROOT = Path(__file__).parents[2]
FAIRNESS = "docs/fairness.md"
CLIENT = "tests/client/test_attacks.py"
GIVES = f"{CLIENT}::test_before_it_gives_it_checks"
HELD = f"{CLIENT}::test_what_was_drawn_is_held_against_what_it_gave"
SERVER = "tests/attacks/test_server_draws.py"
TABLE_DRAWS = "tests/domain/verify/test_table_draws.py"
Outcome = Literal["prevented", "detected", "trusted"]


class Log(NamedTuple):
    """A log that the attacker bent, by its name in the tamper table."""

    what: str


class Case(NamedTuple):
    """A test that tries the attack, by its pytest id."""

    node: str


class Said(NamedTuple):
    """A part of a sentence in docs/fairness.md."""

    words: str


class Attack(NamedTuple):
    """`by` is the code or the means by which it is detected or prevented."""

    who: str
    what: str
    outcome: Outcome
    by: str
    evidence: tuple[Log | Case | Said, ...]


ATTACKS: tuple[Attack, ...] = (
    Attack("host", "choose a roll by a next chain made to measure", "detected", "E_ANCHOR", (
        Log("format 2: the next chain of the server used at once"),
        Log("format 2: a next chain of the server with 63 positions left"),
        Case(f"{SERVER}::test_in_format_2_the_same_server_is_found_out"),
    )),
    Attack("host", "choose a roll by a chain made before its entropy is known", "prevented", "entropy", (
        Case(f"{SERVER}::test_with_entropy_a_ground_chain_gives_nothing[200]"),
    )),
    Attack("host", "try other entropy, or both links of two draws", "prevented", "draw number, E_VALUES", (
        Case(f"{SERVER}::test_a_server_cannot_try_both_links_of_two_draws"),
        Case(f"{CLIENT}::test_entropy_that_is_not_what_it_sent"),
        Case(f"{CLIENT}::test_entropy_is_the_same_for_one_draw_whatever_the_server_answers"),
    )),
    Attack("host", "choose the hidden part of a secret roll after its entropy is known", "detected", "E_BLIND, grade C", (
        Log("format 2: a blind that the server did not commit to"),
        Case(f"{SERVER}::test_a_server_that_chooses_the_blind_of_a_secret_draw_is_found_out"),
        Case(f"{SERVER}::test_without_commitments_to_blinds_the_report_says_that_the_server_could_choose"),
    )),
    Attack("host", "choose the hidden part of a secret roll after bytes that a client sent early", "prevented", "at the seat's client", (
        Case(f"{CLIENT}::test_no_entropy_leaves_before_the_draw_before_it_has_ended_under_a_checkpoint"),
    )),
    Attack("host", "fix its first chain after the first bytes have arrived", "prevented", "at the seat's client", (
        Case(f"{CLIENT}::test_no_entropy_leaves_before_the_server_has_a_chain"),
    )),
    Attack("host", "choose among sealed anchors of its next chain, with a client that restarts", "detected", "E_FORMAT, E_ANCHOR", (
        Log("format 2: an event of the server without its opening"),
        Log("format 2: a chain of the server recorded by another seat"),
        Case(f"{CLIENT}::test_an_event_of_the_server_that_is_sealed"),
    )),
    Attack("host and seat", "choose among sealed anchors of that seat's chain", "detected", "E_CHAIN, E_ANCHOR at the other seats' clients", (
        Case(f"{CLIENT}::test_another_link_of_a_contributor_is_noticed_after_a_restart"),
        Case("tests/browser/test_shared_draws.py::test_after_a_reload_the_links_of_others_are_those_to_which_it_contributed"),
        Case(HELD),
        Said("The log alone shows only that events before the first link of the chain have no opening"),
    )),
    Attack("host", "record other dice than the rules ask for, after a turn that is still sealed", "trusted", "", (
        Said("a server that knows the seed can choose the number of sides and of values"),
    )),
    Attack("host", "drop or change a command for the GM's eyes alone", "trusted", "", (
        Said("it does not notice one that the server drops, changes or records with physical dice"),
    )),
    Attack("host", "open a session in format 1", "trusted", "W_FORMAT_1", (
        Said("The server chooses the format when it opens a session"),
    )),
    Attack("host", "leave out the commitments to the hidden parts of secret rolls", "prevented", "at the seat's client, grade C", (
        Case(f"{CLIENT}::test_no_secret_roll_without_a_commitment_to_its_blind"),
    )),
    Attack("host", "record a roll that its seat can see as physical dice", "detected", "E_ROLE at the seat's client, W_DECLARED_DICE", (
        Case(f"{CLIENT}::test_a_roll_that_the_server_records_as_physical_dice"),
    )),
    Attack("host", "record physical dice under another name", "detected", "E_ROLE at the seat's client", (
        Case(f"{CLIENT}::test_dice_that_the_server_records_under_another_name"),
    )),
    Attack("host", "make up bytes for a seat that sent none", "trusted", "W_ENTROPY", (
        Said("a server could make them up after it has tried which of them give the value"),
    )),
    Attack("host", "contribute with a seat of its own, or not, after it has the bytes", "trusted", "", (
        Said("also by letting a seat of its own contribute or not"),
    )),
    Attack("host", "undo a roll in a GM's name", "detected", "the list of undone rolls, W_REROLL_AFTER_REWIND", (
        Case("tests/domain/verify/test_verify.py::test_undone_rolls_are_counted_by_themselves_and_their_repeats_apart"),
    )),
    Attack("host", "refuse a roll, so that another roll of its seat uses its value up", "trusted", "", (
        Said("by refusing the command, so that another roll of the asker uses the value up"),
    )),
    Attack("host", "have an index cosigned that contradicts itself", "trusted", "", (
        Said("an entry that contradicts them is found only by reading the whole index"),
    )),
    Attack("host", "show an old index with its old cosignature", "trusted", "", (
        Said("with an old one, it can show the index as it was then"),
    )),
    Attack("seat", "complain of a void although it sent nothing", "trusted", "", (
        Said("It shows what the seat signed, but not whether or when it sent it"),
    )),
    Attack("host", "the same with a client that sends its bytes early", "trusted", "", (
        Said("The log does not show when the server received the bytes"),
    )),
    Attack("host", "show a command to its seat and record other bytes", "detected", "E_ROLE at the seat's client", (
        Case(f"{CLIENT}::test_a_command_that_the_server_shows_in_its_response_only"),
        Case(f"{CLIENT}::test_a_command_whose_event_no_checkpoint_covers"),
        Case(f"{CLIENT}::test_a_command_that_the_server_shows_as_another_seats_secret"),
    )),
    Attack("host", "put a roll of another seat of its own before a roll", "trusted", "", (
        Said("record a roll before yours, in the name of a seat that it controls"),
    )),
    Attack("host", "know a roll that it draws alone", "trusted", "grade C, W_HOUSE_ONLY", (
        Said("it could know a value before it is drawn"),
    )),
    Attack("host", "bend a roll to which an honest seat gave", "detected", "E_VALUES, E_CHAIN, E_SIGNATURE", (
        Log("at the table: a value bent"),
        Log("at the table: a link that the host made up"),
        Log("at the table: a contribution that its seat did not sign"),
        Case(f"{HELD}[other values]"),
        Case(f"{HELD}[another's link replaced]"),
    )),
    Attack("host", "leave a seat out of a draw", "detected", "E_CONTRIBUTORS", (
        Log("at the table: a giver left out, and the draw made without it"),
        Case(f"{GIVES}[left out while present]"),
    )),
    Attack("host and asker", "choose a roll to which no one else gave", "trusted", "grade B", (
        Said("The contributors together could choose the values"),
    )),
    Attack("host", "record a signed absence of last week before the roll that counts", "detected", "E_FORK", (
        Log("format 2: an absence seen before the last draw"),
        Log("format 2: a refused absence recorded after a draw"),
    )),
    Attack("host", "say that a seat is absent after a false void", "detected", "not grade A, E_TIME, E_SIGNATURE", (
        Log("format 2: a void at once"),
        Log("at the table: a seat said to be absent, without a void before"),
        Said("for A, a seat with a key is missing only by its own word"),
    )),
    Attack("host", "show a request as another seat's, so that the seat signs it", "detected", "E_BODY, E_ROOT", (
        Case(f"{GIVES}[another asker]"),
        Case(f"{GIVES}[another asker with its leaf]"),
        Case(f"{GIVES}[another turn with its leaf]"),
    )),
    Attack("host, network", "swallow a contribution, with receipts by a key of its own", "detected", "E_ROOT", (
        Case(f"{CLIENT}::test_a_key_of_the_house_that_is_not_in_the_log"),
        Case(f"{CLIENT}::test_a_receipt_that_the_house_did_not_sign"),
    )),
    Attack("host", "run another secret command than was asked", "detected", "E_ROLE", (
        Case(f"{CLIENT}::test_a_secret_command_that_it_never_sent"),
    )),
    Attack("host", "put a command in a seat's mouth", "detected", "E_ROLE at the seat's client", (
        Case(f"{CLIENT}::test_a_command_in_its_name_that_it_never_sent"),
    )),
    Attack("host", "the same without a draw, for those who do not run that client", "trusted", "", (
        Said("The log does not prove which seat asked"),
    )),
    Attack("host", "give up draws whose results it does not like", "detected", "W_VOID, W_VOID_BIAS", (
        Case(f"{TABLE_DRAWS}::test_twenty_voids_are_twenty_warnings_with_what_they_would_have_been"),
        Case("tests/domain/verify/test_void_bias.py::test_a_server_that_gives_up_low_draws_is_warned_of"),
        Said("Giving up a draw cannot be prevented"),
    )),
    Attack("host", "say that an answer came too late", "detected", "E_TIME, W_COMPLAINT, E_ORDER by receipt", (
        Log("format 2: a void a millisecond before the deadline"),
        Log("at the table: a void of a seat that holds a receipt"),
        Case("tests/domain/verify/test_receipts.py::test_a_void_that_the_missing_seat_disputes"),
    )),
    Attack("host", "rewrite the log from some point on, and sign it again", "detected", "E_INCONSISTENT, E_SPLIT_VIEW", (
        Log("at the table: the same with a checkpoint kept"),
        Log("at the table: two roots of one size"),
        Case(f"{CLIENT}::test_another_log_after_a_restart"),
        Said("cannot be detected without a newer one"),
    )),
    Attack("host", "show two logs", "detected", "E_FORK, E_SPLIT_VIEW, a witness", (
        Log("at the table: the same request in another log"),
        Case(f"{CLIENT}::test_two_logs_of_one_size_both_signed"),
        Case("tests/service/store/test_witness.py::test_a_split_view_is_caught"),
    )),
    Attack("host", "go back to an older log", "detected", "E_TRUNCATED", (
        Case(f"{CLIENT}::test_a_truncated_log"),
        Case(f"{CLIENT}::test_a_log_that_is_shorter_after_a_restart"),
    )),
    Attack("host", "show events that are not in the log", "detected", "E_BODY, E_ROOT", (
        Case(f"{GIVES}[another command]"),
        Case(f"{GIVES}[another command with its leaf]"),
        Case(f"{CLIENT}::test_a_fork_that_the_log_signed"),
    )),
    Attack("host", "play many sessions and show one", "trusted", "the index, if the server keeps it", (
        Case("tests/service/http/test_index.py::test_opening_forking_and_closing_are_entered_in_their_order"),
        Said("A host can play sessions and forks that it shows to no one"),
    )),
    Attack("host", "vary salts, times or the order of contributors until the value fits", "prevented", "none is in the seed", (
        Case(f"{TABLE_DRAWS}::test_grinding_the_request_changes_no_seed"),
    )),
    Attack("host", "hide events by taking away their openings", "detected", "W_UNOPENED, E_ORDER", (
        Log("a declaration hidden before its draw"),
        Log("a draw hidden"),
        Said("An event that lost its opening cannot be told from a secret one"),
    )),
    Attack("host", "use an old log key that was stolen", "detected", "E_UNTRUSTED_LOG", (
        Case(f"{CLIENT}::test_a_key_that_was_followed_is_not_trusted_again"),
    )),
    Attack("player", "wait for the links of the others before giving one's own", "prevented", "no link is shown before the end", (
        Case("tests/service/http/test_draws.py::test_nobody_learns_a_link_before_the_draw"),
    )),
    Attack("player", "give another link, position, chain, root or seat's link", "prevented", "refusals", (
        Case("tests/service/http/test_giving.py::test_what_is_not_the_seats_to_give_is_refused"),
        Case("tests/service/http/test_giving.py::test_the_link_of_another_seat_is_not_taken"),
        Case("tests/service/http/test_giving.py::test_a_link_for_another_request_is_signed_wrong"),
    )),
    Attack("player", "leave, rewind, fork or change chains while a draw waits", "prevented", "draw-waits, E_ORDER", (
        Case("tests/service/http/test_giving.py::test_the_table_stands_still_while_a_draw_waits"),
        Log("at the table: a next chain while a draw waits"),
    )),
    Attack("player", "not answer, again and again", "detected", "W_VOID by seat", (
        Case(f"{TABLE_DRAWS}::test_twenty_voids_are_twenty_warnings_with_what_they_would_have_been"),
    )),
    Attack("player, GM", "hide what a draw that was given up would have been", "detected", "E_CHAIN", (
        Log("format 2: a next chain without the link that is owed"),
        Log("format 2: a seat comes back without the link that it owes"),
    )),
    Attack("player", "bring no chain, so that no draw has grade A", "trusted", "the grade", (
        Said("A player or GM who is there but did not contribute, for want of a chain or of links, rules A out"),
    )),
    Attack("player", "keep another seat from rolling with its entropy, by rolling before it", "trusted", "the rolls are in the log", (
        Said("A seat that rolls all the time can"),
    )),
    Attack("GM", "set a value by hand, or type dice in", "detected", "W_OVERRIDE, W_DECLARED_DICE", (
        Case("tests/golden/test_golden.py"),
    )),
    Attack("GM", "open the good secrets only", "detected", "W_UNOPENED by seat", (
        Case("tests/golden/test_golden.py"),
        Said("Nothing shows whether a secret that was never opened was what its asker claims"),
    )),
    Attack("GM", "rewind and roll again", "detected", "W_REROLL_AFTER_REWIND", (
        Case("tests/domain/session/test_rerolls.py"),
    )),
    Attack("network", "lose a link", "detected", "W_VOID; it knows no result", (
        Case("tests/service/http/test_voids.py::test_a_draw_whose_time_is_over_is_given_up_by_whoever_comes"),
    )),
    Attack("network", "read and change what goes over plain http", "trusted", "the warnings of sit and of the pages", (
        Case("tests/service/platform/test_addresses.py"),
        Case("tests/client/test_seat.py::test_sit_warns_of_plain_http_to_another_machine"),
    )),
)  # fmt: skip


def bent(what: str) -> str:
    """The code that a bent log is refused with."""
    [row] = [each for each in FAULTS if each.what == what]
    failure = verify(row.bent(), ed25519, row.known()).failure
    assert failure is not None, what
    assert (failure.level, failure.code, failure.version) == (row.level, row.code, row.version)
    return failure.code


def said(words: str) -> bool:
    return words in " ".join((ROOT / FAIRNESS).read_text().split())


def cases(attacks: Sequence[Attack] = ATTACKS) -> list[str]:
    found = (each.node for attack in attacks for each in attack.evidence if isinstance(each, Case))
    return list(dict.fromkeys(found))


def rows(attacks: Sequence[Attack] = ATTACKS) -> Iterator[str]:
    """Yield a line of the table for each attack, after its logs and sentences were checked."""
    for attack in attacks:
        for each in attack.evidence:
            if isinstance(each, Log):
                assert bent(each.what) in attack.by, (attack.what, each.what, bent(each.what))
            elif isinstance(each, Said):
                assert said(each.words), each.words
        yield f"| {attack.who} | {attack.what} | {attack.outcome} | {attack.by or FAIRNESS} |"


def main() -> int:
    for line in ("| who | attack | outcome | by |", "|---|---|---|---|", *rows()):
        print(line)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *cases()],
        cwd=ROOT,
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
