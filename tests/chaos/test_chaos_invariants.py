"""The checks of the soak see what they are for: a sound match passes, each damage is found by its check."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate

import pytest
from facts import Facts
from invariants import violations
from journal import STARTED, Acted, Applied, Asked, Ended, Start, Told
from match_log import header
from pairs import pair_violations
from spans import Span
from targi.v1 import ladder_service_pb2
from targi_server.ladder.finished import Finished, finished
from targi_server.match.clock import cost
from targi_server.match.entries import Entry
from targi_server.match.incidents import Incident, IncidentKind
from targi_server.match.model import OVER, Culprit, Live, Presence, StoredMatch, Termination, Verdict
from targi_server.play import replay
from targi_server.play.lookup import Seen
from targi_server.services.summaries import match_response

BEGAN_MS = 1_700_000_000_000
ELAPSED_MS = 130
SERVER_MS = 5
"""Of each answer before and after the bot has it."""


def kept_match(verdict: Verdict | None = None, plies: int | None = None, game: int = 1) -> Finished:
    """A random game as it is kept, to its end or so far; the verdict came a moment after its last action."""
    head = replace(header(), game=game)
    state, _ = replay.start(head)
    rng, entries, lag_ms = random.Random(1), list[Entry](), 0
    while not state.is_over and len(entries) != plies:
        seat, action = state.current_seat, rng.choice(state.legal_actions())
        state.apply(action)
        ended = state.is_over or state.current_seat != seat
        price = cost(ELAPSED_MS, out_ms=SERVER_MS, in_ms=SERVER_MS, lag_used_ms=lag_ms)
        lag_ms = 0 if ended else lag_ms + price.lag_ms
        entries.append(
            Entry(action, seat, price.charged_ms, SERVER_MS, SERVER_MS, ELAPSED_MS, turn_ended=ended)
        )
    clocks = [head.base_ms, head.base_ms]
    for entry in entries:
        clocks[entry.seat] += head.increment_ms * entry.turn_ended - entry.charged_ms
    last_ms = BEGAN_MS + ELAPSED_MS * len(entries)
    scored = state.outcome()
    normal = Verdict(scored.result, Termination.NORMAL, Culprit.NONE, "", scored.scores)
    there = Presence(True, "one", BEGAN_MS, 0)
    live = Live(
        ply=len(entries),
        seat=OVER,
        clocks=(clocks[0], clocks[1]),
        turn_at_ms=last_ms,
        credit_ms=0,
        held=False,
        strikes=(0, 0),
        seats=(there, there),
        verdict=replace(verdict or normal, at_ms=last_ms + 1),
    )
    return finished(StoredMatch(head, live, tuple(entries)), {}, ())


def told_of(kept: Finished, seat: int) -> Told:
    """What a bot hears of a match from its begin to its end."""
    told = Told(seat, kept.header.pair_id, [Start(BEGAN_MS, 0, ())], course=[(STARTED, 0)])
    state, _ = replay.start(kept.header)
    moments = accumulate(entry.elapsed_ms for entry in kept.entries)
    clocks = [kept.header.base_ms] * 2
    for ply, (entry, at) in enumerate(zip(kept.entries, moments, strict=True)):
        if entry.seat == seat:
            crc = zlib.crc32(state.observation(seat).encode())
            told.asked.append(Asked(BEGAN_MS + at - 20, ply, crc))
            told.acted.append(Acted(BEGAN_MS + at - 10, ply, entry.action))
        clocks[entry.seat] += kept.header.increment_ms * entry.turn_ended - entry.charged_ms
        done = ((entry.seat, entry.action),)
        told.applied.append(
            Applied(BEGAN_MS + at, ply, 1, entry.charged_ms, (clocks[0], clocks[1]), ply + 1, done)
        )
        told.course.append((ply, ply + 1))
        state.apply(entry.action)
    verdict = kept.verdict
    told.ended.append(Ended(verdict.at_ms, (verdict.result, str(verdict.termination), str(verdict.culprit))))
    return told


def facts_of(kept: Finished) -> Facts:
    answer = match_response(Seen.filed(kept), with_timeline=True, private_error="")
    return Facts(kept, answer, kept.record, (told_of(kept, 0), told_of(kept, 1)), ((), ()), ())


def with_told(facts: Facts, change: Callable[[Told], None]) -> Facts:
    """Seat 1 heard or did something else."""
    told = told_of(facts.kept, 1)
    change(told)
    return replace(facts, told=(facts.told[0], told))


def with_entry(facts: Facts, *, charged_ms: int, elapsed_ms: int = ELAPSED_MS) -> Facts:
    """The tenth entry of the log has other times; all else is as before."""
    entries = list(facts.kept.entries)
    entries[9] = entries[9]._replace(charged_ms=charged_ms, elapsed_ms=elapsed_ms)
    return replace(facts, kept=replace(facts.kept, entries=tuple(entries)))


def with_story(facts: Facts, *story: Incident) -> Facts:
    return replace(facts, kept=replace(facts.kept, story=story))


def checks_of(facts: Facts) -> set[str]:
    """Names of the checks that found something."""
    return {words.partition(":")[0] for words in violations(facts)}


def test_a_sound_match_has_no_violation() -> None:
    assert list(violations(facts_of(kept_match()))) == []


def other_action(told: Told) -> None:
    applied = told.applied[20]
    told.applied[20] = applied._replace(log=((applied.log[0][0], applied.log[0][1] + 1),))


def never_sent(told: Told) -> None:
    del told.acted[7]


def other_position(told: Told) -> None:
    told.asked[3] = told.asked[3]._replace(crc=0)


def a_gap(told: Told) -> None:
    del told.course[5]


def other_clock(told: Told) -> None:
    told.applied[4] = told.applied[4]._replace(clocks=(1, 2))


def other_log(told: Told) -> None:
    told.starts.append(Start(BEGAN_MS, 2, (0, 0)))


def other_end(told: Told) -> None:
    told.ended[0] = told.ended[0]._replace(words=("*", "normal", "none"))


def only_news_of_the_end(told: Told) -> None:
    told.ended.clear()
    told.over.append(BEGAN_MS)


@pytest.mark.parametrize(
    ("check", "change"),
    [
        ("told_the_log", other_action),
        ("told_the_log", other_log),
        ("acted_by_its_bot", never_sent),
        ("shown_the_position", other_position),
        ("told_without_gaps", a_gap),
        ("clocks_add_up", other_clock),
        ("one_result", other_end),
        ("told_the_end", lambda told: told.ended.clear()),
    ],
)
def test_what_a_bot_was_told_wrongly_is_found(check: str, change: Callable[[Told], None]) -> None:
    found = list(violations(with_told(facts_of(kept_match()), change)))
    assert found
    assert {words.partition(":")[0] for words in found} == {check}


def test_an_action_that_is_missing_in_the_log_is_found() -> None:
    facts = facts_of(kept_match())
    short = replace(facts.kept, entries=facts.kept.entries[:-1])
    names = {words.partition(":")[0] for words in violations(replace(facts, kept=short))}
    assert {"replays", "told_the_log", "timeline_is_the_log"} <= names


def test_a_charge_that_nothing_explains_is_found() -> None:
    facts = with_entry(facts_of(kept_match()), charged_ms=9_000, elapsed_ms=9_010)
    assert any(words.startswith("charged_rightly") for words in violations(facts))
    seat = facts.kept.entries[9].seat
    span = Span("bot-stop", BEGAN_MS, BEGAN_MS + 9_000)
    hit = replace(facts, impaired=((span,), ()) if seat == 0 else ((), (span,)))
    assert not any(words.startswith("charged_rightly") for words in violations(hit))


@pytest.mark.parametrize("more_ms", [-1, 1])
def test_a_charge_of_a_millisecond_more_or_less_than_by_the_log_is_found(more_ms: int) -> None:
    facts = facts_of(kept_match())
    assert "charged_by_the_log" not in checks_of(facts)
    charged_ms = facts.kept.entries[9].charged_ms + more_ms
    assert "charged_by_the_log" in checks_of(with_entry(facts, charged_ms=charged_ms))


OUTAGE = Incident(BEGAN_MS + 9 * ELAPSED_MS + 10, IncidentKind.OUTAGE, None, 0, (60,))


def test_time_of_an_outage_may_be_given_and_no_more() -> None:
    facts = with_story(facts_of(kept_match()), OUTAGE)
    charged_ms = facts.kept.entries[9].charged_ms
    given = with_entry(facts, charged_ms=charged_ms - 60)
    assert "charged_by_the_log" not in checks_of(given)
    assert "charged_by_the_log" in checks_of(with_entry(facts, charged_ms=charged_ms + 1))
    assert "charged_by_the_log" in checks_of(with_entry(facts, charged_ms=charged_ms - 120))


def test_time_that_is_given_although_the_service_was_whole_is_found() -> None:
    facts = with_story(facts_of(kept_match()), OUTAGE)
    assert "credited_rightly" in checks_of(facts)
    hit = Span("redis-stop", OUTAGE.at_ms - 100, OUTAGE.at_ms + 60)
    assert "credited_rightly" not in checks_of(replace(facts, services=(hit,)))
    assert "credited_rightly" not in checks_of(replace(facts, starving=(hit,)))


def test_a_fault_at_the_end_is_no_excuse_for_never_telling_of_it() -> None:
    facts = with_told(facts_of(kept_match()), lambda told: told.ended.clear())
    at_ms = facts.kept.verdict.at_ms
    hit = Span("redis-kill", at_ms - 1_000, at_ms + 1_000)
    assert "told_the_end" in checks_of(replace(facts, services=(hit,), impaired=((), (hit,))))
    assert "told_the_end" not in checks_of(with_told(facts, only_news_of_the_end))


@pytest.mark.parametrize(
    ("termination", "words"),
    [
        (Termination.TIME, "lost on time"),
        (Termination.ABANDONED, "abandoned the match"),
        (Termination.RESIGNED, "did not resign"),
        (Termination.ILLEGAL, "nothing that was done"),
        (Termination.BOT_ERROR, "nothing that was done"),
    ],
)
def test_a_bot_that_nothing_was_done_to_is_not_to_blame(termination: Termination, words: str) -> None:
    verdict = Verdict("1-0", termination, Culprit.SEAT1, "words")
    found = list(violations(facts_of(kept_match(verdict, plies=30))))
    assert [each.partition(":")[0] for each in found] == ["blamed_rightly"]
    assert words in found[0]


def test_a_failure_of_the_server_is_found() -> None:
    verdict = Verdict("*", Termination.SERVER_ERROR, Culprit.SERVER, "words")
    found = list(violations(facts_of(kept_match(verdict, plies=30))))
    assert [each.partition(":")[0] for each in found] == ["blamed_rightly"]


def test_a_bot_that_was_away_for_its_budget_is_to_blame() -> None:
    facts = facts_of(kept_match(Verdict("1-0", Termination.ABANDONED, Culprit.SEAT1, "words"), plies=30))
    early = replace(facts.kept.header, budget_ms=800)
    away = Span("bot-kill", BEGAN_MS, BEGAN_MS + 900)
    hit = replace(facts, kept=replace(facts.kept, header=early), impaired=((), (away,)))
    assert not any(words.startswith("blamed_rightly") for words in violations(hit))


def test_a_budget_that_nothing_used_up_is_found() -> None:
    facts = facts_of(kept_match())
    arrival = Incident(BEGAN_MS + 50, IncidentKind.ARRIVED, 0, 3, (4_000, 0, 4_000, 60_000), "")
    assert checks_of(with_story(facts, arrival)) == {"away_rightly"}


def lost_by_seat_0(kept: Finished) -> Finished:
    return replace(kept, verdict=replace(kept.verdict, result="0-1"))


def pair(**result: object) -> list[str]:
    """A pair that seat 0 of game 1 lost and won, and how it is counted."""
    first, second = (lost_by_seat_0(kept_match(game=game)) for game in (1, 2))
    second = replace(second, header=replace(second.header, pair_id=first.header.pair_id))
    rows = [ladder_service_pb2.PairResult(pair_id=first.header.pair_id, quarters=2)] * int(
        str(result["rows"])
    )
    for row in rows:
        row.void = bool(result["void"])
    return list(pair_violations([first, second], rows))


@pytest.mark.parametrize(
    ("rows", "void", "sound"), [(1, False, True), (0, False, False), (2, False, False), (1, True, False)]
)
def test_a_pair_counts_once_and_is_not_void_for_nothing(rows: int, void: bool, sound: bool) -> None:
    assert (not pair(rows=rows, void=void)) == sound
