"""Unary calls and answers that are streams, with requests of every kind and every kind of token."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import grpc.aio
from damage import damaged_bytes
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from play_client import bearer, reason_of
from play_frames import Table, number, pick, text
from targi.v1 import (
    account_service_pb2,
    admin_service_pb2,
    ladder_service_pb2,
    lobby_service_pb2,
    match_service_pb2,
)
from targi_server.errors import STATUS
from wire_noise import wire

__all__ = ["METHODS", "CallTally", "Caller"]

MODULES: Final = (
    *(account_service_pb2, admin_service_pb2, ladder_service_pb2, lobby_service_pb2, match_service_pb2),
)
METHODS: Final[Sequence[MethodDescriptor]] = [
    method
    for module in MODULES
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
    if not method.client_streaming
]
REFUSALS: Final = frozenset((code.name, reason) for code, reason in STATUS.values() if reason != "INTERNAL")
"""Status and reason with which a call may be refused."""
CALL_S: Final = 60.0
STREAM_S: Final = 0.3
"""A match may be watched for so long."""
MOST_ANSWERS: Final = 20

# Messages of protobuf have no common type that is better than Any.
Message = Any


@dataclass
class CallTally:
    """What became of all calls."""

    wanted: int = 0
    made: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


@dataclass
class Caller:
    """Calls one method after the other. `tokens` by kind of account, "" without one; `words` are credible."""

    channel: grpc.aio.Channel
    tokens: dict[str, str]
    words: Sequence[str]
    rng: random.Random
    tally: CallTally

    async def run(self) -> None:
        """Call until enough calls were made."""
        while self.tally.made < self.tally.wanted:
            self.tally.made += 1
            await self._call(self.rng.choice(METHODS))

    async def _call(self, method: MethodDescriptor) -> None:
        kind = self.rng.choice(tuple(self.tokens))
        request = self._request(method)
        if kind == "admin" and not _harmless(method, request):
            return
        token = self.tokens[kind]
        metadata = bearer(token) if token else ()
        path = f"/{method.containing_service.full_name}/{method.name}"
        try:
            answer = await self._answer(method, path, request, metadata)
        except grpc.aio.AioRpcError as error:
            self._refused(method, request, error)
        else:
            self.tally.answers["OK"] += 1
            if method.name == "RotateOwnerToken" and kind == "owner":
                self.tokens[kind] = account_service_pb2.RotateOwnerTokenResponse.FromString(answer).token

    async def _answer(self, method: MethodDescriptor, path: str, request: bytes, metadata: Any) -> bytes:
        if not method.server_streaming:
            unary: Any = self.channel.unary_unary(path)
            answer: bytes = await unary(request, metadata=metadata, timeout=CALL_S)
            return answer
        stream: Any = self.channel.unary_stream(path)
        call = stream(request, metadata=metadata, timeout=STREAM_S)
        for _ in range(MOST_ANSWERS):
            if await call.read() is grpc.aio.EOF:
                return b""
        call.cancel()
        return b""

    def _refused(self, method: MethodDescriptor, request: bytes, error: grpc.aio.AioRpcError) -> None:
        code = error.code().name
        if code == "DEADLINE_EXCEEDED" and method.server_streaming:
            self.tally.answers["watched"] += 1
            return
        rich = "grpc-status-details-bin" in dict(error.trailing_metadata() or ())
        reason = reason_of(error) if rich else ""
        self.tally.answers[reason or code] += 1
        if (code, reason) not in REFUSALS:
            words = f"{code} {reason}: {error.details()}"
            self.tally.faults.append(f"{method.full_name} answered {words} to {request[:200]!r}")

    def _request(self, method: MethodDescriptor) -> bytes:
        request: bytes = pick(self.rng, _SHAPES)(self, method)
        return request

    def valid(self, method: MethodDescriptor) -> bytes:
        """A request that parses, with a credible or any value in most fields."""
        request: bytes = self._message(GetMessageClass(method.input_type)(), 2).SerializeToString()
        return request

    def damaged(self, method: MethodDescriptor) -> bytes:
        """A valid request that was damaged."""
        return damaged_bytes(self.rng, self.valid(method), self.valid(method))

    def _message(self, message: Message, depth: int) -> Message:
        for spec in message.DESCRIPTOR.fields:
            if self.rng.random() < 0.8:
                self._fill(message, spec, depth)
        return message

    def _fill(self, message: Message, spec: FieldDescriptor, depth: int) -> None:
        if spec.type == FieldDescriptor.TYPE_MESSAGE:
            if depth and not spec.is_repeated:
                self._message(getattr(message, spec.name), depth - 1)
            return
        values = [
            _VALUES.get(spec.type, Caller._number)(self) for _ in range(self.rng.choice((0, 1, 1, 2, 3)))
        ]
        if spec.is_repeated:
            getattr(message, spec.name).extend(values)
        elif values:
            setattr(message, spec.name, values[0])

    def _text(self) -> str:
        return self.rng.choice(self.words) if self.rng.random() < 0.7 else text(self.rng)

    def _bytes(self) -> bytes:
        return self.rng.randbytes(self.rng.choice((0, 31, 32, 32, 33)))

    def _number(self) -> int:
        return number(self.rng) % 2**31

    def _bool(self) -> bool:
        return self.rng.random() < 0.5


def _harmless(method: MethodDescriptor, request: bytes) -> bool:
    """Whether an administrator may send it here: one that drains this very server would end the fuzz."""
    if method.name != "Drain":
        return True
    try:
        return bool(admin_service_pb2.DrainRequest.FromString(request).replica)
    except DecodeError:
        return True


_VALUES: Final[dict[int, Any]] = {
    FieldDescriptor.TYPE_STRING: Caller._text,
    FieldDescriptor.TYPE_BYTES: Caller._bytes,
    FieldDescriptor.TYPE_BOOL: Caller._bool,
}
_SHAPES: Final[Table[Any]] = (
    (50, Caller.valid),
    (30, Caller.damaged),
    (10, lambda caller, method: wire(caller.rng)),
    (9, lambda caller, method: caller.rng.randbytes(caller.rng.randrange(200))),
    (1, lambda caller, method: caller.rng.randbytes(70_000)),
)
