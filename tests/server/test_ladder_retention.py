"""What a finished match leaves in Redis once its time is over: nothing but what the season needs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
import redis
from lobby_floor import Floor, floor
from targi_server.accounts.identity import TokenKind
from targi_server.errors import Limit, NameTaken, NotAvailable
from targi_server.lobby import saga
from targi_server.lobby.slots import Slots
from targi_server.match.model import Kind
from targi_server.play.notes import Notes
from targi_server.store.keys import bot_keys, registrations_key

TTL_S = 1
PAIRS = 4
"""Offers of a round, every second one rated with two matches."""
MATCHES = PAIRS + PAIRS // 2
WAITING = {"done": MATCHES, "unexported": MATCHES}
WITHIN_S = 60.0
README = Path(__file__).parents[2] / "server" / "README.md"

BOUNDS: Mapping[str, str] = {
    r"(deadlines|outbox|due)": "running",
    r"m:[0-9a-f]+:(head|live|log|memo|end|story)": "running",
    r"match:[0-9a-f]+:notes": "running",
    r"(unexported)": "time",
    r"m:[0-9a-f]+:done": "time",
    r"offer:[0-9a-f]+:saga": "time",
    r"(archive:all|bot:[\w-]+):filed": "time",
    r"bot:[\w-]+:ends": "time",
    r"replica:[\w-]+:(beat|drain)": "time",
    r"matchmaker:ladder:leader.*": "time",
    r"address:.*:registrations": "time",
    r"(beats|outages|claims)": "number",
    r"lapsed": "number",
    r"bot:[\w-]+:faults": "number",
    r"admin:audit:acts": "number",
    r"online": "accounts",
    r"(bot|owner|admin):[\w-]+:account": "accounts",
    r"bot:[\w-]+:slots": "accounts",
    r"owner:[\w-]+:bots": "accounts",
    r"admin:bans:open": "accounts",
    r"token:[0-9a-f]+:\w+": "accounts",
    r"matchmaker:ladder:(terms|newest|pauses)": "accounts",
    r"ladder:\w+:.*": "season",
}
"""What bounds a family of keys: running matches, time, a fixed number, how many accounts, the season."""
GROWS = ("season", "number")
"""What may hold more after more matches."""
SIZES: Mapping[bytes, str] = {
    b"hash": "HLEN",
    b"zset": "ZCARD",
    b"set": "SCARD",
    b"list": "LLEN",
    b"string": "STRLEN",
}


def bound_of(key: str) -> str:
    """What bounds a key. Fails for one of no known family."""
    found = {bound for pattern, bound in BOUNDS.items() if re.fullmatch(pattern, key.partition("}:")[2])}
    assert len(found) == 1, f"{key}: say in BOUNDS and in server/README.md what bounds it"
    return found.pop()


def sizes(url: str) -> dict[str, int]:
    """All keys of the arena with the number of their members, or bytes of a string."""
    with redis.Redis.from_url(url, protocol=2) as client:
        found = {}
        for key in sorted(client.keys("targi:*")):
            command = SIZES.get(client.type(key))
            if command is not None:  # else it just expired
                found[key.decode()] = int(client.execute_command(command, key))
        return found


async def play(here: Floor) -> None:
    """Pairs, single matches and a declined offer; nobody is told of any end, and each bot comments."""
    claims = await here.arrive("alba", capacity=8), await here.arrive("bora", capacity=8)
    for number in range(PAIRS):
        offer = await here.agree(*claims, kind=(Kind.RATED, Kind.SINGLE)[number % 2])
        for match_id in offer.match_ids:
            await here.play(match_id, plies=3)
            await Notes(here.store.commands).keep(match_id, 0, "well begun")
            await here.store.matches.tell(match_id, 0, "STALE", "something")
            await here.end(match_id, "1-0")
            await here.ladder.filing.file_all()
    declined = await here.offer(*claims)
    await here.lobby.offers.decline(declined.offer_id, "bora", "busy")
    await here.ladder.standings.refit("base", 0)


def exported(archive: Path) -> int:
    """How many records there are."""
    return len(list(archive.glob("*/*.targi")))


async def without(here: Floor, url: str, *bounds: str) -> dict[str, int]:
    """All keys, once none is left that one of these bounds."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            await here.store.matches.tick()
            found = await asyncio.to_thread(sizes, url)
            if not {bound_of(key) for key in found}.intersection(bounds):
                return found
            await asyncio.sleep(0.1)


