"""The figures of a session: pure functions of its tallies, without undone branches or with them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import median

from msgspec import UNSET

from domain.tally import Chance, Moved, Rolled, Settled, Ticked
from projections.tallies import PLAYED, Evening, Rewind, Tally, Turn

Figure = dict[str, object]
"""Plain JSON, its keys the room's own words."""

MINUTE = 60_000
DICE = ("drawn", "declared")
NONE = {"seen": 0, "expected": 0.0}


def figures(evening: Evening, *, undone: bool = False) -> Figure:
    """All of them, as of the version that the evening was counted at; `undone`: with what rewinds left behind."""
    kept = [tally for tally in evening.tallies if undone or not tally.undone]
    return {
        "version": evening.version,
        "faces": faces(kept),
        "results": {
            "seats": _each(kept, lambda tally: tally.seat, results),
            "entities": _each(kept, lambda tally: tally.of.entity, results),
        },
        "points": _each(kept, lambda tally: tally.of.entity, points),
        "conditions": _each(kept, lambda tally: tally.of.entity, conditions),
        "rewinds": rewinds(evening),
        "tempo": tempo(evening.turns),
    }


def faces(tallies: Sequence[Tally]) -> Figure:
    """Dice -> die or deck -> value -> how often it was seen, and how often chance would have shown it."""
    figure: Figure = {}
    for dice in DICE:
        rolled = _rolled(tallies, dice)
        sources = dict.fromkeys(roll.source for roll in rolled)
        figure[dice] = {source: _values([roll for roll in rolled if roll.source == source]) for source in sources}
    return figure


def results(tallies: Sequence[Tally]) -> Figure:
    """Use -> `outcomes`: how often settled, and rolled against chance; `changed`: rolled -> settled -> times."""
    settled = [tally.of for tally in tallies if isinstance(tally.of, Settled)]
    rolled = {dice: [roll for roll in _rolled(tallies, dice) if roll.outcome is not UNSET] for dice in DICE}
    uses = dict.fromkeys(roll.use for dice in DICE for roll in rolled[dice]) | dict.fromkeys(end.use for end in settled)
    return {
        use: _results(
            {dice: [roll for roll in rolled[dice] if roll.use == use] for dice in DICE},
            [end for end in settled if end.use == use],
        )
        for use in uses
    }


def points(tallies: Sequence[Tally]) -> Figure:
    """Pool -> why -> points gained, points lost (spent ones are lost), and how many times."""
    figure: dict[str, dict[str, dict[str, int]]] = {}
    for tally in tallies:
        match tally.of:
            case Moved(pool=pool, by=by, why=why):
                entry = figure.setdefault(pool, {}).setdefault(why, {"gained": 0, "lost": 0, "times": 0})
                entry["gained" if by > 0 else "lost"] += abs(by)
                entry["times"] += 1
    return {**figure}


def conditions(tallies: Sequence[Tally]) -> Figure:
    """Condition -> how often it began and ended, and the rounds that it lasted on after."""
    figure: dict[str, dict[str, int]] = {}
    left: dict[str, int] = {}
    for tally in tallies:
        match tally.of:
            case Ticked(condition=condition, rounds=rounds):
                entry = figure.setdefault(condition, {"begun": 0, "ended": 0, "rounds": 0})
                entry[_step(left.get(condition, 0), rounds)] += 1
                left[condition] = rounds
    return {**figure}


def rewinds(evening: Evening) -> Figure:
    """How many, what they undid, and every undone draw beside the same seat's next of its kind behind the rewind."""
    drawn = [(tally, tally.of) for tally in evening.tallies if tally.dice == "drawn" and isinstance(tally.of, Rolled)]
    kinds: dict[tuple[str, str, str], list[tuple[Tally, Rolled]]] = defaultdict(list)
    for tally, roll in drawn:
        kinds[_kind(tally, roll)].append((tally, roll))
    return {
        "count": len(evening.rewinds),
        "turns": sum(turn.undone for turn in evening.turns),
        "draws": [
            _redrawn(tally, roll, kinds[_kind(tally, roll)], evening.rewinds) for tally, roll in drawn if tally.undone
        ],
    }


