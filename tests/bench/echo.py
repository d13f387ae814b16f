"""The yardstick: a bare grpc.aio bidirectional echo of one message a frame, and its client.

`python echo.py PORT` serves. `measure(port, ...)` keeps a number of messages in flight on one stream and
returns how many came back a second.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator

import grpc
import grpc.aio

METHOD = "/bench.Echo/Echo"


async def echo(requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
    """Sends every message back as a frame of its own."""
    async for message in requests:
        await context.write(message)


async def serve(port: int) -> None:
    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(echo)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", {"Echo": handler}),))
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    await server.wait_for_termination()


async def measure(port: int, size: int, in_flight: int, seconds: float) -> float:
    """Echoed messages a second, with `in_flight` messages of `size` bytes on their way at any time."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        await channel.channel_ready()
        method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
        call = method()
        message = bytes(size)
        for _ in range(in_flight):
            await call.write(message)
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            await call.read()
            count += 1
            await call.write(message)
        rate = count / (time.perf_counter() - start)
        call.cancel()
        return rate


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
