"""What effects do, in words: one sentence a kind of effect, with its parameters filled in.

The same table explains a card to a player and the kinds of effect to whoever writes a card file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from targi_engine.goods import KINDS

# The field whose value decides between the sentences of a kind: they stand at "kind:value".
DECIDED_BY: Final[Mapping[str, str]] = {
    "arrange": "moves",
    "discount": "on",
    "end_if": "test",
    "exchange": "optional",
    "gain_centre_card": "leaves",
    "limit": "of",
    "play_hand_now": "optional",
    "trade": "times",
}

MEANINGS: Final[Mapping[str, str]] = {
    "gain": "take {get}",
    "gain_per": "take {get} for {per} of {what}, counted once this card is paid and laid",
    "choose": "take one of these: {options}",
    "exchange:true": "exchange {offers}, {times} at most; stop whenever you like",
    "exchange:false": "exchange {offers}, {times} at most; go on as long as you can pay",
    "reveal": "turn up {cards} goods cards, take what {keep} of them give, and discard them all",
    "gain_centre_card:true": "take what a face-up goods card without a marker gives, and replace the card",
    "gain_centre_card:false": "take what a face-up goods card without a marker gives; the card stays",
    "arrange:true": "as many as two display cards may move elsewhere, without leaving gaps",
    "arrange:false": "two display cards may change places",
    "play_hand_now:true": "a hand card may be played without the Noble, goods in its cost less {goods_less}",
    "play_hand_now:false": "play a hand card without the Noble, goods in its cost less {goods_less}",
    "targia_now": "use one of the Targia's two options",
    "free_border_card": "use a border card without a Targi (no raid, not the Robber's), then take {get}",
    "move_marker": "move a marker of yours to any face-up centre card without one",
    "to_display": "pay {pay} and lay it into the display, worth {vp} VP, with a symbol of your choice",
    "opponent_targis": "the opponent places only {targis} Targis in the next round",
    "discount:symbol": "{symbol} cards laid after it cost {goods} of their goods less",
    "discount:noble": "cards played through the Noble cost {goods} of their goods less",
    "discount:good": "tribe cards cost {goods} less of this good: {good}",
    "goods_card_bonus": "once a round, when a goods card gives {good}, take {amount} more of it",
    "no_goods_bonus": "after a turn of a round in which no goods card gave you a good, take {get}",
    "border_bonus": "using a border card of this kind ({card}) also gives {get}",
    "dune_bonus": "after each use of a dune take {get}",
    "trade:any": "the Trader also exchanges one good for another one",
    "trade:first": "the first exchange of a visit to the Trader may be one good for another one",
    "well": "{times} in each of your turns pay {pay} for a good of your choice",
    "play_hand": "the hand card may be played without the Noble, for {extra_goods} more goods",
    "stored_gold": "{gold} gold lies on it and pays for one later tribe card",
    "limit:goods": "{amount} goods may be kept",
    "limit:water": "{amount} water may be kept",
    "limit:hand": "{amount} cards may be held in the hand",
    "place_on_robber": "your Targis may stand on the Robber's card",
    "place_facing_opponent": "place a Targi facing an opposing one",
    "join_opposing_dune": "your Targis may stand on a dune with an opposing one",
    "targia_both": "the Targia gives you both options, once each",
    "pay_any_goods": "pay the goods of a cost in any goods, as many as printed",
    "pay_gold_with_water": "pay {water} water for each gold of a cost",
    "raid_bonus": "{vp} VP after each raid that you pay",
    "raid_immunity": "raids ask nothing of you",
    "raid_discount": "raids that ask goods ask {goods} less of you",
    "end_per": "{vp} VP for {per} of {what}",
    "end_if:more_cards": "{vp} VP with more display cards than the opponent",
    "end_if:last_of_full_row": "{vp} VP if this is the fourth card of a row",
    "end_if:cards_at_least": "{vp} VP with {count} display cards or more",
    "end_if:all_symbols": "{vp} VP with all five symbols in the display",
    "different_rows": "as many as {rows} rows of four different symbols score {vp} VP each",
}

# When an effect happens, by kind of card.
WHEN: Final[Mapping[str, str]] = {
    "plain": "no effect",
    "immediate": "when laid",
    "dune": "when used",
    "token": "once, later",
    "stored": "from laying on",
    "end": "at the end",
    "permanent": "always",
}

COUNTED_WORDS: Final[Mapping[str, str]] = {
    "cards": "your display cards",
    "free_cells": "the free places of your display",
    "full_rows": "your full rows",
    "different_rows": "your rows of four different symbols",
    "cards_of_vp:1": "your display cards that print 1 VP",
    "kind:permanent": "your display cards of kind permanent",
    "goods": "the goods you hold",
    "gold": "the gold you hold",
    "water": "the water you hold",
}

_TIMES: Final[Mapping[int, str]] = {1: "once", 2: "twice"}

# Kinds of things to their words for one and for several.
_COUNT_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    **{kind: (kind, kind) for kind in KINDS},
    "dates": ("date", "dates"),
    "vp": ("VP", "VP"),
    "goods_of_choice": ("good of your choice", "goods of your choice"),
    "any_goods": ("good of any kind", "goods of any kind"),
    "goods": ("good", "goods"),
    "equal_goods": ("good", "equal goods"),
    "rightmost_tribe_card": ("last tribe card of a row", "last tribe cards of a row"),
}


def sentence_of(effect: Mapping[str, object]) -> str:
    """The key of an effect's sentence in `MEANINGS`."""
    kind = str(effect["kind"])
    if kind not in DECIDED_BY:
        return kind
    return f"{kind}:{str(effect[DECIDED_BY[kind]]).lower()}"


def explain(kind: str, effect: Mapping[str, object] | None) -> str:
    """What a card of some kind does with its effect, for example "at the end: 1 VP for every 2 of ..."."""
    if effect is None:
        return WHEN[kind]
    words = {field: _field_words(field, value) for field, value in effect.items()}
    return f"{WHEN[kind]}: {MEANINGS[sentence_of(effect)].format(**words)}"


def value_words(value: object) -> str:
    """The value of a parameter in words."""
    if isinstance(value, Mapping):
        return _exchange_words(value) if "get" in value else counts_words(value)
    if isinstance(value, list):
        return " or ".join(value_words(one) for one in value)
    if isinstance(value, str) and value.startswith("symbol:"):
        return f"your {symbol_words(value.removeprefix('symbol:'))} cards"
    return COUNTED_WORDS.get(str(value), symbol_words(str(value)))


def _field_words(field: str, value: object) -> str:
    """The value of a parameter as its place in a sentence wants it."""
    if field == "per":
        return "each" if value == 1 else f"every {value}"
    if field == "times" and isinstance(value, int):
        return _TIMES.get(value, f"{value} times")
    return value_words(value)


def counts_words(counts: Mapping[str, object]) -> str:
    """Counts by kind, for example "1 date + 2 salt"."""
    parts = [
        f"{counts[kind]} {words[counts[kind] != 1]}" for kind, words in _COUNT_WORDS.items() if kind in counts
    ]
    return " + ".join(parts) or "nothing"


def symbol_words(symbol: str) -> str:
    """A symbol, or another word of a card file, as it is spoken: "camel rider"."""
    return symbol.replace("_", " ")


def _exchange_words(offer: Mapping[str, Mapping[str, object]]) -> str:
    paid = offer["pay"] if "pay" in offer else offer["give"]
    return f"{counts_words(paid)} for {counts_words(offer['get'])}"
