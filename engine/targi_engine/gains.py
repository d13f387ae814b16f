"""What cards give: fixed amounts first, then goods of choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.goods import GOODS, KINDS

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

CHOICE: Final = "|".join(GOODS)
_ORDER: Final = ("dates", "salt", "pepper", "gold", "vp", "water")


class Get:
    """A gain: pairs of kind and amount, and how many goods of choice."""

    __slots__ = ("choice", "fixed")

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.fixed: tuple[tuple[int, int], ...] = tuple(
            (kind, counts[name]) for kind, name in enumerate(KINDS) if name in counts
        )
        self.choice: int = counts.get("goods_of_choice", 0)

    def __reduce__(self) -> tuple[type[Get], tuple[Mapping[str, int]]]:
        # Compiled classes with arguments in __init__ are not pickled by themselves, and the powers of a
        # display hold gains.
        counts = {KINDS[kind]: amount for kind, amount in self.fixed}
        return (Get, ({**counts, "goods_of_choice": self.choice} if self.choice else counts,))

    def give(self, state: State, me: Player, times: int = 1) -> None:
        """Take what is fixed; what is chosen is asked next."""
        stock = me.stock
        for kind, amount in self.fixed:
            stock[kind] += amount * times
        if self.choice and times:
            state.push(frames.GAIN, self.choice * times)


NOTHING: Final[Mapping[str, int]] = {}


class Face:
    """A goods card's face (B5.1): what it gives, and its notation."""

    __slots__ = ("choice", "fixed", "goods", "notation")

    def __init__(self, counts: Mapping[str, int]) -> None:
        get = Get(counts)
        self.fixed = get.fixed
        self.choice = get.choice
        self.goods: int = sum(1 << good for good, name in enumerate(GOODS) if name in counts)
        parts = [f"{counts[name] if counts[name] > 1 else ''}{name}" for name in _ORDER if name in counts]
        self.notation: str = "+".join(parts + [CHOICE] * self.choice)

    def gain(self, state: State, me: Player) -> None:
        """Take it; a good of choice is asked next, and B9.2 follows the last of it."""
        stock = me.stock
        for kind, amount in self.fixed:
            stock[kind] += amount
        if self.choice:
            state.push(frames.CARD_GAIN, self.choice | self.goods << 4)
        elif self.goods:
            goods_came(me, self.goods)


def goods_came(me: Player, goods: int) -> None:
    """A goods card gave these kinds of goods (a mask): B9.2 adds to it, B9.3 takes note."""
    me.got_goods = True
    if not me.powers.any_bonus:
        return
    ready = list(me.ready)
    for good in range(3):
        if goods >> good & 1:
            me.stock[good] += ready[good]
            ready[good] = 0
    me.ready = (ready[0], ready[1], ready[2])
