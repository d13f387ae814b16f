"""Servers of other rules or another vocabulary over the same store: each plays only what it can replay."""

import asyncio
import re
from pathlib import Path

import grpc
import pytest
from duel import Duel
from other_replica import OtherReplica, other_replica
from play_client import Arena, PlayClient, arena, hello, until
from targi.v1 import game_pb2, match_service_pb2, match_service_pb2_grpc, play_pb2, reason_pb2
from targi_engine import RULES, VOCABULARY
from targi_server.lobby.terms import Times
from targi_server.match.clock import LENT_MS, TOLERANCE_MS
from targi_server.match.incidents import IncidentKind
from targi_server.match.model import Culprit, Termination, Verdict
from targi_server.match.versions import EDITION
from targi_server.store.keys import leader_keys

OTHERS = [
    {"RULES": RULES + 1},
    pytest.param({"VOCABULARY": VOCABULARY - 1}, marks=pytest.mark.full),
]
"""Versions of a server that cannot play the matches of this one."""
SESSION = "session-of-bot-one-00"


async def visit(here: Arena, other: OtherReplica, bot: str) -> PlayClient:
    """A stream of a bot to the other server, before its Hello."""
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{other.port}")
    client = PlayClient(channel, await here.register(bot))
    here.channels.append(channel)
    here.clients.append(client)
    return client


