"""Matches of an edition of the rules that no replica has any more: they stand still until one has."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest
from match_log import BASE_MS, BUDGET_MS, MatchLog, header
from targi_engine import RULES
from targi_server.match.clock import LAG_ACT_MS as LAG
from targi_server.match.clock import LENT_MS
from targi_server.match.incidents import IncidentKind
from targi_server.match.model import MatchHeader
from targi_server.match.versions import edition_of
from targi_server.store.committer import Committer
from targi_server.store.matches import MatchStore

LONG_MS = 10 * (BASE_MS + BUDGET_MS)


def old_header(hold: bool = False) -> MatchHeader:
    """Of a match of rules that no replica has but those that `old` makes."""
    return replace(header(), rules=RULES + 7, hold_allowed=hold)


@pytest.fixture
async def old(log: MatchLog) -> AsyncIterator[Callable[[str], MatchStore]]:
    """Makes replicas of the edition that dealt the matches here; "one" has another one."""
    committer = log.store.commands
    assert isinstance(committer, Committer)
    yield lambda name: MatchStore(committer, replica=name, edition=edition_of(old_header()))


async def dealt(log: MatchLog, old: MatchStore, *, hold: bool = False) -> str:
    """A match of the old edition, with both bots at its replica, after 4 s of the first turn."""
    await old.tick()
    head = old_header(hold)
    assert await old.create(head, seat=0)
    for seat in (0, 1):
        assert await old.arrive(head.match_id, seat)
    await log.run(4_000, log.matches, old)
    return head.match_id


async def test_no_clock_and_no_budget_runs_while_nobody_has_the_rules(
    log: MatchLog, old: Callable[[str], MatchStore]
) -> None:
    match = await dealt(log, old("old"))
    await log.run(LONG_MS)
    assert await log.verdict(match) is None
    again = old("again")
    await again.tick()
    for seat in (0, 1):
        await again.arrive(match, seat)
    live = await log.live(match)
    assert [seat.used_ms for seat in live.seats] == [0, 0]
    answer = await log.act(match, 0, 0, by=again)
    assert answer.charged_ms == 4_000 - LAG  # type: ignore[union-attr]
    stories = await again.story(match, 0, 0)
    (deserted,) = [incident for incident in stories if incident.kind is IncidentKind.DESERTED]
    assert LONG_MS - 2_000 <= deserted.numbers[0] <= LONG_MS


async def test_who_left_by_itself_before_is_away_on_its_own_account_again_afterwards(
    log: MatchLog, old: Callable[[str], MatchStore]
) -> None:
    first = old("old")
    match = await dealt(log, first)
    await first.depart(match, 1)
    await log.run(10_000, log.matches, first)
    await log.run(LONG_MS)
    again = old("again")
    await again.tick()
    await again.arrive(match, 0)
    await again.arrive(match, 1)
    used_ms = (await log.live(match)).seats[1].used_ms
    assert 10_000 <= used_ms <= 12_000


async def test_clocks_run_as_soon_as_somebody_has_the_rules_again(
    log: MatchLog, old: Callable[[str], MatchStore]
) -> None:
    match = await dealt(log, old("old"))
    await log.run(LONG_MS)
    again = old("again")
    await log.run(LENT_MS + BASE_MS - 6_000, log.matches, again)
    assert await log.verdict(match) is None
    await log.run(LENT_MS + BUDGET_MS, log.matches, again)
    assert await log.verdict(match) is not None


async def test_a_match_whose_rules_somebody_has_is_judged_by_whoever_ticks(
    log: MatchLog, old: Callable[[str], MatchStore]
) -> None:
    two = old("two")
    match = await dealt(log, two)
    await log.run(BASE_MS, log.matches, two)
    verdict = await log.verdict(match)
    assert verdict is not None and verdict.termination == "time"


async def test_a_match_of_an_older_vocabulary_is_played_by_a_newer_one(log: MatchLog) -> None:
    committer = log.store.commands
    assert isinstance(committer, Committer)
    head = replace(old_header(), vocabulary=9)
    older, newer = [
        MatchStore(committer, replica=name, edition=f"{head.rules}.{vocabulary}")
        for name, vocabulary in (("older", 9), ("newer", 10))
    ]
    await older.tick()
    assert await older.create(head, seat=0)
    await log.run(4_000, log.matches, older)
    await log.run(LONG_MS)
    for seat in (0, 1):
        await newer.tick()
        await newer.arrive(head.match_id, seat)
    assert await log.verdict(head.match_id) is None
    await log.run(BASE_MS + 4_000, log.matches, newer)
    verdict = await log.verdict(head.match_id)
    assert verdict is not None and (verdict.termination, verdict.culprit) == ("time", "0")


async def test_a_clock_that_is_held_stays_held_while_nobody_has_the_rules(
    log: MatchLog, old: Callable[[str], MatchStore]
) -> None:
    first = old("old")
    match = await dealt(log, first, hold=True)
    await first.hold(match, 0)
    await log.run(LONG_MS)
    again = old("again")
    await again.tick()
    assert (await log.live(match)).held
