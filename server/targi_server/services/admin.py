"""AdminService: what operators do."""

# Methods are named as in the proto.
# ruff: noqa: N802

from __future__ import annotations

from targi.v1 import admin_service_pb2 as pb

from targi_server.admin.administration import Administration
from targi_server.admin.audit import Administrator
from targi_server.rpc.call import caller, current_call
from targi_server.rpc.concerns import Context

__all__ = ["AdminServicer"]


class AdminServicer:
    """Methods of `targi.v1.AdminService`."""

    def __init__(self, administration: Administration) -> None:
        self._administration = administration

    async def PausePairing(
        self, request: pb.PausePairingRequest, context: Context
    ) -> pb.PausePairingResponse:
        """Stops making rated pairs."""
        await self._administration.pause(_by(), request.ruleset, request.reason)
        return pb.PausePairingResponse()

    async def ResumePairing(
        self, request: pb.ResumePairingRequest, context: Context
    ) -> pb.ResumePairingResponse:
        """Makes rated pairs again."""
        await self._administration.resume(_by(), request.ruleset)
        return pb.ResumePairingResponse()

    async def AbortMatch(self, request: pb.AbortMatchRequest, context: Context) -> pb.AbortMatchResponse:
        """Aborts a match."""
        await self._administration.abort(_by(), request.match_id, request.reason)
        return pb.AbortMatchResponse()

    async def BanBot(self, request: pb.BanBotRequest, context: Context) -> pb.BanBotResponse:
        """Bans a bot."""
        await self._administration.ban(_by(), request.bot, request.reason)
        return pb.BanBotResponse()

    async def UnbanBot(self, request: pb.UnbanBotRequest, context: Context) -> pb.UnbanBotResponse:
        """Lifts a ban."""
        await self._administration.unban(_by(), request.bot)
        return pb.UnbanBotResponse()

    async def Drain(self, request: pb.DrainRequest, context: Context) -> pb.DrainResponse:
        """Empties a replica of streams."""
        return pb.DrainResponse(replica=await self._administration.drain(_by(), request.replica))

    async def CreateAdminToken(
        self, request: pb.CreateAdminTokenRequest, context: Context
    ) -> pb.CreateAdminTokenResponse:
        """Makes an administrator's token."""
        token = await self._administration.create_token(_by(), request.admin)
        return pb.CreateAdminTokenResponse(token=token)

    async def RevokeAdminToken(
        self, request: pb.RevokeAdminTokenRequest, context: Context
    ) -> pb.RevokeAdminTokenResponse:
        """Takes an administrator's token away."""
        await self._administration.revoke_token(_by(), request.admin)
        return pb.RevokeAdminTokenResponse()


def _by() -> Administrator:
    """Who calls; only administrators come this far."""
    return Administrator(caller().owner, current_call().address)
