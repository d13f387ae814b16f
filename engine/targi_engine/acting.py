"""The own action turn (B3.5): what may be done next, and its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import (
    BORDER,
    CELL,
    DUNE,
    END,
    HAND,
    TARGIA,
    TOKEN_GAIN,
    WELL_FOR,
)
from targi_engine.board import ALL_PLACES, DUNE_BIT, PLACES
from targi_engine.centre import CELL_ACTIONS
from targi_engine.chain import spend_token
from targi_engine.dunes import SLOTS, dune_usable, use_dune
from targi_engine.goods import GOLD, GOLD_LIMIT, WATER
from targi_engine.raids import WATER_EXCHANGES, exchange_water
from targi_engine.sources import CENTRE, PLACE_BITS, WITHOUT_NOBLE, any_payable, push_hand_play
from targi_engine.step import ACT_ON, Step
from targi_engine.targia import targia_open

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

_END: Final = (END,)
_MOST_WATER: Final = len(WATER_EXCHANGES) - 1
_WELLS: Final = (WELL_FOR, WELL_FOR + 1, WELL_FOR + 2)
# Token kinds that can be used at an `act` decision, in the order of their actions (catalog.TOKENS).
_ACT_TOKENS: Final = (1, 2, 3)

# The border actions for a mask of Targis, kept once made: a few hundred masks occur.
_VISITS: Final[dict[int, tuple[int, ...]]] = {}


def visits(places: int) -> tuple[int, ...]:
    """The border actions for a mask of border cards."""
    known = _VISITS.get(places)
    if known is None:
        known = tuple(BORDER + at for at, place in enumerate(PLACES) if places >> place & 1)
        _VISITS[places] = known
    return known


def usable_places(state: State, me: Player) -> int:
    """The border cards with an own Targi whose action would change something, as a mask."""
    places = me.targis & ALL_PLACES
    special = places & ~state.ruleset.plain_places
    while special:
        lowest = special & -special
        if not state.ruleset.border[lowest.bit_length() - 1].usable(state, me):
            places ^= lowest
        special ^= lowest
    return places


class Act(Step):
    """`act`: use a figure or a card, or end the turn."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        me = state.players[state.current_seat]
        own = visits(usable_places(state, me)) + CELL_ACTIONS[me.markers & ~(state.down | state.bare)]
        if state.ruleset.expanded:
            return own + expansion_actions(state, me) + _END
        if me.powers.play_hand >= 0 and any_payable(state, me, WITHOUT_NOBLE):
            return (*own, HAND, END)
        return own + _END

    def apply(self, state: State, action: int) -> None:
        me = state.players[state.current_seat]
        if action < CELL:
            place = PLACES[action - BORDER]
            me.targis &= ~(1 << place)
            state.ruleset.border[place].use(state, me)
        elif action < DUNE:
            use_marker(state, me, action - CELL)
        elif action == END:
            end_turn(state)
        else:
            _EXPANSION_USES[action - DUNE].use(state, me, action)


def use_marker(state: State, me: Player, cell: int) -> None:
    """Use the card of a cell with an own marker (B5.1, B5.2); the marker leaves at once."""
    me.markers &= ~(1 << cell)
    card = state.centre[cell]
    catalog = state.ruleset.catalog
    if catalog.tribe_cards[card]:
        state.push(frames.CARD, CENTRE | cell << PLACE_BITS)
    else:
        state.push(frames.LEAVE_CELL, cell)
        catalog.faces[card].gain(state, me)


def expansion_actions(state: State, me: Player) -> tuple[int, ...]:
    """The actions besides figures on the board: dunes, Targia, hand, water, well, tokens."""
    water = me.stock[WATER]
    found = WATER_EXCHANGES[water if water < _MOST_WATER else _MOST_WATER]
    if me.powers.play_hand >= 0 and any_payable(state, me, WITHOUT_NOBLE):
        found = (HAND, *found)
    if me.targia and targia_open(state, me):
        found = (TARGIA, *found)
    stood = me.targis >> (DUNE_BIT + 1)
    if stood:
        usable = [slot for slot in range(SLOTS) if stood >> slot & 1 and dune_usable(state, me, slot)]
        found = (*[DUNE + slot for slot in usable], *found)
    if water and me.welled < me.powers.wells:
        found += _WELLS
    if me.tokens:
        found += tuple([TOKEN_GAIN + kind - 1 for kind in _ACT_TOKENS if usable_token(state, me, kind)])
    return found


