"""The matchmaker: one leads, who is free is paired, and tables follow results."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from lobby_floor import Floor, floor, nonce
from targi_server.ladder.election import Election
from targi_server.ladder.matchmaker import Matchmaker
from targi_server.lobby.presence import Claim
from targi_server.match.versions import EDITION
from targi_server.store.keys import leader_keys


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        yield made


async def eventually(condition: Callable[[], Awaitable[bool]]) -> None:
    end = time.monotonic() + 20
    while not await condition():
        assert time.monotonic() < end, "the condition did not come true in 20 s"
        await asyncio.sleep(0.02)


async def open_offers(here: Floor, bot: str) -> tuple[str, ...]:
    return (await here.lobby.slots.held([bot]))[bot].offers


async def take_all(here: Floor, *claims: Claim) -> int:
    """All bots are ready for all that they are offered."""
    taken = 0
    for claim in claims:
        for offer_id in await open_offers(here, claim.bot):
            if await here.state(offer_id) != "open":
                continue  # its place is reserved, and it is about to be opened
            await here.lobby.offers.ready(offer_id, claim, nonce(claim.bot + offer_id))
            taken += 1
    return taken


async def test_one_of_two_replicas_leads_until_it_steps_down(here: Floor) -> None:
    first = Election(here.store.commands, replica="first")
    second = Election(here.store.commands, replica="second")
    token = await first.stand()
    assert token > 0
    assert await second.stand() == 0
    assert await first.stand() == token
    await first.step_down()
    assert await second.stand() == token + 1
    await first.step_down()
    assert await second.stand() == token + 1


async def test_a_lead_runs_out_and_the_next_token_is_higher(here: Floor) -> None:
    first = Election(here.store.commands, replica="first")
    token = await first.stand()
    left = await here.store.commands.command("PTTL", leader_keys(EDITION)[0])
    assert isinstance(left, int)
    assert 0 < left <= 3_000
    await here.store.commands.command("DEL", leader_keys(EDITION)[0])  # its time is over
    assert await Election(here.store.commands, replica="second").stand() == token + 1


async def test_a_matchmaker_that_lost_the_lead_without_knowing_pairs_nobody(here: Floor) -> None:
    alba, bora = await here.arrive("alba", capacity=2), await here.arrive("bora", capacity=2)
    assert await here.ladder.pairs.make(token=2) == 2
    assert await take_all(here, alba, bora) == 4
    await here.arrive("cleo")
    await here.arrive("alba", capacity=4)
    assert await here.ladder.pairs.make(token=1) == 0


async def test_free_ladder_bots_are_offered_pairs(here: Floor) -> None:
    await here.arrive("alba")
    await here.arrive("bora")
    await here.arrive("cleo", ladder=False)
    assert await here.ladder.pairs.make(token=1) == 1
    (offer_id,) = await open_offers(here, "alba")
    assert await open_offers(here, "bora") == (offer_id,)
    assert await open_offers(here, "cleo") == ()
    assert await here.ladder.pairs.make(token=1) == 0


async def test_a_leaving_or_retired_bot_is_not_paired(here: Floor) -> None:
    leaving = await here.arrive("alba")
    await here.lobby.presence.leave(leaving)
    await here.arrive("bora")
    await here.accounts.retire_bot("bora-owner", "bora")
    await here.arrive("cleo")
    await here.arrive("dido")
    assert await here.ladder.pairs.make(token=1) == 1
    assert len(await open_offers(here, "cleo")) == len(await open_offers(here, "dido")) == 1


@pytest.mark.parametrize(("owner", "pairs"), [("ann", 0), ("house", 1)])
async def test_bots_of_one_owner_meet_only_in_the_house(here: Floor, owner: str, pairs: int) -> None:
    for bot in ("alba", "bora"):
        await here.arrive(bot, owner=owner)
    assert await here.ladder.pairs.make(token=1) == pairs


async def test_no_pairs_are_made_where_pairing_is_off(redis_url: str) -> None:
    async with floor(redis_url, pairing=False) as here:
        await here.arrive("alba")
        await here.arrive("bora")
        assert await here.ladder.pairs.make(token=1) == 0


async def test_pairs_of_before_are_remembered_by_the_next_leader(here: Floor) -> None:
    claims = [await here.arrive(bot, capacity=9) for bot in ("alba", "bora")]
    for _ in range(3):
        offer = await here.agree(*claims)
        for match_id in offer.match_ids:
            await here.end(match_id, "1-0")
            await here.ladder.filing.file_all()
    await here.arrive("cleo", capacity=2)
    for bot in ("alba", "bora"):
        await here.arrive(bot)
    await here.ladder.pairs.remember()
    assert await here.ladder.pairs.make(token=1) == 2
    assert len(await open_offers(here, "cleo")) == 2


async def test_rated_play_goes_on_by_itself_and_fills_the_table(here: Floor) -> None:
    claims = [await here.arrive(bot, capacity=3) for bot in ("alba", "bora", "cleo")]
    async with here.ladder.matchmaker.running():

        async def twelve_pairs_played() -> bool:
            await take_all(here, *claims)
            for match_id in await here.store.matches.running():
                match = await here.store.matches.load(match_id)
                if match is not None and match.live.verdict is None:
                    strong = min(seat.bot for seat in match.header.seats)
                    await here.end(match_id, "1-0" if match.header.seats[0].bot == strong else "0-1")
            return (await here.ladder.results.counted("base")).pairs >= 12

        async def table_is_published() -> bool:
            return bool((await here.ladder.standings.table("base")).pairs)

        await eventually(twelve_pairs_played)
        await here.ladder.standings.refit("base", 1)
        await eventually(table_is_published)
    table = await here.ladder.standings.table("base")
    assert [row.rated.player.bot for row in table.rows] == ["alba", "bora", "cleo"]
    assert [row.owner for row in table.rows] == ["alba-owner", "bora-owner", "cleo-owner"]
    assert {pair.quarters for pair in (await here.ladder.results.page(["base"], 50)).results} <= {0, 4}


async def test_equal_results_are_published_as_equal_tables(here: Floor) -> None:
    offer = await here.agree(await here.arrive("alba"), await here.arrive("bora"))
    for match_id in offer.match_ids:
        await here.end(match_id, "1-0")
        await here.ladder.filing.file_all()
    assert await here.ladder.standings.refit("base", 1)
    first = await here.ladder.standings.table("base")
    assert not await here.ladder.standings.refit("base", 2)
    assert await here.ladder.standings.table("base") == first
    assert type(first).decode(first.encode()) == first


async def test_a_failure_in_one_pass_does_not_end_the_loop(
    here: Floor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    passes = 0

    async def step(matchmaker: Matchmaker) -> bool:
        nonlocal passes
        passes += 1
        raise ZeroDivisionError

    async def twice() -> bool:
        return passes >= 2

    monkeypatch.setattr(Matchmaker, "step", step)
    async with here.ladder.matchmaker.running():
        await eventually(twice)
    assert "goes on" in caplog.text


async def test_a_stopped_matchmaker_leaves_the_lead_at_once(here: Floor, redis_url: str) -> None:
    async def leads() -> bool:
        return await here.store.commands.command("GET", leader_keys(EDITION)[0]) == b"replica-1"

    async with floor(redis_url, "replica-2") as other:
        async with here.ladder.matchmaker.running():
            await eventually(leads)
            assert not await other.ladder.matchmaker.step()
        assert await Election(other.store.commands, replica="replica-2").stand() > 0
