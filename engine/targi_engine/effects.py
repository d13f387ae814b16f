"""Effects that happen once: when a card is laid, when a dune or a token is used.

One class a kind of effect. `usable` says whether it could do something now (dunes and tokens are
not offered otherwise, X5.2); `run` does it, or puts the decisions that it needs on the stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames, sources
from targi_engine.border import free_border_cards
from targi_engine.centre import movable_markers, open_goods_cells
from targi_engine.counting import Counter
from targi_engine.gains import Get
from targi_engine.goods import WATER
from targi_engine.shown import turn_up_goods

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State


class Effect:
    """An effect without effect; also the contract of the others."""

    __slots__ = ()

    def usable(self, state: State, me: Player) -> bool:
        """Whether using it now would change anything."""
        return True

    def run(self, state: State, me: Player, card: int) -> None:
        """Use it; `card` is the card (or dune) that it comes from."""

    def after(self, state: State, me: Player) -> None:
        """What follows when the action that `run` put on the stack is over (see frames.GET)."""


class Gain(Effect):
    """`gain`: take it."""

    __slots__ = ("get",)

    def __init__(self, get: Get) -> None:
        self.get = get

    def run(self, state: State, me: Player, card: int) -> None:
        self.get.give(state, me)


class GainPer(Effect):
    """`gain_per`: take it once per so many of something, rounded down (B9.4)."""

    __slots__ = ("counter", "get", "per")

    def __init__(self, counter: Counter, per: int, get: Get) -> None:
        self.counter = counter
        self.per = per
        self.get = get

    def run(self, state: State, me: Player, card: int) -> None:
        self.get.give(state, me, self.counter.count(state.ruleset.catalog, me) // self.per)


class Choose(Effect):
    """`choose`: 3 goods in any mix, or 1 gold, or 1 VP (B9.5)."""

    __slots__ = ()

    def run(self, state: State, me: Player, card: int) -> None:
        state.push(frames.BONUS, 0)


class Exchange(Effect):
    """`exchange`: water for VP, up to so many times. `offers` is a mask over exchange.OFFERS."""

    __slots__ = ("least", "offers", "optional", "times")

    def __init__(self, offers: int, least: int, times: int, optional: bool) -> None:
        self.offers = offers
        self.least = least
        self.times = times
        self.optional = optional

    def usable(self, state: State, me: Player) -> bool:
        return me.stock[WATER] >= self.least

    def run(self, state: State, me: Player, card: int) -> None:
        state.push(frames.EXCHANGE, self.times | self.offers << 4 | self.optional << 8)


class Reveal(Effect):
    """`reveal`: turn up goods cards, gain all or all but one, discard all."""

    __slots__ = ("cards", "keep")

    def __init__(self, cards: int, keep: int) -> None:
        self.cards = cards
        self.keep = keep

    def usable(self, state: State, me: Player) -> bool:
        return not state.goods.empty()

    def run(self, state: State, me: Player, card: int) -> None:
        for _ in range(self.cards):
            turn_up_goods(state)
        if not state.shown:
            return
        state.push(frames.DISCARD_SHOWN, 0)
        if self.keep < len(state.shown):
            state.push(frames.LEAVE, 0)
        else:
            state.push(frames.GAIN_SHOWN, 0)


class GainCentreCard(Effect):
    """`gain_centre_card`: gain a face-up, unmarked goods card of the centre; it leaves or stays."""

    __slots__ = ("leaves",)

    def __init__(self, leaves: bool) -> None:
        self.leaves = leaves

    def usable(self, state: State, me: Player) -> bool:
        return open_goods_cells(state) != 0

    def run(self, state: State, me: Player, card: int) -> None:
        if self.usable(state, me):
            state.push(frames.CELL, int(self.leaves))


class Arrange(Effect):
    """`arrange`: rearrange the display (B9.6), or one swap (XT2)."""

    __slots__ = ("moves",)

    def __init__(self, moves: bool) -> None:
        self.moves = moves

    def run(self, state: State, me: Player, card: int) -> None:
        state.reached = (me.display,)
        state.push(frames.ARRANGE, int(self.moves))


class PlayHandNow(Effect):
    """`play_hand_now`: play a hand card without Noble, also a fresh one (X6.6)."""

    __slots__ = ("source",)

    def __init__(self, goods_less: int, optional: bool) -> None:
        self.source = sources.now(goods_less, optional)

    def usable(self, state: State, me: Player) -> bool:
        return sources.any_payable(state, me, self.source)

    def run(self, state: State, me: Player, card: int) -> None:
        if self.usable(state, me):
            sources.push_hand_play(state, me, self.source)


class TargiaNow(Effect):
    """`targia_now`: one Targia option; must be used (X3.1)."""

    __slots__ = ()

    def run(self, state: State, me: Player, card: int) -> None:
        state.push(frames.TARGIA, 1)


class FreeBorderCard(Effect):
    """`free_border_card`: the action of a border card without a Targi, then a gain (X5.6, X6.7)."""

    __slots__ = ("get",)

    def __init__(self, get: Get) -> None:
        self.get = get

    def usable(self, state: State, me: Player) -> bool:
        return free_border_cards(state, me) != 0

    def run(self, state: State, me: Player, card: int) -> None:
        state.push(frames.GET, card)
        state.push(frames.BORDER, 0)

    def after(self, state: State, me: Player) -> None:
        self.get.give(state, me)


class MoveMarker(Effect):
    """`move_marker`: an own marker to any face-up, unmarked centre card."""

    __slots__ = ()

    def usable(self, state: State, me: Player) -> bool:
        return movable_markers(state, me, ANYWHERE) != 0

    def run(self, state: State, me: Player, card: int) -> None:
        state.push(frames.MARKER, ANYWHERE)


class ToDisplay(Effect):
    """`to_display`: pay goods, and the dune becomes a displayed card of a chosen symbol (X5.5)."""

    __slots__ = ("pay", "vp")

    def __init__(self, pay: int, vp: int) -> None:
        self.pay = pay
        self.vp = vp

    def usable(self, state: State, me: Player) -> bool:
        return me.goods() >= self.pay and len(me.powers.rows) > 0

    def run(self, state: State, me: Player, card: int) -> None:
        slot = state.argument()  # the frame below is the dune's own AFTER_DUNE
        state.push(frames.SYMBOL, slot)
        state.push(frames.GIVE, self.pay)
        state.push(frames.DUNE_ROW, slot)


class OpponentTargis(Effect):
    """`opponent_targis`: how many Targis the opponent places in the next round (B9.11)."""

    __slots__ = ("targis",)

    def __init__(self, targis: int) -> None:
        self.targis = targis

    def run(self, state: State, me: Player, card: int) -> None:
        opponent = state.players[1 - me.seat]
        opponent.next_quota = min(opponent.next_quota, self.targis)


ANYWHERE: Final = 0
NO_EFFECT: Final = Effect()
