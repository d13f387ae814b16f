"""Presence: one session a bot, takeovers, nonce chains, and replicas that die."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from lobby_floor import START_MS, Floor, floor, nonce, until
from targi_server import fairness
from targi_server.errors import BadNonce, Replaced, TakeoverLimit
from targi_server.store.keys import replica_key

OFFER, OTHER = "0123456789abcdef", "fedcba9876543210"
SECOND = "another-session-0"
THIRD = "another-session-1"


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        yield made


async def kill_replica(here: Floor, replica: str = "replica-1") -> None:
    """Its beat has run out."""
    await here.store.commands.command("DEL", replica_key(replica))


async def test_a_claim_makes_a_bot_visible_and_a_release_hides_it(here: Floor) -> None:
    claim = await here.arrive("alba", version="1.2", capacity=4, chain_head=nonce("head"))
    (online,) = await here.lobby.presence.online()
    assert (online.bot, online.owner, online.version) == ("alba", "alba-owner", "1.2")
    assert (online.capacity, online.rulesets, online.ladder) == (4, ("base",), True)
    assert online.chain == nonce("head")
    assert await here.lobby.presence.release(claim)
    assert await here.lobby.presence.online() == []
    assert await here.lobby.presence.fences(["alba"]) == {"alba": 0}


async def test_bots_of_all_buckets_are_listed_by_name(here: Floor) -> None:
    names = [f"bot{n:02}" for n in range(40)]
    for name in reversed(names):
        await here.arrive(name)
    assert [online.bot for online in await here.lobby.presence.online()] == names


async def test_a_newer_session_replaces_the_older(here: Floor) -> None:
    old = await here.arrive("alba")
    new = await here.arrive("alba", session=SECOND)
    assert new.fence > old.fence
    assert not new.resumed
    assert await here.lobby.presence.fences(["alba"]) == {"alba": new.fence}
    await until(lambda: here.said("replaced") == ["alba"])
    assert here.news[0].payload == {"fence": old.fence}


async def test_an_old_stream_cannot_give_up_what_a_newer_one_holds(here: Floor) -> None:
    old = await here.arrive("alba")
    new = await here.arrive("alba", session=SECOND)
    assert not await here.lobby.presence.release(old)
    await here.lobby.presence.leave(old)
    (online,) = await here.lobby.presence.online()
    assert (online.fence, online.leaving) == (new.fence, False)


async def test_a_second_takeover_within_a_minute_has_to_wait(here: Floor) -> None:
    await here.arrive("alba")
    second = await here.arrive("alba", session=SECOND)
    await here.pass_ms(59_000)
    with pytest.raises(TakeoverLimit, match="1 s"):
        await here.arrive("alba", session=THIRD)
    assert await here.lobby.presence.fences(["alba"]) == {"alba": second.fence}
    await here.pass_ms(1_000)
    assert (await here.arrive("alba", session=THIRD)).fence > second.fence


async def test_a_session_that_was_taken_over_does_not_come_back(here: Floor) -> None:
    await here.arrive("alba")
    second = await here.arrive("alba", session=SECOND)
    await here.pass_ms(3_600_000)
    with pytest.raises(Replaced, match="took the bot 'alba' over"):
        await here.arrive("alba")
    assert await here.lobby.presence.fences(["alba"]) == {"alba": second.fence}
    assert (await here.arrive("alba", session=THIRD)).fence > second.fence


async def test_the_same_session_comes_back_at_once(here: Floor) -> None:
    claims = [await here.arrive("alba") for _ in range(5)]
    assert [claim.resumed for claim in claims] == [False, True, True, True, True]


async def test_taking_over_from_a_quiet_stream_is_no_takeover(here: Floor) -> None:
    for session in (SECOND, THIRD, "another-session-2", "another-session-3"):
        claim = await here.arrive("alba", session=session)
        await here.lobby.presence.quiet(claim, True)
    await here.lobby.presence.quiet(claim, False)
    await here.arrive("alba")
    with pytest.raises(TakeoverLimit):
        await here.arrive("alba", session=SECOND)


async def test_bots_of_a_dead_replica_are_gone_and_free_for_the_next(here: Floor, redis_url: str) -> None:
    await here.arrive("alba")
    await kill_replica(here)
    assert await here.lobby.presence.online() == []
    assert await here.lobby.presence.those_online(["alba"]) == {}
    async with floor(redis_url, "replica-2") as other:
        for session in (SECOND, THIRD):
            claim = await other.arrive("alba", session=session)
            await kill_replica(here, "replica-2")
        assert claim.replica == "replica-2"
        await other.lobby.presence.beat()
        assert [online.session for online in await other.lobby.presence.online()] == [THIRD]


async def test_a_beat_runs_out(here: Floor) -> None:
    await here.lobby.presence.beat()
    left = await here.store.commands.command("PTTL", replica_key("replica-1"))
    assert isinstance(left, int)
    assert 0 < left <= 3_000


async def test_a_leaving_bot_is_shown_as_leaving(here: Floor) -> None:
    claim = await here.arrive("alba")
    await here.lobby.presence.leave(claim)
    assert [online.leaving for online in await here.lobby.presence.online()] == [True]
    await here.arrive("alba")
    assert [online.leaving for online in await here.lobby.presence.online()] == [False]


def chain(length: int) -> list[bytes]:
    """Head first, then the nonces in the order of their use."""
    links = [nonce("end")]
    for _ in range(length):
        links.append(fairness.commitment(links[-1]))
    return links[::-1]


async def test_nonces_are_spent_down_the_chain(here: Floor) -> None:
    head, first, second, third = chain(3)
    claim = await here.arrive("alba", chain_head=head)
    await here.pass_ms(5_000)
    assert await here.lobby.presence.spend(claim, first, OFFER) == START_MS
    with pytest.raises(BadNonce):
        await here.lobby.presence.spend(claim, third, OTHER)
    assert await here.lobby.presence.spend(claim, second, OTHER) == START_MS


async def test_a_nonce_is_good_for_one_offer(here: Floor) -> None:
    head, first, *_ = chain(3)
    claim = await here.arrive("alba", chain_head=head)
    for _ in range(2):
        assert await here.lobby.presence.spend(claim, first, OFFER) == START_MS
    with pytest.raises(BadNonce):
        await here.lobby.presence.spend(claim, first, OTHER)


async def test_without_a_chain_any_nonce_will_do_and_nothing_is_bound(here: Floor) -> None:
    claim = await here.arrive("alba")
    assert await here.lobby.presence.spend(claim, nonce("any"), OFFER) is None


async def test_a_replaced_session_cannot_spend(here: Floor) -> None:
    old = await here.arrive("alba")
    await here.arrive("alba", session=SECOND)
    with pytest.raises(Replaced):
        await here.lobby.presence.spend(old, nonce("any"), OFFER)


async def test_a_reconnect_on_the_same_chain_stays_bound(here: Floor) -> None:
    head, first, second, third = chain(3)
    claim = await here.arrive("alba", chain_head=head)
    await here.lobby.presence.spend(claim, first, OFFER)
    await here.pass_ms(5_000)
    again = await here.arrive("alba", chain_head=second)
    assert await here.lobby.presence.spend(again, third, OFFER) == START_MS


@pytest.mark.parametrize("session", ["", SECOND])
async def test_a_new_chain_binds_from_its_announcement_on(here: Floor, session: str) -> None:
    head, first, *_ = chain(3)
    await here.arrive("alba", chain_head=nonce("old head"))
    await here.pass_ms(5_000)
    claim = await here.arrive("alba", session=session, chain_head=head)
    assert await here.lobby.presence.spend(claim, first, OFFER) == START_MS + 5_000
