"""What spectators see, as the messages of Watch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from targi.v1 import match_service_pb2, play_pb2
from targi_engine import State
from targi_sdk.wire import clocks_to_proto, logged_to_proto, view_to_proto

from targi_server.play.endings import ended_message
from targi_server.play.replay import charged
from targi_server.play.spectator import End, Opening, Scene, Step
from targi_server.services.summaries import listed

__all__ = ["watch_response"]

Response = match_service_pb2.WatchResponse


def watch_response(scene: Scene, *, compact: bool) -> match_service_pb2.WatchResponse:
    """One step of a watched match, with the position as a spectator may know it."""
    response = _RESPONSES[type(scene)](scene)
    if isinstance(scene.state, State):
        response.view.CopyFrom(view_to_proto(scene.state.observation(None), compact=compact))
    return response


def _opening(scene: Opening) -> match_service_pb2.WatchResponse:
    return Response(started=listed(scene.seen))


def _step(scene: Step) -> match_service_pb2.WatchResponse:
    chain = scene.chain
    logged = [
        logged_to_proto(step.ply, step.seat, step.action, forced=step.forced, charged_ms=cost, named=True)
        for step, cost in charged([chain])
    ]
    applied = play_pb2.Applied(
        match_id=scene.header.match_id,
        ply=chain.ply,
        actions=logged,
        taken=chain.taken,
        charged_ms=chain.charged_ms,
        clocks=clocks_to_proto(scene.clocks),
        next_ply=chain.ply + chain.taken,
    )
    return Response(applied=applied)


def _end(scene: End) -> match_service_pb2.WatchResponse:
    return Response(ended=ended_message(scene.seen.header, scene.state, scene.seen.clocks, scene.verdict))


# Each function takes the one kind of scene that it is listed for; the table cannot say so, hence Any.
_RESPONSES: Mapping[type, Callable[[Any], match_service_pb2.WatchResponse]] = {
    Opening: _opening,
    Step: _step,
    End: _end,
}
