"""The gRPC server with small servicers of its own, over a real port."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc
import pytest
from google.protobuf import descriptor_pool, message_factory
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import proto_reflection_descriptor_database as reflection_database
from rpc_service import bearer, counted, reason_of, refusal, serving, until
from targi.v1 import (
    account_service_pb2,
    admin_service_pb2,
    ladder_service_pb2,
    lobby_service_pb2,
    match_service_pb2,
)
from targi_server.rpc.access import ACCESS
from targi_server.rpc.peer import address_of, household_of, networks_of
from targi_server.rpc.server import listening
from targi_server.settings import Settings
from targi_server.start_errors import PortInUse

if TYPE_CHECKING:  # typed stubs that exist in the annotations only
    pass


async def test_a_handler_knows_its_call_and_its_caller() -> None:
    async with serving() as server:
        online = await server.lobby.ListOnline(lobby_service_pb2.ListOnlineRequest())
        assert online.bots[0].bot == "LobbyService.ListOnline"
        request = lobby_service_pb2.ChallengeRequest()
        made = await server.lobby.Challenge(request, metadata=bearer("bot-token"))
        assert made.challenge_id == "ann-one"


@pytest.mark.parametrize(
    ("opponent", "token", "code", "reason"),
    [
        ("taken", "owner-token", grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN"),
        ("", None, grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN"),
        ("", "unknown", grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN"),
        ("broken", "owner-token", grpc.StatusCode.INTERNAL, "INTERNAL"),
    ],
)
async def test_an_error_arrives_as_status_with_reason(
    opponent: str, token: str | None, code: grpc.StatusCode, reason: str
) -> None:
    async with serving() as server:
        error = await refusal(opponent, token, server)
        assert (error.code(), reason_of(error)) == (code, reason)
        await until(lambda: counted(server.metrics, "LobbyService.Challenge", code.name) == 1)


async def test_words_of_an_unexpected_exception_stay_inside(caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as server:
        error = await refusal("broken", "owner-token", server)
        assert "secret" not in (error.details() or "")
        assert "secret of the inside" in caplog.text


async def test_a_token_of_the_wrong_kind_is_forbidden() -> None:
    async with serving() as server:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = server.channel.unary_unary(
            "/targi.v1.LobbyService/AcceptChallenge"
        )
        with pytest.raises(grpc.aio.AioRpcError) as allowed:
            await call(b"", metadata=bearer("owner-token"))
        assert allowed.value.code() is grpc.StatusCode.UNIMPLEMENTED
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(b"", metadata=bearer("admin-token"))
        assert (caught.value.code(), reason_of(caught.value)) == (
            grpc.StatusCode.PERMISSION_DENIED,
            "FORBIDDEN",
        )


@pytest.mark.parametrize("scheme", ["Basic abc", "Bearer", "bot-token"])
async def test_another_form_of_authorization_is_refused_with_words(scheme: str) -> None:
    async with serving() as server:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            request = lobby_service_pb2.ListOnlineRequest()
            await server.lobby.ListOnline(request, metadata=(("authorization", scheme),))
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert "Bearer <token>" in (caught.value.details() or "")


async def test_a_method_that_is_not_built_says_so() -> None:
    async with serving() as server:
        with pytest.raises(grpc.aio.AioRpcError) as missing:
            await server.ladder.GetStandings(ladder_service_pb2.GetStandingsRequest())
        with pytest.raises(grpc.aio.AioRpcError) as inherited:
            await server.lobby.ListChallenges(lobby_service_pb2.ListChallengesRequest())
        for caught in (missing, inherited):
            assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
            assert "later version" in (caught.value.details() or "")
            assert reason_of(caught.value) == "UNIMPLEMENTED"


async def test_a_request_that_does_not_parse_is_malformed_with_words() -> None:
    async with serving() as server:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = server.channel.unary_unary(
            "/targi.v1.LobbyService/ListOnline"
        )
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(b"\xff\xff")
        assert (caught.value.code(), reason_of(caught.value)) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "MALFORMED",
        )
        assert "ListOnlineRequest" in (caught.value.details() or "")


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "address"),
    [
        ("ipv4:10.0.0.7:5000", "", (), "10.0.0.7"),
        ("ipv6:%5B::1%5D:5000", "", (), "::1"),
        ("ipv6:[2001:db8::1]:5000", "", (), "2001:db8::1"),
        ("unix:/run/targi.sock", "", (), "unix:/run/targi.sock"),
        ("ipv4:10.0.0.7:5000", "192.0.2.1", (), "10.0.0.7"),
        ("ipv4:10.0.0.7:5000", "192.0.2.1", ("10.0.0.7",), "192.0.2.1"),
        ("ipv4:10.0.0.7:5000", "198.51.100.9, 192.0.2.1", ("10.0.0.7",), "192.0.2.1"),
        ("ipv4:10.0.0.7:5000", "", ("10.0.0.7",), "10.0.0.7"),
        ("ipv4:10.0.0.7:5000", "192.0.2.1", ("10.0.0.0/8",), "192.0.2.1"),
        ("ipv4:10.0.0.7:5000", "198.51.100.9, 192.0.2.1, 10.2.2.2", ("10.0.0.0/8",), "192.0.2.1"),
        ("ipv4:10.0.0.7:5000", "x:account, {b01}", ("10.0.0.0/8",), "10.0.0.7"),
        ("ipv4:192.0.2.9:5000", "10.0.0.7", ("10.0.0.0/8",), "192.0.2.9"),
        ("ipv6:[::ffff:10.0.0.7]:5000", "192.0.2.1", ("10.0.0.7",), "192.0.2.1"),
        ("ipv6:[fd00::7]:5000", "2001:db8::5", ("fd00::/8",), "2001:db8::5"),
    ],
)
def test_a_forwarded_address_counts_from_a_trusted_proxy_only(
    peer: str, forwarded: str, trusted: tuple[str, ...], address: str
) -> None:
    metadata = {"x-forwarded-for": forwarded} if forwarded else {}
    assert address_of(peer, metadata, networks_of(trusted)) == address


@pytest.mark.parametrize(
    ("address", "household"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("unix:/run/targi.sock", "unix:/run/targi.sock"),
    ],
)
def test_limits_count_an_ipv6_network_as_one_address(address: str, household: str) -> None:
    assert household_of(address) == household


async def test_a_streaming_answer_comes_whole() -> None:
    async with serving() as server:
        call = server.ladder.ExportResults(ladder_service_pb2.ExportResultsRequest())
        assert [part.results[0].pair_id async for part in call] == ["0", "1", "2"]
        await until(lambda: counted(server.metrics, "LadderService.ExportResults", "OK") == 1)


async def test_too_many_calls_at_a_time_are_refused_and_counted_down_again() -> None:
    async with serving(calls_per_caller=1) as server:
        server.servicer.held.clear()
        request = lobby_service_pb2.ListOnlineRequest()
        first = asyncio.ensure_future(server.lobby.ListOnline(request))
        await server.servicer.entered.wait()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.lobby.ListOnline(request)
        assert reason_of(caught.value) == "LIMIT"
        server.servicer.held.set()
        await first
        await server.lobby.ListOnline(request)


async def test_a_call_that_the_client_cancels_is_counted_as_cancelled() -> None:
    async with serving() as server:
        server.servicer.held.clear()
        call = server.lobby.ListOnline(lobby_service_pb2.ListOnlineRequest())
        waiting = asyncio.ensure_future(call)
        await server.servicer.entered.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await until(lambda: counted(server.metrics, "LobbyService.ListOnline", "CANCELLED") == 1)


async def test_health_follows_what_is_set() -> None:
    async with serving() as server:
        check = server.channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        for serving_now, status in ((True, "SERVING"), (False, "NOT_SERVING")):
            await server.health.set_serving(serving_now)
            for service in ("", "targi.v1.LobbyService"):
                answer = await check(health_pb2.HealthCheckRequest(service=service))
                assert health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status) == status


async def test_a_second_server_does_not_take_half_of_the_port() -> None:
    async with serving() as server:
        with pytest.raises(PortInUse, match=str(server.port)):
            async with listening(Settings(port=server.port), [], ()):
                pass


def list_by_reflection(port: int) -> tuple[set[str], int]:
    """Names of the services, and the number of bots online, through nothing but reflection."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        database = reflection_database.ProtoReflectionDescriptorDatabase(channel)
        pool = descriptor_pool.DescriptorPool(database)
        method = pool.FindServiceByName("targi.v1.LobbyService").methods_by_name["ListOnline"]
        request, response = map(message_factory.GetMessageClass, (method.input_type, method.output_type))
        ask = channel.unary_unary(
            "/targi.v1.LobbyService/ListOnline",
            request_serializer=request.SerializeToString,
            response_deserializer=response.FromString,
        )
        answer = ask(request())
        return set(database.get_services()), len(answer.bots)  # type: ignore[attr-defined]


async def test_a_client_that_has_only_reflection_can_call() -> None:
    async with serving() as server:
        services, online = await asyncio.to_thread(list_by_reflection, server.port)
        assert {"targi.v1.LobbyService", "targi.v1.LadderService", "grpc.health.v1.Health"} <= services
        assert online == 1


def test_every_method_has_a_row_in_the_table_of_access() -> None:
    modules = (
        account_service_pb2,
        admin_service_pb2,
        ladder_service_pb2,
        lobby_service_pb2,
        match_service_pb2,
    )
    methods = {
        f"{service.name}.{method.name}"
        for module in modules
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    assert methods == set(ACCESS)
