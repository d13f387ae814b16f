"""What challengers may not do to the bots of others: take them from the ladder, or hold them for ever."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from lobby_floor import TIMES, Floor, floor, nonce
from targi_server.accounts.identity import Identity, TokenKind
from targi_server.errors import Invalid, Limit, NotAvailable
from targi_server.lobby.challenges import Challenges, Wanted
from targi_server.lobby.limits import ChallengeLimits
from targi_server.lobby.offer import Offer
from targi_server.lobby.presence import NOBODY, OWN
from targi_server.lobby.terms import Times
from targi_server.match.model import Kind

LIMITS = ChallengeLimits()
STRANGERS = tuple(f"stranger-{number}" for number in range(6))


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    """Six bots of six owners, with places to spare."""
    async with floor(redis_url) as made:
        for bot in STRANGERS:
            await made.arrive(bot, capacity=16)
        yield made


@pytest.fixture
def challenges(here: Floor) -> Challenges:
    return Challenges(here.lobby, here.accounts, TIMES)


def owner_of(bot: str) -> Identity:
    return Identity(TokenKind.BOT, f"{bot}-owner", bot)


async def challenge(challenges: Challenges, bot: str, times: Times | None = None) -> Offer:
    return await challenges.send(Wanted(bot, "alba", times=times), owner_of(bot))


async def sent(challenges: Challenges, bots: tuple[str, ...] = STRANGERS) -> list[Offer | BaseException]:
    """What becomes of challenges of all of them that come at once."""
    return await asyncio.gather(*(challenge(challenges, bot) for bot in bots), return_exceptions=True)


def refused(answers: list[Offer | BaseException]) -> list[BaseException]:
    return [answer for answer in answers if isinstance(answer, BaseException)]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (Times(LIMITS.base_ms + 1, 0, 60_000), "base_ms 3600001: challenges may ask for 3600000 at most"),
        (Times(60_000, LIMITS.increment_ms + 1, 60_000), "increment_ms 60001: .* 60000 at most"),
    ],
)
async def test_a_challenge_for_a_clock_that_is_too_long_is_refused(
    here: Floor, challenges: Challenges, asked: Times, words: str
) -> None:
    await here.arrive("alba", capacity=4)
    with pytest.raises(Invalid, match=words):
        await challenge(challenges, "stranger-0", asked)


async def test_the_longest_clock_may_be_asked_for(here: Floor, challenges: Challenges) -> None:
    await here.arrive("alba", capacity=4)
    longest = Times(LIMITS.base_ms, LIMITS.increment_ms, 60_000)
    assert (await challenge(challenges, "stranger-0", longest)).terms.base_ms == LIMITS.base_ms


@pytest.mark.parametrize(("capacity", "taken"), [(1, 0), (2, 1), (4, 2), (5, 2), (8, 4)])
async def test_strangers_at_once_leave_a_bot_places_for_the_ladder(
    here: Floor, challenges: Challenges, capacity: int, taken: int
) -> None:
    alba = await here.arrive("alba", capacity=capacity)
    answers = await sent(challenges)
    errors = refused(answers)
    assert len(answers) - len(errors) == taken
    assert all(isinstance(error, NotAvailable) and "for the ladder" in str(error) for error in errors)
    rival = await here.arrive("bora")
    await here.offer(alba, rival, kind=Kind.RATED)
    held = await here.lobby.slots.held(["alba", *STRANGERS])
    assert held["alba"].used == taken + 1
    assert sum(held[bot].used for bot in STRANGERS) == taken  # who was refused has no place reserved


async def test_places_are_kept_while_challenges_are_played(here: Floor, challenges: Challenges) -> None:
    alba = await here.arrive("alba", capacity=2)
    offer = await challenge(challenges, "stranger-0")
    for claim in (alba, await here.arrive("stranger-0", capacity=16)):
        await here.lobby.offers.ready(offer.offer_id, claim, nonce(claim.bot))
    assert await here.lobby.slots.held(["alba"])
    with pytest.raises(NotAvailable, match="for the ladder"):
        await challenge(challenges, "stranger-1")
    await here.end(offer.match_ids[0], "1-0")
    await here.ladder.filing.file_all()
    await challenge(challenges, "stranger-1")


async def test_a_bot_that_is_not_on_the_ladder_gives_all_its_places(
    here: Floor, challenges: Challenges
) -> None:
    await here.arrive("alba", capacity=4, ladder=False)
    assert len(refused(await sent(challenges))) == 2


async def test_challenges_of_the_own_bots_take_any_place(here: Floor, challenges: Challenges) -> None:
    await here.arrive("alba", capacity=2)
    await here.arrive("sister", owner="alba-owner", capacity=4)
    mine = Identity(TokenKind.OWNER, "alba-owner")
    for _ in range(2):
        await challenges.send(Wanted("sister", "alba"), mine)
    with pytest.raises(NotAvailable, match="plays all it can"):
        await challenges.send(Wanted("sister", "alba"), mine)


async def test_one_owner_has_so_many_challenges_with_one_bot_at_a_time(
    here: Floor, challenges: Challenges
) -> None:
    await here.arrive("alba", capacity=40)
    await here.arrive("twin", owner="stranger-0-owner", capacity=16)
    answers = await sent(challenges, ("stranger-0", "twin") * LIMITS.of_one_owner)
    errors = refused(answers)
    assert len(errors) == LIMITS.of_one_owner
    await challenge(challenges, "stranger-1")


async def test_an_offer_that_lapsed_no_longer_counts(here: Floor, challenges: Challenges) -> None:
    await here.arrive("alba", capacity=40)
    offers = [await challenge(challenges, "stranger-0") for _ in range(LIMITS.of_one_owner)]
    with pytest.raises(Limit, match=f"{LIMITS.of_one_owner} challenges of your bots with the bot 'alba'"):
        await challenge(challenges, "stranger-0")
    await here.lobby.offers.decline(offers[0].offer_id, "alba", "no")
    await challenge(challenges, "stranger-0")


@pytest.mark.parametrize("policy", [OWN, NOBODY])
async def test_a_bot_takes_the_challenges_that_it_says(
    here: Floor, challenges: Challenges, policy: str
) -> None:
    await here.arrive("alba", capacity=4, challenges=policy)
    await here.arrive("sister", owner="alba-owner", capacity=4)
    with pytest.raises(NotAvailable, match="the bot 'alba' takes challenges of"):
        await challenge(challenges, "stranger-0")
    mine = Identity(TokenKind.OWNER, "alba-owner")
    if policy == OWN:
        await challenges.send(Wanted("sister", "alba"), mine)
    else:
        with pytest.raises(NotAvailable, match="of nobody"):
            await challenges.send(Wanted("sister", "alba"), mine)
    await challenges.send(Wanted("alba", "stranger-0"), mine)  # and may challenge others all the same
