"""gRPC handlers made from service descriptors, each surrounded by the concerns."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NoReturn, TypeAlias

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass

from targi_server.rpc.call import Call
from targi_server.rpc.concerns import Concern, Context, surrounded

__all__ = ["RAW", "handlers_of"]

RAW = frozenset({"targi.v1.MatchService.Play"})
"""Methods that take and give bytes: they decode by themselves, so a bad frame does not end the stream."""

# Messages differ from method to method, and grpc itself types handlers with Any.
Behaviour = Callable[[Any, Context], Any]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


def handlers_of(
    service: ServiceDescriptor, servicer: object, order: tuple[Concern, ...]
) -> grpc.GenericRpcHandler:
    """All methods of `service`; those that `servicer` lacks answer UNIMPLEMENTED with words."""
    methods = {method.name: _handler(method, servicer, order) for method in service.methods}
    return grpc.method_handlers_generic_handler(service.full_name, methods)


def _handler(method: MethodDescriptor, servicer: object, order: tuple[Concern, ...]) -> Handler:
    behaviour: Behaviour = getattr(servicer, method.name, None) or _not_built
    wrap, make = _ARITIES[method.client_streaming, method.server_streaming]
    wrapped = wrap(behaviour, _Entrance(method, order))
    if method.full_name in RAW:
        return make(wrapped)
    decode = GetMessageClass(method.input_type).FromString
    encode = GetMessageClass(method.output_type).SerializeToString
    return make(wrapped, request_deserializer=decode, response_serializer=encode)


def _not_built(request: object, context: Context) -> NoReturn:
    raise NotImplementedError


class _Entrance:
    """Builds the call of an incoming context and enters the concerns."""

    def __init__(self, method: MethodDescriptor, order: tuple[Concern, ...]) -> None:
        self.service = method.containing_service.full_name
        self.method = method.name
        self.order = order

    def __call__(self, context: Context) -> Any:
        return surrounded(self._call(context), context, self.order)

    def _call(self, context: Context) -> Call:
        pairs = context.invocation_metadata() or ()
        metadata = {key: value for key, value in pairs if isinstance(value, str)}
        return Call(self.service, self.method, _host(context.peer()), metadata)


def _host(peer: str) -> str:
    """Host of a peer name like ``ipv4:127.0.0.1:5000`` or ``ipv6:[::1]:5000``."""
    kind, _, rest = peer.partition(":")
    return rest.rpartition(":")[0].strip("[]") if kind in ("ipv4", "ipv6") else peer


def _answering(behaviour: Behaviour, entrance: _Entrance) -> Callable[[Any, Context], Awaitable[Any]]:
    async def handler(request: Any, context: Context) -> Any:
        async with entrance(context):
            return await behaviour(request, context)

    return handler


def _streaming(behaviour: Behaviour, entrance: _Entrance) -> Callable[[Any, Context], AsyncIterator[Any]]:
    async def handler(request: Any, context: Context) -> AsyncIterator[Any]:
        async with entrance(context):
            async for response in behaviour(request, context):
                yield response

    return handler


_ARITIES: dict[tuple[bool, bool], tuple[Callable[[Behaviour, _Entrance], Any], Callable[..., Handler]]] = {
    (False, False): (_answering, grpc.unary_unary_rpc_method_handler),
    (False, True): (_streaming, grpc.unary_stream_rpc_method_handler),
    (True, False): (_answering, grpc.stream_unary_rpc_method_handler),
    (True, True): (_answering, grpc.stream_stream_rpc_method_handler),
}
