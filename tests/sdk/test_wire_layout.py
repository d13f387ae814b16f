"""`proto/README.md` says what is so: a compact view is read with nothing but its description there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from targi.v1 import play_pb2
from targi_engine import RULESETS, Observation, Ruleset, effective_json, new_game

GUIDE = Path(__file__).parents[2] / "proto" / "README.md"
NAMES = ("base", "expansion", "mixed")
ORDER = ("dates", "salt", "pepper", "gold", "water", "vp", "goods_of_choice")
SYMBOLS = ("camel_rider", "targia", "oasis", "well", "camp")


@dataclass
class Reader:
    """Varints, and bytes as they are."""

    data: bytes
    at: int = 0

    def one(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def many(self, count: int) -> list[int]:
        return [self.one() for _ in range(count)]

    def counted(self) -> list[int]:
        return self.many(self.one())

    def raw(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]


@dataclass
class Side:
    stock: list[int]
    hand: list[int]
    fresh: int
    targis: int
    markers: int
    display: list[int]
    tokens: list[int]
    stored: list[int]


@dataclass
class View:
    head: list[int]
    variants: str
    cards: str
    seat: int
    game: list[int]
    flow: list[int]
    centre: list[int]
    dunes: list[int]
    frames: list[int]
    revealed: list[int]
    sides: list[Side] = field(default_factory=list)
    decks: list[tuple[int, list[int], int]] = field(default_factory=list)
    top: int = 0
    pools: list[tuple[list[int], list[int], int]] = field(default_factory=list)


def read_side(reader: Reader) -> Side:
    stock, hand = reader.many(6), reader.counted()
    fresh, targis, markers, *_ = reader.many(5)
    reader.many(3 + 3)
    cells = reader.one()
    display = [reader.one() if cells >> cell & 1 else 0 for cell in range(12)]
    return Side(stock, hand, fresh, targis, markers, display, reader.counted(), reader.counted())


def read_view(data: bytes) -> View:
    reader = Reader(data)
    head = reader.many(3)
    view = View(
        head=head,
        variants=reader.raw(head[2]).decode(),
        cards=reader.raw(8).hex(),
        seat=reader.one(),
        game=reader.many(8),
        flow=reader.many(6),
        centre=reader.many(9),
        dunes=(reader.counted(), reader.many(3))[1],
        frames=reader.counted(),
        revealed=reader.counted(),
    )
    reader.many(12 * reader.one())
    assert len(reader.counted()) in (0, 15)
    view.sides = [read_side(reader) for _ in range(2)]
    view.decks = [(reader.one(), reader.counted(), reader.one()) for _ in range(3)]
    if NAMES[head[1]] != "base" and view.decks[0][2]:
        view.top = reader.one()
    view.pools = [(reader.many(3), reader.counted(), reader.one()) for _ in range(reader.one())]
    assert reader.at == len(data)
    return view


def card_names(rules: Ruleset) -> list[str | None]:
    """Names by card number."""
    cards = json.loads(effective_json(rules))
    names: list[str | None] = [None, None, None]
    names += [card["id"] for card in cards["tribe"]]
    names += [goods_name(card.get("gives", {"goods_of_choice": 1})) for card in cards["goods"]]
    names += [card["id"] for card in cards["dunes"]]
    shown = [card for card in cards["dunes"] if card["effect"]["kind"] == "to_display"]
    return names + [f"{card['id']}:{symbol}" for card in shown for symbol in SYMBOLS]


def goods_name(gives: dict[str, int]) -> str:
    """What a goods card gives, as traces write it."""
    words = {"goods_of_choice": "dates|salt|pepper"}
    parts = sorted(gives.items(), key=lambda part: ORDER.index(part[0]))
    return "+".join(f"{count if count > 1 else ''}{words.get(kind, kind)}" for kind, count in parts)


def mask(mask_of: int, first: int, last: int) -> tuple[int, ...]:
    return tuple(number for number in range(first, last + 1) if mask_of >> number & 1)


def check(view: View, seen: Observation, name: Callable[[int], str | None]) -> None:
    assert view.head[:2] == [1, NAMES.index(seen.ruleset.name)]
    assert view.variants == seen.ruleset.variants
    assert seen.ruleset.cards_hash.startswith(view.cards)
    assert view.seat == (0 if seen.seat is None else seen.seat + 1)
    assert view.game == [
        *(seen.ply, seen.round, seen.first, seen.current_seat + 1),
        *(seen.turn, seen.reveals, seen.robber, seen.targia or 0),
    ]
    down, known = view.flow[3], view.flow[4]
    for cell, card in enumerate(seen.centre):
        assert name(view.centre[cell]) == card.card
        assert (view.centre[cell] == 0) == (card.deck is None)
        assert card.face_up == (card.deck is not None and not down >> cell & 1)
        assert not known >> cell & 1 or card.card is not None
    assert tuple(map(name, view.dunes)) == seen.dunes
    assert tuple(map(name, view.revealed)) == seen.revealed
    assert name(view.top) == seen.top
    assert bool(view.frames) != seen.is_over
    for side, player in zip(view.sides, seen.players, strict=True):
        assert tuple(side.stock) == player[:6]
        assert (tuple(map(name, side.hand)), side.fresh) == (player.hand, player.fresh)
        rows = [side.display[at : at + 4] for at in (0, 4, 8)]
        assert tuple(tuple(name(card) for card in row if card) for row in rows) == player.display
        assert (mask(side.targis, 1, 16), mask(side.targis >> 16, 1, 3)) == (
            player.targis,
            player.dune_targis,
        )
        assert mask(side.markers, 0, 8) == player.markers
        assert sorted(map(str, map(name, side.tokens))) == sorted(player.tokens)
        assert len(side.stored) == player.stored_gold
    assert tuple(left for _, _, left in view.decks) == seen.decks
    assert tuple(tuple(map(name, pile)) for _, pile, _ in view.decks) == seen.discards


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_description_is_enough_to_read_every_view_of_a_game(ruleset: str) -> None:
    rng = Random(ruleset)
    for _ in range(3):
        state = new_game(ruleset, rng.randbytes(32), variants="unpayable_raid=flat3")
        names = card_names(state.ruleset)
        while not state.is_over:
            for seat in (None, 0, 1):
                seen = state.observation(seat)
                check(read_view(seen.encode()), seen, names.__getitem__)
            state.apply(rng.choice(state.legal_actions()))
        final = state.observation(0)
        check(read_view(final.encode()), final, names.__getitem__)


@pytest.mark.parametrize("ruleset", ["base", "expansion"])
def test_pools_hold_what_may_lie_in_hidden_places(ruleset: str) -> None:
    state = new_game(ruleset, bytes(range(32)))
    rng = Random(5)
    for _ in range(60):
        state.apply(rng.choice(state.legal_actions()))
    view = read_view(state.observation(0).encode())
    for (deck, surplus, in_deck), cells, packed in view.pools:
        width = 1 if deck == 0 else 4
        count = sum(packed >> at & (1 << width) - 1 for at in range(0, packed.bit_length(), width))
        assert not surplus
        assert count == in_deck + len(cells)


@pytest.mark.parametrize("message", [play_pb2.BotEvent, play_pb2.ServerEvent])
def test_the_guide_explains_every_event(message: type[play_pb2.BotEvent | play_pb2.ServerEvent]) -> None:
    rows = [line for line in GUIDE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    explained = set(re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in rows)))
    kinds = [field.message_type for field in message.DESCRIPTOR.oneofs_by_name["event"].fields]
    events = {kind.name for kind in kinds if kind is not None}
    assert events <= explained
