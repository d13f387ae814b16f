"""Bots of other rules or another vocabulary: what they may rely on, and matches of theirs to their end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from other_bot import other_bot
from play_client import Arena, PlayClient, arena
from targi.v1 import game_pb2, match_service_pb2, play_pb2, reason_pb2
from targi_engine import ACTIONS, RULES, VOCABULARY
from targi_server.errors import NotAvailable

WITHIN_S = 120.0


async def online(here: Arena, bot: str) -> None:
    """Wait until a bot is connected."""
    async with asyncio.timeout(WITHIN_S):
        while not await here.service.parts.lobby.presence.those_online([bot]):  # noqa: ASYNC110 (nothing tells)
            await asyncio.sleep(0.05)


async def outcome(here: Arena, match_id: str) -> game_pb2.Outcome:
    """How a match ended, once it has."""
    stub, request = here.stub, match_service_pb2.GetMatchRequest(match_id=match_id)
    async with asyncio.timeout(WITHIN_S):
        while not (found := (await stub.GetMatch(request)).match).HasField("outcome"):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    ended: game_pb2.Outcome = found.outcome
    return ended


@asynccontextmanager
async def answering(client: PlayClient, match_id: str) -> AsyncIterator[None]:
    """Let a bot play the first legal action at each turn."""

    async def play() -> None:
        while True:
            turn = await client.turn(match_id)
            await client.act(match_id, turn.ply, turn.legal[0].id)

    task = asyncio.create_task(play())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_a_bot_of_another_vocabulary_plays_a_match_to_its_end(redis_url: str, tmp_path: Path) -> None:
    async with arena(redis_url) as here:
        address, log = f"127.0.0.1:{here.service.port}", tmp_path / "bot.log"
        token, rival = await here.register("bot-one"), await here.connect("bot-two")
        with other_bot(address, "bot-one", token, log, VOCABULARY=VOCABULARY + 1):
            await online(here, "bot-one")
            match_id = await here.offer("bot-one", "bot-two")
            offer = await rival.next("offer")
            await rival.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=bytes(32)))
            await rival.told(match_id)
            async with answering(rival, match_id):
                ended = await outcome(here, match_id)
        assert ended.termination == game_pb2.TERMINATION_NORMAL, log.read_text()
        assert f"vocabulary version {VOCABULARY + 1} there, {VOCABULARY} here" in log.read_text()
        assert "refused" not in log.read_text()


async def test_a_bot_that_comes_back_with_other_rules_plays_what_runs_and_stops(
    redis_url: str, tmp_path: Path
) -> None:
    async with arena(redis_url) as here:
        address, log = f"127.0.0.1:{here.service.port}", tmp_path / "bot.log"
        duel = await here.duel()
        for _ in range(6):
            await duel.move()
        await duel.clients[0].cut()
        with other_bot(address, "bot-one", here.tokens["bot-one"], log, RULES=RULES + 1) as process:
            async with answering(duel.clients[1], duel.match_id):
                ended = await outcome(here, duel.match_id)
            assert ended.termination == game_pb2.TERMINATION_NORMAL, log.read_text()
            assert await asyncio.to_thread(process.wait, WITHIN_S) != 0
        assert "install the other version of targi" in log.read_text()


async def test_every_turn_of_a_bot_with_another_vocabulary_has_notation_and_its_ids_count_for_nothing(
    redis_url: str,
) -> None:
    async with arena(redis_url) as here:
        other = await here.connect("bot-one", vocabulary_version=VOCABULARY + 1)
        assert (await other.next("notice")).reason == reason_pb2.REASON_VERSION_MISMATCH
        match_id = await here.match(other, await here.connect("bot-two"), "bot-one", "bot-two")
        turn = await other.turn(match_id)
        assert [action.name for action in turn.legal] == [ACTIONS[action.id] for action in turn.legal]
        await other.act(match_id, turn.ply, turn.legal[0].id)
        refused = await other.next("rejected")
        assert (refused.reason, refused.strikes) == (reason_pb2.REASON_ILLEGAL, 1)
        misnumbered = game_pb2.Action(id=turn.legal[1].id, name=turn.legal[0].name)
        await other.send(act=play_pb2.Act(match_id=match_id, ply=turn.ply, actions=[misnumbered]))
        assert (await other.next("applied")).actions[0].action.name == turn.legal[0].name


async def test_a_bot_of_other_rules_only_is_offered_nothing(redis_url: str) -> None:
    async with arena(redis_url, pairing=True) as here:
        other = await here.connect("bot-one", rules_versions=[RULES + 1], ladder=True)
        assert "no new matches" in (await other.next("notice")).words
        both = [await here.connect(bot, ladder=True, capacity=1) for bot in ("bot-two", "bot-three")]
        for client in both:
            await client.next("offer")
        with pytest.raises(NotAvailable, match="not connected where these rules are played"):
            await here.offer("bot-two", "bot-one")
        assert "offer" not in other.kinds()