async def test_finished_matches_leave_nothing_behind_but_what_the_season_needs(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saga, "READABLE_S", 1)
    async with floor(redis_url, clock=None, archive=tmp_path, finished_ttl_s=TTL_S) as here:
        assert here.ladder.export is not None
        rounds = []
        for _ in range(2):
            await play(here)
            assert any(re.search(":m:.*:done$", key) for key in sizes(redis_url))
            await here.ladder.export.run(lambda: True)
            rounds.append(await without(here, redis_url, "running", "time"))
        assert exported(tmp_path) == 2 * MATCHES
    before, after = (
        {key: size for key, size in each.items() if bound_of(key) not in GROWS} for each in rounds
    )
    assert before == after
    season = {key: after for key, after in rounds[1].items() if bound_of(key) == "season"}
    pairs = next(size for key, size in season.items() if key.endswith(":pairs"))
    assert pairs == PAIRS
    assert all(size <= pairs for key, size in season.items() if not key.endswith(":table"))


async def test_matches_that_wait_for_export_are_all_that_stays(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saga, "READABLE_S", 1)
    async with floor(redis_url, clock=None, archive=tmp_path, finished_ttl_s=TTL_S) as here:
        await play(here)
        async with asyncio.timeout(WITHIN_S):
            while timed(redis_url) != WAITING:  # noqa: ASYNC110 - Redis says nothing when a key expires
                await asyncio.sleep(0.1)


def timed(url: str) -> dict[str, int]:
    """Keys, and members of sorted sets, that go with time: how many by their last word."""
    found: dict[str, int] = {}
    for key, size in sizes(url).items():
        if bound_of(key) == "time":
            part = key.rpartition(":")[2]
            found[part] = found.get(part, 0) + (size if part == "unexported" else 1)
    return found


def test_the_guide_says_of_each_key_what_bounds_it() -> None:
    told = README.read_text().partition("## What is in Redis")[2].partition("\n## ")[0]
    for pattern in BOUNDS:
        for part in re.findall(r"[a-z]{3,}", re.sub(r"\[.*?\]\+|\\w|.\*", "", pattern)):
            assert f"{part}" in told, f"{part}: server/README.md does not say what bounds it"


async def test_ends_that_a_bot_never_hears_of_go_with_their_matches(redis_url: str) -> None:
    async with floor(redis_url) as here:
        slots = Slots(here.store.commands, max_capacity=8, ends_s=60)
        for number in range(3):
            await slots.seat("alba", f"offer-{number}", starts=f"match-{number}")
            await slots.seat("alba", f"offer-{number}", over=f"match-{number}")
            await here.pass_ms(40_000)
        assert (await slots.held(["alba"]))["alba"].ends == ("match-1", "match-2")
        left = await here.store.commands.command("TTL", bot_keys("alba").ends)
        assert isinstance(left, int) and 0 < left <= 60


async def test_a_refused_registration_takes_no_room(redis_url: str) -> None:
    async with floor(redis_url) as here:
        for number in range(20):
            with suppress(Limit):
                await here.accounts.create_owner(f"owner-{number}", None, "192.0.2.7")
        assert await here.store.commands.command("SCARD", registrations_key("192.0.2.7")) == 3


@pytest.mark.parametrize("act", ["create", "rotate"])
async def test_a_caller_that_goes_away_leaves_no_token_that_opens_nothing(redis_url: str, act: str) -> None:
    async with floor(redis_url) as here:
        await here.accounts.register_bot("ann", "alba")
        acts: Mapping[str, Callable[[int], Awaitable[str]]] = {
            "create": lambda number: here.accounts.register_bot("ann", f"bot-{number}"),
            "rotate": lambda _: here.accounts.rotate_bot_token("ann", "alba"),
        }
        for number in range(30):
            calling = asyncio.ensure_future(acts[act](number))
            for _ in range(number):
                await asyncio.sleep(0)
            calling.cancel()
            with suppress(asyncio.CancelledError, NameTaken, NotAvailable):
                await calling
        async with asyncio.timeout(WITHIN_S):
            while tokens(redis_url) != accounts(redis_url):  # noqa: ASYNC110 - it is another task's work
                await asyncio.sleep(0.01)


def tokens(url: str) -> int:
    return sum(":token:" in key and key.endswith(f":{TokenKind.BOT}") for key in sizes(url))


def accounts(url: str) -> int:
    return sum(":bot:" in key and key.endswith(":account") for key in sizes(url))
