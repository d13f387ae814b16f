"""Challenges: who may send one, what may be asked for, and that the seeds that were given are played."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from lobby_floor import TIMES, Floor, floor, nonce
from targi_server.accounts.identity import Identity, TokenKind
from targi_server.errors import Forbidden, Invalid, NotAvailable, NotFound, Unimplemented
from targi_server.lobby.challenges import Challenges, Wanted
from targi_server.lobby.terms import Times
from targi_server.match.model import Kind, MatchHeader

ALBA = Identity(TokenKind.BOT, "alba-owner", "alba")
OWNER = Identity(TokenKind.OWNER, "alba-owner")
WANTED = Wanted("", "bora")
SEED_1, SEED_2, OPENING = nonce("seed 1"), nonce("seed 2"), nonce("opening")


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        await made.arrive("alba", capacity=9)
        await made.arrive("bora", capacity=9, ladder=False)
        yield made


@pytest.fixture
def challenges(here: Floor) -> Challenges:
    return Challenges(here.lobby, here.accounts, TIMES)


async def headers(here: Floor, challenges: Challenges, wanted: Wanted) -> list[MatchHeader]:
    """Sends it, both take it, and all its games are played."""
    offer = await challenges.send(wanted, ALBA)
    for claim in (await here.arrive("alba"), await here.arrive("bora")):
        await here.lobby.offers.ready(offer.offer_id, claim, nonce(claim.bot))
    played = []
    for match_id in offer.match_ids:
        match = await here.store.matches.load(match_id)
        assert match is not None
        played.append(match.header)
        await here.end(match_id, "1-0")
        await here.ladder.filing.file_all()
    return played


async def test_a_challenge_is_an_unrated_offer_to_both(here: Floor, challenges: Challenges) -> None:
    offer = await challenges.send(WANTED, ALBA)
    assert offer.terms.kind is Kind.SINGLE
    assert offer.bots == ("alba", "bora")
    assert len(offer.commitments) == 2
    held = await here.lobby.slots.held(["alba", "bora"])
    assert [places.offers for places in held.values()] == [(offer.offer_id,)] * 2


async def test_a_mirrored_challenge_is_two_games_from_one_opening(
    here: Floor, challenges: Challenges
) -> None:
    first, second = await headers(here, challenges, replace(WANTED, mirrored=True))
    assert first.opening == second.opening
    assert first.seed != second.seed
    assert [seat.bot for seat in first.seats] == ["alba", "bora"]
    assert [seat.bot for seat in second.seats] == ["bora", "alba"]


async def test_given_seeds_are_shown_and_played(here: Floor, challenges: Challenges) -> None:
    wanted = replace(WANTED, mirrored=True, seeds=(SEED_1, SEED_2), opening=OPENING)
    offer = await challenges.send(wanted, ALBA)
    assert offer.commitments == ()
    assert (offer.terms.seeds, offer.terms.opening) == ((SEED_1, SEED_2), OPENING)
    await here.lobby.offers.decline(offer.offer_id, "bora", "")
    first, second = await headers(here, challenges, wanted)
    assert (first.seed, second.seed) == (SEED_1, SEED_2)
    assert first.opening == second.opening == OPENING
    assert first.secrets is None
    assert first.given_seeds


async def test_a_given_seed_without_an_opening_deals_by_the_seed_alone(
    here: Floor, challenges: Challenges
) -> None:
    (game,) = await headers(here, challenges, replace(WANTED, seeds=(SEED_1,)))
    assert (game.seed, game.opening) == (SEED_1, None)


async def test_a_given_opening_without_seeds_leaves_the_seeds_to_the_scheme(
    here: Floor, challenges: Challenges
) -> None:
    (game,) = await headers(here, challenges, replace(WANTED, opening=OPENING))
    assert game.opening == OPENING
    assert game.secrets is not None
    assert game.given_seeds


async def test_clock_variants_and_debugging_are_the_challengers_choice(
    here: Floor, challenges: Challenges
) -> None:
    wanted = replace(WANTED, times=Times(5_000, 100, 60_000), variants="unpayable_raid=flat3", debug=True)
    (game,) = await headers(here, challenges, wanted)
    assert (game.base_ms, game.increment_ms, game.variants) == (5_000, 100, "unpayable_raid=flat3")
    assert game.hold_allowed


@pytest.mark.parametrize(
    ("wanted", "by"),
    [
        (replace(WANTED, challenger="bora"), ALBA),
        (replace(WANTED, challenger="bora"), OWNER),
    ],
)
async def test_nobody_challenges_with_the_bot_of_another(
    challenges: Challenges, wanted: Wanted, by: Identity
) -> None:
    with pytest.raises(Forbidden):
        await challenges.send(wanted, by)


async def test_an_owner_challenges_with_a_bot_of_its_own(challenges: Challenges) -> None:
    assert (await challenges.send(replace(WANTED, challenger="alba"), OWNER)).bots == ("alba", "bora")
    with pytest.raises(NotFound):
        await challenges.send(replace(WANTED, challenger="nobody"), OWNER)


@pytest.mark.parametrize(
    "wanted",
    [
        replace(WANTED, opponent="alba"),
        replace(WANTED, ruleset="chess"),
        replace(WANTED, variants="moon=full"),
        replace(WANTED, seeds=(SEED_1, SEED_2)),
        replace(WANTED, mirrored=True, seeds=(SEED_1,)),
        replace(WANTED, seeds=(b"short",)),
        replace(WANTED, opening=b"short"),
        replace(WANTED, times=Times(0, 0, 1_000)),
        replace(WANTED, times=Times(10, 3_600_001, 1_000)),
    ],
)
async def test_what_cannot_be_played_is_refused(challenges: Challenges, wanted: Wanted) -> None:
    with pytest.raises(Invalid):
        await challenges.send(wanted, ALBA)


async def test_an_opponent_that_is_away_or_plays_other_rules_is_not_available(
    challenges: Challenges,
) -> None:
    with pytest.raises(NotAvailable, match="not connected"):
        await challenges.send(replace(WANTED, opponent="cleo"), ALBA)
    with pytest.raises(NotAvailable, match="does not play"):
        await challenges.send(replace(WANTED, ruleset="mixed"), ALBA)


async def test_a_challenge_to_anybody_comes_later(challenges: Challenges) -> None:
    with pytest.raises(Unimplemented):
        await challenges.send(replace(WANTED, opponent=""), ALBA)
