"""A batch as a Parquet file. The only home of pyarrow, which the extra `parquet` brings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from targi_sdk.arena.gameline import GameLine

__all__ = ["SCHEMA", "write_parquet"]

GROUP: Final = 5_000
"""Games in a row group: so many are in memory at a time."""

_BREAKDOWN: Final = pa.struct(
    [(part, pa.int16()) for part in ("tokens", "printed", "effects", "rows", "water")]
)
SCHEMA: Final[Any] = pa.schema(
    [
        ("game", pa.int64()),
        ("series", pa.string()),
        ("ruleset", pa.string()),
        ("variants", pa.string()),
        ("cards", pa.string()),
        ("seed", pa.string()),
        ("opening", pa.string()),
        ("bots", pa.list_(pa.string())),
        ("players", pa.list_(pa.string())),
        ("result", pa.string()),
        ("termination", pa.string()),
        ("culprit", pa.string()),
        ("scores", pa.list_(pa.int16())),
        ("breakdown", pa.list_(_BREAKDOWN)),
        ("decisions", pa.int32()),
        ("rounds", pa.int16()),
        ("words", pa.string()),
        ("record", pa.string()),
    ]
)
"""The columns: the fields of a line (see gameline.py)."""  # Any: pyarrow has no types


def write_parquet(lines: Path, target: Path) -> None:
    """Write the games of a file of lines to a Parquet file, which is there whole or not at all."""
    scratch = target.with_name(f".{target.name}.part")
    try:
        with pq.ParquetWriter(scratch, SCHEMA, compression="zstd") as writer, lines.open("rb") as file:
            for group in _groups(file):
                writer.write_table(pa.Table.from_pylist(group, schema=SCHEMA))
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)


def _groups(file: Iterator[bytes]) -> Iterator[list[GameLine]]:
    while group := [json.loads(text) for text in islice(file, GROUP)]:
        yield group
