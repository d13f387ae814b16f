"""No game has more than 4,000 decisions: how many a game with some cards can have at most.

The bound adds up what each card can lead to (see worth.py). It is never too low, and well above real games:

- There are 72 placements. A border card is used by one Targi a round, a dune by one in all (by two with
  `join_opposing_dune`); what leads to most counts.
- There are 48 markers; each takes the best goods card.
- A display has twelve places and each tribe card is laid once, so the 24 that lead to most count.
- A good of choice is asked for once. A good that is held leads to one more decision when it is given or
  exchanged, to two where the Targia's `redraw` takes it. Two water make a good, or two `reject`s.
- With `trade` of times `any` a visit to the Trader has as many exchanges as goods can be held then (B4.3):
  what a player can have in every turn, and in one turn also what comes once.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from targi_engine.entry import MOST, Entry
from targi_engine.errors import CardFileError
from targi_engine.goods import GOLD_LIMIT, GOODS_LIMIT, WATER_LIMIT
from targi_engine.worth import HELD, ROUNDS, Cards, Scale, Worth, effects, got, has

MOST_DECISIONS: Final = 4_000

PLACEMENTS: Final = 6  # of both players in a round
MARKERS: Final = 4
TURNS: Final = 2
TARGIS: Final = 3
DISPLAY: Final = 12
RAIDS: Final = 8  # of both players
RAID_ASKS: Final = 2  # how to pay, and which card
START: Final = {"dates": 4, "salt": 4, "pepper": 4, "water": 4}  # of both players, with easy_start
NAMED: Final = 3  # cards that a refusal names

_NO: Final = Fraction(0)
_ONE: Final = Fraction(1)
# Everything that is held; and goods alone, for which water counts half.
_HELD: Final = Scale(_ONE, _ONE, _ONE, _ONE, _NO, _NO, _NO)
_GOODS: Final = Scale(_ONE, _ONE, Fraction(1, 2), _NO, _NO, _NO, _NO)


def check_length(name: str, cards: Cards, files: str) -> None:
    """Raise CardFileError if a game of a ruleset with these cards could have too many decisions."""
    decisions, most = longest(name, cards)
    if decisions > MOST_DECISIONS:
        named = ", ".join(f"{card.where} ({_number(worth)})" for worth, card in most[:NAMED])
        raise CardFileError(
            f"{files}: a game of {name} could have {_number(decisions)} decisions; allowed: "
            f"{MOST_DECISIONS:,}. Most may come from {named}: give less there"
        )


def longest(name: str, cards: Cards) -> tuple[Fraction, list[tuple[Fraction, Entry]]]:
    """How many decisions a game can have at most, and the cards by what they lead to, the most first."""
    expanded = name != "base"
    lasting, once = _worths(expanded, cards)
    tribe = _sorted((once.laying(card) + lasting.lasting(card, ROUNDS), card) for card in cards["tribe"])
    border = [(ROUNDS * visit, card) for visit, card in zip(lasting.visits, cards["border"], strict=True)]
    dunes = [(_uses(once, card) * once.dune(card), card) for card in cards["dunes"]]
    fixed = ROUNDS * (2 * PLACEMENTS + MARKERS + TURNS) + RAIDS * RAID_ASKS
    placed = [(visit, ROUNDS) for visit in lasting.visits]
    placed += [(once.dune(card), _uses(once, card)) for card in cards["dunes"]]
    targia = ROUNDS * TURNS * _targia_uses(expanded, cards) * (1 + lasting.targia)
    laid = sum((each for each, _ in tribe[: 2 * DISPLAY]), _NO)
    total = fixed + ROUNDS * MARKERS * lasting.marker() + _best(placed, ROUNDS * PLACEMENTS)
    return total + targia + laid + once.get(START), _sorted([*tribe, *border, *dunes])


def _best(uses: Iterable[tuple[Fraction, int]], left: int) -> Fraction:
    """What so many uses lead to at most; each can be had so many times."""
    total = _NO
    for each, times in sorted(uses, reverse=True):
        total += min(times, left) * each
        left -= min(times, left)
    return total


def _uses(worth: Worth, dune: Entry) -> int:
    return worth.users * dune.number("copies", 1, MOST)


def _worths(expanded: bool, cards: Cards) -> tuple[Worth, Worth]:
    """Things in decisions: those of every turn, and those that come once.

    What is held is exchanged one for one at every visit to the Trader. What comes every turn counts with
    the visit; what comes once counts for the visits of one turn.
    """
    held = _held_in_a_turn(expanded, cards)
    visits = _visits_in_a_turn(cards)
    good = Fraction(2) if expanded or has(cards, "targia_now") else _ONE
    usual = _in_every_turn(expanded, cards, Worth(cards, _GOODS)) if visits else Fraction(2)
    scale = Scale(good, good + 1, (good + 1) / 2, _NO, _ONE, usual, held)
    once = scale._replace(good=good + visits, choice=good + 1 + visits, water=(good + 1 + visits) / 2)
    return Worth(cards, scale), Worth(cards, once)


def _visits_in_a_turn(cards: Cards) -> int:
    """How often in a turn a player can exchange one for one, as often as wished."""
    if not any(effect.text("times") == "any" for effect in effects(cards, "trade")):
        return 0
    free = any(dune.inner("effect").text("kind") == "free_border_card" for dune in cards["dunes"])
    traders = sum(card.text("card") == "trader" for card in cards["border"])
    tokens = sum(1 for _ in effects(cards, "free_border_card"))
    return (TARGIS if free else min(TARGIS, traders)) + min(tokens, DISPLAY)


def _held_in_a_turn(expanded: bool, cards: Cards) -> Fraction:
    """How many goods, gold and water together a player can hold in a turn."""
    worth = Worth(cards, _HELD)
    dunes = _best([(worth.dune(card), _uses(worth, card)) for card in cards["dunes"]], TARGIS)
    laid = _best([(worth.laying(card), 1) for card in cards["tribe"]], DISPLAY)
    held = _in_every_turn(expanded, cards, worth) + dunes + laid
    factors = [
        1 + Fraction(sum(got(effect).values()), effect.number("per", 1, MOST))
        for effect in effects(cards, "gain_per")
        if effect.text("what") in HELD
    ]
    for factor in sorted(factors, reverse=True)[:DISPLAY]:
        held *= factor
    return held


def _in_every_turn(expanded: bool, cards: Cards, worth: Worth) -> Fraction:
    """What a player can hold in any turn: what was kept, and what Targis, markers and lasting cards bring."""
    goods, water = _limit(cards, "goods", GOODS_LIMIT), _limit(cards, "water", WATER_LIMIT)
    kept = worth.get({"dates": goods, "water": water, "gold": GOLD_LIMIT})
    visits = _best([(visit, 1) for visit in worth.visits], TARGIS)
    targia = _targia_uses(expanded, cards) * worth.targia
    lasting = _best([(worth.lasting(card, 1), 1) for card in cards["tribe"]], DISPLAY)
    return kept + visits + 2 * worth.face + targia + lasting


def _limit(cards: Cards, of: str, usual: int) -> int:
    limits = (effect for effect in effects(cards, "limit") if effect.text("of") == of)
    return max((effect.number("amount", 2, 30) for effect in limits), default=usual)


def _targia_uses(expanded: bool, cards: Cards) -> int:
    """How often a player can use the Targia in a turn."""
    return (2 if has(cards, "targia_both") else 1) if expanded else 0


def _sorted(rows: Iterable[tuple[Fraction, Entry]]) -> list[tuple[Fraction, Entry]]:
    return sorted(rows, key=lambda row: row[0], reverse=True)


def _number(decisions: Fraction) -> str:
    return f"{int(decisions):,}"