def tempo(turns: Sequence[Turn]) -> Figure:
    """Of the room's turns, the undone ones with them, for they took their time too."""
    played = [turn for turn in turns if turn.kind == PLAYED]
    gaps = [(after.at - before.at) / MINUTE for before, after in pairwise(played)]
    seats = Counter(turn.seat for turn in played)
    return {
        "turns": len(played),
        "minutes": round(sum(gaps), 3),
        "minutes_per_turn": round(median(gaps), 3) if gaps else 0.0,
        "seats": {seat: {"turns": number, "share": round(number / len(played), 4)} for seat, number in seats.items()},
    }


def _each(tallies: Sequence[Tally], key: Callable[[Tally], str], figure: Callable[[Sequence[Tally]], Figure]) -> Figure:
    """The figure of each group; groups that have none are left out."""
    groups: dict[str, list[Tally]] = defaultdict(list)
    for tally in tallies:
        groups[key(tally)].append(tally)
    each = {name: figure(group) for name, group in groups.items()}
    return {name: found for name, found in each.items() if found}


def _rolled(tallies: Iterable[Tally], dice: str) -> list[Rolled]:
    return [tally.of for tally in tallies if tally.dice == dice and isinstance(tally.of, Rolled)]


def _values(rolled: Sequence[Rolled]) -> Figure:
    return _against(Counter(roll.value for roll in rolled), [roll.chances for roll in rolled])


def _results(rolled: Mapping[str, Sequence[Rolled]], settled: Sequence[Settled]) -> Figure:
    by_dice = {
        dice: _against(Counter(str(roll.outcome) for roll in rolls), [roll.outcomes for roll in rolls])
        for dice, rolls in rolled.items()
    }
    ends = Counter(end.outcome for end in settled)
    outcomes = dict.fromkeys((*by_dice["drawn"], *by_dice["declared"], *ends))
    return {
        "outcomes": {
            outcome: {"settled": ends[outcome]} | {dice: by_dice[dice].get(outcome, NONE) for dice in DICE}
            for outcome in outcomes
        },
        "changed": _changed(settled),
    }


def _changed(settled: Sequence[Settled]) -> dict[str, dict[str, int]]:
    figure: dict[str, dict[str, int]] = {}
    for end in settled:
        if end.rolled is not UNSET:
            row = figure.setdefault(end.rolled, {})
            row[end.outcome] = row.get(end.outcome, 0) + 1
    return figure


def _against(seen: Counter[str], chances: Iterable[Mapping[str, Chance]]) -> Figure:
    """Each value seen against the sum of its chances, which is exact before it is rounded for JSON."""
    expected = _summed(chances)
    return {
        value: {"seen": seen[value], "expected": round(float(expected.get(value, 0)), 6)}
        for value in dict.fromkeys((*expected, *seen))
    }


def _summed(chances: Iterable[Mapping[str, Chance]]) -> dict[str, Fraction]:
    alike = Counter(tuple(each.items()) for each in chances)  # a long evening has few different ones
    total: dict[str, Fraction] = {}
    for each, times in alike.items():
        for value, (numerator, denominator) in each:
            total[value] = total.get(value, Fraction()) + Fraction(numerator * times, denominator)
    return total


def _step(left: int, rounds: int) -> str:
    """What a tick says, beside the rounds that were left before it."""
    if rounds == 0:
        return "ended"
    return "begun" if rounds >= left else "rounds"


def _kind(tally: Tally, roll: Rolled) -> tuple[str, str, str]:
    return tally.seat, roll.use, roll.source


def _redrawn(
    tally: Tally, roll: Rolled, alike: Sequence[tuple[Tally, Rolled]], all_rewinds: Sequence[Rewind]
) -> Figure:
    left = next(rewind.version for rewind in all_rewinds if rewind.to < tally.version < rewind.version)
    nth = bisect_right(alike, left, key=lambda each: each[0].version)
    draw = _draw(tally, roll) | {"seat": tally.seat, "entity": roll.entity, "source": roll.source, "use": roll.use}
    return draw | {"rewind": left} | ({"next": _draw(*alike[nth])} if nth < len(alike) else {})


def _draw(tally: Tally, roll: Rolled) -> Figure:
    figure: Figure = {"version": tally.version, "value": roll.value}
    return figure if roll.outcome is UNSET else figure | {"outcome": roll.outcome}
