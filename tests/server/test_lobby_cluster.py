"""Lobby and ladder on Redis Cluster: a script whose keys lie in two slots would be refused there."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable

import pytest
import redis
from lobby_floor import Floor, floor, nonce
from redis_server import RedisServer
from spare_port import free_port
from targi_server.accounts.identity import TokenKind
from targi_server.errors import NotAvailable

START_S = 30.0


@pytest.fixture(scope="module")
def cluster_url(redis_servers: Callable[..., RedisServer]) -> str:
    """A cluster of one server, which has all slots."""
    server = redis_servers("--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    with server.client() as client:
        client.execute_command("CLUSTER ADDSLOTSRANGE", 0, 16_383)
        end = time.monotonic() + START_S
        while "ok" not in str(client.cluster("INFO")):
            assert time.monotonic() < end, "the cluster did not come up"
            time.sleep(0.05)
    return server.url


@pytest.fixture
async def here(cluster_url: str) -> AsyncIterator[Floor]:
    with redis.Redis.from_url(cluster_url) as client:
        client.flushall()
    async with floor(cluster_url, clock=None) as made:
        yield made


async def test_accounts_work_on_a_cluster(here: Floor) -> None:
    owner = await here.accounts.create_owner("alice", None, "127.0.0.1")
    first = await here.accounts.register_bot("alice", "alba")
    second = await here.accounts.rotate_bot_token("alice", "alba")
    assert (await here.accounts.authenticate(owner)).kind is TokenKind.OWNER
    assert (await here.accounts.authenticate(second)).bot == "alba"
    assert first != second
    assert [bot.bot for bot in await here.accounts.bots("alice")] == ["alba"]


async def test_a_rated_pair_goes_from_the_pairing_to_the_table_on_a_cluster(here: Floor) -> None:
    claims = [await here.arrive(bot) for bot in ("alba", "bora")]
    assert await here.ladder.matchmaker.step()
    held = await here.lobby.slots.held(["alba", "bora"])
    (offer_id,) = held["alba"].offers
    assert held["bora"].offers == (offer_id,)
    for claim in claims:
        await here.lobby.offers.ready(offer_id, claim, nonce(claim.bot))
    for _ in range(2):
        (match_id,) = await here.store.matches.running()
        await here.end(match_id, "1-0")
        assert await here.ladder.filing.file_all() == 1
        assert await here.ladder.archive.get(match_id) is not None
    assert await here.ladder.standings.refit("base", 1)
    table = await here.ladder.standings.table("base")
    assert [row.rated.rating for row in table.rows] == [1500, 1500]
    assert [pair.pair_id for pair in (await here.ladder.results.page(["base"], 5, bot="bora")).results] == [
        offer_id
    ]
    assert (await here.ladder.archive.newest(5))[0][0] == match_id
    for claim in claims:
        await here.lobby.slots.told(claim.bot, match_id)
        assert await here.lobby.presence.release(claim)


async def test_an_offer_lapses_and_is_swept_on_a_cluster(here: Floor) -> None:
    claims = [await here.arrive(bot) for bot in ("alba", "bora")]
    offer = await here.offer(*claims)
    with pytest.raises(NotAvailable):
        await here.offer(*claims)
    await here.lobby.presence.quiet(claims[0], True)
    await here.lobby.offers.decline(offer.offer_id, "bora", "")
    await here.lobby.offers.sweep()
    assert await here.lobby.offers.repair() == 0
    assert await here.state(offer.offer_id) == "lapsed"
    assert (await here.lobby.slots.held(["alba"]))["alba"].used == 0
