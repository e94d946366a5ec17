"""One row or more for every refusal: its slug, what came before, who asks, and the command."""

from __future__ import annotations

from domain.decider import By
from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import DeckName, Number, Options, Pile, TiedCards
from tests.domain.rulesets.deckahedron.people import (
    AUDITOR,
    EASY,
    EVEN,
    GM,
    HOUSE,
    P1,
    P2,
    SPECTATOR,
    STANDARD,
    S,
    gone,
    hand,
    hard,
    out,
    ranks,
    tried,
)

OPEN = [tried()]
SET = [tried(), hard()]
DOWN = [tried(), hard(), hand("D07")]
LONG = [m.TurnOpened("ana")]
CROWD = [m.CharacterCreated(f"c{nth}", "One of many", f"q{nth}", EVEN) for nth in range(62)]
R = "for a reason"

REFUSALS: list[tuple[object, ...]] = [
    # slug, beside the table, who, when
    ("entity-exists", [], By("p3", P1.role), m.CreateCharacter("ana", "Another Ana")),
    ("entity-exists", [], GM, m.CreateCharacter("ana", "Another Ana", "p3")),
    ("entity-exists", [out()], P1, m.CreateCharacter("ana", "Ana again")),
    ("one-character", [], P1, m.CreateCharacter("cleo", "Cleo")),
    ("one-character", [], GM, m.CreateCharacter("cleo", "Cleo", "p2")),
    ("character-needs-a-seat", [], GM, m.CreateCharacter("cleo", "Cleo")),
    ("not-yours", [], P1, m.CreateCharacter("cleo", "Cleo", "p3")),
    ("too-many-entities", CROWD, By("p3", P1.role), m.CreateCharacter("cleo", "Cleo")),
    ("too-many-entities", [*CROWD, out()], P1, m.CreateCharacter("cleo", "Cleo")),
    ("no-such-entity", [], P1, m.Attempt("anna", "knock")),
    ("no-such-entity", [], GM, m.SetDifficulty("anna", S, STANDARD)),
    ("retired", [out()], P1, m.Attempt("ana", "knock from below")),
    ("retired", [out()], P1, m.Retire("ana", "twice")),
    ("retired", [out()], P1, m.Reshuffle("ana")),
    ("retired", [out()], GM, m.SetDifficulty("ana", S, STANDARD)),
    ("retired", [out()], GM, m.AdjustRanks("ana", R)),
    ("not-yours", [], P2, m.Attempt("ana", "trip")),
    ("not-yours", [], GM, m.Reshuffle("ana")),
    ("not-yours", DOWN, GM, m.Choose("ana", 7)),
    ("rank-without-edge", [], P1, m.DistributeRanks("ana", 5, 1, 0)),
    ("rank-without-edge", [], GM, m.AdjustRanks("ana", R, strength=5)),
    ("ranks-not-six", [], P1, m.DistributeRanks("ana", 4, 2, 1)),
    ("ranks-not-six", [], GM, m.AdjustRanks("ana", R, strength=3)),
    ("ranks-distributed", [ranks(3, 2, 1)], P1, m.DistributeRanks("ana", 1, 2, 3)),
    ("nothing-said", [], P1, m.Introduce("ana")),
    ("attempt-open", OPEN, P1, m.Attempt("ana", "lift it again")),
    ("attempt-open", [hard()], P1, m.Attempt("ana", "do something else")),
    ("attempt-open", DOWN, P1, m.Attempt("ana", "lift it again")),
    ("attempt-open", OPEN, P1, m.DistributeRanks("ana", 4, 1, 1)),
    ("attempt-open", OPEN, GM, m.AdjustRanks("ana", R)),
    ("attempt-open", OPEN, GM, m.MoveCard("ana", 1, Pile.DISCARD, R)),
    ("attempt-open", SET, P1, m.Reshuffle("ana")),
    ("attempt-open", DOWN, P1, m.Reshuffle("ana")),
    ("attempt-open", OPEN, P1, m.FlipNumber("ana", Number.D4)),
    ("attempt-open", [*LONG, *DOWN], P1, m.EndTurn("ana")),
    ("attempt-open", OPEN, P1, m.Retire("ana", "in the middle")),
    ("no-attempt-open", [], P1, m.Flip("ana")),
    ("no-attempt-open", [], P1, m.Withdraw("ana")),
    ("no-attempt-open", [], P1, m.Choose("ana", 1)),
    ("no-attempt-open", [], GM, m.TellOutcome("ana", "It opens.")),
    ("no-attempt-open", [], GM, m.Interpret("ana", "It opens.")),
    ("no-attempt-open", OPEN, P2, m.Flip("ben")),
    ("difficulty-not-set", OPEN, P1, m.Flip("ana")),
    ("already-flipped", DOWN, P1, m.Flip("ana")),
    ("already-flipped", DOWN, GM, m.SetDifficulty("ana", S, EASY)),
    ("already-flipped", DOWN, P1, m.Withdraw("ana")),
    ("already-flipped", DOWN, GM, m.TellOutcome("ana", "Never mind the card.")),
    ("not-flipped", OPEN, GM, m.Interpret("ana", "It opens.")),
    ("not-flipped", SET, GM, m.Interpret("ana", "It opens.")),
    ("not-flipped", SET, P1, m.Choose("ana", 1)),
    ("first-card-resolves", DOWN, P1, m.Choose("ana", 7)),
    ("turn-open", LONG, GM, m.OpenTurn("ana")),
    ("no-turn-open", [], P1, m.EndTurn("ana")),
    ("card-already-there", [], GM, m.MoveCard("ana", 7, Pile.DECK, R)),
    ("card-already-there", [gone("D07")], GM, m.MoveCard("ana", 7, Pile.DISCARD, R)),
    ("gm-only", OPEN, P1, m.SetDifficulty("ana", S, EASY)),
    ("gm-only", [], P1, m.SetDifficulty("ana", S, EASY)),
    ("not-playing", [], SPECTATOR, m.Reshuffle("ana")),
    ("not-playing", [], AUDITOR, m.Flip("ana")),
    ("not-playing", [], HOUSE, m.Interpret("ana", "Dark.")),
    (
        "card-not-tied",
        [tried(), hard(EASY), hand("D07", "D08", "D09", difficulty=EASY)],
        P1,
        m.Choose("ana", 8),
        Options(tied_cards=TiedCards.PLAYER),
    ),
    ("card-not-tied", DOWN, P1, m.Choose("ana", 8), Options(tied_cards=TiedCards.PLAYER)),
    ("deck-without-numbers", [], P1, m.FlipNumber("ana", Number.D4), Options(deck=DeckName.P)),
    ("deck-without-numbers", [], P1, m.FlipNumber("ana", Number.CURVE), Options(deck=DeckName.P)),
]
