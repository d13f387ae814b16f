"""MatchService: playing, and looking up what is and was played."""

from __future__ import annotations

from collections.abc import AsyncIterator

from targi.v1 import match_service_pb2

from targi_server.play.room import Room
from targi_server.rpc.call import caller, current_call
from targi_server.rpc.concerns import Context
from targi_server.rpc.frames import Frames
from targi_server.services.summaries import match_response

__all__ = ["MatchServicer"]


class MatchServicer:
    """Methods of `targi.v1.MatchService`; Play gets its frames undecoded."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def Play(self, frames: AsyncIterator[bytes], context: Context) -> None:  # noqa: N802
        """A bot's stream."""
        await self._room.stream(Frames(context)).run(caller())

    async def GetMatch(  # noqa: N802
        self, request: match_service_pb2.GetMatchRequest, context: Context
    ) -> match_service_pb2.GetMatchResponse:
        """One match."""
        seen = await self._room.lookup.match(request.match_id)
        error = seen.private_error(current_call().identity)
        return match_response(seen, timeline=request.timeline, private_error=error)

    async def GetRecord(  # noqa: N802
        self, request: match_service_pb2.GetRecordRequest, context: Context
    ) -> match_service_pb2.GetRecordResponse:
        """Record of a match that is over."""
        record = await self._room.lookup.record(request.match_id)
        return match_service_pb2.GetRecordResponse(record=record)

    async def GetCardSet(  # noqa: N802
        self, request: match_service_pb2.GetCardSetRequest, context: Context
    ) -> match_service_pb2.GetCardSetResponse:
        """Effective card set by its hash."""
        return match_service_pb2.GetCardSetResponse(json=self._room.card_sets.json(request.hash))
