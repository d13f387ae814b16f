"""The client plays: its Hello, offers, turns and whole matches."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable

from fake_arena import FakeArena, Line, first_frame_with, offer, welcome
from fake_match import FakeMatch
from targi.v1 import play_pb2 as pb
from targi_engine import RULES, VOCABULARY
from targi_sdk.bot import turn_rng
from targi_sdk.client import News, Summary
from trial_bots import ByName, Diary, Dice, First, Patient, Searcher

Launch = Callable[..., "asyncio.Task[Summary]"]


async def play_out(line: Line, match: FakeMatch) -> None:
    """Referee a match that the client knows of to its end."""
    while not match.state.is_over:
        act = (await line.hear("act")).act
        await line.say(*match.answer(act))


async def test_hello_says_who_connects_and_what_it_can_do(arena: FakeArena, launch: Launch) -> None:
    launch(First, capacity=7, ladder=False, challenges="own", version="2.1", rulesets=("base", "mixed"))
    line = await arena.line()
    hello = (await line.hear("hello")).hello
    assert line.token == "Bearer secret"
    assert 16 <= len(hello.session) <= 64
    assert (hello.bot_version, hello.capacity, hello.ladder) == ("2.1", 7, False)
    assert hello.challenges == pb.CHALLENGE_POLICY_OWN
    assert list(hello.rulesets) == ["base", "mixed"]
    assert (list(hello.rules_versions), hello.vocabulary_version) == ([RULES], VOCABULARY)
    assert hello.view == pb.VIEW_FORM_COMPACT
    assert len(hello.nonce_chain_head) == 32


async def test_each_ready_carries_the_next_preimage_of_the_chain(arena: FakeArena, launch: Launch) -> None:
    launch(First, capacity=4)
    line = await arena.line()
    head = (await line.hear("hello")).hello.nonce_chain_head
    await line.say(welcome(), offer("0" * 16), offer("1" * 16))
    for offer_id in ("0" * 16, "1" * 16):
        ready = (await line.hear("ready")).ready
        assert ready.offer_id == offer_id
        assert hashlib.sha256(ready.nonce).digest() == head
        head = ready.nonce


async def test_an_offer_that_cannot_be_played_is_declined_with_the_reason(
    arena: FakeArena, launch: Launch
) -> None:
    launch(First)
    line = await arena.welcomed()
    await line.say(offer(name="chess"))
    decline = (await line.hear("decline")).decline
    assert "rules version" in decline.reason


async def test_a_match_is_played_to_its_end_and_counted(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    Diary.lines.clear()
    client = launch(Diary, games=1)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await play_out(line, match)
    line.end()
    summary = await client
    assert [end.result for end in summary.ended] == [match.state.outcome().result]
    assert Diary.lines[0] == f"start {match.match_id} seat 0 against rival at 0"
    assert Diary.lines[-1] == f"end {match.match_id} {match.state.outcome().result} normal"
    scores = match.state.scores()
    assert any(f"{scores[0]}-{scores[1]}" in each.words for each in news if each.kind == "ended")


async def test_all_turns_of_a_frame_are_answered_in_one_frame(arena: FakeArena, launch: Launch) -> None:
    launch(First, capacity=8)
    line = await arena.welcomed()
    matches = [FakeMatch(f"{number:016x}") for number in range(8)]
    await line.say(*(match.started() for match in matches))
    for match in matches:
        act = (await line.hear("act")).act
        assert act.match_id == match.match_id
    assert first_frame_with(line, "act") == ["act"] * 8


async def test_the_bot_draws_from_the_source_of_seed_commitment_and_seat(
    arena: FakeArena, launch: Launch
) -> None:
    launch(Dice, seed=b"s" * 32)
    line, match = await arena.welcomed(), FakeMatch()
    rng = turn_rng(b"s" * 32, match.commitment, 0)
    await line.say(match.started())
    for _ in range(5):
        act = (await line.hear("act")).act
        assert act.actions[0].id == rng.choice(match.state.legal_actions())
        await line.say(*match.answer(act))


async def test_an_answer_in_notation_is_sent_as_its_id(arena: FakeArena, launch: Launch) -> None:
    launch(ByName)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    action = (await line.hear("act")).act.actions[0]
    assert (action.id, action.name) == (match.state.legal_actions()[-1], "")


async def test_an_async_bot_that_waits_holds_up_nobody(arena: FakeArena, launch: Launch) -> None:
    Patient.gate = asyncio.Event()
    launch(Patient)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.settle()
    assert line.count("act") == 0
    Patient.gate.set()
    assert (await line.hear("act")).act.ply == 0


async def test_a_bot_that_computes_plays_in_worker_processes(arena: FakeArena, launch: Launch) -> None:
    client = launch(Searcher, capacity=2, games=2)
    line = await arena.welcomed()
    matches = {match.match_id: match for match in (FakeMatch("0" * 16), FakeMatch("1" * 16))}
    await line.say(*(match.started() for match in matches.values()))
    while any(not match.state.is_over for match in matches.values()):
        act = (await line.hear("act")).act
        await line.say(*matches[act.match_id].answer(act))
    line.end()
    assert sorted(end.match_id for end in (await client).ended) == sorted(matches)


async def test_the_deadline_of_a_turn_is_the_end_of_the_own_clock(arena: FakeArena, launch: Launch) -> None:
    deadlines = []

    class Watcher(First):
        def choose(self, turn: object) -> int:
            deadlines.append((turn.deadline, turn.clock_ms, turn.opponent_clock_ms))  # type: ignore[attr-defined]
            return turn.legal[0]  # type: ignore[attr-defined,no-any-return]

    launch(Watcher)
    line, match = await arena.welcomed(), FakeMatch(clocks=(40_000, 50_000))
    before = time.monotonic()
    await line.say(match.started())
    await line.hear("act")
    deadline, own, other = deadlines[0]
    assert (own, other) == (40_000, 50_000)
    assert before + 40 <= deadline <= time.monotonic() + 40
