"""A state without its hidden cards as packed numbers, and back (see observation.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from targi_engine.board import ALL_PLACES, CELLS, FACING, bits
from targi_engine.catalog import Catalog
from targi_engine.deck import Deck, new_deck
from targi_engine.errors import ObservationError
from targi_engine.frames import DECISIONS, MASK
from targi_engine.goods import KINDS
from targi_engine.hidden import BACKS, DUNES, GOODS, LABELS, TRIBE, Pool, veiled
from targi_engine.payment import Payment, new_payment
from targi_engine.player import DISPLAY, Player
from targi_engine.ruleset import Ruleset
from targi_engine.setup import bare_table
from targi_engine.state import State
from targi_engine.varints import Reader, pack

MOST_CARDS: Final = 1000  # more than any deck can hold
MOST_PACKED: Final = 4 * MOST_CARDS  # bits of the number of a pool, see `_domain`
_THREE: Final = pack([3])  # pools, where only decks are hidden


def _counted(numbers: Sequence[int]) -> list[int]:
    return [len(numbers), *numbers]


def encode(state: State, pools: tuple[Pool, ...]) -> bytes:
    """All that an observer knows of a state; equal for states that look the same.

    `state` may still have its hidden cards: the pools say which they are.
    """
    return pack(_table_numbers(state, veiled(state, pools))) + pack(_pool_numbers(state, pools))


def encode_table(state: State) -> bytes:
    """`encode` of a state of which only decks are hidden. What it tells of them changes with a draw only."""
    dunes = _rest(DUNES, state.dunes, 0, state)
    tribe = _rest(TRIBE, state.tribe, int(state.ruleset.open_top), state)
    return (
        pack(_table_numbers(state, state.centre))
        + _THREE
        + tribe
        + _rest(GOODS, state.goods, 0, state)
        + dunes
    )


def _rest(number: int, deck: Deck, seen: int, state: State) -> bytes:
    """The pool of a deck's rest without the cards that are seen, as `_pool_numbers` has it."""
    if deck.packed_at != deck.at or deck.packed_of is not deck.cards:
        rest = deck.cards[deck.at + seen :]
        weight = sum(map(state.ruleset.catalog.weights.__getitem__, rest))
        deck.packed = pack([number, 0, len(rest), 0, weight])
        deck.packed_at = deck.at
        deck.packed_of = deck.cards
    return deck.packed


def _table_numbers(state: State, centre: Sequence[int]) -> list[int]:
    numbers = [
        *(state.ply, state.round, state.first, state.current_seat + 1),
        *(state.turn, state.reveals, state.robber, state.targia),
        *(state.end_reason, state.placed, state.joint, state.down, state.known, state.bare),
        *centre,
        *_counted(state.epochs if any(state.epochs) else ()),
        *state.dune_slots,
        *_counted(state.stack),
        *_counted(state.shown),
        *(len(state.reached), *(card for display in state.reached for card in display)),
        *_counted(_payment_numbers(state.payment)),
    ]
    for me in state.players:
        numbers += _player_numbers(me)
    for deck in (state.tribe, state.goods, state.dunes):
        numbers += [deck.shuffles, *_counted(deck.discard), deck.left()]
    if state.ruleset.open_top and state.tribe.left():
        numbers.append(state.tribe.cards[state.tribe.at])
    return numbers


def _pool_numbers(state: State, pools: tuple[Pool, ...]) -> list[int]:
    weights = state.ruleset.catalog.weights
    numbers = [len(pools)]
    for pool in pools:
        numbers += [pool.deck, int(pool.surplus), pool.in_deck, *_counted(pool.cells)]
        numbers.append(sum(map(weights.__getitem__, pool.cards)))
    return numbers


def _payment_numbers(payment: Payment | None) -> tuple[int, ...]:
    if payment is None:
        return ()
    return (
        *(payment.card, payment.source, payment.row, payment.points, payment.extra, *payment.needs),
        *(payment.gold, payment.purse, payment.stored, payment.water),
        *(payment.mode, payment.any_goods, int(payment.surplus)),
    )


def _player_numbers(me: Player) -> list[int]:
    cells = 0
    for cell in range(DISPLAY):
        if me.display[cell]:
            cells |= 1 << cell
    return [
        *me.stock,
        *_counted(me.hand),
        *(me.fresh, me.targis, me.markers, me.quota, me.next_quota, me.welled, me.targia_used),
        int(me.got_goods) | int(me.targia) << 1,
        *me.ready,
        cells,
        *filter(None, me.display),
        *_counted(me.tokens),
        *_counted(me.stored),
    ]


