"""The ring of border cards round the 3x3 centre: places, lines, crossings, neighbours (B1).

Sets of border cards are masks with bit n for border card n; dune slots 1 to 3 are the bits 17 to
19 of the same mask. Sets of centre cells are masks with bit n for cell n.
"""

from __future__ import annotations

from typing import Final

# Border cards that can hold a Targi, clockwise (B1.1): all but the corners.
PLACES: Final = (1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15)
CORNERS: Final = (4, 8, 12, 16)
SIZE: Final = 16
CELLS: Final = 9

# B1.2: columns 1-11, 2-10, 3-9; rows 5-15, 6-14, 7-13.
COLUMNS: Final = ((1, 11), (2, 10), (3, 9))
ROWS: Final = ((5, 15), (6, 14), (7, 13))

DUNE_BIT: Final = 16  # dune slot k is bit DUNE_BIT + k


def _mask(numbers: tuple[int, ...]) -> int:
    return sum(1 << number for number in numbers)


ALL_PLACES: Final[int] = _mask(PLACES)
DUNE_PLACES: Final[int] = _mask((DUNE_BIT + 1, DUNE_BIT + 2, DUNE_BIT + 3))
COLUMN_MASKS: Final = tuple(_mask(pair) for pair in COLUMNS)
ROW_MASKS: Final = tuple(_mask(pair) for pair in ROWS)
# The cells of the first row and of the first column.
_ROW_CELLS: Final = 0b000_000_111
_COLUMN_CELLS: Final = 0b001_001_001


def _facing() -> tuple[int, ...]:
    bits = [0] * 20
    for one, other in COLUMNS + ROWS:
        bits[one] = 1 << other
        bits[other] = 1 << one
    return tuple(bits)


# FACING[n]: the mask of the border card that faces border card n; 0 for corners and dunes.
FACING: Final[tuple[int, ...]] = _facing()


def crossings(targis: int) -> int:
    """The cells where an own row crosses an own column (B3.4), for a mask of Targis."""
    rows = columns = 0
    for line in range(3):
        if targis & ROW_MASKS[line]:
            rows |= _ROW_CELLS << 3 * line
        if targis & COLUMN_MASKS[line]:
            columns |= _COLUMN_CELLS << line
    return rows & columns


def _neighbours(cell: int) -> int:
    row, column = divmod(cell, 3)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return sum(1 << (3 * r + c) for r, c in near if 0 <= r < 3 and 0 <= c < 3)


# NEIGHBOURS[cell]: the cells that touch it along an edge.
NEIGHBOURS: Final[tuple[int, ...]] = tuple(_neighbours(cell) for cell in range(CELLS))
ALL_CELLS: Final = (1 << CELLS) - 1
# REACHES[0]: from any cell to any other; REACHES[1]: to a neighbour only.
REACHES: Final[tuple[tuple[int, ...], ...]] = (
    tuple(ALL_CELLS & ~(1 << cell) for cell in range(CELLS)),
    NEIGHBOURS,
)


def bits(mask: int) -> tuple[int, ...]:
    """The numbers in a mask, ascending."""
    return tuple(number for number in range(mask.bit_length()) if mask >> number & 1)
