"""Positions as tensors, legal actions as masks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from targi_engine import ACTIONS, Observation

from targi_sdk.rl.layout import layout_of
from targi_sdk.rl.planes import Look

__all__ = ["HIGH", "action_mask", "encode"]

HIGH = 8.0
"""No value of a tensor is higher; what is measured against what is usual is cut off here."""


def encode(view: Observation, seat: int | None = None) -> NDArray[np.float32]:
    """The tensor of a position: float32, `layout_of(view.ruleset).length` values from 0 to `HIGH`.

    `seat` is the side from which it is seen, by default that of the observation. Raises ValueError for a
    spectator's observation without a seat.
    """
    side = view.seat if seat is None else seat
    if side is None:
        raise ValueError("the observation is a spectator's: say for which seat the tensor is")
    layout = layout_of(view.ruleset)
    out = np.zeros(layout.length, np.float32)
    look = Look(view, layout.words, side)
    for plane in layout.planes.values():
        plane.kind.fill(out[plane.slice].reshape(plane.shape), look)
    return np.minimum(out, np.float32(HIGH), out=out)


def action_mask(legal: Iterable[int]) -> NDArray[np.int8]:
    """Ones at the legal actions, zeros elsewhere: int8, one value for each action of the vocabulary."""
    mask = np.zeros(len(ACTIONS), np.int8)
    mask[list(legal)] = 1
    return mask
