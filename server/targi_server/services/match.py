"""MatchService: playing, and looking up what is and was played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping

from targi.v1 import match_service_pb2 as pb
from targi.v1 import play_pb2

from targi_server.errors import SlowReader
from targi_server.play.listing import Wanted
from targi_server.play.room import Room
from targi_server.rpc.call import caller, current_call
from targi_server.rpc.concerns import Context
from targi_server.rpc.frames import Frames
from targi_server.services.scenes import watch_response
from targi_server.services.summaries import listed, match_response

__all__ = ["MatchServicer"]

UNREAD_HEARTBEATS = 2
"""Heartbeats for which a spectator may leave unread what it was sent."""


class MatchServicer:
    """Methods of `targi.v1.MatchService`; Play gets its frames undecoded."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._patience_s = UNREAD_HEARTBEATS * room.settings.heartbeat_ms / 1000

    async def Play(self, frames: AsyncIterator[bytes], context: Context) -> None:  # noqa: N802
        """A bot's stream."""
        await self._room.stream(Frames(context)).run(caller())

    async def Watch(self, request: pb.WatchRequest, context: Context) -> None:  # noqa: N802
        """A match as it is played; ends with it, or with a reader that does not read."""
        compact = request.view == play_pb2.VIEW_FORM_COMPACT
        async with self._room.gallery.watching(request.match_id, request.from_ply) as spectator:
            async for scene in spectator.scenes():
                await self._show(context, watch_response(scene, compact=compact))

    async def ListMatches(  # noqa: N802
        self, request: pb.ListMatchesRequest, context: Context
    ) -> pb.ListMatchesResponse:
        """Matches, the newest first."""
        wanted = Wanted(_RUNNING.get(request.state), request.bot, request.page_size, request.page_token)
        page = await self._room.listing.page(wanted)
        return pb.ListMatchesResponse(matches=map(listed, page.rows), next_page_token=page.token)

    async def GetMatch(  # noqa: N802
        self, request: pb.GetMatchRequest, context: Context
    ) -> pb.GetMatchResponse:
        """One match."""
        seen = await self._room.lookup.match(request.match_id, story=request.timeline)
        error = seen.private_error(current_call().identity)
        return match_response(seen, with_timeline=request.timeline, private_error=error)

    async def GetRecord(  # noqa: N802
        self, request: pb.GetRecordRequest, context: Context
    ) -> pb.GetRecordResponse:
        """Record of a match that is over."""
        record = await self._room.lookup.record(request.match_id)
        return pb.GetRecordResponse(record=record)

    async def GetCardSet(  # noqa: N802
        self, request: pb.GetCardSetRequest, context: Context
    ) -> pb.GetCardSetResponse:
        """Effective card set by its hash."""
        return pb.GetCardSetResponse(json=self._room.card_sets.json(request.hash))

    async def _show(self, context: Context, response: pb.WatchResponse) -> None:
        """Send it. Raises SlowReader if the peer does not take it: nothing is queued for a spectator."""
        try:
            async with asyncio.timeout(self._patience_s):
                await context.write(response)
        except TimeoutError as error:
            words = f"nothing was read for {self._patience_s:g} s: read the stream, and watch again"
            raise SlowReader(words) from error


_RUNNING: Mapping[int, bool | None] = {
    pb.MATCH_STATE_UNSPECIFIED: None,
    pb.MATCH_STATE_RUNNING: True,
    pb.MATCH_STATE_ENDED: False,
}
