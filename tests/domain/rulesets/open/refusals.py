"""One row or more for every refusal: its slug, what came before, who asks, and the command."""

from __future__ import annotations

from domain.rulesets.open import messages as m, rules
from domain.rulesets.open.rules import Being
from tests.domain.rulesets.open.people import (
    AUDITOR,
    GM,
    HOUSE,
    P1,
    P2,
    SPECTATOR,
    drawn,
    in_order,
    turn,
)

GONE = [m.Removed("ana")]
IN_TURN = [*in_order(ana=12, orc=3), turn("ana")]
CROWD = [m.CharacterCreated(f"n{nth}", "N", Being.NPC, "gm") for nth in range(rules.MAX_CHARACTERS)]
NUMBERS = [m.NumberSet("ana", f"n{nth}", 1) for nth in range(rules.MAX_NUMBERS)]
BARS = [m.BarSet("ana", f"b{nth}", 1, 1) for nth in range(rules.MAX_BARS)]
CONDITIONS = [m.ConditionSet("ana", f"c{nth}") for nth in range(rules.MAX_CONDITIONS)]
ROLLS = [m.RollSaved("ana", f"r{nth}", "1d6") for nth in range(rules.MAX_SAVED_ROLLS)]
DECKS = [m.DeckCreated(f"d{nth}", "D", ("Ace",)) for nth in range(rules.MAX_DECKS)]
DOOM = m.CounterSet("doom", 2)
PRONE = m.ConditionSet("ana", "prone", 3, note="tripped")
COUNTERS = [m.CounterSet(f"c{nth}", 1) for nth in range(rules.MAX_COUNTERS)]

