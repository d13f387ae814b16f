"""What can come up in games of a ruleset: decisions, actions and the rest that coverage.py counts.

A decision or action that not every game has is made possible by a word: a kind of effect on a tribe card or
dune, a border card, or another one of `_words`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from targi_engine.actions import ACTIONS
from targi_engine.entry import Entry
from targi_engine.frames import DECISIONS
from targi_engine.goods import GOODS, KINDS, SYMBOLS
from targi_engine.ruleset import Ruleset

EXPANDED: Final = "expansion"
GIVES: Final = ("get", "gives", "discard_bonus")
TARGIA: Final = (EXPANDED, "targia_now")
MODIFIES: Final = ("pay_any_goods", "pay_gold_with_water")
AT_ACT: Final = ("gain", "move_marker", "free_border_card")
POINTS: Final = ("discount", "play_hand_now", "raid_discount")

_PAIRS: Final = tuple((give, get) for give in GOODS for get in GOODS if give != get)
_ARRANGED: Final = tuple(f"x{cell}" for cell in range(1, 13))
_Table = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]

# What one of some words makes possible; what is not here, every ruleset has.
DECISIONS_OF: Final[_Table] = (
    (("trader",), ("trade",)),
    (("silversmith",), ("silver",)),
    (("fata_morgana", "move_marker"), ("marker",)),
    (("gain_centre_card",), ("cell",)),
    (("free_border_card",), ("border",)),
    (("limit hand",), ("which",)),
    (("two costs",), ("cost",)),
    (MODIFIES, ("modify",)),
    (POINTS, ("save",)),
    (("stored_gold",), ("gold",)),
    (("optional",), ("optional",)),
    (("choose",), ("bonus",)),
    (("arrange",), ("arrange",)),
    (TARGIA, ("targia", "draw")),
    (("leave1",), ("leave",)),
    (("exchange",), ("water",)),
    (("to_display",), ("symbol",)),
)
ACTIONS_OF: Final[_Table] = (
    ((EXPANDED,), ("@d1", "@d2", "@d3", "d1", "d2", "d3", "targia")),
    (("play_hand",), ("hand",)),
    (("reject_cost",), ("reject",)),
    (("water",), tuple(f"water>{kind}" for kind in KINDS[:4])),
    (("well",), tuple(f"well>{good}" for good in GOODS)),
    *(((f"token {kind}",), (f"t:{kind}",)) for kind in AT_ACT),
    (("trader",), tuple(f"3{good}>gold" for good in GOODS)),
    (("trader",), tuple(f"2{give}>{get}" for give, get in _PAIRS)),
    (("trade",), tuple(f"1{give}>{get}" for give, get in _PAIRS)),
    (("equal_goods",), tuple(name for good in GOODS for name in (f"2{good}>vp", f"4{good}>3vp"))),
    (("any_goods",), ("2any>vp", "4any>3vp")),
    (("silversmith",), ("gold>2vp", "2gold>4vp")),
    (("limit hand",), ("h1", "h2")),
    (("two costs",), ("cost1", "cost2")),
    (MODIFIES, ("pay:as-printed",)),
    (MODIFIES[:1], ("pay:any-goods",)),
    (MODIFIES[1:], ("pay:water-gold",)),
    (POINTS, tuple(f"~{good}" for good in GOODS)),
    (("stored_gold",), ("from:card", "from:purse")),
    (("optional",), ("extra", "plain")),
    (("choose",), ("get:3goods", "get:gold", "get:vp")),
    (("arrange",), _ARRANGED),
    (TARGIA, ("targia:take", "targia:draw", "keep", "redraw")),
    (("to_display",), tuple(f"sym:{symbol}" for symbol in SYMBOLS)),
    *(((name,), (name,)) for name in ("pay:goods", "pay:gold", "pay:vp", "pay:card")),
    *(((name,), (name,)) for name in ("leave1", "leave2", "leave3")),
    *(((name,), (name,)) for name in ("2water>2vp", "4water>4vp", "2water>vp")),
)
DECISION_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    name: words for words, names in DECISIONS_OF for name in names
}
ACTION_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    name: words for words, names in ACTIONS_OF for name in names
}


def possible(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Group and name of all that can come up under a ruleset, but for its endings."""
    words = frozenset(_words(rules))
    yield from (("decision", name) for name in dict.fromkeys(DECISIONS) if _met(DECISION_NEEDS, name, words))
    yield from (("action", name) for name in ACTIONS if _met(ACTION_NEEDS, name, words))
    yield from (("border", name) for name in sorted(_border(rules) - {"raid"}))
    yield from (("laid", kind) for kind in sorted(_kinds(rules.cards["tribe"])))
    used = {kind.removeprefix("token ") for kind in words if kind.startswith("token ")}
    yield from (("used", kind) for kind in sorted(used | _kinds(rules.cards["dunes"])))


