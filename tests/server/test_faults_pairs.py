"""What a fault does to the rated pair: it counts, or it is void as a whole."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from lobby_floor import Floor, floor
from targi_server.ladder.results import PairResult
from targi_server.match.model import Culprit, Termination, Verdict

LOST = {Culprit.SEAT0: "0-1", Culprit.SEAT1: "1-0"}


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        yield made


async def pair_after(here: Floor, first: Verdict) -> PairResult | None:
    """The pair of which game 1 ended so, and game 2 by a resignation if it was played."""
    offer = await here.agree(await here.arrive("alba"), await here.arrive("bora"))
    for match_id, verdict in zip(
        offer.match_ids, (first, Verdict("1-0", Termination.RESIGNED, Culprit.SEAT1, "")), strict=True
    ):
        await here.store.matches.end(match_id, verdict)
        await here.ladder.filing.file_all()
    found = (await here.ladder.results.page(["base"], 1)).results
    return found[0] if found else None


@pytest.mark.parametrize("culprit", LOST)
@pytest.mark.parametrize(
    "termination",
    [
        Termination.RESIGNED,
        Termination.TIME,
        Termination.ILLEGAL,
        Termination.BOT_ERROR,
        Termination.ABANDONED,
    ],
)
async def test_a_loss_by_a_bots_own_doing_counts_towards_its_pair(
    here: Floor, termination: Termination, culprit: Culprit
) -> None:
    pair = await pair_after(here, Verdict(LOST[culprit], termination, culprit, ""))
    assert pair is not None and not pair.void
    # Seats are swapped in game 2, which seat 0 won: the two games went to one bot, or to one each.
    assert pair.quarters == (0 if culprit is Culprit.SEAT0 else 2)


async def test_a_game_that_was_played_to_its_end_counts_towards_its_pair(here: Floor) -> None:
    pair = await pair_after(here, Verdict("1/2-1/2", Termination.NORMAL, Culprit.NONE, "", (30, 30)))
    assert pair is not None and (pair.void, pair.quarters) == (False, 1)


@pytest.mark.parametrize(
    ("termination", "culprit"),
    [
        (Termination.ABANDONED, Culprit.BOTH),
        (Termination.ABORTED, Culprit.NONE),
        (Termination.SERVER_ERROR, Culprit.SERVER),
    ],
)
async def test_a_no_contest_voids_the_pair_and_the_other_game_never_starts(
    here: Floor, termination: Termination, culprit: Culprit
) -> None:
    pair = await pair_after(here, Verdict("*", termination, culprit, ""))
    assert pair is not None and pair.void
    assert await here.store.matches.load(pair.pair_id) is None
    assert await here.store.matches.running() == []
