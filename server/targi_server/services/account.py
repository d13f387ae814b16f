"""AccountService: owners, bots and their tokens."""

# Methods are named as in the proto.
# ruff: noqa: N802

from __future__ import annotations

from targi.v1 import account_service_pb2 as pb

from targi_server.accounts.store import Accounts, BotAccount
from targi_server.lobby.presence import Presence
from targi_server.rpc.call import caller, current_call
from targi_server.rpc.concerns import Context
from targi_server.rpc.peer import household_of

__all__ = ["AccountServicer"]


class AccountServicer:
    """Methods of `targi.v1.AccountService`."""

    def __init__(self, accounts: Accounts, presence: Presence) -> None:
        self._accounts = accounts
        self._presence = presence

    async def CreateOwner(self, request: pb.CreateOwnerRequest, context: Context) -> pb.CreateOwnerResponse:
        """Makes an owner."""
        call = current_call()
        household = household_of(call.address)
        token = await self._accounts.create_owner(request.owner, call.identity, household)
        return pb.CreateOwnerResponse(token=token)

    async def RotateOwnerToken(
        self, request: pb.RotateOwnerTokenRequest, context: Context
    ) -> pb.RotateOwnerTokenResponse:
        """Replaces the owner's token."""
        return pb.RotateOwnerTokenResponse(token=await self._accounts.rotate_owner_token(caller().owner))

    async def RegisterBot(self, request: pb.RegisterBotRequest, context: Context) -> pb.RegisterBotResponse:
        """Registers a bot."""
        return pb.RegisterBotResponse(token=await self._accounts.register_bot(caller().owner, request.bot))

    async def RotateBotToken(
        self, request: pb.RotateBotTokenRequest, context: Context
    ) -> pb.RotateBotTokenResponse:
        """Replaces a bot's token."""
        token = await self._accounts.rotate_bot_token(caller().owner, request.bot)
        return pb.RotateBotTokenResponse(token=token)

    async def RevokeBotToken(
        self, request: pb.RevokeBotTokenRequest, context: Context
    ) -> pb.RevokeBotTokenResponse:
        """Takes a bot's token away."""
        await self._accounts.revoke_bot_token(caller().owner, request.bot)
        return pb.RevokeBotTokenResponse()

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        """Bots of the owner."""
        bots = await self._accounts.bots(caller().owner)
        online = await self._presence.those_online(bot.bot for bot in bots)
        return pb.ListBotsResponse(bots=[_owned_bot(bot, bot.bot in online) for bot in bots])

    async def RetireBot(self, request: pb.RetireBotRequest, context: Context) -> pb.RetireBotResponse:
        """Retires a bot."""
        await self._accounts.retire_bot(caller().owner, request.bot)
        return pb.RetireBotResponse()


def _owned_bot(bot: BotAccount, online: bool) -> pb.OwnedBot:
    paused = bot.banned and f"banned by an administrator: {bot.banned}"
    return pb.OwnedBot(bot=bot.bot, active=bot.active, retired=bot.retired, paused=paused, online=online)
