"""Frames of a hostile bot: what it could rightly say, lies about what it knows, and noise.

A frame depends on the source of chance and on `Known` only, so a seed gives the same frames for the same
answers of the server.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from damage import BYTES, damaged_bytes
from google.protobuf.descriptor import FieldDescriptor
from targi.v1 import game_pb2, play_pb2
from targi_engine import VOCABULARY
from wire_noise import VARINTS, chunk, varint, wire

T = TypeVar("T")
Table = Sequence[tuple[float, T]]

LONG_CHAIN: Final = 10_000
MANY_EVENTS: Final = 3_000
FRAME_BYTES: Final = 1 << 20
"""The server's default limit."""
U32: Final = 2**32 - 1
WORDS: Final = (
    *("", "x", "base", "seats", "/1x2 ", "c9", "\0", "\u202e", "\u7802", "{}%s", "a\nb", "../..", "'; --"),
    *("A" * 65, "A" * 5_000, " " * 16, "\U0001f42a" * 40),
)


@dataclass
class Known:
    """What a bot heard of its own and of others' matches: it makes lies credible."""

    turns: dict[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    """Own running matches: the ply that was heard of last, and what is legal if it is this bot's turn."""
    over: deque[str] = field(default_factory=lambda: deque(maxlen=20))
    offers: deque[str] = field(default_factory=lambda: deque(maxlen=20))
    foreign: tuple[str, ...] = ()
    """Running matches of others."""
    sent: deque[bytes] = field(default_factory=lambda: deque(maxlen=30))

    def match(self, rng: random.Random) -> str:
        """An id of a match, mostly of an own one that runs."""
        pools = (tuple(self.turns), tuple(self.turns), tuple(self.turns), self.over, self.foreign)
        pool = rng.choice(pools) or self.foreign
        return rng.choice(tuple(pool)) if pool and rng.random() < 0.95 else text(rng)

    def offer(self, rng: random.Random) -> str:
        """An id of an offer that was heard of, mostly."""
        return rng.choice(self.offers) if self.offers and rng.random() < 0.8 else text(rng)


def pick(rng: random.Random, table: Table[T]) -> T:
    """A row of a table of weights."""
    return rng.choices([row for _, row in table], [weight for weight, _ in table])[0]


def text(rng: random.Random) -> str:
    """A text of any kind."""
    return rng.choice(WORDS) if rng.random() < 0.7 else rng.randbytes(8).hex()


def number(rng: random.Random) -> int:
    """A number that fits into 32 bits."""
    return rng.choice((0, 1, 2, 7, 64, 65, 1_000, 2**31, U32, rng.randrange(2**32)))


def hello(rng: random.Random, session: str = "") -> play_pb2.Hello:
    """A good Hello."""
    return play_pb2.Hello(
        session=session or rng.randbytes(8).hex(),
        sdk_name="hostile",
        bot_version="1.0",
        vocabulary_version=rng.choice((*[VOCABULARY] * 8, 0, VOCABULARY + 1)),
        capacity=rng.choice((2, 8, 64, U32)),
        rulesets=rng.choice((*[("base", "expansion", "mixed")] * 5, ("base",))),
        view=rng.choice((play_pb2.VIEW_FORM_COMPACT, play_pb2.VIEW_FORM_STRUCTURED)),
    )


def odd_hello(rng: random.Random) -> play_pb2.Hello:
    """A Hello with a field or two of any content."""
    made = hello(rng)
    for spec in rng.sample(list(made.DESCRIPTOR.fields), rng.randint(1, 2)):
        fill(rng, made, spec)
    return made


def fill(rng: random.Random, message: play_pb2.Hello, spec: FieldDescriptor) -> None:
    """Any value of the type of a field; enumerations take numbers that they do not name."""
    make: dict[int, Callable[[], object]] = {
        FieldDescriptor.TYPE_STRING: lambda: text(rng),
        FieldDescriptor.TYPE_BYTES: lambda: rng.randbytes(rng.choice((0, 1, 31, 32, 33, 5_000))),
        FieldDescriptor.TYPE_BOOL: lambda: rng.random() < 0.5,
        FieldDescriptor.TYPE_ENUM: lambda: rng.choice((-1, 3, 99, 2**31 - 1)),
    }
    value = make.get(spec.type, lambda: number(rng))
    if spec.is_repeated:
        getattr(message, spec.name).extend([value() for _ in range(rng.choice((0, 1, 3, 500)))])
    else:
        setattr(message, spec.name, value())


def link(rng: random.Random, legal: tuple[int, ...]) -> game_pb2.Action:
    """An action: legal, another id, a name of any kind, or empty."""
    shape = rng.random()
    if shape < 0.4 and legal:
        return game_pb2.Action(id=rng.choice(legal))
    if shape < 0.7:
        return game_pb2.Action(id=number(rng))
    return game_pb2.Action(name=text(rng)) if shape < 0.9 else game_pb2.Action()


def good_act(rng: random.Random, known: Known) -> play_pb2.Act:
    """A legal action, where it is this bot's turn."""
    asked = [match_id for match_id, (_, legal) in known.turns.items() if legal]
    if not asked:
        return act(rng, known)
    match_id = rng.choice(asked)
    ply, legal = known.turns[match_id]
    note = text(rng) if rng.random() < 0.2 else ""
    return play_pb2.Act(
        match_id=match_id, ply=ply, actions=[game_pb2.Action(id=rng.choice(legal))], note=note
    )


def act(rng: random.Random, known: Known) -> play_pb2.Act:
    """An Act for any match with any ply, actions and note."""
    match_id = known.match(rng)
    ply, legal = known.turns.get(match_id, (0, ()))
    plies = (ply, max(0, ply - 1), max(0, ply - 1), ply + 1, ply + 1, 0, number(rng))
    length = rng.choice((0, 1, 1, 1, 2, 3, 20, 64, 65, 300))
    links = [link(rng, legal) for _ in range(length)]
    if legal and links and rng.random() < 0.7:
        links[0] = game_pb2.Action(id=rng.choice(legal))
    return play_pb2.Act(match_id=match_id, ply=rng.choice(plies), actions=links, note=text(rng))


Event = Callable[[random.Random, Known], play_pb2.BotEvent]

EVENTS: Final[Table[Event]] = (
    (30, lambda rng, known: play_pb2.BotEvent(act=good_act(rng, known))),
    (16, lambda rng, known: play_pb2.BotEvent(act=act(rng, known))),
    (
        6,
        lambda rng, known: play_pb2.BotEvent(
            ready=play_pb2.Ready(offer_id=known.offer(rng), nonce=rng.randbytes(rng.choice((0, 31, 32, 33))))
        ),
    ),
    (
        2,
        lambda rng, known: play_pb2.BotEvent(
            decline=play_pb2.Decline(offer_id=known.offer(rng), reason=text(rng))
        ),
    ),
    (0.05, lambda rng, known: play_pb2.BotEvent(resign=play_pb2.Resign(match_id=known.match(rng)))),
    (
        0.05,
        lambda rng, known: play_pb2.BotEvent(
            bot_error=play_pb2.BotError(match_id=known.match(rng), ply=number(rng), text=text(rng))
        ),
    ),
    (3, lambda rng, known: play_pb2.BotEvent(hold=play_pb2.Hold(match_id=known.match(rng)))),
    (3, lambda rng, known: play_pb2.BotEvent(release=play_pb2.Release(match_id=known.match(rng)))),
    (3, lambda rng, known: play_pb2.BotEvent(ping=play_pb2.Ping(token=rng.choice(VARINTS)))),
    (3, lambda rng, known: play_pb2.BotEvent(pong=play_pb2.Pong(token=rng.choice(VARINTS)))),
    (0.1, lambda rng, known: play_pb2.BotEvent(leave=play_pb2.Leave())),
    (0.1, lambda rng, known: play_pb2.BotEvent(hello=odd_hello(rng))),
    (1, lambda rng, known: play_pb2.BotEvent()),
)


def valid(rng: random.Random, known: Known) -> bytes:
    """A frame that parses, of one to four events."""
    events = [pick(rng, EVENTS)(rng, known) for _ in range(rng.choice((1, 1, 1, 2, 4)))]
    return play_pb2.PlayRequest(events=events).SerializeToString()


def damaged(rng: random.Random, known: Known) -> bytes:
    """A frame with pieces changed, cut out, doubled or taken from another one."""
    return damaged_bytes(rng, valid(rng, known), valid(rng, known))


def flipped(rng: random.Random, known: Known) -> bytes:
    """A frame with a few bits turned over."""
    data = bytearray(valid(rng, known))
    for _ in range(rng.randint(1, 4) if data else 0):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def truncated(rng: random.Random, known: Known) -> bytes:
    """The beginning of a frame."""
    data = valid(rng, known)
    return data[: rng.randint(0, len(data))]


def spliced(rng: random.Random, known: Known) -> bytes:
    """Two frames in one, the same twice, or events behind the end of one."""
    one, other = valid(rng, known), valid(rng, known)
    return rng.choice((one + other, one + one, other + rng.choice(BYTES), one + wire(rng)))


def again(rng: random.Random, known: Known) -> bytes:
    """A frame that was sent before."""
    return rng.choice(known.sent) if known.sent else valid(rng, known)


def extended(rng: random.Random, known: Known) -> bytes:
    """An event with fields of a later version in it, or with fields of its own in other types."""
    event = pick(rng, EVENTS)(rng, known)
    kind = event.WhichOneof("event")
    place = event.DESCRIPTOR.fields_by_name[kind].number if kind else rng.randint(12, 99)
    inner = getattr(event, kind).SerializeToString() if kind else b""
    more = chunk(place, inner + wire(rng))
    return chunk(1, more + (chunk(rng.randint(1, 11), wire(rng)) if rng.random() < 0.5 else b""))


def odd_ply(rng: random.Random, known: Known) -> bytes:
    """An Act whose ply is negative, larger than its type, or a text."""
    match_id = chunk(1, known.match(rng).encode())
    ply = rng.choice((b"\x10" + varint(-1), b"\x10" + varint(2**63), b"\x12\x01x", b"\x10" + varint(2**32)))
    return chunk(1, chunk(4, match_id + ply + chunk(3, b"\x08\x01")))


def bad_text(rng: random.Random, known: Known) -> bytes:
    """Texts that are no UTF-8, in place of an id, a reason or a note."""
    nasty = rng.choice((b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"a\xe2\x82", b"\xf8\x88\x80\x80\x80"))
    place, inner = rng.choice(((3, 2), (4, 4), (5, 1), (6, 3), (1, 1)))
    return chunk(1, chunk(place, chunk(1, known.match(rng).encode()) + chunk(inner, nasty)))


def nested(rng: random.Random, known: Known) -> bytes:
    """Groups or messages in each other, thousands deep."""
    depth = rng.choice((50, 99, 100, 101, 5_000))
    if rng.random() < 0.5:
        return b"\x9b\x06" * depth + b"\x9c\x06" * depth
    data = b""
    for _ in range(min(depth, 500)):
        data = chunk(1, data)
    return data


def noise(rng: random.Random, known: Known) -> bytes:
    """Any bytes."""
    return rng.randbytes(int(2 ** rng.uniform(0, 10)) - 1)


def _of_act(known: Known, rng: random.Random, **fields: object) -> bytes:
    match_id = known.match(rng)
    ply = known.turns.get(match_id, (0, ()))[0]
    made = play_pb2.Act(match_id=match_id, ply=ply, **fields)  # type: ignore[arg-type]  # fields of any kind
    return play_pb2.PlayRequest(events=[play_pb2.BotEvent(act=made)]).SerializeToString()


def long_chain(rng: random.Random, known: Known) -> bytes:
    """An Act of very many actions."""
    return _of_act(known, rng, actions=[game_pb2.Action(id=rng.randrange(300))] * LONG_CHAIN)


def long_note(rng: random.Random, known: Known) -> bytes:
    """A note that makes the frame as large as may be, or a little larger."""
    size = FRAME_BYTES + rng.choice((-2_000, -100, 1, 100))
    return _of_act(known, rng, actions=[game_pb2.Action(id=0)], note="n" * size)


def many_events(rng: random.Random, known: Known) -> bytes:
    """Very many events in a frame: the same, or none at all."""
    event = pick(rng, EVENTS)(rng, known)
    if event.WhichOneof("event") in ("hello", "leave"):
        event = play_pb2.BotEvent()
    return play_pb2.PlayRequest(events=[event] * rng.choice((300, 300, 300, MANY_EVENTS))).SerializeToString()


def oversized(rng: random.Random, known: Known) -> bytes:
    """A frame of which the server reads nothing: it ends the stream."""
    return bytes(4 * FRAME_BYTES + 1)


Shape = Callable[[random.Random, Known], bytes]

SHAPES: Final[Table[Shape]] = (
    *((36, valid), (22, damaged), (7, flipped), (6, noise), (5, truncated), (5, spliced)),
    *((5, again), (5, extended), (2, odd_ply), (2, bad_text), (2, lambda rng, known: wire(rng))),
    *((0.5, nested), (0.15, long_chain), (0.1, long_note), (0.05, many_events), (0.02, oversized)),
    (0.3, lambda rng, known: b""),
)


def frame(rng: random.Random, known: Known) -> bytes:
    """Any frame of the shapes."""
    made = pick(rng, SHAPES)(rng, known)
    if len(made) < 10_000:
        known.sent.append(made)
    return made