def _domain(catalog: Catalog, deck: int) -> tuple[tuple[int, ...], int]:
    """The cards of a deck and the bits that each has in the number of a pool (`Catalog.weights`)."""
    return (catalog.tribe, catalog.goods, catalog.dunes)[deck], 1 if deck == TRIBE else 4


def state_of(rules: Ruleset, reader: Reader) -> tuple[State, tuple[Pool, ...]]:
    """The state and the pools behind the numbers, with backs for hidden cards and no seed.

    Raises ObservationError where the numbers end too early or do not make sense.
    """
    try:
        state = _table(rules, reader)
        pools = tuple(_pool(rules.catalog, reader) for _ in range(reader.one()))
        reader.end()
        _check(state)
        state.resume()
    except (IndexError, KeyError, ValueError, AssertionError) as error:
        raise ObservationError(f"the observation does not make sense: {error}") from error
    return state, pools


def _table(rules: Ruleset, reader: Reader) -> State:
    state = bare_table(rules, b"", None)
    state.ply, state.round, state.first, seat = reader.many(4)
    state.current_seat = seat - 1
    state.turn, state.reveals, state.robber, state.targia = reader.many(4)
    state.end_reason, state.placed, state.joint, state.down, state.known, state.bare = reader.many(6)
    state.centre = list(reader.many(CELLS))
    state.epochs = list(reader.counted()) or [0] * CELLS
    state.dune_slots = list(reader.many(3))
    state.stack = list(reader.counted())
    state.shown = reader.counted()
    state.reached = tuple(reader.many(DISPLAY) for _ in range(reader.one()))
    state.payment = _payment(reader.counted())
    for me in state.players:
        _read_player(state, me, reader)
    state.tribe, state.goods, state.dunes = (_deck(label, reader) for label in ("tribe", "goods", "dunes"))
    if rules.open_top and state.tribe.left():
        state.tribe.cards = (reader.one(), *state.tribe.cards[1:])
    return state


def _payment(numbers: tuple[int, ...]) -> Payment | None:
    if not numbers:
        return None
    card, source, row, points, extra, *rest = numbers
    payment = new_payment(card, source, row, points, extra)
    payment.needs = rest[:3]
    payment.gold, payment.purse, payment.stored, payment.water = rest[3:7]
    payment.mode, payment.any_goods, surplus = rest[7:]
    payment.surplus = surplus != 0
    return payment


def _read_player(state: State, me: Player, reader: Reader) -> None:
    me.stock = list(reader.many(len(KINDS)))
    me.hand = reader.counted()
    me.fresh, me.targis, me.markers, me.quota, me.next_quota = reader.many(5)
    me.welled, me.targia_used, flags = reader.many(3)
    me.got_goods = flags & 1 != 0
    me.targia = flags & 2 != 0
    me.ready = reader.many(3)
    cells = reader.one()
    display = tuple(reader.one() if cells >> cell & 1 else 0 for cell in range(DISPLAY))
    me.tokens = reader.counted()
    me.stored = reader.counted()
    for place in bits(me.targis & ALL_PLACES):
        me.faced |= FACING[place]
    state.set_display(me, display)


def _deck(label: str, reader: Reader) -> Deck:
    shuffles = reader.one()
    discard = reader.counted()
    deck = new_deck(label, (BACKS[LABELS.index(label)],) * reader.upto(MOST_CARDS))
    deck.shuffles = shuffles
    deck.discard = list(discard)
    return deck


def _pool(catalog: Catalog, reader: Reader) -> Pool:
    number, surplus, in_deck = reader.many(3)
    cells = reader.counted()
    packed = reader.one(MOST_PACKED)
    kinds, width = _domain(catalog, number)
    cards: list[int] = []
    for at, card in enumerate(kinds):
        cards += [card] * (packed >> width * at & (1 << width) - 1)
    return Pool(number, cells, in_deck, tuple(cards), surplus != 0)


def _check(state: State) -> None:
    """Refuse numbers of cards and frames that do not exist."""
    cards = [*state.centre, *state.dune_slots, *state.shown, *state.tribe.discard, *state.goods.discard]
    for me in state.players:
        cards += [*me.hand, *me.display]
    if max(cards) >= len(state.ruleset.catalog.names):
        raise ValueError(f"no card has the number {max(cards)}")
    if state.stack and state.stack[-1] & MASK >= len(DECISIONS):
        raise ValueError(f"{state.stack[-1] & MASK} is no decision")
