"""Places of a bot: reserved, taken, freed, and ends that it has to be told."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from lobby_floor import Floor, floor
from targi_server.errors import NotAvailable
from targi_server.lobby.slots import Held, Slots

OFFER, OTHER = "0123456789abcdef", "fedcba9876543210"
GAME_1, GAME_2 = "1111111111111111", "2222222222222222"


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        yield made


async def held(here: Floor) -> Held:
    return (await here.lobby.slots.held(["alba"]))["alba"]


async def reserve(here: Floor, offer: str = OFFER, token: int = 0) -> int:
    return await here.lobby.slots.reserve("alba", offer, for_ms=15_000, token=token)


async def test_a_reservation_takes_a_place_until_its_time_is_over(here: Floor) -> None:
    await here.arrive("alba")
    await reserve(here)
    with pytest.raises(NotAvailable):
        await reserve(here, OTHER)
    assert (await held(here)).offers == (OFFER,)
    await here.pass_ms(15_001)
    assert await held(here) == Held((), (), ())
    await reserve(here, OTHER)


async def test_repeating_a_reservation_takes_no_second_place(here: Floor) -> None:
    await here.arrive("alba", capacity=2)
    await reserve(here)
    await reserve(here)
    assert (await held(here)).used == 1


async def test_a_bot_that_is_away_leaving_or_retired_takes_nothing(here: Floor) -> None:
    with pytest.raises(NotAvailable):
        await reserve(here)
    claim = await here.arrive("alba")
    await here.lobby.presence.leave(claim)
    with pytest.raises(NotAvailable):
        await reserve(here)
    await here.arrive("alba")
    await here.accounts.retire_bot("alba-owner", "alba")
    with pytest.raises(NotAvailable):
        await reserve(here)


async def test_the_server_limits_what_a_bot_may_hold(here: Floor) -> None:
    await here.arrive("alba", capacity=9)
    slots = Slots(here.store.commands, max_capacity=1)
    await slots.reserve("alba", OFFER, for_ms=15_000)
    with pytest.raises(NotAvailable):
        await slots.reserve("alba", OTHER, for_ms=15_000)


async def test_an_older_matchmaker_is_refused(here: Floor) -> None:
    await here.arrive("alba", capacity=3)
    await reserve(here, token=7)
    with pytest.raises(NotAvailable, match="old"):
        await reserve(here, OTHER, token=6)
    await reserve(here, OTHER, token=7)
    await reserve(here, GAME_1)


async def test_both_games_of_a_pair_use_one_place(here: Floor) -> None:
    await here.arrive("alba")
    slots = here.lobby.slots
    await reserve(here)
    await slots.seat("alba", OFFER, starts=GAME_1)
    assert await held(here) == Held((), (GAME_1,), (), (OFFER,))
    await slots.seat("alba", OFFER, over=GAME_1, starts=GAME_2)
    assert await held(here) == Held((), (GAME_2,), (GAME_1,), (OFFER,))
    await slots.seat("alba", OFFER, over=GAME_2)
    assert await held(here) == Held((), (), (GAME_1, GAME_2))


async def test_a_match_starts_also_when_its_reservation_is_gone(here: Floor) -> None:
    await here.arrive("alba")
    await reserve(here)
    await here.pass_ms(20_000)
    await here.lobby.slots.seat("alba", OFFER, starts=GAME_1)
    assert (await held(here)).matches == (GAME_1,)


async def test_repeating_a_step_changes_nothing(here: Floor) -> None:
    await here.arrive("alba")
    slots = here.lobby.slots
    await slots.seat("alba", OFFER, starts=GAME_1)
    for _ in range(2):
        await slots.seat("alba", OFFER, over=GAME_1, starts=GAME_2)
    await slots.told("alba", GAME_1)
    await slots.seat("alba", OFFER, over=GAME_1, starts=GAME_2)
    assert await held(here) == Held((), (GAME_2,), (), (OFFER,))


@pytest.mark.parametrize("early", [True, False])
async def test_an_end_that_was_told_is_not_kept(here: Floor, early: bool) -> None:
    await here.arrive("alba")
    slots = here.lobby.slots
    await slots.seat("alba", OFFER, starts=GAME_1)
    if early:
        await slots.told("alba", GAME_1)
    await slots.seat("alba", OFFER, over=GAME_1)
    if not early:
        await slots.told("alba", GAME_1)
    assert await held(here) == Held((), (), ())


async def test_ends_are_kept_up_to_a_limit(here: Floor) -> None:
    slots = here.lobby.slots
    for number in range(300):
        await slots.seat("alba", OFFER, starts=f"{number:016x}")
        await here.pass_ms(1)
        await slots.seat("alba", OFFER, over=f"{number:016x}")
    ends = (await held(here)).ends
    assert len(ends) == 256
    assert ends[-1] == f"{299:016x}"


async def test_freeing_leaves_a_place_that_has_a_match(here: Floor) -> None:
    await here.arrive("alba")
    slots = here.lobby.slots
    await reserve(here)
    await slots.seat("alba", OFFER, starts=GAME_1)
    await slots.free("alba", OFFER, fault=False)
    assert (await held(here)).matches == (GAME_1,)
