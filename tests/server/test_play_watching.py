"""Watching a match over a real port: anybody may, and nobody learns more than a spectator may know."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from duel import Duel
from play_client import SEED, WITHIN_S, Arena, arena, reason_of, until
from targi.v1 import match_service_pb2 as pb
from targi.v1 import match_service_pb2_grpc, play_pb2
from targi_engine import Observation, State, new_game
from targi_server.play.delay import Delay
from targi_server.play.redact import secret_bytes

COMPACT = play_pb2.VIEW_FORM_COMPACT
NARROW = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1_024)]
"""Of a channel that takes little of what its reader does not read."""


class Watcher:
    """One call of Watch, without any token."""

    def __init__(
        self,
        here: Arena,
        match_id: str,
        from_ply: int = 0,
        *,
        view: Any = COMPACT,
        options: Sequence[tuple[str, int]] = (),
    ) -> None:
        request = pb.WatchRequest(match_id=match_id, from_ply=from_ply, view=view)
        stub: Any = match_service_pb2_grpc.MatchServiceStub(here.channel(*options))
        self.call = stub.Watch(request)
        self.seen: list[pb.WatchResponse] = []

    async def next(self) -> pb.WatchResponse | None:
        """The next scene, None after the last."""
        async with asyncio.timeout(WITHIN_S):
            scene = await self.call.read()
        if scene is grpc.aio.EOF:
            return None
        assert isinstance(scene, pb.WatchResponse)
        self.seen.append(scene)
        return scene

    async def until_ply(self, ply: int) -> None:
        """Reads until the match stands there."""
        while not self.seen or self.ply < ply:
            assert await self.next() is not None

    async def rest(self) -> list[pb.WatchResponse]:
        """Reads to the end: all that was seen."""
        while await self.next() is not None:
            continue
        return self.seen

    @property
    def ply(self) -> int:
        last = self.seen[-1]
        return last.started.ply if last.WhichOneof("event") == "started" else last.applied.next_ply


def replayed(scenes: list[pb.WatchResponse]) -> State:
    """Plays the scenes on an own game; every position must be what a spectator sees there."""
    state = new_game("base", SEED)
    for scene in scenes:
        for logged in scene.applied.actions:
            if not logged.forced:
                assert (logged.ply, logged.seat) == (state.ply, state.current_seat)
                state.apply(logged.action.id)
        assert Observation.decode(scene.view.compact) == state.observation(None)
    return state


@asynccontextmanager
async def begun(redis_url: str, plies: int = 0, **fields: Any) -> AsyncIterator[tuple[Arena, Duel]]:
    async with arena(redis_url, **fields) as here:
        duel = await here.duel()
        for _ in range(plies):
            await duel.move()
        yield here, duel


async def test_a_spectator_sees_every_action_and_position_to_the_end(redis_url: str) -> None:
    async with begun(redis_url, plies=3) as (here, duel):
        watcher = Watcher(here, duel.match_id)
        await watcher.until_ply(3)  # what was played before, then what is played now
        told, _ = await duel.play_out()
        scenes = await watcher.rest()
        kinds = [scene.WhichOneof("event") for scene in scenes]
        assert kinds[0] == "started" and kinds[-1] == "ended" and set(kinds[1:-1]) == {"applied"}
        assert [seat.bot for seat in scenes[0].started.seats] == ["bot-one", "bot-two"]
        assert replayed(scenes).is_over
        assert scenes[-1].ended == told


async def test_the_clocks_of_each_scene_are_those_that_the_bots_were_told(redis_url: str) -> None:
    async with begun(redis_url) as (here, duel):
        watcher = Watcher(here, duel.match_id)
        told = [await duel.move(*duel.further(2)) for _ in range(6)]
        await watcher.until_ply(duel.state.ply)
        assert [scene.applied.clocks for scene in watcher.seen[1:]] == [each.clocks for each in told]
        assert [scene.applied.charged_ms for scene in watcher.seen[1:]] == [each.charged_ms for each in told]


async def test_watching_may_begin_at_any_ply(redis_url: str) -> None:
    async with begun(redis_url, plies=6) as (here, duel):
        watcher = Watcher(here, duel.match_id, from_ply=4)
        await watcher.until_ply(6)
        assert watcher.seen[0].started.ply == 4
        assert [scene.applied.ply for scene in watcher.seen[1:]] == [4, 5]


async def test_a_ply_that_is_not_reached_means_from_now_on(redis_url: str) -> None:
    async with begun(redis_url, plies=2) as (here, duel):
        watcher = Watcher(here, duel.match_id, from_ply=4_000)
        first = await watcher.next()
        assert first is not None and first.started.ply == 2
        await duel.move()
        await watcher.until_ply(3)


async def test_a_match_that_is_over_and_filed_can_be_watched_again(redis_url: str) -> None:
    async with begun(redis_url) as (here, duel):
        told, _ = await duel.play_out()
        await here.filed(duel.match_id)
        scenes = await Watcher(here, duel.match_id).rest()
        assert replayed(scenes).is_over
        assert scenes[-1].ended.outcome == told.outcome
        assert scenes[0].started.state == pb.MATCH_STATE_ENDED


async def test_a_structured_view_is_the_default(redis_url: str) -> None:
    async with begun(redis_url, plies=1) as (here, duel):
        watcher = Watcher(here, duel.match_id, view=play_pb2.VIEW_FORM_UNSPECIFIED)
        await watcher.until_ply(1)
        assert watcher.seen[1].view.structured.round == 1
        assert watcher.seen[1].applied.actions[0].action.name


async def test_nothing_secret_is_shown_while_the_match_runs(redis_url: str) -> None:
    async with begun(redis_url, plies=12) as (here, duel):
        watcher = Watcher(here, duel.match_id)
        await watcher.until_ply(12)
        stored = await here.service.store.matches.load(duel.match_id)
        assert stored is not None
        shown = b"".join(scene.SerializeToString() for scene in watcher.seen)
        assert not any(secret in shown for secret in secret_bytes(stored.header))


async def test_a_match_can_be_watched_on_any_replica(redis_url: str) -> None:
    async with begun(redis_url) as (_, duel), arena(redis_url) as other:
        watcher = Watcher(other, duel.match_id)
        await watcher.next()
        told, _ = await duel.play_out()
        assert (await watcher.rest())[-1].ended == told


async def test_news_that_are_lost_are_made_up_for_to_spectators(redis_url: str) -> None:
    async with begun(redis_url) as (here, duel):
        watcher = Watcher(here, duel.match_id)
        await watcher.next()
        handlers = here.service.store.bus._match_handlers
        handlers.remove(here.service.room.gallery.on_news)
        for _ in range(3):
            await duel.move()
        await watcher.until_ply(3)
        handlers.append(here.service.room.gallery.on_news)


async def test_no_match_no_watching(redis_url: str) -> None:
    async with arena(redis_url) as here:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await Watcher(here, "0" * 16).next()
        assert (caught.value.code(), reason_of(caught.value)) == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")


async def test_when_the_last_spectator_leaves_the_match_is_followed_no_more(redis_url: str) -> None:
    async with begun(redis_url) as (here, duel):
        watchers = [Watcher(here, duel.match_id) for _ in range(3)]
        for watcher in watchers:
            await watcher.next()
        assert len(here.service.room.gallery) == 1
        for watcher in watchers:
            watcher.call.cancel()
        await until(lambda: len(here.service.room.gallery) == 0)
        await duel.move()


async def test_a_spectator_that_does_not_read_is_cut_off_and_nobody_else(redis_url: str) -> None:
    async with begun(redis_url, heartbeat_ms=200) as (here, duel):
        await duel.play_out()
        slow = Watcher(here, duel.match_id, view=play_pb2.VIEW_FORM_STRUCTURED, options=NARROW)
        quick = await Watcher(here, duel.match_id).rest()
        assert quick[-1].HasField("ended")
        await until(lambda: len(here.service.room.gallery) == 0)  # it was let go, though it never read
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await slow.rest()
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert reason_of(caught.value) == "SLOW_READER"


async def test_a_delay_in_plies_holds_for_all_that_spectators_are_told(redis_url: str) -> None:
    async with begun(redis_url, plies=8, watch_delay_plies=5) as (here, duel):
        watcher = Watcher(here, duel.match_id)
        await watcher.until_ply(3)
        answer = await here.stub.GetMatch(pb.GetMatchRequest(match_id=duel.match_id, timeline=True))
        assert (answer.match.ply, len(answer.timeline)) == (3, 3)
        listed = await here.stub.ListMatches(pb.ListMatchesRequest())
        assert [match.ply for match in listed.matches] == [3]
        await duel.move()
        await watcher.until_ply(4)
        await duel.play_out()
        assert replayed(await watcher.rest()).is_over


async def test_a_delay_in_time_ends_with_the_match(redis_url: str) -> None:
    async with begun(redis_url, plies=4, watch_delay_ms=3_600_000) as (here, duel):
        watcher = Watcher(here, duel.match_id)
        first = await watcher.next()
        assert first is not None and first.started.ply == 0
        await duel.play_out()
        assert replayed(await watcher.rest()).is_over


async def test_what_is_old_enough_is_shown_without_any_news(redis_url: str) -> None:
    async with begun(redis_url, plies=2, watch_delay_ms=400) as (here, duel):
        watcher = Watcher(here, duel.match_id)
        await watcher.until_ply(2)


def test_a_delay_counts_plies_from_the_end_and_time_from_each_commit() -> None:
    moments = [100, 200, 300]
    assert Delay().shown(moments, 0) == 3
    assert [Delay(plies=plies).shown(moments, 1_000) for plies in (1, 3, 9)] == [2, 0, 0]
    assert [Delay(ms=50).shown(moments, now) for now in (149, 150, 250, 350)] == [0, 1, 2, 3]
    assert Delay(plies=1, ms=50).shown(moments, 1_000) == 2


def test_the_next_entry_is_due_when_it_is_old_enough_if_that_is_all() -> None:
    moments = [100, 200, 300]
    assert Delay(ms=50).until_next_ms(moments, 1, 230) == 20
    assert Delay(ms=50).until_next_ms(moments, 3, 230) is None
    assert Delay(plies=1, ms=50).until_next_ms(moments, 2, 230) is None
    assert Delay(plies=1).until_next_ms(moments, 1, 230) is None
