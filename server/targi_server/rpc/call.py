"""The call that a handler serves: who called which method from where."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass

from targi_server.accounts.identity import Identity
from targi_server.errors import BadToken, ServerError

__all__ = ["Call", "caller", "current_call", "enter"]


@dataclass(slots=True)
class Call:
    """One call while it is served.

    ``service`` and ``method`` are names, ``address`` is the caller's host without port, ``metadata`` holds
    the text values of the invocation metadata. ``identity`` is None where no token was sent. ``code`` and
    ``reason`` say how the call ends, once it does.
    """

    service: str
    method: str
    address: str
    metadata: Mapping[str, str]
    streaming: bool = False
    identity: Identity | None = None
    code: str = "OK"
    reason: str = ""

    @property
    def name(self) -> str:
        """For example ``MatchService.Play``."""
        return f"{self.service.rpartition('.')[2]}.{self.method}"

    @property
    def caller(self) -> str:
        """Whoever calls, by kind and name of the account, or by address."""
        who = self.identity
        return f"{who.kind}:{who.bot or who.owner}" if who else self.address


_CURRENT: ContextVar[Call] = ContextVar("targi_call")


def enter(call: Call) -> None:
    """Make `call` the current one of this task; every call is served by a task of its own."""
    _CURRENT.set(call)


def current_call() -> Call:
    """The call that the running handler serves. Raises ServerError outside of one."""
    try:
        return _CURRENT.get()
    except LookupError as error:
        raise ServerError("no call is being served here") from error


def caller() -> Identity:
    """Identity of the caller. Raises BadToken where the call carries no token."""
    identity = current_call().identity
    if identity is None:
        raise BadToken("this call needs a token: send `authorization: Bearer <token>` metadata")
    return identity
