"""Rated results: each game counts once, the pair is the unit, and void is void."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest
from lobby_floor import Floor, floor
from targi_server.errors import Invalid
from targi_server.ladder.rating import Player
from targi_server.ladder.results import PairResult, RatedResults
from targi_server.match.model import Culprit, Kind, MatchHeader, SeatHeader, Termination, Verdict

ALBA, BORA = SeatHeader("alba", "1", "ann"), SeatHeader("bora", "2 beta", "ben")
A, B = Player("alba", "1"), Player("bora", "2 beta")
AT_MS = 1_800_000_000_000


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Floor]:
    async with floor(redis_url) as made:
        yield made


@pytest.fixture
def results(here: Floor) -> RatedResults:
    return here.ladder.results


def header(
    game: int, *, pair: str = "pair", seats: tuple[SeatHeader, SeatHeader] = (ALBA, BORA)
) -> MatchHeader:
    """Game 1 or 2 of a pair; `seats` are those of game 1."""
    return MatchHeader(
        match_id=f"{pair}-{game}",
        pair_id=pair,
        game=game,
        next_match_id="",
        kind=Kind.RATED,
        ruleset="base",
        variants="",
        cards_hash="",
        rules=1,
        vocabulary=1,
        seed=bytes(32),
        opening=None,
        seats=seats if game == 1 else seats[::-1],
        base_ms=1,
        increment_ms=1,
        budget_ms=1,
        secrets=None,
        given_seeds=False,
        hold_allowed=False,
        created_ms=0,
    )


def verdict(result: str, at_ms: int = AT_MS) -> Verdict:
    return Verdict(result, Termination.NORMAL, Culprit.NONE, "", at_ms=at_ms)


async def play(
    results: RatedResults,
    first: str,
    second: str,
    *,
    pair: str = "pair",
    at_ms: int = AT_MS,
    seats: tuple[SeatHeader, SeatHeader] = (ALBA, BORA),
) -> PairResult:
    await results.count(header(1, pair=pair, seats=seats), verdict(first, at_ms))
    await results.count(header(2, pair=pair, seats=seats), verdict(second, at_ms))
    return (await results.page(["base"], 1)).results[0]


@pytest.mark.parametrize(
    ("first", "second", "quarters"),
    [
        ("1-0", "0-1", 4),
        ("1-0", "1/2-1/2", 3),
        ("1-0", "1-0", 2),
        ("1/2-1/2", "1/2-1/2", 2),
        ("0-1", "1/2-1/2", 1),
        ("0-1", "1-0", 0),
    ],
)
async def test_a_pair_is_worth_the_mean_of_its_games_with_seats_swapped(
    results: RatedResults, first: str, second: str, quarters: int
) -> None:
    pair = await play(results, first, second)
    assert (pair.quarters, pair.void) == (quarters, False)
    tally = tuple(int(k == quarters) for k in range(5))
    assert (await results.counted("base")).results == {(A, B): tally}


async def test_scores_are_kept_for_the_first_in_sorted_order(results: RatedResults) -> None:
    await play(results, "1-0", "0-1", seats=(BORA, ALBA))
    assert (await results.counted("base")).results == {(A, B): (1, 0, 0, 0, 0)}


async def test_half_a_pair_counts_for_nothing_but_the_number_of_matches(results: RatedResults) -> None:
    await results.count(header(1), verdict("1-0"))
    counted = await results.counted("base")
    assert (counted.results, counted.pairs, counted.matches, counted.revision) == ({}, 0, 1, 0)
    assert (await results.page(["base"], 10)).results == ()


@pytest.mark.parametrize(("first", "second"), [("*", None), ("1-0", "*")])
async def test_a_game_without_contest_voids_its_pair(
    results: RatedResults, first: str, second: str | None
) -> None:
    await results.count(header(1), verdict(first))
    if second is not None:
        await results.count(header(2), verdict(second))
    counted = await results.counted("base")
    assert (counted.results, counted.pairs, counted.revision) == ({}, 0, 0)
    (pair,) = (await results.page(["base"], 10)).results
    assert pair.void
    assert len(pair.match_ids) == counted.matches == (1 if second is None else 2)


async def test_head_to_head_is_seen_from_the_bot_that_is_named_first(results: RatedResults) -> None:
    await play(results, "1-0", "0-1")
    await play(results, "1-0", "1/2-1/2", pair="more")
    assert await results.head_to_head("base", "alba", "bora") == (0, 0, 0, 1, 1)
    assert await results.head_to_head("base", "bora", "alba") == (1, 1, 0, 0, 0)
    assert await results.head_to_head("base", "alba", "cleo") == (0, 0, 0, 0, 0)


async def test_versions_are_players_of_their_own_in_the_order_of_their_first_result(
    results: RatedResults,
) -> None:
    for number, version in enumerate(["9", "10", "9"]):
        await play(results, "1-0", "1-0", pair=f"p{number}", seats=(SeatHeader("alba", version, "ann"), BORA))
    counted = await results.counted("base")
    assert counted.lineage == {"alba": ["9", "10"], "bora": ["2 beta"]}
    assert counted.results[Player("alba", "9"), B] == (0, 0, 2, 0, 0)
    assert await results.head_to_head("base", "alba", "bora") == (0, 0, 3, 0, 0)


async def test_pages_show_every_pair_once_the_newest_first(results: RatedResults) -> None:
    for number in range(12):  # three pairs end in each millisecond
        await play(results, "1-0", "1-0", pair=f"{number:016x}", at_ms=AT_MS + number // 3)
    seen, token = [], ""
    while True:
        page = await results.page(["base", "mixed"], 5, bot="bora", token=token)
        seen += [pair.pair_id for pair in page.results]
        token = page.next_token
        if not token:
            break
    assert seen == [f"{number:016x}" for number in reversed(range(12))]
    with pytest.raises(Invalid):
        await results.page(["base"], 5, token="nonsense")


@pytest.mark.parametrize("seed", range(8))
async def test_a_game_counts_once_however_often_and_in_whatever_order_it_is_reported(
    results: RatedResults, seed: int
) -> None:
    rng = random.Random(seed)
    games = [(f"pair{pair}", game) for pair in range(3) for game in (1, 2)]
    for pair, game in rng.choices(games, k=40) + games:
        await results.count(header(game, pair=pair), verdict("1-0" if game == 1 else "0-1"))
    counted = await results.counted("base")
    assert counted.results == {(A, B): (0, 0, 0, 0, 3)}
    assert (counted.pairs, counted.matches, counted.revision) == (3, 6, 3)
