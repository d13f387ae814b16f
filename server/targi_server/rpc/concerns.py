"""What surrounds every handler, in one visible order: see `concerns`."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, NoReturn

import grpc

from targi_server.accounts.store import Accounts
from targi_server.errors import BadToken, ServerError, Unimplemented
from targi_server.metrics import Metrics
from targi_server.rpc.access import check_access
from targi_server.rpc.call import Call, enter
from targi_server.rpc.limits import CallLimits, Gate
from targi_server.rpc.peer import household_of
from targi_server.rpc.status import rich_status

__all__ = ["Concern", "Context", "bearer", "concerns", "surrounded"]

log = logging.getLogger(__name__)

# Requests and responses have another type for every method; the handlers know theirs.
Context = grpc.aio.ServicerContext[Any, Any]
Concern = Callable[[Call, Context], AbstractAsyncContextManager[None]]

DEFAULT_LIMITS = CallLimits()


def concerns(
    metrics: Metrics, accounts: Accounts, limits: CallLimits = DEFAULT_LIMITS
) -> tuple[Concern, ...]:
    """Everything that surrounds a handler, the outermost first."""
    return (
        _metered(metrics),
        _logged,
        _translated,
        _limited(limits.of_addresses(), _household),
        _authenticated(accounts),
        _limited(limits.of_callers(), lambda call: call.caller if call.identity else _household(call)),
    )


@asynccontextmanager
async def surrounded(call: Call, context: Context, order: tuple[Concern, ...]) -> AsyncIterator[None]:
    """Make `call` current and enter all concerns in order; they are left in reverse."""
    enter(call)
    async with AsyncExitStack() as stack:
        for concern in order:
            await stack.enter_async_context(concern(call, context))
        yield


def bearer(metadata: Mapping[str, str]) -> str | None:
    """Token of `authorization: Bearer <token>` metadata, None without such an entry. Raises BadToken."""
    value = metadata.get("authorization")
    if value is None:
        return None
    scheme, _, token = value.strip().partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise BadToken("the `authorization` metadata must read `Bearer <token>`")
    return token.strip()


def _metered(metrics: Metrics) -> Concern:
    @asynccontextmanager
    async def concern(call: Call, context: Context) -> AsyncIterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            metrics.rpc_total.labels(method=call.name, code=call.code).inc()
            if call.reason:
                metrics.rejections_total.labels(call.reason).inc()
            if not call.streaming:
                metrics.rpc_seconds.labels(method=call.name).observe(time.perf_counter() - start)

    return concern


@asynccontextmanager
async def _logged(call: Call, context: Context) -> AsyncIterator[None]:
    try:
        yield
    finally:
        extra = {"method": call.name, "code": call.code, "caller": call.caller, "peer": call.address}
        log.debug("%s answered %s", call.name, call.code, extra=extra)


@asynccontextmanager
async def _translated(call: Call, context: Context) -> AsyncIterator[None]:
    try:
        yield
    except asyncio.CancelledError:
        call.code = grpc.StatusCode.CANCELLED.name  # the context has no code of its own for it
        raise
    except grpc.aio.AbortError:
        call.code = context.code().name
        raise
    except ServerError as error:
        await _abort(call, context, error)
    except NotImplementedError:
        words = f"{call.name} comes with a later version of this server"
        await _abort(call, context, Unimplemented(words))
    except Exception:
        log.exception("%s failed", call.name, extra={"method": call.name})
        await _abort(call, context, ServerError("the server failed; its log says more"))


async def _abort(call: Call, context: Context, error: ServerError) -> NoReturn:
    call.code, call.reason = error.status.name, error.reason
    await context.abort_with_status(rich_status(error))


def _authenticated(accounts: Accounts) -> Concern:
    @asynccontextmanager
    async def concern(call: Call, context: Context) -> AsyncIterator[None]:
        token = bearer(call.metadata)
        if token is not None:
            call.identity = await accounts.authenticate(token)
        check_access(call)
        yield

    return concern


def _household(call: Call) -> str:
    return household_of(call.address)


def _limited(gate: Gate, key_of: Callable[[Call], str]) -> Concern:
    @asynccontextmanager
    async def concern(call: Call, context: Context) -> AsyncIterator[None]:
        with gate.passed(key_of(call)):
            yield

    return concern
