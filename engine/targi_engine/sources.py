"""Where a tribe card comes from when a player decides on it, and what may be done with it there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import DISCARD, DONE, REJECT, TAKE
from targi_engine.centre import leave_cell
from targi_engine.goods import WATER
from targi_engine.payment import payable

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

# Numbers of the sources; `now(goods_less, optional)` gives those of `play_hand_now`.
CENTRE: Final = 0
NOBLE: Final = 1
NOBLE_WITH_BONUS: Final = 2
SHOWN: Final = 3
SHOWN_OR_NEXT: Final = 4
WITHOUT_NOBLE: Final = 5
_NOW: Final = 6

PLACE_BITS: Final = 4  # a card frame's argument: place << PLACE_BITS | source
PLACE_MASK: Final = 15


def now(goods_less: int, optional: bool) -> int:
    """The source of a hand card played by an effect, with so many goods less."""
    return _NOW + 2 * goods_less + int(optional)


class Source:
    """A hand card that must be played; also the contract of the others. `at` is a place in the hand."""

    __slots__ = ("goods_less",)

    def __init__(self, goods_less: int = 0) -> None:
        self.goods_less = goods_less

    def card(self, state: State, me: Player, at: int) -> int:
        """The card."""
        return me.hand[at]

    def points(self, me: Player) -> int:
        """Discount points besides those of the card's symbol."""
        return self.goods_less

    def extra(self, me: Player) -> int:
        """Goods to pay on top of the cost."""
        return 0

    def playable(self, me: Player, at: int) -> bool:
        """Whether the card may be played in this round."""
        return True

    def others(self, me: Player) -> tuple[int, ...]:
        """What may be done besides playing it."""
        return ()

    def remove(self, state: State, me: Player, at: int) -> None:
        """Take the card away from where it lies."""
        if at >= len(me.hand) - me.fresh:
            me.fresh -= 1
        me.hand = me.hand[:at] + me.hand[at + 1 :]

    def discarded(self, state: State, me: Player) -> None:
        """What discarding it brings."""


class OptionalNow(Source):
    """A hand card that may be played (XK3)."""

    __slots__ = ()

    def others(self, me: Player) -> tuple[int, ...]:
        return (DONE,)


class NotFresh(Source):
    """The hand card without Noble, for extra goods (B9.8): not one taken in this round."""

    __slots__ = ()

    def extra(self, me: Player) -> int:
        return me.powers.play_hand

    def playable(self, me: Player, at: int) -> bool:
        return at < len(me.hand) - me.fresh


class Noble(Source):
    """A hand card at the Noble (B4.2): a fresh one can only be discarded."""

    __slots__ = ()

    def points(self, me: Player) -> int:
        return me.powers.noble_less

    def playable(self, me: Player, at: int) -> bool:
        return at < len(me.hand) - me.fresh

    def others(self, me: Player) -> tuple[int, ...]:
        return (DISCARD,)


class NobleWithBonus(Noble):
    """The expansion's Noble: discarding brings something."""

    __slots__ = ()

    def discarded(self, state: State, me: Player) -> None:
        state.ruleset.discard_bonus.give(state, me)


class Centre(Source):
    """A centre card (B5.2); `at` is its cell. With a full hand it can be discarded."""

    __slots__ = ()

    def card(self, state: State, me: Player, at: int) -> int:
        return state.centre[at]

    def others(self, me: Player) -> tuple[int, ...]:
        return (TAKE,) if len(me.hand) < me.powers.hand_limit else (DISCARD,)

    def remove(self, state: State, me: Player, at: int) -> None:
        leave_cell(state, at)


class Shown(Source):
    """The tribe card that Tribal Expansion turned up (B4.7)."""

    __slots__ = ("rejects",)

    def __init__(self, rejects: bool) -> None:
        self.goods_less = 0
        self.rejects = rejects

    def card(self, state: State, me: Player, at: int) -> int:
        return state.shown[0]

    def others(self, me: Player) -> tuple[int, ...]:
        take = (TAKE,) if len(me.hand) < me.powers.hand_limit else ()
        reject = (REJECT,) if self.rejects and me.stock[WATER] else ()
        return (*take, DISCARD, *reject)

    def remove(self, state: State, me: Player, at: int) -> None:
        state.shown = ()


SOURCES: Final[tuple[Source, ...]] = (
    Centre(),
    Noble(),
    NobleWithBonus(),
    Shown(False),
    Shown(True),
    NotFresh(),
    *((OptionalNow if optional else Source)(less) for less in range(4) for optional in (False, True)),
)


def hand_payable(state: State, me: Player, source: int, at: int) -> bool:
    """Whether a hand card can be played from a source now."""
    origin = SOURCES[source]
    if not me.powers.rows or not origin.playable(me, at):
        return False
    return payable(state, me, me.hand[at], origin.points(me), origin.extra(me))


def any_payable(state: State, me: Player, source: int) -> bool:
    """Whether some hand card can be played from a source now."""
    return any(hand_payable(state, me, source, at) for at in range(len(me.hand)))


def push_hand_play(state: State, me: Player, source: int) -> None:
    """Ask which hand card (X6.5), then what to do with it."""
    state.push(frames.CARD if len(me.hand) == 1 else frames.WHICH, source)
