"""What cards lead to at most: in decisions of a game, or in things held during a turn (see length.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from targi_engine.entry import MOST, Entry
from targi_engine.goods import GOODS
from targi_engine.params import GET_KINDS

ROUNDS: Final = 12
DUNES_A_TURN: Final = 3
RAIDS: Final = 4
# Decisions that only lead up to something, by kind of effect: a cell, a border card, a row, `done`.
_ASKED_ONCE: Final = ("choose", "exchange", "reveal", "gain_centre_card", "free_border_card", "targia_now")
ASKED: Final[Mapping[str, int]] = {
    **dict.fromkeys(_ASKED_ONCE, 1),
    "arrange": 6,
    "play_hand_now": 2,
    "move_marker": 2,
    "to_display": 2,
}
# The same by name of border card.
ASKED_AT: Final[Mapping[str, int]] = {"noble": 2, "fata_morgana": 2, "silversmith": 1, "tribal_expansion": 1}
# What `gain_per` can count, twelve at most but for these; things held are a question of the scale.
COUNTED: Final[Mapping[str, int]] = {"full_rows": 3, "different_rows": 3}
HELD: Final = ("goods", "gold", "water")
_NO: Final = Fraction(0)

Cards = Mapping[str, Sequence[Entry]]


class Scale(NamedTuple):
    """How much each thing counts."""

    good: Fraction
    choice: Fraction  # a good of choice
    water: Fraction
    gold: Fraction
    decision: Fraction  # 0 where things held are counted
    visit: Fraction  # a visit to the Trader
    held: Fraction  # how much of one thing may be held: for `gain_per` of goods, gold or water


class Worth:
    """What the cards of a game count for in a scale, at most."""

    def __init__(self, cards: Cards, scale: Scale) -> None:
        self.cards = cards
        self.scale = scale
        self.face: Fraction = max(self._face(card) for card in cards["goods"])
        self.visits: tuple[Fraction, ...] = tuple(self._visit(card) for card in cards["border"])
        self.targia: Fraction = scale.decision + max(scale.choice, self.face)
        # Either player can use a dune once, both the same one with `join_opposing_dune`.
        self.users: int = 2 if has(cards, "join_opposing_dune") else 1
        self.dune_uses: int = self.users * sum(card.number("copies", 1, MOST) for card in cards["dunes"])

    def get(self, counts: Mapping[str, int]) -> Fraction:
        """A gain."""
        scale = self.scale
        goods = sum(counts.get(good, 0) for good in GOODS)
        chosen = counts.get("goods_of_choice", 0)
        water, gold = counts.get("water", 0), counts.get("gold", 0)
        return goods * scale.good + chosen * scale.choice + water * scale.water + gold * scale.gold

    def marker(self) -> Fraction:
        """The use of a marker: the best goods card, or a tribe card."""
        return max(self.face, self.scale.decision)

    def dune(self, card: Entry) -> Fraction:
        """One use of a dune."""
        return self._once(card.inner("effect"))

    def laying(self, card: Entry) -> Fraction:
        """The laying of a tribe card and what it brings once."""
        if not card.has("effect"):
            return self._laying(card)
        token = self.scale.decision if card.text("kind") == "token" else _NO
        return self._laying(card) + token + self._once(card.inner("effect"))

    def lasting(self, card: Entry, turns: int) -> Fraction:
        """What a tribe card brings in so many turns, as long as it lies in a display."""
        effect = card.inner("effect") if card.has("effect") else None
        if effect is None or effect.text("kind") not in _LASTING:
            return _NO
        return _LASTING[effect.text("kind")](self, effect, turns)

    def _laying(self, card: Entry) -> Fraction:
        """`hand`, `which` and `card`, then the choices of the payment, but for goods that are given."""
        costs = [cost.data for cost in card.listed("cost")]
        paid = max(sum(int(str(count)) for kind, count in cost.items() if kind != "water") for cost in costs)
        return (3 + (len(costs) > 1) + 1 + paid + card.has("optional")) * self.scale.decision

    def _once(self, effect: Entry) -> Fraction:
        kind = effect.text("kind")
        gain = _GAINS[kind](self, effect) if kind in _GAINS else _NO
        return gain + ASKED.get(kind, 0) * self.scale.decision

    def _face(self, card: Entry) -> Fraction:
        return self.get(card.counts("gives", GET_KINDS) if card.has("gives") else {"goods_of_choice": 1})

    def _visit(self, card: Entry) -> Fraction:
        """One use of a border card."""
        name = card.text("card")
        gain = _VISITS[name](self, card) if name in _VISITS else _NO
        return gain + ASKED_AT.get(name, 0) * self.scale.decision

    def bonuses(self, named: str) -> Fraction:
        """What own cards add to the use of a border card (`border_bonus`)."""
        found = (effect for effect in effects(self.cards, "border_bonus") if effect.text("card") == named)
        return sum((self.get(got(effect)) for effect in found), _NO)

    def gain_per(self, effect: Entry) -> Fraction:
        """A gain for every so many of something."""
        what = effect.text("what")
        counted = self.scale.held if what in HELD else Fraction(COUNTED.get(what, 12))
        return counted // effect.number("per", 1, MOST) * self.get(got(effect))


def got(effect: Entry) -> dict[str, int]:
    """What an effect gives."""
    return effect.counts("get", GET_KINDS, empty=True)


def effects(cards: Cards, kind: str) -> Iterator[Entry]:
    """The effects of a kind on tribe cards."""
    found = (card.inner("effect") for card in cards["tribe"] if card.has("effect"))
    return (effect for effect in found if effect.data["kind"] == kind)


def has(cards: Cards, kind: str) -> bool:
    """Whether a tribe card has an effect of a kind."""
    return any(True for _ in effects(cards, kind))


def _bonuses(cards: Cards) -> Iterator[dict[str, int]]:
    """What Nobles give for a discarded card."""
    found = (card for card in cards["border"] if card.has("discard_bonus"))
    return (card.counts("discard_bonus", GET_KINDS) for card in found)


def _well(worth: Worth, effect: Entry, turns: int) -> Fraction:
    """A good for a water, and one decision."""
    scale = worth.scale
    return turns * effect.number("times", 1, 1) * (scale.good - scale.water + scale.decision)


_GAINS: Final[Mapping[str, Callable[[Worth, Entry], Fraction]]] = {
    "gain": lambda worth, effect: worth.get(got(effect)),
    "gain_per": lambda worth, effect: worth.gain_per(effect),
    "choose": lambda worth, effect: max(3 * worth.scale.choice, worth.scale.gold),
    "reveal": lambda worth, effect: effect.number("keep", 0, 3) * worth.face,
    "gain_centre_card": lambda worth, effect: worth.face,
    "targia_now": lambda worth, effect: max(worth.scale.choice, worth.face),
    "free_border_card": lambda worth, effect: max(worth.visits) + worth.get(got(effect)),
}
_LASTING: Final[Mapping[str, Callable[[Worth, Entry, int], Fraction]]] = {
    "goods_card_bonus": lambda worth, effect, turns: turns * worth.scale.good,
    "no_goods_bonus": lambda worth, effect, turns: turns * worth.get(got(effect)),
    "dune_bonus": lambda worth, effect, turns: (
        min(DUNES_A_TURN * turns, worth.dune_uses) * worth.get(got(effect))
    ),
    "well": _well,
    "raid_discount": lambda worth, effect, turns: RAIDS * worth.scale.decision,
}
_VISITS: Final[Mapping[str, Callable[[Worth, Entry], Fraction]]] = {
    "goods": lambda worth, card: worth.scale.good + worth.bonuses(card.text("gives")),
    "water_hole": lambda worth, card: (
        worth.get(card.counts("gives", GET_KINDS)) + worth.bonuses("water_hole")
    ),
    # If there are several Nobles, the bonus of one may hold for all.
    "noble": lambda worth, card: max((worth.get(bonus) for bonus in _bonuses(worth.cards)), default=_NO),
    "caravan": lambda worth, card: worth.face,
    "trader": lambda worth, card: worth.scale.visit,
}
