"""Nothing secret leaves the server before its time: on a stream, in an answer, an error, a log, a metric."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import secrets
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

import grpc
import pytest
from every_read import CHANGES, READS, STREAMS, View, full_name
from method_calls import METHODS
from play_client import Arena, PlayClient, act, arena, asked, bearer, until
from secret_hunt import Hunt, spellings
from spectator import Spectator, pages
from targi.v1 import game_pb2, lobby_service_pb2, lobby_service_pb2_grpc, play_pb2
from targi_engine import ruleset
from targi_server.fairness import ServerSecrets
from targi_server.ladder.finished import Finished
from targi_server.logs import JsonFormatter

PAUSE_S = 0.05
CARDS = ruleset("base").cards_hash
FORMS = (play_pb2.VIEW_FORM_COMPACT, play_pb2.VIEW_FORM_STRUCTURED)


class Player(PlayClient):
    """Plays at random on the ladder, badly now and then, and shows the hunt whatever it is sent."""

    def __init__(self, channel: grpc.aio.Channel, token: str, hunt: Hunt, seed: int) -> None:
        self.hunt = hunt
        self.rng = random.Random(seed)
        self.chain = [secrets.token_bytes(32)]
        for _ in range(500):
            self.chain.append(hashlib.sha256(self.chain[-1]).digest())
        self.head = self.chain.pop()
        self.declines = 0
        self.lapsed: dict[str, game_pb2.Secrets] = {}
        self.over: set[str] = set()
        self.started: set[str] = set()
        super().__init__(channel, token)

    async def _take(self, frame: bytes) -> None:
        for event in play_pb2.PlayResponse.FromString(frame).events:
            kind = str(event.WhichOneof("event"))
            if kind == "match_ended":
                self.over.add(event.match_ended.match_id)
            elif kind == "offer_lapsed":
                self.lapsed[event.offer_lapsed.offer_id] = event.offer_lapsed.secrets
            self.hunt.see(f"play: {kind}", event.SerializeToString(), public_by(event))
            if kind == "welcome":
                await super()._take(play_pb2.PlayResponse(events=[event]).SerializeToString())
            with suppress(asyncio.InvalidStateError):  # the test has cut the line
                await self._answer(kind, event)

    async def _answer(self, kind: str, event: play_pb2.ServerEvent) -> None:
        if kind == "ping":
            await self.send(pong=play_pb2.Pong(token=event.ping.token))
        elif kind == "offer" and self.declines:
            self.declines -= 1
            await self.send(decline=play_pb2.Decline(offer_id=event.offer.offer_id, reason="not now"))
        elif kind == "offer":
            nonce = self.chain.pop()
            self.hunt.hide(nonce)
            await self.send(ready=play_pb2.Ready(offer_id=event.offer.offer_id, nonce=nonce))
        elif kind == "match_started":
            self.started.add(event.match_started.match_id)
        turn = asked(event)
        if turn is not None:
            await self._move(turn)

    async def _move(self, turn: play_pb2.Turn) -> None:
        chance = self.rng.random()
        if chance < 0.003:
            await self.send(resign=play_pb2.Resign(match_id=turn.match_id))
        elif chance < 0.006:
            await self.send(bot_error=play_pb2.BotError(match_id=turn.match_id, text="Traceback: oh dear"))
        if chance > 0.98:
            await self.send(act=act(turn.match_id, turn.ply, 9_999))
            return  # it is asked again
        if chance > 0.96:
            await self.send(act=act(turn.match_id, turn.ply + 7, "@7"))
        choice = self.rng.choice([action.id for action in turn.legal])
        await self.send(act=act(turn.match_id, turn.ply, choice, note="thinking"))


def public_by(event: play_pb2.ServerEvent) -> set[str]:
    """Matches and offers whose secrets are public by this event: it says that they are over."""
    told = {"match_ended": event.match_ended.match_id, "offer_lapsed": event.offer_lapsed.offer_id}
    return {told[kind] for kind in told if event.WhichOneof("event") == kind}


async def seated(here: Arena, hunt: Hunt) -> list[Player]:
    """Four bots on the ladder, two of them with nonce chains, with both forms of positions."""
    players = []
    for number in range(4):
        bot = f"player-{number}"
        player = Player(here.channel(), await here.register(bot), hunt, number)
        here.clients.append(player)
        await player.hello(
            session=f"session-of-{bot}-{number:04d}",
            ladder=True,
            capacity=2,
            view=FORMS[number % 2],
            nonce_chain_head=player.head if number < 2 else b"",
        )
        players.append(player)
    return players


async def looking(
    spectator: Spectator, players: list[Player], bots: tuple[str, ...], ended: Callable[[], bool]
) -> None:
    """Watches each match from its start, and looks at those that run or ended of late, until all ended."""
    watched: dict[str, asyncio.Task[None]] = {}
    while not ended():
        started = set().union(*(player.started for player in players))
        for match_id in started - watched.keys():
            watched[match_id] = asyncio.create_task(spectator.watch(match_id))
        over = set().union(*(player.over for player in players))
        await spectator.look(View((*sorted(started - over), *sorted(over)[-2:]), bots, CARDS))
        await asyncio.sleep(PAUSE_S)
    for task in watched.values():
        task.cancel()
        with suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
            await task


async def filed(here: Arena, match_id: str) -> Finished:
    """What is kept of a match that is over, as soon as it is there."""
    async with asyncio.timeout(20):
        while True:
            if match := await here.service.parts.archive.get(match_id):
                return match
            await asyncio.sleep(PAUSE_S)


def random_part(token: str) -> bytes:
    """What of a token nobody may see."""
    return token.split("_", 2)[2].encode()


def hide_all(hunt: Hunt, matches: list[Finished]) -> None:
    """The secrets of matches that are over, each until the first end that publishes it."""
    for match in matches:
        header = match.header
        assert header.secrets is not None
        drawn = header.secrets
        hunt.hide(header.seed, header.match_id)
        hunt.hide(drawn.game_secrets[header.game - 1], header.match_id)
        for shared in (header.opening or b"", drawn.opening_secret, drawn.nonce_a, drawn.nonce_b):
            hunt.hide(shared, header.match_id)


def hide_lapsed(hunt: Hunt, offers: Mapping[str, game_pb2.Secrets]) -> None:
    """The secrets of offers that lapsed, each until it is published with its offer."""
    for offer_id, drawn in offers.items():
        for secret in (drawn.opening_secret, *drawn.game_secrets, drawn.nonce_a, drawn.nonce_b):
            hunt.hide(secret, offer_id)


def test_every_call_is_known_to_read_or_to_change_something() -> None:
    known = [*READS, *STREAMS, *CHANGES]
    assert sorted(known) == sorted(map(full_name, METHODS)), "add the new call to tests/support/every_read.py"


@pytest.mark.parametrize("games", [20, pytest.param(200, marks=pytest.mark.full)])
async def test_no_secret_is_seen_before_its_time_and_no_token_ever(
    redis_url: str, games: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    hunt, inside, drawn = Hunt(), Hunt(), list[ServerSecrets]()
    draw = ServerSecrets.draw

    def noted(number: int) -> ServerSecrets:
        drawn.append(draw(number))
        return drawn[-1]

    monkeypatch.setattr(ServerSecrets, "draw", noted)
    async with arena(redis_url, pairing=True, calls_per_second=10_000) as here:
        admin = await here.service.parts.accounts.create_admin("root-admin")
        players = await seated(here, hunt)
        players[0].declines = 1
        bots = tuple(f"player-{number}" for number in range(4))
        spectator = Spectator(here, hunt, [*here.tokens.values(), admin])

        def over() -> set[str]:
            return set().union(*(player.over for player in players))

        await looking(spectator, players, bots, lambda: len(over()) >= games)
        await wrong_tokens(here, hunt)
        for player in players:
            await player.cut()
        matches = [await filed(here, match_id) for match_id in sorted(over())]
        async for path, content in pages(here):
            hunt.see(f"page {path}", content)
        tokens = [*here.tokens.values(), admin]
    formatter = JsonFormatter("test")
    for record in caplog.records:
        inside.see("log", formatter.format(record).encode())
    for pair in drawn:
        for secret in (pair.opening, *pair.games):
            hunt.hide(secret)
    hide_all(hunt, matches)
    lapsed = {offer_id: drawn for player in players for offer_id, drawn in player.lapsed.items()}
    hide_lapsed(hunt, lapsed)
    for token in tokens:
        hunt.hide(random_part(token))
    inside.secrets = {secret: {""} for secret in hunt.secrets}
    assert len(matches) >= games
    assert lapsed
    assert lapsed.keys() <= spectator.lapsed or "LadderService.ListLapsedOffers" in spectator.missing
    assert len(inside.seen) > games
    assert hunt.leaks() == []
    assert inside.leaks() == []
    assert_that_everything_is_found(hunt, matches, spectator.missing)


def assert_that_everything_is_found(hunt: Hunt, matches: list[Finished], missing: Collection[str]) -> None:
    """The hunt itself: all was asked for, and what was published would be found, were it secret for ever."""
    blind = Hunt(seen=hunt.seen, secrets={match.header.seed: {""} for match in matches})
    text = "\n".join(blind.leaks())
    assert all(match.header.seed.hex() in text for match in matches)
    for kind in ("play: match_ended", "watch", "MatchService.GetMatch", "MatchService.GetRecord"):
        assert kind in text
    sources = {evidence.source for evidence in hunt.seen}
    assert sources >= READS.keys() - missing
    assert sources >= {f"page {path}" for path in ("/", "/metrics", "/healthz", "/readyz")}


async def wrong_tokens(here: Arena, hunt: Hunt) -> None:
    """Calls that are refused; their words are shown to the hunt."""
    good = here.tokens["player-0"]
    for token in (good[:-1], good.replace("_bot_", "_admin_"), good + "x"):
        stub: Any = lobby_service_pb2_grpc.LobbyServiceStub(here.channel())
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.ListOnline(lobby_service_pb2.ListOnlineRequest(), metadata=bearer(token))
        error = caught.value
        hunt.see("refused", repr((error.details(), error.trailing_metadata())).encode())


def test_a_secret_is_found_however_it_is_written() -> None:
    secret = hashlib.sha256(b"a secret").digest()
    for text in spellings(secret):
        hunt = Hunt()
        hunt.hide(secret, "match")
        hunt.see("innocent", hashlib.sha512(text).digest())
        assert hunt.leaks() == []
        hunt.see("stream", b"before " + text + b" after")
        hunt.see("end", text, {"match"})
        hunt.see("stream", b"before " + text + b" after")
        assert len(hunt.leaks()) == 1
        assert hunt.leaks()[0].startswith("stream")


async def test_values_with_secrets_do_not_print_them(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, two = [await here.connect(bot) for bot in ("bot-one", "bot-two")]
        match_id = await here.match(one, two, "bot-one", "bot-two", seeds=())
        stored = await here.service.store.matches.load(match_id)
        offer = await here.service.parts.lobby.offers.load(match_id)
        session = here.service.room.sessions.get("bot-one")
        await until(lambda: session is not None and session.matches)
        assert stored is not None
        assert offer is not None
        hunt = Hunt()
        drawn = stored.header.secrets
        assert drawn is not None
        for secret in (stored.header.seed, drawn.opening_secret, *drawn.game_secrets, drawn.nonce_a):
            hunt.hide(secret)
        hunt.hide(random_part(here.tokens["bot-one"]))
        hunt.hide(session.digest.encode() if session else b"")
        for value in (stored, offer, session, here.service.settings, offer.secrets):
            hunt.see(type(value).__name__, repr(value).encode())
        assert hunt.leaks() == []
