"""The calls of the service that are one question and one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import grpc
from targi.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    ladder_service_pb2,
    ladder_service_pb2_grpc,
    lobby_service_pb2,
    lobby_service_pb2_grpc,
    match_service_pb2,
    match_service_pb2_grpc,
    play_pb2,
)

from targi_sdk.client.address import Address
from targi_sdk.client.bots import OnlineBot, OwnedBot, PairResult, Profile
from targi_sdk.client.channel import bearer, open_blocking
from targi_sdk.client.chronicle import Chronicle, Match, MatchPage, Sight, sight_of
from targi_sdk.client.ladder import Challenge, Table
from targi_sdk.client.refusal import refusal
from targi_sdk.wire import time_control_to_proto

__all__ = ["Calls", "calling"]

TIMEOUT_S = 10.0
STATES: Mapping[bool | None, match_service_pb2.MatchState.ValueType] = {
    None: match_service_pb2.MATCH_STATE_UNSPECIFIED,
    True: match_service_pb2.MATCH_STATE_RUNNING,
    False: match_service_pb2.MATCH_STATE_ENDED,
}

T = TypeVar("T")


class Calls:
    """One method a call; each raises an `ArenaError`. `token`: an owner's or a bot's, where one is needed."""

    def __init__(self, channel: grpc.Channel, address: Address, token: str) -> None:
        self._address = address
        self._token = token
        self._accounts = account_service_pb2_grpc.AccountServiceStub(channel)
        self._ladder = ladder_service_pb2_grpc.LadderServiceStub(channel)
        self._lobby = lobby_service_pb2_grpc.LobbyServiceStub(channel)
        self._matches = match_service_pb2_grpc.MatchServiceStub(channel)

    def create_owner(self, name: str) -> str:
        """Make an owner; returns its token."""
        request = account_service_pb2.CreateOwnerRequest(owner=name)
        return self._call(self._accounts.CreateOwner, request).token

    def register_bot(self, name: str) -> str:
        """Register a bot of the owner whose token this is; returns the bot's token."""
        request = account_service_pb2.RegisterBotRequest(bot=name)
        return self._call(self._accounts.RegisterBot, request).token

    def rotate_bot_token(self, name: str) -> str:
        """Make a new token for a bot of the owner whose token this is; the old one is invalid from now on."""
        request = account_service_pb2.RotateBotTokenRequest(bot=name)
        return self._call(self._accounts.RotateBotToken, request).token

    def rotate_owner_token(self) -> str:
        """Make a new token for the owner whose token this is; the old one is invalid from now on."""
        request = account_service_pb2.RotateOwnerTokenRequest()
        return self._call(self._accounts.RotateOwnerToken, request).token

    def revoke_bot_token(self, name: str) -> None:
        """Take the token of a bot of the owner away."""
        self._call(self._accounts.RevokeBotToken, account_service_pb2.RevokeBotTokenRequest(bot=name))

    def retire_bot(self, name: str) -> None:
        """Retire a bot of the owner: what runs goes on, nothing new starts, for good."""
        self._call(self._accounts.RetireBot, account_service_pb2.RetireBotRequest(bot=name))

    def own_bots(self) -> tuple[OwnedBot, ...]:
        """The bots of the owner whose token this is, by name."""
        answer = self._call(self._accounts.ListBots, account_service_pb2.ListBotsRequest())
        return tuple(map(OwnedBot.of, answer.bots))

    def online(self) -> tuple[OnlineBot, ...]:
        """The bots that are connected, by name."""
        answer = self._call(self._lobby.ListOnline, lobby_service_pb2.ListOnlineRequest())
        return tuple(map(OnlineBot.of, answer.bots))

    def bot(self, name: str) -> Profile:
        """One bot and its ratings."""
        return Profile.of(self._call(self._ladder.GetBot, ladder_service_pb2.GetBotRequest(bot=name)))

    def results(self, bot: str = "", size: int = 50, token: str = "") -> tuple[Sequence[PairResult], str]:
        """A page of rated pairs, the newest first, and the token of the next; "" after the last."""
        request = ladder_service_pb2.ListResultsRequest(bot=bot, page_size=size, page_token=token)
        page = self._call(self._ladder.ListResults, request)
        return tuple(map(PairResult.of, page.results)), page.next_page_token

    def head_to_head(self, bot: str, opponent: str) -> tuple[int, ...]:
        """Rated pairs of two bots by the first one's score in quarters: five counts, for 0 to 4."""
        request = ladder_service_pb2.GetHeadToHeadRequest(bot=bot, opponent=opponent)
        return tuple(self._call(self._ladder.GetHeadToHead, request).pairs_by_quarters)

    def why_not_paired(self, bot: str) -> tuple[str, ...]:
        """What keeps the ladder from pairing a bot of the owner whose token this is; empty: nothing."""
        request = ladder_service_pb2.WhyNotPairedRequest(bot=bot)
        return tuple(self._call(self._ladder.WhyNotPaired, request).reasons)

    def standings(self, ruleset: str = "base", season: int = 0) -> Table:
        """The published table of a ruleset; season 0 is the open one."""
        request = ladder_service_pb2.GetStandingsRequest(ruleset=ruleset, season=season)
        return Table.of(self._call(self._ladder.GetStandings, request))

    def challenge(
        self,
        challenger: str,
        opponent: str,
        *,
        ruleset: str = "base",
        variants: str = "",
        mirrored: bool = False,
        debug: bool = False,
        time_ms: tuple[int, int] | None = None,
        seeds: Sequence[bytes] = (),
        opening: bytes = b"",
    ) -> Challenge:
        """Challenge a bot. Both must be connected, and are offered the match at once.

        `time_ms`: base and increment in milliseconds, None for the server's. `debug`: clocks may be stopped.
        `seeds`: 32 bytes a game, or none for the server's; `opening`: 32 bytes of the common layout, or b"".
        """
        request = lobby_service_pb2.ChallengeRequest(
            challenger=challenger,
            opponent=opponent,
            ruleset=ruleset,
            variants=variants,
            mirrored=mirrored,
            debug=debug,
            time_control=None if time_ms is None else time_control_to_proto(*time_ms),
            seeds=seeds,
            opening=opening,
        )
        sent = self._call(self._lobby.Challenge, request)
        return Challenge(sent.challenge_id, tuple(sent.match_ids))

    def chronicle(self, match_id: str) -> Chronicle:
        """A match with all that happened in it."""
        request = match_service_pb2.GetMatchRequest(match_id=match_id, timeline=True)
        return Chronicle.of(self._call(self._matches.GetMatch, request))

    def matches(
        self, *, running: bool | None = None, bot: str = "", size: int = 50, token: str = ""
    ) -> MatchPage:
        """A page of matches, the newest first; `running` None: both kinds. `size`: 1 to 500."""
        request = match_service_pb2.ListMatchesRequest(
            state=STATES[running], bot=bot, page_size=size, page_token=token
        )
        page = self._call(self._matches.ListMatches, request)
        return MatchPage(tuple(map(Match.of, page.matches)), page.next_page_token)

    def record(self, match_id: str) -> str:
        """The record of a match that is over."""
        request = match_service_pb2.GetRecordRequest(match_id=match_id)
        return self._call(self._matches.GetRecord, request).record

    def watch(self, match_id: str, from_ply: int = 0) -> Iterator[Sight]:
        """A match from a ply to its end, as it is played."""
        request = match_service_pb2.WatchRequest(
            match_id=match_id, from_ply=from_ply, view=play_pb2.VIEW_FORM_COMPACT
        )
        try:
            for message in self._matches.Watch(request, metadata=bearer(self._token)):
                yield sight_of(message)
        except grpc.RpcError as error:
            raise refusal(error, self._address) from error

    def _call(self, method: Callable[..., T], request: Any) -> T:  # Any: the request of that method
        try:
            return method(request, timeout=TIMEOUT_S, metadata=bearer(self._token))
        except grpc.RpcError as error:
            raise refusal(error, self._address) from error


@contextmanager
def calling(address: Address, token: str = "") -> Iterator[Calls]:
    """Calls on a connection that lasts for the block."""
    with open_blocking(address) as channel:
        yield Calls(channel, address, token)
