"""The frame of a round (B3, X2) and the end of the game (B8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.board import CORNERS
from targi_engine.centre import turn_up_centre
from targi_engine.dunes import turn_up_dunes
from targi_engine.player import DISPLAY
from targi_engine.step import ACT_ON, Step

if TYPE_CHECKING:
    from targi_engine.state import State

LAST_ROUND: Final = 12
LAST_CORNER: Final = 16
TARGIA_START: Final = 15  # X1.6

_NO_BONUS: Final[tuple[int, ...]] = (0, 0, 0)
# Why a game ended.
RUNNING: Final = 0
TWELFTH_CARD: Final = 1  # B8.1
FOURTH_RAID: Final = 2  # B8.2


class OpenRound(Step):
    """Work: after the raid, if any, the Targia moves (X2.2), dunes are turned up (X2.3), placement begins."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        after_raid = state.stack.pop() >> frames.BITS != 0
        if after_raid:
            state.robber += 1  # B3.1: on at once
        if state.ruleset.expanded and state.round > 1:
            move_targia(state)
            turn_up_dunes(state, after_raid)
        for me in state.players:
            me.quota = me.next_quota
            me.next_quota = 3
        state.placed = 0
        state.push(frames.PLACE, 0)
        return ACT_ON


def move_targia(state: State) -> None:
    """One card counter-clockwise; corners are skipped unless the variant says otherwise (X2.2)."""
    state.targia -= 1
    if state.targia in CORNERS and not state.ruleset.targia_on_corners:
        state.targia -= 1


class CloseRound(Step):
    """Work: the board is cleared (B3.6); then the end (B8), or the next round with its raid (B3.1)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        clear_board(state)
        turn_up_centre(state)
        one, other = state.players
        if one.powers.cards == DISPLAY or other.powers.cards == DISPLAY:  # B8.1
            state.end_reason = TWELFTH_CARD
            state.push(frames.GAME_OVER, 0)
        elif state.round == LAST_ROUND:  # B8.2
            state.end_reason = FOURTH_RAID
            state.robber = LAST_CORNER
            state.first = 1 - state.first
            state.push(frames.GAME_OVER, 0)
            push_raid(state)
        else:
            next_round(state)
        return ACT_ON


def clear_board(state: State) -> None:
    """All figures leave; what holds for a round begins anew (B3.6, B9.2, B9.3, B4.2)."""
    state.joint = 0
    for me in state.players:
        me.targis = 0
        me.faced = 0
        me.markers = 0
        me.fresh = 0
        me.got_goods = False
        me.targia = False
        me.targia_used = 0
        powers = me.powers
        me.ready = tuple(powers.bonus) if powers.any_bonus else _NO_BONUS


def next_round(state: State) -> None:
    """The first-player token changes hands, the Robber moves one card on (B3.6, B3.1)."""
    state.round += 1
    state.first = 1 - state.first
    state.robber += 1
    raid = state.robber in CORNERS
    state.push(frames.OPEN_ROUND, int(raid))
    if raid:
        push_raid(state)


def push_raid(state: State) -> None:
    """The first player of the coming round pays first (B6.1)."""
    state.push(frames.RAID_TURN, 1 - state.first)
    state.push(frames.RAID_TURN, state.first)


class GameOver(Step):
    """Work: the game is over."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        state.current_seat = -1
        return ACT_ON
