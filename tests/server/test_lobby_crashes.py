"""A replica that dies at any of its commands leaves nothing half done for long."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any, cast

import pytest
from lobby_floor import Floor, Ladder, floor, nonce, offered
from targi_server import fairness
from targi_server.lobby.lobby import Lobby
from targi_server.lobby.offer import Offer, OfferState
from targi_server.lobby.presence import Claim
from targi_server.lobby.saga import Saga
from targi_server.match.model import Kind
from targi_server.metrics import Metrics
from targi_server.settings import Settings
from targi_server.store.commands import Commands
from targi_server.store.keys import bot_keys
from targi_server.store.matches import MatchStore
from targi_server.store.opening import Store

MOST_COMMANDS = 60
BOTS = ("alba", "bora")


class Crash(BaseException):
    """What the process dies of."""


class Life:
    """How many more commands a replica sends."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self) -> None:
        if not self.left:
            raise Crash
        self.left -= 1


class Mortal:
    """A part of the store that takes a command off a life with each call."""

    def __init__(self, part: object, life: Life) -> None:
        self._part = part
        self._life = life

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:  # Any: whatever the part answers
        async def call(*arguments: object, **named: object) -> object:
            self._life.spend()
            return await getattr(self._part, name)(*arguments, **named)

        return call


def mortal(here: Floor, life: Life) -> Floor:
    """Another replica over the same store, which dies after so many commands."""
    store = Store(
        here.store.found,
        cast(Commands, Mortal(here.store.commands, life)),
        cast(MatchStore, Mortal(here.store.matches, life)),
        here.store.bus,
    )
    settings, metrics = Settings(replica="mortal"), Metrics()
    lobby = Lobby.of(store, metrics, settings)
    ladder = Ladder.of(store, lobby, here.accounts, metrics, settings)
    return replace(here, store=store, lobby=lobby, ladder=ladder)


async def each_crash(
    here: Floor,
    prepare: Callable[[], Awaitable[Offer | None]],
    act: Callable[[Floor, Offer | None], Awaitable[object]],
    check: Callable[[Offer | None], Awaitable[None]],
) -> int:
    """Prepares, acts until the crash, and checks, for a crash at each command; how many there were."""
    for commands in range(MOST_COMMANDS):
        offer = await prepare()
        try:
            await act(mortal(here, Life(commands)), offer)
        except Crash:
            await check(offer)
        else:
            return commands
    raise AssertionError(f"not done after {MOST_COMMANDS} commands")


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        yield made


async def arrivals(here: Floor, *, ladder: bool = True) -> tuple[Claim, Claim]:
    first, second = [
        await here.arrive(bot, chain_head=fairness.commitment(nonce(bot)), capacity=1, ladder=ladder)
        for bot in BOTS
    ]
    return first, second


async def leave_nothing(here: Floor) -> None:
    """Both bots forget all."""
    for bot in BOTS:
        keys = bot_keys(bot)
        await here.store.commands.command("DEL", keys.slots, keys.ends, keys.faults)


async def used(here: Floor) -> list[int]:
    held = await here.lobby.slots.held(BOTS)
    return [held[bot].used for bot in BOTS]


async def test_a_crash_while_an_offer_is_made_costs_no_place(here: Floor) -> None:
    async def prepare() -> None:
        await leave_nothing(here)
        await arrivals(here)

    async def act(dying: Floor, _: Offer | None) -> None:
        await dying.lobby.offers.make(offered(Kind.RATED), BOTS, ("alba-owner", "bora-owner"))

    async def check(_: Offer | None) -> None:
        await here.pass_ms(15_001)
        await here.lobby.offers.sweep()
        assert await used(here) == [0, 0]
        assert await here.store.matches.running() == []

    assert await each_crash(here, prepare, act, check) >= 3


async def test_a_crash_after_both_are_ready_still_starts_the_match_once(here: Floor) -> None:
    claims: list[Claim] = []

    async def prepare() -> Offer:
        await leave_nothing(here)
        claims[:] = await arrivals(here)
        offer = await here.offer(*claims)
        await here.lobby.offers.ready(offer.offer_id, claims[0], nonce("alba"))
        return offer

    async def act(dying: Floor, offer: Offer | None) -> None:
        assert offer is not None
        await dying.lobby.offers.ready(offer.offer_id, claims[1], nonce("bora"))

    async def check(offer: Offer | None) -> None:
        assert offer is not None
        if await here.state(offer.offer_id) == "open":  # the bot sends it again
            await here.lobby.offers.ready(offer.offer_id, claims[1], nonce("bora"))
        await here.pass_ms(1_001)
        await here.lobby.offers.sweep()
        assert await here.state(offer.offer_id) == "started"
        assert await used(here) == [1, 1]
        match = await here.store.matches.load(offer.match_ids[0])
        assert match is not None
        assert match.header.secrets is not None
        assert match.header.secrets.chained == (True, True)
        await finish(here, offer)

    assert await each_crash(here, prepare, act, check) >= 6