REFUSALS: list[tuple[object, ...]] = [
    # slug, beside the table, who, when
    ("id-taken", [], P1, m.CreateCharacter("ben", "Another Ben")),
    ("id-taken", [], GM, m.CreateCharacter("small", "Small")),
    ("id-taken", GONE, P1, m.CreateCharacter("ana", "Ana again")),
    ("id-taken", [], GM, m.CreateDeck("small", "Small", ("Ace",))),
    ("id-taken", [], GM, m.CreateDeck("ana", "Ana's deck", ("Ace",))),
    ("no-such-entity", [], P1, m.Roll("anna", "1d20")),
    ("no-such-entity", [], GM, m.SetBar("anna", "HP", 1, 1)),
    ("no-such-entity", [], GM, m.DrawCards("small", 1, "anna")),
    ("not-yours", [], P1, m.CreateCharacter("cleo", "Cleo", "p2")),
    ("not-yours", [], P1, m.SetNumber("ben", "gold", 0)),
    ("not-yours", [], P2, m.Roll("ana", name="stealth")),
    ("not-yours", [], P1, m.DrawCards("small", 1, "ben")),
    ("not-yours", GONE, P2, m.Roll("ana", "1d20")),
    ("not-yours", IN_TURN, P2, m.NextTurn()),
    ("removed", GONE, P1, m.Roll("ana", "1d20")),
    ("removed", GONE, GM, m.Remove("ana")),
    ("too-many-characters", CROWD, GM, m.CreateCharacter("one-more", "One more")),
    ("bad-notation", [], P1, m.Roll("ana", "2d")),
    ("bad-notation", [], P1, m.Roll(notation="stealth")),
    ("bad-notation", [], P1, m.Roll(notation="201d6")),
    ("bad-notation", [], P1, m.SaveRoll("ana", "bow", "1d20+")),
    ("bad-notation", [], P1, m.RollInitiative("ana", "1d1")),
    ("no-notation", [], P1, m.Roll("ana")),
    ("no-notation", [], GM, m.Roll(aim="Jump")),
    ("whose-roll", [], P1, m.Roll(name="stealth")),
    ("no-such-roll", [], P1, m.Roll("ana", name="stealthy")),
    ("no-such-roll", [], P2, m.Roll("ben", name="stealth")),
    ("too-many-rolls", ROLLS, P1, m.SaveRoll("ana", "one more", "1d6")),
    ("number-too-large", [], P1, m.AddToNumber("ana", "strength", 999_999, "a wish")),
    (
        "number-too-large",
        [m.NumberSet("ana", "strength", -5)],
        GM,
        m.AddToNumber("ana", "strength", -999_999, "a curse"),
    ),
    ("number-too-large", [DOOM], GM, m.AddToCounter("doom", 999_999)),
    (
        "number-too-large",
        [m.NumberSet("ana", "gold", 999_999)],
        P1,
        m.AddToNumber("ana", "gold", 1, "a coin"),
    ),
    ("too-many-numbers", NUMBERS, P1, m.SetNumber("ana", "one more", 1)),
    ("too-many-numbers", NUMBERS, P1, m.AddToNumber("ana", "one more", 1, "a gift")),
    ("over-max", [], P1, m.SetBar("ana", "HP", 13, 12)),
    ("no-such-bar", [], P1, m.ChangeBar("ana", "H P", -1)),
    ("too-many-bars", BARS, P1, m.SetBar("ana", "one more", 1, 1)),
    ("one-duration", [], P1, m.SetCondition("ana", "prone", 1, 10)),
    ("no-such-condition", [], P1, m.EndCondition("ana", "prone")),
    (
        "no-such-condition",
        [m.ConditionSet("ana", "prone"), m.ConditionEnded("ana", "prone")],
        P1,
        m.EndCondition("ana", "prone"),
    ),
    ("too-many-conditions", CONDITIONS, P1, m.SetCondition("ana", "one more")),
    ("gm-only", [], P1, m.EndRound()),
    ("gm-only", [], P1, m.PassMinutes(1)),
    ("gm-only", IN_TURN, P1, m.EndInitiative()),
    ("gm-only", [], P1, m.CreateDeck("tricks", "Tricks", ("Ace",))),
    ("gm-only", [], P1, m.SetCounter("doom", 0)),
    ("gm-only", [], P1, m.AddToCounter("doom", 1)),
    ("initiative-runs", IN_TURN, GM, m.EndRound()),
    ("no-initiative", [], GM, m.NextTurn()),
    ("no-initiative", [], GM, m.EndInitiative()),
    ("no-initiative", [*IN_TURN, m.InitiativeEnded()], P1, m.NextTurn()),
    ("no-such-deck", [], P1, m.DrawCards("large", 1)),
    ("no-such-deck", [], GM, m.Discard("large", ("Ace",))),
    ("no-such-deck", [], GM, m.ReturnCards("large", ("Ace",))),
    ("no-such-deck", [], P1, m.Shuffle("large")),
    ("too-many-decks", DECKS, GM, m.CreateDeck("one-more", "One more", ("Ace",))),
    ("too-few-cards", [], P1, m.DrawCards("small", 6)),
    ("too-few-cards", [drawn(0, 1, 2)], P1, m.DrawCards("small", 3)),
    ("card-not-in-play", [], GM, m.Discard("small", ("Ace",))),
    ("card-not-in-play", [drawn(0)], P1, m.Discard("small", ("Ace", "Ace"))),
    ("card-not-in-play", [drawn(0)], P1, m.ReturnCards("small", ("Two",))),
    ("not-your-card", [drawn(0)], P2, m.Discard("small", ("Ace",))),
    ("not-your-card", [drawn(0), drawn(1, seat="p2")], P2, m.ReturnCards("small", ("Ace", "Ace"))),
    ("too-many-counters", COUNTERS, GM, m.SetCounter("one more", 1)),
    ("too-many-counters", COUNTERS, GM, m.AddToCounter("one more", 1)),
    ("blank-text", [], P1, m.CreateCharacter("cleo", "   ")),
    ("blank-text", [], P1, m.SetNumber("ana", " ", 1)),
    ("blank-text", [], P1, m.AddToNumber("ana", "gold", 1, " ")),
    ("blank-text", [], P1, m.SetCondition("ana", "prone", note="  ")),
    ("blank-text", [], P1, m.Roll("ana", "1d20", aim=" ")),
    ("blank-text", [], P1, m.RollInitiative("ana", "1d20", " ")),
    ("blank-text", [], P1, m.DrawCards("small", 1, aim=" ")),
    ("blank-text", [], P1, m.SetCondition("ana", " ")),
    ("blank-text", [], P1, m.EndCondition("ana", " ")),
    ("blank-text", [], P1, m.Roll("ana", " ")),
    ("blank-text", [], GM, m.CreateDeck("large", "Large", ("Ace", " "))),
    ("blank-text", [], P1, m.Note("A letter", "\n\t")),
    ("nothing-changes", [], P1, m.SetNumber("ana", "strength", 3)),
    ("nothing-changes", [], P1, m.SetNumber("ana", " Strength", 3)),
    ("nothing-changes", [], GM, m.AddToNumber("ana", "strength", 0, "a wish")),
    ("nothing-changes", [], GM, m.AddToNumber("ana", "gold", 0, "a wish")),
    ("nothing-changes", [], P1, m.SetBar("ana", "HP", 7, 12)),
    ("nothing-changes", [], P1, m.ChangeBar("ana", "HP", 0)),
    ("nothing-changes", [PRONE], P1, m.SetCondition("ana", "Prone", 3, note="tripped")),
    ("nothing-changes", [], P1, m.SaveRoll("ana", "stealth", "1d20+7")),
    ("nothing-changes", [DOOM], GM, m.SetCounter("doom", 2)),
    ("nothing-changes", [DOOM], GM, m.AddToCounter("doom", 0)),
    ("not-playing", [], SPECTATOR, m.Roll(notation="1d20")),
    ("not-playing", [], AUDITOR, m.Note("A", "b")),
    ("not-playing", [], HOUSE, m.NextTurn()),
]
