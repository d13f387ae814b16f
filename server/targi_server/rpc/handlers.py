"""gRPC handlers made from service descriptors, each surrounded by the concerns."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from inspect import isasyncgenfunction
from typing import Any, NoReturn, TypeAlias

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from targi_server.errors import Malformed, TooLarge
from targi_server.rpc.call import Call
from targi_server.rpc.concerns import Concern, Context, surrounded
from targi_server.rpc.peer import Network, address_of

__all__ = ["RAW", "handlers_of"]

RAW = frozenset({"targi.v1.MatchService.Play"})
"""Methods that get and send bytes: they decode by themselves, so a bad frame does not end the stream."""
REQUEST_BYTES = 1 << 16
"""Most bytes of a request; frames of Play have a limit of their own."""

# Messages differ from method to method, and grpc itself types handlers with Any.
Behaviour: TypeAlias = Callable[[Any, Context], Any]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


def handlers_of(
    service: ServiceDescriptor,
    servicer: object,
    order: tuple[Concern, ...],
    *,
    trusted_proxies: Collection[Network] = (),
) -> grpc.GenericRpcHandler:
    """All methods of `service`; those that `servicer` lacks answer UNIMPLEMENTED with words."""
    methods = {
        method.name: _handler(servicer, _Entrance(method, order, trusted_proxies))
        for method in service.methods
    }
    return grpc.method_handlers_generic_handler(service.full_name, methods)


def _handler(servicer: object, entrance: _Entrance) -> Handler:
    method = entrance.method
    behaviour: Behaviour = getattr(servicer, method.name, None) or _not_built
    wrap = _streaming if isasyncgenfunction(behaviour) else _answering
    make = _ARITIES[method.client_streaming, method.server_streaming]
    encode = None if method.full_name in RAW else GetMessageClass(method.output_type).SerializeToString
    return make(wrap(behaviour, entrance), response_serializer=encode)


def _not_built(request: object, context: Context) -> NoReturn:
    raise NotImplementedError


class _Entrance:
    """What every handler of a method begins with: its call, the concerns, the request."""

    def __init__(
        self, method: MethodDescriptor, order: tuple[Concern, ...], trusted_proxies: Collection[Network]
    ) -> None:
        self.method = method
        self._order = order
        self._trusted = trusted_proxies
        self._decode = GetMessageClass(method.input_type).FromString

    def call(self, context: Context) -> Call:
        """The call of an incoming context."""
        pairs = context.invocation_metadata() or ()
        metadata = {key: value for key, value in pairs if isinstance(value, str)}
        method = self.method
        address = address_of(context.peer(), metadata, self._trusted)
        streaming = method.client_streaming or method.server_streaming
        return Call(method.containing_service.full_name, method.name, address, metadata, streaming)

    def surround(self, context: Context) -> Any:
        """Enters the concerns."""
        return surrounded(self.call(context), context, self._order)

    def request(self, raw: Any) -> Any:
        """The request behind its bytes; a stream of requests stays as it is. Raises Malformed, TooLarge."""
        if self.method.client_streaming:
            return raw
        if len(raw) > REQUEST_BYTES:
            raise TooLarge(f"a request of {len(raw)} bytes: {REQUEST_BYTES} are allowed")
        try:
            return self._decode(raw)
        except DecodeError as error:
            name = self.method.input_type.full_name
            raise Malformed(f"the request is no {name}: check the version of the proto") from error


def _answering(behaviour: Behaviour, entrance: _Entrance) -> Callable[[Any, Context], Awaitable[Any]]:
    async def handler(request: Any, context: Context) -> Any:
        async with entrance.surround(context):
            return await behaviour(entrance.request(request), context)

    return handler


def _streaming(behaviour: Behaviour, entrance: _Entrance) -> Callable[[Any, Context], AsyncIterator[Any]]:
    async def handler(request: Any, context: Context) -> AsyncIterator[Any]:
        async with entrance.surround(context):
            async for response in behaviour(entrance.request(request), context):
                yield response

    return handler


_ARITIES: dict[tuple[bool, bool], Callable[..., Handler]] = {
    (False, False): grpc.unary_unary_rpc_method_handler,
    (False, True): grpc.unary_stream_rpc_method_handler,
    (True, False): grpc.stream_unary_rpc_method_handler,
    (True, True): grpc.stream_stream_rpc_method_handler,
}
"""A stream of responses is yielded by its behaviour, or written to the context."""
