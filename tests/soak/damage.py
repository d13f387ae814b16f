"""Valid inputs damaged at random: bytes, texts and JSON documents."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any, Final

Json = Any  # a document of any shape: damaging it is the point

WORDS: Final = (
    *(
        "[",
        "]",
        "{",
        "}",
        '"',
        "\\",
        "\n",
        "\r\n",
        "\t",
        " ",
        ".",
        "-",
        "0",
        "1.",
        "13.",
        "99999999999999999999",
    ),
    *("*", "1-0", "@1", "c9", "pay:vp", '[Seed "', '[Format "1"]', "{}", "\0", "\ufeff", "\u00b2", "\ud800"),
)
VALUES: Final[tuple[Json, ...]] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2,
        17,
        10**30,
        1.5,
        float("nan"),
        float("inf"),
        "",
        "x",
        "dates",
        "\ud800",
    ),
    *([], {}, [[]], [{}], {"": 0}, {"dates": 1}, {"kind": "gain"}, [None], "A" * 10_000),
)
BYTES: Final = (b"\x00", b"\x01", b"\x7f", b"\x80", b"\xff", b"\xff" * 9 + b"\x01", b"\xff" * 40 + b"\x7f")


def often(rng: random.Random) -> range:
    """How often an input is damaged: mostly once, as much damage is refused early."""
    times = 1
    while rng.random() < 0.4:
        times += 1
    return range(times)


def span(rng: random.Random, length: int) -> slice:
    """A place in something of a length, mostly a short one."""
    at = rng.randint(0, length)
    return slice(at, at + (rng.randint(0, 4) if rng.random() < 0.8 else rng.randint(0, length)))


def damaged_bytes(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Bytes with pieces changed, cut out, put in or taken from other valid bytes."""
    for _ in often(rng):
        at, taken = span(rng, len(data)), span(rng, len(other))
        piece = rng.choice(
            (b"", other[taken], data[at] * 2, rng.choice(BYTES), rng.randbytes(rng.randint(1, 3)))
        )
        data = data[: at.start] + piece + data[at.stop :]
    return data


def damaged_text(rng: random.Random, text: str, other: str) -> str:
    """A text with pieces changed, cut out, put in or taken from another valid text."""
    for _ in often(rng):
        at, taken = span(rng, len(text)), span(rng, len(other))
        piece = rng.choice(("", other[taken], text[at] * 2, rng.choice(WORDS), chr(rng.randrange(0x3000))))
        text = text[: at.start] + piece + text[at.stop :]
    return text


def damaged_json(rng: random.Random, text: str, other: str) -> str:
    """A JSON text whose document was changed in some places."""
    document = json.loads(text)
    for _ in often(rng):
        holder = rng.choice(holders(document))
        rng.choice(EDITS)(rng, holder, rng.choice(holders(json.loads(other))))
    return json.dumps(document)


def holders(document: Json) -> list[Json]:
    """The objects and lists of a document that are not empty."""
    found = []
    rest = [document]
    while rest:
        node = rest.pop()
        if node and isinstance(node, dict | list):
            found.append(node)
            rest += node.values() if isinstance(node, dict) else node
    return found or [[None]]


def place(rng: random.Random, holder: Json) -> Json:
    return rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))


def set_value(rng: random.Random, holder: Json, other: Json) -> None:
    holder[place(rng, holder)] = copy.deepcopy(rng.choice(VALUES))


def take_value(rng: random.Random, holder: Json, other: Json) -> None:
    holder[place(rng, holder)] = copy.deepcopy(other[place(rng, other)])


def drop_value(rng: random.Random, holder: Json, other: Json) -> None:
    del holder[place(rng, holder)]


def add_value(rng: random.Random, holder: Json, other: Json) -> None:
    value = copy.deepcopy(other[place(rng, other)])
    if isinstance(holder, dict):
        holder[str(place(rng, other))] = value
    else:
        holder.insert(place(rng, holder), value)


def nudge(rng: random.Random, holder: Json, other: Json) -> None:
    """A number a little higher or lower, where there is one."""
    at = place(rng, holder)
    if isinstance(holder[at], int):
        holder[at] += rng.choice((-1, 1))


EDITS: Final[tuple[Callable[[random.Random, Json, Json], None], ...]] = (
    *(set_value, take_value, drop_value, add_value, nudge, nudge),
)
