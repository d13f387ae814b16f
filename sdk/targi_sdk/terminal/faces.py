"""Cards in words for a player: what a card costs, does, and is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from targi_engine import Ruleset, house_border, house_cards
from targi_engine.entry import Entry
from targi_engine.meanings import symbol_words, value_words
from targi_engine.provenance import MARK

from targi_sdk.cards.sheet import cost_words, effect_words, extra_words, face_words

__all__ = ["Faces", "faces_of"]

Face = Mapping[str, Any]  # a card as JSON: the engine has checked its fields


class Faces:
    """The cards of a ruleset by the names that observations give them."""

    def __init__(self, rules: Ruleset) -> None:
        self._cards = {card.text("id"): card for card in (*rules.cards["tribe"], *rules.cards["dunes"])}
        names = [rules.catalog.names[number] for number in rules.catalog.goods]
        self._goods = dict(zip(names, rules.cards["goods"], strict=True))
        self._border = dict(enumerate(rules.cards["border"], 1))
        self._house = house_cards(rules)
        self._house_border = house_border(rules)

    def mark(self, name: str) -> str:
        """The name of a card, marked if it is a house card."""
        return name + MARK * (name in self._house)

    def face(self, name: str) -> Face | None:
        """The face of a tribe card or dune; None for other names, such as that of a displayed dune."""
        return self._cards[name].data if name in self._cards else None

    def short(self, name: str) -> str:
        """A card with its victory points and cost, where it has them."""
        face = self.face(name)
        if face is None or "cost" not in face:
            return self.mark(name)
        return f"{self.mark(name)} ({face['vp']} VP, {cost_words(face)})"

    def border(self, number: int) -> str:
        """A border card in a word or two, marked if it is a house card."""
        face: Face = self._border[number].data
        gives = face.get("gives")
        words = value_words(gives) if gives else symbol_words(face["card"])
        return words + MARK * (number in self._house_border)

    def demand(self, number: int) -> str:
        """What the raid on a corner asks."""
        return value_words(self._border[number].data["demand"])

    def explain(self, name: str) -> str | None:
        """A card by id, or a border card by number, in a sentence or two; None if there is no such card."""
        if name.isdecimal() and int(name) in self._border:
            return self._explain_border(int(name))
        dune, _, symbol = name.partition(":")
        card = self._cards.get(dune)
        if card is None:
            return self._explain_goods(name)
        if symbol:
            return f"{self.mark(name)}: a dune in the display, counts as a {symbol_words(symbol)} card"
        return f"{self.mark(name)}: {_tribe(card) if 'symbol' in card.data else _dune(card)}"

    def _explain_goods(self, name: str) -> str | None:
        if name not in self._goods:
            return None
        card = self._goods[name]
        gives = card.data.get("gives") or card.data["choose_one_of"]
        return f"{self.mark(name)}: goods card, take {value_words(gives)} ({face_words(card)})"

    def _explain_border(self, number: int) -> str:
        face: Face = self._border[number].data
        words = BORDER_WORDS[face["card"]](face)
        return f"{number}, {symbol_words(face['card'])}{MARK * (number in self._house_border)}: {words}"


@lru_cache(maxsize=8)
def faces_of(rules: Ruleset) -> Faces:
    """The faces of a ruleset, made once."""
    return Faces(rules)


def _tribe(card: Entry) -> str:
    face: Face = card.data
    parts = [f"{symbol_words(face['symbol'])}, {face['vp']} VP, costs {cost_words(face)}"]
    parts += [f"extra: {extra_words(face)}"] if extra_words(face) else []
    parts += [effect_words(face) or "no effect"]
    return f"{'; '.join(parts)} ({face_words(card)})"


def _dune(card: Entry) -> str:
    return f"dune, {effect_words(card.data)} ({face_words(card)})"


def _with_bonus(face: Face) -> str:
    bonus = face.get("discard_bonus")
    more = f" and take {value_words(bonus)}" if bonus else ""
    return f"play the hand card for its cost, or discard it{more}"


def _reach(face: Face) -> str:
    reach = face.get("reach")
    return f"move a marker of yours to {'an ' + reach if reach else 'a'} face-up card without a marker"


def _reject(face: Face) -> str:
    cost = face.get("reject_cost")
    more = f"; or pay {value_words(cost)} for the next one" if cost else ""
    return f"turn up a tribe card: play it, take it into the hand, or discard it{more}"


BORDER_WORDS: Mapping[str, Callable[[Face], str]] = {
    "noble": _with_bonus,
    "goods": lambda face: f"take 1 of {face['gives']}",
    "raid": lambda face: f"when the Robber comes by, both players pay {value_words(face['demand'])}",
    "trader": lambda face: f"{value_words(face['rates'])}, again and again",
    "fata_morgana": _reach,
    "silversmith": lambda face: f"one exchange: {value_words(face['rates'])}",
    "caravan": lambda face: "turn up a goods card and take what it gives",
    "tribal_expansion": _reject,
    "water_hole": lambda face: f"take {value_words(face['gives'])}",
}
"""Name of a border card to what a visit does."""
