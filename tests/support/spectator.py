"""A curious caller: asks for everything that can be asked for and shows a hunt for secrets what it gets."""

from __future__ import annotations

import asyncio
import itertools
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc
from every_read import View, full_name, over_by, requests
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from play_client import Arena, Metadata, bearer
from secret_hunt import Hunt
from starlette.routing import Route
from targi.v1 import match_service_pb2
from targi_server.health import Health
from targi_server.http.application import application
from targi_server.http.serving import serving
from targi_server.metrics import SupervisorMetrics, exposition
from targi_server.ports import bound

__all__ = ["Spectator", "pages"]


class Spectator:
    """Asks for everything that can be asked for, as anybody, as a bot and as owners, and watches."""

    def __init__(self, here: Arena, hunt: Hunt, tokens: Sequence[str]) -> None:
        self._hunt = hunt
        self._channel: Any = here.channel()  # its calls of bytes have no types
        self._stub: Any = here.stub
        self._callers = itertools.cycle(["", *tokens])
        self.lapsed: set[str] = set()
        """Offers of which it was told that they lapsed."""
        self.missing: set[str] = set()
        """Methods that this server does not have yet."""

    async def watch(self, match_id: str) -> None:
        """Everything that is shown of a match while it runs."""
        request = match_service_pb2.WatchRequest(match_id=match_id)
        async for scene in self._stub.Watch(request):
            ended = {match_id} if scene.WhichOneof("event") == "ended" else set()
            self._hunt.see("watch", scene.SerializeToString(), ended)

    async def look(self, view: View) -> None:
        """One look around; the next one is by another caller."""
        token = next(self._callers)
        metadata = bearer(token) if token else ()
        for method, request in requests(view):
            await self._ask(method, request, metadata)

    async def _ask(self, method: MethodDescriptor, request: Message, metadata: Metadata) -> None:
        name = full_name(method)
        path = f"/{method.containing_service.full_name}/{method.name}"
        try:
            if method.server_streaming:
                stream = self._channel.unary_stream(path)(request.SerializeToString(), metadata=metadata)
                answers = [answer async for answer in stream]
            else:
                call = self._channel.unary_unary(path)
                answers = [await call(request.SerializeToString(), metadata=metadata)]
        except grpc.aio.AioRpcError as error:
            self._hunt.see(f"{name}: refused", repr((error.details(), error.trailing_metadata())).encode())
            self.missing |= {name} if error.code() is grpc.StatusCode.UNIMPLEMENTED else set()
            return
        if name == "MatchService.GetRecord":
            await self._make_sure(request)
        for answer in answers:
            self._hunt.see(name, answer, over_by(method, answer))
            if name == "LadderService.ListLapsedOffers":
                self.lapsed |= over_by(method, answer)

    async def _make_sure(self, request: Any) -> None:  # Any: of GetRecord
        """A record proves nothing: the match it is of has to be over."""
        seen = await self._stub.GetMatch(match_service_pb2.GetMatchRequest(match_id=request.match_id))
        assert seen.match.state == match_service_pb2.MATCH_STATE_ENDED, "a record of a match that runs"
        self._hunt.see("MatchService.GetMatch", seen.SerializeToString(), {request.match_id})


async def pages(here: Arena) -> AsyncIterator[tuple[str, bytes]]:
    """All pages of the HTTP port, as the supervisor serves them, with this server's metrics."""
    app = application(
        Health(SupervisorMetrics(), "redis", "worker"),
        lambda: exposition(None, here.service.metrics.registry),
        here.service.port,
    )
    with bound("127.0.0.1", 0) as listener:
        async with serving(app, listener):
            for route in app.routes:
                assert isinstance(route, Route) and "{" not in route.path, f"give {route} its parameters"
                url = f"http://127.0.0.1:{listener.getsockname()[1]}{route.path}"
                yield route.path, await asyncio.to_thread(fetched, url)


def fetched(url: str) -> bytes:
    """What a page says, also one that is no success."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.read()
