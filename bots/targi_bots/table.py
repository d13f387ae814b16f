"""What a player reads off the table: lines of the border, faces and costs of cards. Used by several bots."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypedDict

from targi_engine import PlayerView, Ruleset, effective_json

__all__ = ["CELLS_FACING", "TribeCard", "displayed", "gives", "missing", "shortfall", "tribe_cards"]

COLUMNS = {1: 0, 11: 0, 2: 1, 10: 1, 3: 2, 9: 2}
ROWS = {5: 0, 15: 0, 6: 1, 14: 1, 7: 2, 13: 2}
"""Border card to the column or row of the centre that it looks down."""

CELLS_FACING: Mapping[int, tuple[int, ...]] = {
    **{place: (column, column + 3, column + 6) for place, column in COLUMNS.items()},
    **{place: (3 * row, 3 * row + 1, 3 * row + 2) for place, row in ROWS.items()},
}
"""Border card to the three cells of its column or row."""

_PART = re.compile(r"(\d*)([a-z]+(?:\|[a-z]+)*)")


class TribeCard(NamedTuple):
    """The face of a tribe card."""

    symbol: str
    vp: int
    kind: str
    """"plain", "immediate", "permanent", "stored", "token" or "end"."""
    costs: tuple[Mapping[str, int], ...]
    """Alternatives, each a count by "dates", "salt", "pepper", "gold" and "water"."""


class _Face(TypedDict):
    """A tribe card in the effective card set, as far as it is read here."""

    id: str
    symbol: str
    vp: int
    kind: str
    cost: list[dict[str, int]]


@lru_cache(maxsize=16)
def tribe_cards(rules: Ruleset) -> Mapping[str, TribeCard]:
    """All tribe cards of a ruleset by id."""
    faces: list[_Face] = json.loads(effective_json(rules))["tribe"]
    return {
        face["id"]: TribeCard(face["symbol"], face["vp"], face["kind"], tuple(face["cost"])) for face in faces
    }


def displayed(cards: Mapping[str, TribeCard], name: str) -> TribeCard:
    """A displayed card: a tribe card, or a dune that was laid ("D10:oasis")."""
    _, is_dune, symbol = name.partition(":")
    return TribeCard(symbol, 1, "plain", ()) if is_dune else cards[name]


def shortfall(card: TribeCard, player: PlayerView) -> int:
    """How many goods, gold and water the player lacks for the card at its cheapest; discounts are ignored."""
    return min((missing(cost, player) for cost in card.costs), default=0)


def missing(cost: Mapping[str, int], player: PlayerView) -> int:
    """How many goods, gold and water the player lacks for a cost."""
    purse = {
        "dates": player.dates,
        "salt": player.salt,
        "pepper": player.pepper,
        "gold": player.gold + player.stored_gold,
        "water": player.water,
    }
    return sum(max(0, count - purse[kind]) for kind, count in cost.items())


@lru_cache(maxsize=256)
def gives(goods_card: str) -> Mapping[str, int]:
    """What a goods card gives, from its notation: a count by kind; a good of choice counts as "choice"."""
    counts: dict[str, int] = {}
    for part in goods_card.split("+"):
        found = _PART.fullmatch(part)
        if found is not None:
            kind = "choice" if "|" in found[2] else found[2]
            counts[kind] = counts.get(kind, 0) + int(found[1] or 1)
    return counts
