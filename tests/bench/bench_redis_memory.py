"""What a match costs in Redis at its end: `python tests/bench/bench_redis_memory.py [games]`.

Plays random base games, writes each to the match log of a real Redis as two bots would have, one answer
a commit, and asks MEMORY USAGE for the keys of the match just before it is filed.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean, quantiles

import redis
from redis_server import RedisServer
from targi_engine import State, new_game
from targi_server.match.model import OVER, Kind, MatchHeader, SeatHeader, Secrets
from targi_server.store.answers import Append, Committed
from targi_server.store.keys import MatchKeys, match_keys
from targi_server.store.matches import MatchStore
from targi_server.store.opening import open_store

GAMES = 200
GOAL_BYTES = 4_096
PARTS = ("head", "live", "log", "memo", "end")


def header(number: int, seed: bytes) -> MatchHeader:
    """As a rated match has it, with every secret and names of usual length."""
    chance = random.Random(number)
    return MatchHeader(
        match_id=chance.randbytes(8).hex(),
        pair_id=chance.randbytes(8).hex(),
        game=1,
        next_match_id=chance.randbytes(8).hex(),
        kind=Kind.RATED,
        ruleset="base",
        variants="",
        cards_hash=hashlib.sha256(b"base").hexdigest(),
        rules=1,
        vocabulary=1,
        seed=seed,
        opening=chance.randbytes(32),
        seats=(
            SeatHeader("greedy-alpha", "1.4.2", "somebody"),
            SeatHeader("builder-two", "0.9.11", "anybody"),
        ),
        base_ms=60_000,
        increment_ms=1_000,
        budget_ms=60_000,
        secrets=Secrets(
            chance.randbytes(32),
            (chance.randbytes(32), chance.randbytes(32)),
            chance.randbytes(32),
            chance.randbytes(32),
            (True, True),
        ),
        given_seeds=False,
        hold_allowed=False,
        created_ms=1_700_000_000_000,
    )


async def play(store: MatchStore, number: int) -> MatchKeys:
    """One random game from its creation to its last action."""
    chance = random.Random(number)
    seed = chance.randbytes(32)
    state = new_game("base", seed)
    head = header(number, seed)
    await store.create(head, seat=state.current_seat)
    for seat in (0, 1):
        await store.arrive(head.match_id, seat)
    while not state.is_over:
        await act(store, head.match_id, state, chance)
    return match_keys(head.match_id)


async def act(store: MatchStore, match_id: str, state: State, chance: random.Random) -> None:
    """One random answer."""
    ply, seat, turn = state.ply, state.current_seat, state.turn
    action = chance.choice(state.legal_actions())
    state.apply(action)
    over = state.is_over
    outcome = state.outcome() if over else None
    answer = await store.append(
        Append(
            match_id,
            ply,
            seat,
            (action,),
            hashlib.sha256(bytes([action % 256, ply % 256])).digest()[:8],
            1,
            store.now_ms(match_id),
            chance.randrange(5),
            over or state.turn != turn,
            OVER if over else state.current_seat,
            outcome.result if outcome else None,
            (outcome.scores[0], outcome.scores[1]) if outcome else None,
        )
    )
    if not isinstance(answer, Committed):
        raise SystemExit(f"ply {ply} of match {match_id} was not taken: {answer}")


def usage(client: redis.Redis, keys: MatchKeys) -> Mapping[str, int]:
    """Bytes by part of the match."""
    return {part: client.memory_usage(getattr(keys, part), samples=0) or 0 for part in PARTS}


async def measure(url: str, games: int) -> list[str]:
    """What the games cost, in lines."""
    async with open_store(url, replica="bench") as store:
        keys = [await play(store.matches, number) for number in range(games)]
    with redis.Redis.from_url(url) as client:
        lengths = [client.llen(each.log) for each in keys]
        parts = [usage(client, each) for each in keys]
        encodings = {client.object("encoding", each.live).decode() for each in keys}
    sums = [sum(each.values()) for each in parts]
    mean, tail = fmean(sums), quantiles(sums, n=20)[-1]
    verdict = "met" if mean <= GOAL_BYTES else "missed"
    return [
        f"{games} random base games, {fmean(lengths):.0f} decisions each; live hash: {', '.join(encodings)}",
        *(f"{part:>6}  mean {fmean(each[part] for each in parts):6.0f} bytes" for part in PARTS),
        f"   all  mean {mean:6.0f} bytes, 95 % under {tail:.0f}; aim: {GOAL_BYTES}: {verdict}",
    ]


def bench(games: int = GAMES) -> Iterator[str]:
    """Lines of the report, from a Redis of its own."""
    with tempfile.TemporaryDirectory() as folder:
        server = RedisServer(Path(folder))
        server.start()
        try:
            yield from asyncio.run(measure(server.url, games))
        finally:
            server.kill()


if __name__ == "__main__":
    for line in bench(*map(int, sys.argv[1:])):
        print(line, flush=True)
