"""What `append.lua` and `strike.lua` answered, as values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from targi_server.match.model import Verdict
from targi_server.store.answers import (
    Committed,
    Gap,
    Missing,
    NotYourTurn,
    Over,
    Repeat,
    Stale,
    Struck,
    Waiting,
)
from targi_server.store.commands import Reply
from targi_server.store.orders import Sent
from targi_server.store.standing import Standing

__all__ = ["Answer", "answer_of", "split", "standing_in"]

First: TypeAlias = Committed | Struck
Refusal: TypeAlias = Stale | NotYourTurn | Gap | Over | Waiting | Missing
Answer: TypeAlias = First | Repeat | Refusal


def split(reply: Reply) -> tuple[str, bytes]:
    """The first word of a reply, and what follows it."""
    assert isinstance(reply, bytes)
    kind, _, text = reply.partition(b" ")
    return kind.decode(), text


def standing_in(reply: Reply) -> bytes:
    """Where a match stands after a commit, from what the script answered."""
    assert isinstance(reply, bytes)
    return reply.partition(b"committed ")[2]


def _committed(text: bytes, seat: int) -> Committed:
    standing = Standing.parse(text)
    return Committed(
        ply=standing.ply,
        taken=len(standing.entries),
        charged_ms=standing.entries[0].charged_ms,
        clocks=standing.clocks,
        at_ms=standing.turn_at_ms,
        entries=standing.entries,
        strikes=standing.strikes[seat],
        verdict=standing.verdict,
    )


def _struck(text: bytes, _seat: int) -> Struck:
    strikes, _line, verdict = text.partition(b"\n")
    return Struck(int(strikes), Verdict.decode(verdict) if verdict else None)


_FIRST: Final[dict[str, Callable[[bytes, int], First]]] = {"committed": _committed, "struck": _struck}

_REFUSED: Final[dict[str, Callable[[bytes], Refusal]]] = {
    "stale": lambda _: Stale(),
    "not_your_turn": lambda _: NotYourTurn(),
    "gap": lambda text: Gap(int(text)),
    "over": lambda text: Over(Verdict.decode(text)),
    "waiting": lambda _: Waiting(),
    "missing": lambda _: Missing(),
}


def answer_of(sent: Sent, seat: int) -> Answer:
    """What one of the two scripts answered to `seat`."""
    kind, text = split(sent.reply)
    if kind in _REFUSED:
        return _REFUSED[kind](text)
    if kind in _FIRST:
        return _FIRST[kind](text, seat)
    kind, text = split(text)
    first = _FIRST[kind](text, seat)
    # Sent twice because the first outcome was not known: then the caller's own answer is what came before.
    return first if sent.uncertain else Repeat(first)