def usable_token(state: State, me: Player, kind: int) -> int:
    """The first card in display order with an unused token of a kind that can do something; 0 if none."""
    catalog = state.ruleset.catalog
    for card in me.display:
        if card in me.tokens and catalog.tokens[card] == kind and catalog.on_use[card].usable(state, me):
            return card
    return 0


class Use:
    """One kind of action that is no figure on a border card or cell."""

    __slots__ = ()

    def use(self, state: State, me: Player, action: int) -> None:
        """Carry it out, or put the decisions that it needs on the stack."""
        raise NotImplementedError


class UseDune(Use):
    """`d1` to `d3` (X5.2)."""

    __slots__ = ()

    def use(self, state: State, me: Player, action: int) -> None:
        use_dune(state, me, action - DUNE)


class UseTargia(Use):
    """`targia` (X3.1)."""

    __slots__ = ()

    def use(self, state: State, me: Player, action: int) -> None:
        state.push(frames.TARGIA, 0)


class UseHand(Use):
    """`hand` (B9.8)."""

    __slots__ = ()

    def use(self, state: State, me: Player, action: int) -> None:
        push_hand_play(state, me, WITHOUT_NOBLE)


class UseWater(Use):
    """`water>..` (X4.2)."""

    __slots__ = ()

    def use(self, state: State, me: Player, action: int) -> None:
        exchange_water(me, action)


class UseWell(Use):
    """`well>..` (XW4): 1 water for a good, once a turn."""

    __slots__ = ()

    def use(self, state: State, me: Player, action: int) -> None:
        me.welled += 1
        me.stock[WATER] -= 1
        me.stock[action - WELL_FOR] += 1


class UseToken(Use):
    """`t:..` (X6.1): the first unused token of its kind that can do something."""

    __slots__ = ()

    def use(self, state: State, me: Player, action: int) -> None:
        card = usable_token(state, me, action - TOKEN_GAIN + 1)
        spend_token(me, card)
        state.ruleset.catalog.on_use[card].run(state, me, card)


# By action, from DUNE on.
_EXPANSION_USES: Final[tuple[Use, ...]] = (
    *(UseDune() for _ in range(SLOTS)),
    UseTargia(),
    UseHand(),
    *(UseWater() for _ in range(4)),
    *(UseWell() for _ in range(3)),
    *(UseToken() for _ in _ACT_TOKENS),
)


def end_turn(state: State) -> None:
    """The end of an action turn: B9.3, then the limits, then the dunes."""
    state.stack[-1] = frames.DUNES_OFF
    state.push(frames.LIMITS, 0)
    state.push(frames.NO_GOODS, 0)


class Turn(Step):
    """Work: a seat's action turn begins."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.begin_turn(state.stack.pop() >> frames.BITS)
        state.me().welled = 0
        state.push(frames.ACT, 0)
        return ACT_ON


class NoGoods(Step):
    """Work: a good of choice if no goods card gave a good in this round (B9.3)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        me = state.me()
        if me.powers.no_goods and not me.got_goods:
            state.push(frames.GAIN, me.powers.no_goods)
        return ACT_ON


class Limits(Step):
    """Work: what is above the limits goes back (B7.1, X4.1): goods by choice, the rest by itself."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        me = state.me()
        stock = me.stock
        if stock[GOLD] > GOLD_LIMIT:
            stock[GOLD] = GOLD_LIMIT
        if stock[WATER] > me.powers.water_limit:
            stock[WATER] = me.powers.water_limit
        surplus = me.goods() - me.powers.goods_limit
        if surplus > 0:
            state.push(frames.GIVE, surplus)
        return ACT_ON