async def look(other: OtherReplica, match_id: str) -> None:
    """Of a running match of other rules anybody hears that it runs, but not how it stands."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{other.port}") as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        page = await stub.ListMatches(match_service_pb2.ListMatchesRequest())
        assert [match.match_id for match in page.matches] == [match_id]
        with pytest.raises(grpc.aio.AioRpcError, match="rules version"):
            await stub.Watch(match_service_pb2.WatchRequest(match_id=match_id)).read()


async def led(here: Arena, edition: str = EDITION) -> None:
    """Wait until somebody leads an edition: from then on its servers count as there."""
    commands = here.service.store.commands
    while not await commands.command("EXISTS", leader_keys(edition)[0]):
        await here.service.parts.matchmaker.step()


@pytest.mark.parametrize("versions", OTHERS)
async def test_a_bot_is_sent_on_to_a_server_that_can_play_its_match(
    redis_url: str, tmp_path: Path, versions: dict[str, int]
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(4):
            await duel.move()
        await led(here)
        with other_replica(redis_url, tmp_path, **versions) as other:
            lost = await visit(here, other, "bot-one")
            await lost.send(hello=play_pb2.Hello(session=SESSION, bot_version="1.0", capacity=8))
            end = await lost.end()
            assert (end.code, end.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
            assert duel.match_id in end.words
            assert re.search("(rules|vocabulary) version", end.words)
            assert duel.clients[0].ended is None  # the stream that plays was not replaced
            first, second = await duel.play_out()
            await here.filed(duel.match_id)
        assert first == second
        assert first.outcome.termination == game_pb2.TERMINATION_NORMAL
        assert tuple(first.outcome.scores) == duel.state.scores()


async def test_a_match_that_nobody_can_play_waits_for_a_server_that_can(
    redis_url: str, tmp_path: Path
) -> None:
    async with arena(redis_url) as before:
        duel = await before.duel()
        for _ in range(4):
            await duel.move()
    with other_replica(redis_url, tmp_path, RULES=RULES + 1) as other:
        bots = [await visit(before, other, bot) for bot in ("bot-one", "bot-two")]
        for bot in bots:
            await bot.hello(session=SESSION)
            notice = await bot.next("notice")
            assert notice.reason == reason_pb2.REASON_VERSION_MISMATCH
            assert duel.match_id in notice.words
        mover = bots[duel.state.current_seat]
        await mover.act(duel.match_id, 4, duel.state.legal_actions()[0])
        assert (await mover.next("rejected")).reason == reason_pb2.REASON_VERSION_MISMATCH
        await until(lambda: other.leaves("running") == 2)
        await look(other, duel.match_id)
        async with arena(redis_url) as after:
            after.tokens = before.tokens
            for bot in bots:
                assert (await bot.end()).reason == "DRAINING"
                assert bot.kinds().count("notice") == 0  # it was told once
            clients = [await after.connect(bot) for bot in ("bot-one", "bot-two")]
            for client in clients:
                await client.told(duel.match_id)
            first, second = await Duel(duel.match_id, clients, duel.state).play_out()
            assert first == second
            assert first.outcome.termination == game_pb2.TERMINATION_NORMAL


@pytest.mark.full
async def test_a_match_that_nobody_can_play_is_not_lost_on_time(redis_url: str, tmp_path: Path) -> None:
    async with arena(redis_url) as before:
        duel = await before.duel(times=Times(1_000, 0, 500))
    with other_replica(redis_url, tmp_path, RULES=RULES + 1):
        away_s = (LENT_MS + 2 * TOLERANCE_MS + 1_500) / 1000  # clock and budget would be over by then
        await asyncio.sleep(away_s)  # nothing is to happen meanwhile
        async with arena(redis_url) as after:
            stored = await after.service.store.matches.load(duel.match_id)
            assert stored is not None and stored.live.verdict is None
            told = await after.service.store.matches.story(duel.match_id, 0, 0)
            assert [each.kind for each in told].count(IncidentKind.DESERTED) == 1


async def test_a_match_that_is_over_is_filed_by_a_server_of_its_rules(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(redis_url) as before:
        duel = await before.duel()
        await duel.move()

        async def unfiled(match_id: str) -> bool:
            return False

        monkeypatch.setattr(before.service.parts.matchmaker._filing, "file", unfiled)
        verdict = Verdict("0-1", Termination.RESIGNED, Culprit.SEAT0, "seat 0 resigned")
        await before.service.store.matches.end(duel.match_id, verdict)
    with other_replica(redis_url, tmp_path, RULES=RULES + 1) as other:
        await until(lambda: other.leaves("ended") == 1)
        assert other.says("match is left to a server that can file it") == 1
        async with grpc.aio.insecure_channel(f"127.0.0.1:{other.port}") as channel:
            stub = match_service_pb2_grpc.MatchServiceStub(channel)
            asked = match_service_pb2.GetMatchRequest(match_id=duel.match_id, timeline=True)
            shown = await stub.GetMatch(asked)
            assert shown.match.outcome.termination == game_pb2.TERMINATION_RESIGNED
            assert shown.timeline[0].action.name
        async with arena(redis_url) as after:
            await after.filed(duel.match_id)
            record = match_service_pb2.GetRecordRequest(match_id=duel.match_id)
            assert '[Termination "resigned"]' in (await after.stub.GetRecord(record)).record
        await until(lambda: other.leaves("ended") == 0)


async def test_the_newest_edition_alone_deals_and_the_older_runs_empty(
    redis_url: str, tmp_path: Path
) -> None:
    async with arena(redis_url, pairing=True) as here:
        duel = await here.duel()
        idle = await here.connect("bot-e", capacity=1)
        with other_replica(redis_url, tmp_path, RULES=RULES + 1) as other:
            assert (await idle.end()).reason == "DRAINING"
            again = here.client(here.tokens["bot-e"])
            await again.send(hello=hello(session="session-of-bot-e-again"))
            assert "newer edition" in (await again.end()).words
            there = [await visit(here, other, bot) for bot in ("bot-a", "bot-b")]
            for number, client in enumerate(there):
                await client.hello(session=f"session-at-the-other-{number}", ladder=True, capacity=1)
            assert [(await each.next("offer")).rules.rules_version for each in there] == [RULES + 1] * 2
            first, second = await duel.play_out()
            assert first == second
            assert {(await client.end()).reason for client in duel.clients} == {"DRAINING"}
        async with asyncio.timeout(60):
            while (last := here.client(here.tokens["bot-e"])) and not await is_let_in(last):
                pass  # the newer edition is gone: this one deals again


async def is_let_in(client: PlayClient) -> bool:
    await client.send(hello=hello(session="session-of-bot-e-at-last"))
    async with asyncio.timeout(20):
        while not client.kinds() and client.ended is None:  # noqa: ASYNC110 (either may come)
            await asyncio.sleep(0.05)
    return "welcome" in client.kinds()