def _met(needs: Mapping[str, tuple[str, ...]], name: str, words: frozenset[str]) -> bool:
    return name not in needs or any(word in words for word in needs[name])


def _words(rules: Ruleset) -> Iterator[str]:
    """What makes decisions and actions possible under a ruleset."""
    yield from _border(rules)
    yield from _kinds(rules.cards["tribe"]) | _kinds(rules.cards["dunes"])
    if rules.expanded:
        yield EXPANDED
    if rules.expanded or any(_brings_water(card.data) for cards in rules.cards.values() for card in cards):
        yield "water"
    for card in rules.cards["tribe"]:
        yield from _of_tribe_card(card, rules.expanded)
    for card in (*rules.cards["tribe"], *rules.cards["dunes"]):
        yield from _of_effect(card)
    for card in rules.cards["border"]:
        yield from _of_border_card(card)


def _border(rules: Ruleset) -> set[str]:
    return {card.text("card") for card in rules.cards["border"]}


def _kinds(cards: tuple[Entry, ...]) -> set[str]:
    return {card.inner("effect").text("kind") for card in cards if card.has("effect")}


def _brings_water(value: object) -> bool:
    """Whether a part of a card gives water."""
    if isinstance(value, Mapping):
        gives = any(
            "water" in part for key, part in value.items() if key in GIVES and isinstance(part, Mapping)
        )
        return gives or any(map(_brings_water, value.values()))
    return isinstance(value, list) and any(map(_brings_water, value))


def _of_tribe_card(card: Entry, expanded: bool) -> Iterator[str]:
    if len(card.listed("cost")) > 1:
        yield "two costs"
    if card.has("optional"):
        yield "optional"
    # The base game has no `act` decision for tokens; those of placement and payment work there too.
    if card.text("kind") == "token":
        kind = card.inner("effect").text("kind")
        if expanded or kind not in AT_ACT:
            yield f"token {kind}"


def _of_effect(card: Entry) -> Iterator[str]:
    effect = card.data["effect"] if card.has("effect") else {}
    assert isinstance(effect, Mapping)
    if effect.get("kind") == "limit" and effect["of"] == "hand":
        yield "limit hand"
    if effect.get("kind") == "reveal" and effect["keep"] < effect["cards"]:
        yield from (f"leave{at}" for at in range(1, effect["cards"] + 1) if effect["cards"] > 1)
    for offer in effect.get("offers", ()):
        vp = offer["get"]["vp"]
        yield f"{offer['pay']['water']}water>{vp if vp > 1 else ''}vp"


def _of_border_card(card: Entry) -> Iterator[str]:
    if card.has("reject_cost"):
        yield "reject_cost"
    if card.text("card") == "silversmith":
        yield from card.listed("rates")[0].inner("give").data
    for part in card.listed("demand") if card.has("demand") else ():
        yield from (f"pay:{_PAID.get(kind, kind)}" for kind in part.data)


_PAID: Final[Mapping[str, str]] = {**dict.fromkeys(GOODS, "goods"), "rightmost_tribe_card": "card"}
