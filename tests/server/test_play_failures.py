"""The server's own failures stay with the match in which they happen."""

from collections.abc import Sequence

import pytest
from play_client import arena
from targi.v1 import game_pb2, match_service_pb2
from targi_engine import State, new_game
from targi_server.play import answering, replay
from targi_server.play.chain import Walk, walk

FATAL = 4
"""The ply at which the engine breaks in these tests."""


def breaking(state: State, actions: Sequence[int | None]) -> Walk:
    """The engine with a fault at one ply."""
    if state.ply == FATAL:
        raise ZeroDivisionError("a fault of the engine")
    return walk(state, actions)


async def test_an_exception_of_the_engine_ends_that_match_and_both_are_told(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with arena(redis_url) as here:
        duel, other = await here.duel(), await here.duel("bot-three", "bot-four")
        for _ in range(FATAL + 1):
            await other.move()
        for _ in range(FATAL):
            await duel.move()
        monkeypatch.setattr(answering, "walk", breaking)
        await duel.mover.act(duel.match_id, FATAL, duel.state.legal_actions()[0])
        for client in duel.clients:
            outcome = (await client.next("match_ended")).outcome
            assert outcome.termination == game_pb2.TERMINATION_SERVER_ERROR
            assert outcome.culprit == game_pb2.CULPRIT_SERVER
            assert outcome.result == game_pb2.RESULT_NO_CONTEST
            assert "fault" not in outcome.words
        assert "a fault of the engine" in caplog.text
        first, second = await other.play_out()
        assert first == second


async def test_the_log_of_a_match_in_which_the_server_failed_is_kept(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(FATAL):
            await duel.move()
        monkeypatch.setattr(answering, "walk", breaking)
        await duel.mover.act(duel.match_id, FATAL, duel.state.legal_actions()[0])
        await duel.mover.next("match_ended")
        request = match_service_pb2.GetMatchRequest(match_id=duel.match_id, timeline=True)
        answer = await here.stub.GetMatch(request)
        assert answer.match.ply == FATAL
        assert len(answer.timeline) == FATAL + 1
        assert answer.timeline[-1].words.startswith("server_error")


async def test_a_log_that_does_not_replay_ends_its_match(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(3):
            await duel.move()
        bot, lost = ("bot-one", "bot-two")[duel.state.current_seat], duel.mover
        await lost.cut()

        def broken(state: State, entries: Sequence[object]) -> list[replay.Chain]:
            raise ZeroDivisionError("no position follows from this log")

        monkeypatch.setattr(replay, "follow", broken)
        duel.clients[duel.clients.index(lost)] = await here.connect(bot)
        for client in duel.clients:
            ended = await client.next("match_ended")
            assert ended.outcome.termination == game_pb2.TERMINATION_SERVER_ERROR


def new_state_behind(state: State) -> State:
    """What a table that missed all news would hold."""
    return new_game(state.ruleset, state.seed, state.opening)


async def test_a_table_that_fell_behind_reads_the_log(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(6):
            await duel.move()
        table = here.service.room.tables.get(duel.match_id)
        assert table is not None
        table.state = new_state_behind(table.state)
        mover, action = duel.mover, duel.state.legal_actions()[0]
        await mover.act(duel.match_id, duel.state.ply, action)
        applied = await mover.next("applied")
        while applied.ply < duel.state.ply:  # first it is told again what the table had missed
            applied = await mover.next("applied")
        assert (applied.ply, applied.actions[0].action.id) == (duel.state.ply, action)
