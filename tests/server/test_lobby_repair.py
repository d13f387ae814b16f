"""What bots hold is an index; the match headers are the truth, and repair it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from lobby_floor import Floor, floor
from targi_server.lobby.presence import Claim
from targi_server.match.model import Kind
from targi_server.store.keys import bot_keys, offer_key

BOTS = ("alba", "bora")


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        yield made


async def arrivals(here: Floor, *, ladder: bool = True) -> list[Claim]:
    return [await here.arrive(bot, ladder=ladder) for bot in BOTS]


async def used(here: Floor) -> list[int]:
    """How many places the bots have taken."""
    held = await here.lobby.slots.held(BOTS)
    return [held[bot].used for bot in BOTS]


async def lose(here: Floor, *keys: str) -> None:
    """Parts of the store are gone, as after a crash of one of its servers."""
    for key in keys:
        await here.store.commands.command("DEL", key)


@pytest.mark.parametrize("game", [1, 2])
async def test_a_running_match_that_is_missing_in_what_its_bot_holds_is_put_back(
    here: Floor, game: int
) -> None:
    offer = await here.agree(*await arrivals(here))
    if game == 2:
        await here.end(offer.match_ids[0], "1-0")
        await here.ladder.filing.file_all()
    await lose(here, bot_keys(BOTS[0]).slots)
    assert await used(here) == [0, 1]
    here.news.clear()
    assert await here.lobby.offers.repair() == 1
    held = (await here.lobby.slots.held(BOTS))[BOTS[0]]
    assert (held.matches, held.places) == ((offer.match_ids[game - 1],), (offer.offer_id,))
    assert [(news.bot, news.kind) for news in here.news] == [(BOTS[0], "match")]
    assert await here.lobby.offers.repair() == 0


async def test_a_match_that_is_over_is_not_put_back(here: Floor) -> None:
    offer = await here.agree(*await arrivals(here, ladder=False), kind=Kind.SINGLE)
    await here.end(offer.offer_id, "1-0")
    await lose(here, bot_keys(BOTS[0]).slots)
    assert await here.lobby.offers.repair() == 0
    await here.ladder.filing.file_all()
    assert await here.lobby.offers.repair() == 0
    assert await used(here) == [0, 0]


async def test_a_running_match_whose_offer_was_lost_keeps_its_places_until_it_is_over(here: Floor) -> None:
    offer = await here.agree(*await arrivals(here, ladder=False), kind=Kind.SINGLE)
    await lose(here, offer_key(offer.offer_id))
    assert await here.lobby.offers.repair() == 0
    assert await used(here) == [1, 1]
    await here.end(offer.offer_id, "1-0")
    await here.ladder.filing.file_all()
    assert await here.lobby.offers.repair() == 2
    assert await used(here) == [0, 0]