async def test_a_match_that_ends_before_it_was_noted_as_started_is_followed_by_game_2(here: Floor) -> None:
    claims: list[Claim] = []

    async def prepare() -> Offer:
        await leave_nothing(here)
        claims[:] = await arrivals(here)
        offer = await here.offer(*claims)
        await here.lobby.offers.ready(offer.offer_id, claims[0], nonce("alba"))
        return offer

    async def act(dying: Floor, offer: Offer | None) -> None:
        assert offer is not None
        await dying.lobby.offers.ready(offer.offer_id, claims[1], nonce("bora"))

    async def check(offer: Offer | None) -> None:
        assert offer is not None
        if await here.store.matches.load(offer.match_ids[0]) is None:
            return
        await here.end(offer.match_ids[0], "1-0")
        await here.ladder.filing.file_all()
        assert await here.store.matches.running() == [offer.match_ids[1]]
        assert await used(here) == [1, 1]
        await finish(here, offer)
        assert await here.state(offer.offer_id) == "over"

    await each_crash(here, prepare, act, check)


async def finish(here: Floor, offer: Offer) -> None:
    """Plays what is left of a pair; nothing of it is left behind."""
    for match_id in offer.match_ids:
        await here.end(match_id, "1-0")
        await here.ladder.filing.file_all()
    assert await here.store.matches.running() == []
    assert await used(here) == [0, 0]


async def test_a_starter_that_wakes_up_late_does_not_open_a_finished_offer_again(here: Floor) -> None:
    offer = await here.offer(*await arrivals(here))
    agreed = replace(offer, state=OfferState.AGREED)
    for bot in BOTS:
        claim = await here.arrive(bot, chain_head=fairness.commitment(nonce(bot)))
        await here.lobby.offers.ready(offer.offer_id, claim, nonce(bot))
    await finish(here, offer)
    assert not await Saga(here.store.commands).close(agreed, OfferState.STARTED)
    assert await here.state(offer.offer_id) == "over"


async def test_an_offer_is_not_opened_on_reservations_that_would_end_before_it(here: Floor) -> None:
    offer = replace(await here.offer(*await arrivals(here)), offer_id="0123456789abcdef")
    reserved_ms = await here.pass_ms(0)
    await here.pass_ms(4_001)
    saga = Saga(here.store.commands)
    assert not await saga.open(offer, reserved_ms)
    assert await saga.look(offer.offer_id) is None
    assert await saga.open(offer, reserved_ms + 1)


async def test_a_crash_while_game_1_is_filed_still_leads_to_game_2_once(here: Floor) -> None:
    pairs: list[Offer] = []

    async def prepare() -> Offer:
        await leave_nothing(here)
        offer = await here.agree(*await arrivals(here))
        await here.end(offer.match_ids[0], "1-0")
        pairs.append(offer)
        return offer

    async def act(dying: Floor, offer: Offer | None) -> None:
        assert offer is not None
        await dying.ladder.filing.file(offer.match_ids[0])

    async def check(offer: Offer | None) -> None:
        assert offer is not None
        await here.ladder.filing.file_all()
        assert await here.store.matches.running() == [offer.match_ids[1]]
        assert await used(here) == [1, 1]
        await finish(here, offer)

    assert await each_crash(here, prepare, act, check) >= 8
    counted = await here.ladder.results.counted("base")
    finished = len(pairs) - 1  # of the last one, which did not crash, game 2 is still to be played
    assert (counted.pairs, counted.matches) == (finished, 2 * finished + 1)


async def test_a_crash_while_an_offer_lapses_frees_both_and_blames_once(here: Floor) -> None:
    async def prepare() -> Offer:
        await leave_nothing(here)
        return await here.offer(*await arrivals(here))

    async def act(dying: Floor, offer: Offer | None) -> None:
        assert offer is not None
        await dying.lobby.offers.decline(offer.offer_id, "bora", "no")

    async def check(offer: Offer | None) -> None:
        assert offer is not None
        if await here.state(offer.offer_id) == "open":
            await here.lobby.offers.decline(offer.offer_id, "bora", "no")
        await here.pass_ms(1_001)
        await here.lobby.offers.sweep()
        assert await here.state(offer.offer_id) == "lapsed"
        assert await used(here) == [0, 0]
        faults = [await here.store.commands.command("ZCARD", bot_keys(bot).faults) for bot in BOTS]
        assert faults == [0, 1]

    assert await each_crash(here, prepare, act, check) >= 4


async def test_a_replica_that_slept_through_a_match_keeps_no_place(here: Floor) -> None:
    offer = await here.agree(*await arrivals(here, ladder=False), kind=Kind.SINGLE)
    await here.end(offer.offer_id, "1-0")
    await here.ladder.filing.file_all()
    for bot in BOTS:  # what it would have done before it fell asleep
        await here.lobby.slots.seat(bot, offer.offer_id, starts=offer.offer_id)
    assert await here.lobby.offers.repair() == 2
    assert await used(here) == [0, 0]
    assert await here.lobby.offers.repair() == 0
