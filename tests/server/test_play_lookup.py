"""Matches, records and card sets for anybody who asks, and what nobody is told while a match runs."""

from __future__ import annotations

import asyncio
import hashlib
import secrets as system_secrets
from typing import Any

import grpc
import pytest
from duel import Duel
from google.protobuf import descriptor_pool, message_factory
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from play_client import SEED, Arena, PlayClient, arena, reason_of
from targi.v1 import game_pb2, match_service_pb2, play_pb2
from targi_engine import RULESETS, Record, new_game, ruleset, verify
from targi_server.play.redact import SECRET, secret_bytes

MATCH = match_service_pb2.GetMatchRequest
RECORD = match_service_pb2.GetRecordRequest
CARDS = match_service_pb2.GetCardSetRequest


async def refusal(call: Any) -> grpc.aio.AioRpcError:  # Any: calls of the stubs have no common type
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value


async def test_a_running_match_shows_its_clocks_and_no_secrets(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(5):
            await duel.move()
        answer = await here.stub.GetMatch(MATCH(match_id=duel.match_id, timeline=True))
        match = answer.match
        assert (match.state, match.ply) == (match_service_pb2.MATCH_STATE_RUNNING, 5)
        assert [seat.bot for seat in match.seats] == ["bot-one", "bot-two"]
        assert match.seed_commitment == hashlib.sha256(SEED).digest()
        assert not match.HasField("outcome")
        assert answer.secrets == game_pb2.Secrets()
        assert [entry.ply for entry in answer.timeline] == list(range(5))
        assert all(entry.action.name for entry in answer.timeline)


async def test_a_match_that_is_over_shows_how_and_its_secrets(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        first, _ = await duel.play_out()
        for _ in range(2):  # before and after it was filed
            answer = await here.stub.GetMatch(MATCH(match_id=duel.match_id))
            assert answer.match.state == match_service_pb2.MATCH_STATE_ENDED
            assert answer.match.outcome == first.outcome
            assert answer.secrets.seed == SEED
            assert answer.match.ended_unix_ms >= answer.match.started_unix_ms
            await record(here, duel.match_id)


async def record(here: Arena, match_id: str) -> Record:
    """The record, as soon as it is there."""
    while True:
        try:
            return Record.parse((await here.stub.GetRecord(RECORD(match_id=match_id))).record)
        except grpc.aio.AioRpcError as error:
            assert reason_of(error) == "NOT_AVAILABLE"


async def test_the_record_replays_to_what_was_played(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.play_out()
        kept = await record(here, duel.match_id)
        verify(kept)
        assert kept.tags["Score"] == "{}-{}".format(*duel.state.scores())


async def test_a_running_match_has_no_record_yet(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        error = await refusal(here.stub.GetRecord(RECORD(match_id=duel.match_id)))
        assert (error.code(), reason_of(error)) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_AVAILABLE")


@pytest.mark.parametrize("match_id", ["0" * 16, "", "x" * 5_000])
async def test_a_match_that_is_none_is_not_found(redis_url: str, match_id: str) -> None:
    async with arena(redis_url) as here:
        match, record = MATCH(match_id=match_id), RECORD(match_id=match_id)
        for call in (here.stub.GetMatch(match), here.stub.GetRecord(record)):
            assert reason_of(await refusal(call)) == "NOT_FOUND"


async def test_card_sets_hash_to_their_name(redis_url: str) -> None:
    async with arena(redis_url) as here:
        for name in RULESETS:
            cards_hash = ruleset(name).cards_hash
            answer = await here.stub.GetCardSet(CARDS(hash=cards_hash))
            assert hashlib.sha256(answer.json).hexdigest() == cards_hash
        assert reason_of(await refusal(here.stub.GetCardSet(CARDS(hash="0" * 64)))) == "NOT_FOUND"


class Recorder(PlayClient):
    """Keeps every frame as it came."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self.raw = bytearray()
        super().__init__(channel, token)

    async def _take(self, frame: bytes) -> None:
        self.raw += frame
        await super()._take(frame)


async def recorded(here: Arena, bot: str, **fields: Any) -> Recorder:  # Any: fields of a Hello differ
    client = Recorder(here.channel(), await here.register(bot))
    here.clients.append(client)
    await client.hello(session=f"session-of-{bot}-is-this", **fields)
    return client


@pytest.mark.parametrize("view", [play_pb2.VIEW_FORM_COMPACT, play_pb2.VIEW_FORM_STRUCTURED])
async def test_nothing_that_a_running_match_sends_holds_a_secret(
    redis_url: str, view: play_pb2.ViewForm.ValueType, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with arena(redis_url) as here:
        one = await recorded(here, "bot-one", view=view)
        two = await recorded(here, "bot-two", view=view)
        match_id = await here.match(one, two, "bot-one", "bot-two", seeds=())
        stored = await here.service.store.matches.load(match_id)
        assert stored is not None
        assert stored.header.secrets is not None
        duel = Duel(match_id, [one, two], new_game("base", stored.header.seed, stored.header.opening))
        for _ in range(40):
            await duel.move()
            await duel.mover.act(match_id, 0, "@16")
            await duel.mover.next("rejected")
        answer = await here.stub.GetMatch(MATCH(match_id=match_id, timeline=True))
        shown = bytes(one.raw + two.raw) + answer.SerializeToString() + caplog.text.encode()
        hidden = secret_bytes(stored.header)
        assert len(hidden) == 6
        for secret in hidden:
            assert secret not in shown
            assert secret.hex().encode() not in shown.lower()


def test_every_field_of_secrets_is_in_the_table() -> None:
    assert {field.name for field in game_pb2.Secrets.DESCRIPTOR.fields} <= set(SECRET)


async def test_seeds_follow_from_published_secrets_and_nonces(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, two = await here.connect("bot-one"), await here.connect("bot-two")
        await here.offer("bot-one", "bot-two", seeds=())
        nonces = []
        for client in (one, two):
            offer = await client.next("offer")
            nonces.append(system_secrets.token_bytes(32))
            await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=nonces[-1]))
        started = await one.next("match_started")
        await one.send(resign=play_pb2.Resign(match_id=started.match_id))
        shown = (await one.next("match_ended")).secrets
        own = [shown.opening_secret, *shown.game_secrets]
        assert [hashlib.sha256(secret).digest() for secret in own] == list(offer.commitments)
        assert [shown.nonce_a, shown.nonce_b] == nonces
        seed = hashlib.sha256(b"game\x001\x00" + shown.game_secrets[0] + nonces[0] + nonces[1]).digest()
        assert shown.seed == seed
        assert hashlib.sha256(seed).digest() == started.seed_commitment


def standings_by_reflection(port: int) -> tuple[set[str], str]:
    """Names of all services, and the ruleset of the table, through nothing but descriptors."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        pool = descriptor_pool.DescriptorPool(database)
        method = pool.FindServiceByName("targi.v1.LadderService").methods_by_name["GetStandings"]
        request, response = map(message_factory.GetMessageClass, (method.input_type, method.output_type))
        ask = channel.unary_unary(
            "/targi.v1.LadderService/GetStandings",
            request_serializer=request.SerializeToString,
            response_deserializer=response.FromString,
        )
        return set(database.get_services()), ask(request()).ruleset  # type: ignore[attr-defined]


async def test_a_client_that_has_only_reflection_reads_the_table(redis_url: str) -> None:
    async with arena(redis_url) as here:
        services, name = await asyncio.to_thread(standings_by_reflection, here.service.port)
        own = {service for service in services if service.startswith("targi.v1.")}
        assert own == {f"targi.v1.{name}Service" for name in ("Match", "Lobby", "Ladder", "Account", "Admin")}
        assert name == "base"


async def test_what_a_bot_says_about_its_moves_is_in_the_record(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        mover = duel.mover
        await mover.turn(duel.match_id)
        note = 'a trap {for both}\n"quoted"' + "!" * 300
        await mover.act(duel.match_id, 0, duel.state.legal_actions()[0], note=note)
        await mover.next("applied")
        await mover.send(resign=play_pb2.Resign(match_id=duel.match_id))
        kept = await record(here, duel.match_id)
        _, comment = kept.actions[0]
        assert comment is not None
        assert comment.partition(" ")[2] == note[:200]
