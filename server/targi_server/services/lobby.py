"""LobbyService: who is online, and challenges."""

# Methods are named as in the proto.
# ruff: noqa: N802

from __future__ import annotations

from targi.v1 import lobby_service_pb2 as pb

from targi_server.lobby.challenges import Challenges, Wanted
from targi_server.lobby.lobby import Guest, Lobby
from targi_server.lobby.terms import Times
from targi_server.rpc.call import caller
from targi_server.rpc.concerns import Context
from targi_server.settings import Settings

__all__ = ["LobbyServicer"]


class LobbyServicer:
    """Methods of `targi.v1.LobbyService`."""

    def __init__(self, lobby: Lobby, challenges: Challenges, settings: Settings) -> None:
        self._lobby = lobby
        self._challenges = challenges
        self._budget_ms = settings.disconnect_budget_ms

    async def ListOnline(self, request: pb.ListOnlineRequest, context: Context) -> pb.ListOnlineResponse:
        """Bots that are connected."""
        return pb.ListOnlineResponse(bots=[_online_bot(guest) for guest in await self._lobby.guests()])

    async def Challenge(self, request: pb.ChallengeRequest, context: Context) -> pb.ChallengeResponse:
        """Challenges a bot."""
        offer = await self._challenges.send(_wanted(request, self._budget_ms), caller())
        return pb.ChallengeResponse(challenge_id=offer.offer_id, match_ids=offer.match_ids)


def _online_bot(guest: Guest) -> pb.OnlineBot:
    session = guest.session
    return pb.OnlineBot(
        bot=session.bot,
        version=session.version,
        owner=session.owner,
        matches=guest.matches,
        capacity=session.capacity,
        ladder=session.ladder,
        rulesets=session.rulesets,
    )


def _wanted(request: pb.ChallengeRequest, budget_ms: int) -> Wanted:
    clock = request.time_control
    given = request.HasField("time_control")
    return Wanted(
        challenger=request.challenger,
        opponent=request.opponent,
        ruleset=request.ruleset or "base",
        variants=request.variants,
        times=Times(clock.base_ms, clock.increment_ms, budget_ms) if given else None,
        mirrored=request.mirrored,
        seeds=tuple(request.seeds),
        opening=request.opening or None,
        debug=request.debug,
    )
