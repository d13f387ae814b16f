"""Errors of the server: one tree, and one table from it to gRPC status and reason.

    ServerError                 the server failed; its words stay in the log
    ├── BadToken                the token is missing, wrong or revoked
    ├── Forbidden               the token is good, but not for this
    │   ├── RegistrationClosed  owners are made by administrators here
    │   └── BotPaused           the bot is paused, retired or banned
    ├── Invalid                 a field has a value that is not allowed
    │   ├── Malformed           a frame or event does not parse
    │   ├── TooLarge            a message is larger than the server takes
    │   ├── BadNonce            not 32 bytes, or not the next preimage of the chain
    │   ├── ProtocolBreach      the first event must be Hello, and Hello comes once
    │   └── VersionMismatch     rules, vocabulary or card set differ
    ├── NotFound                there is no such thing
    │   ├── UnknownMatch        no such match, or not the caller's
    │   └── UnknownOffer        no such offer for this bot, or it lapsed
    ├── NameTaken               the name is in use
    ├── Limit                   too many of these at a time
    │   ├── TakeoverLimit       two takeovers within a minute
    │   └── SlowReader          the peer does not read what it is sent
    ├── NotAvailable            the other bot is not online or has no capacity
    ├── Refused                 a match does not take this now
    │   ├── Illegal             the action is not legal, or there is none: one strike
    │   ├── Stale               the ply was answered already, in another way
    │   ├── NotYourTurn         the other seat is to move
    │   ├── MatchOver           the match is over
    │   └── HoldNotAllowed      the match is no debug challenge
    ├── Replaced                a newer session of the same bot took over
    ├── Unavailable             the store does not answer at the moment
    │   ├── Draining            this server stops
    │   ├── PlayedElsewhere     what the bot plays, or may play, is of rules that other servers have
    │   └── Silent              nothing was heard of the peer for two heartbeats
    └── Unimplemented           the method comes with a later version of the server

On unary calls the reason travels in ``google.rpc.ErrorInfo``; on Play, whatever concerns one match or offer
becomes a ``Rejected`` with the same reason, and a status ends the stream.
"""

# The classes are named for what they tell the caller, not for being errors.
# ruff: noqa: N818

from __future__ import annotations

from collections.abc import Mapping

import grpc

__all__ = [
    "DOMAIN",
    "STATUS",
    "BadNonce",
    "BadToken",
    "BotPaused",
    "Draining",
    "Forbidden",
    "HoldNotAllowed",
    "Illegal",
    "Invalid",
    "Limit",
    "Malformed",
    "MatchOver",
    "NameTaken",
    "NotAvailable",
    "NotFound",
    "NotYourTurn",
    "PlayedElsewhere",
    "ProtocolBreach",
    "Refused",
    "RegistrationClosed",
    "Replaced",
    "ServerError",
    "Silent",
    "SlowReader",
    "Stale",
    "TakeoverLimit",
    "TooLarge",
    "Unavailable",
    "Unimplemented",
    "UnknownMatch",
    "UnknownOffer",
    "VersionMismatch",
    "status_of",
]

DOMAIN = "targi"
"""Domain of every ``ErrorInfo`` that this server sends."""


class ServerError(Exception):
    """An error with words for whoever caused it: what is wrong and what to do."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words

    @property
    def reason(self) -> str:
        """Name in ``targi.v1.Reason``, without its prefix."""
        return status_of(type(self))[1]

    @property
    def status(self) -> grpc.StatusCode:
        """Status with which a call or a stream ends."""
        return status_of(type(self))[0]


class BadToken(ServerError):
    """The token is missing, wrong or revoked."""


class Forbidden(ServerError):
    """The token is good, but not for this."""


class RegistrationClosed(Forbidden):
    """Registration is closed on this server."""


class BotPaused(Forbidden):
    """The bot is paused, retired or banned."""


class Invalid(ServerError):
    """A field has a value that is not allowed."""


class Malformed(Invalid):
    """A frame or event does not parse."""


class TooLarge(Invalid):
    """A message is larger than the server takes."""


class BadNonce(Invalid):
    """The nonce is not 32 bytes, or not the next preimage of the chain."""


class ProtocolBreach(Invalid):
    """The first event must be Hello, and Hello comes once."""


class VersionMismatch(Invalid):
    """Rules, vocabulary or card set differ."""


class NotFound(ServerError):
    """There is no such thing."""


class UnknownMatch(NotFound):
    """This bot does not play in that match, or there is none."""


class UnknownOffer(NotFound):
    """There is no such offer for this bot, or it lapsed."""


class NameTaken(ServerError):
    """The name is taken."""


class Limit(ServerError):
    """Too many of these at a time."""


class TakeoverLimit(Limit):
    """Two takeovers within a minute: wait."""


class SlowReader(Limit):
    """The reader does not read."""


class NotAvailable(ServerError):
    """The other bot is not online or has no capacity."""


class Refused(ServerError):
    """A match does not take this now; it did not change."""


class Illegal(Refused):
    """The action is not legal, or there is none. One strike."""


class Stale(Refused):
    """The ply was answered already, in another way."""


class NotYourTurn(Refused):
    """The other seat is to move."""


class MatchOver(Refused):
    """The match is over."""


class HoldNotAllowed(Refused):
    """Hold is for debug challenges only."""


class Replaced(ServerError):
    """A newer session of the same bot took over."""


class Unavailable(ServerError):
    """The store does not answer at the moment."""


class Draining(Unavailable):
    """The server stops."""


class PlayedElsewhere(Unavailable):
    """A bot has nothing to play here: its matches, or all new ones, are of rules that other servers have."""


class Silent(Unavailable):
    """Nothing was heard of the peer for two heartbeats: it is taken for gone."""


class Unimplemented(ServerError):
    """The method comes with a later version of the server."""


STATUS: Mapping[type[ServerError], tuple[grpc.StatusCode, str]] = {
    ServerError: (grpc.StatusCode.INTERNAL, "INTERNAL"),
    BadToken: (grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN"),
    Forbidden: (grpc.StatusCode.PERMISSION_DENIED, "FORBIDDEN"),
    RegistrationClosed: (grpc.StatusCode.PERMISSION_DENIED, "REGISTRATION_CLOSED"),
    BotPaused: (grpc.StatusCode.PERMISSION_DENIED, "BOT_PAUSED"),
    Invalid: (grpc.StatusCode.INVALID_ARGUMENT, "INVALID"),
    Malformed: (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED"),
    TooLarge: (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_LARGE"),
    BadNonce: (grpc.StatusCode.INVALID_ARGUMENT, "BAD_NONCE"),
    ProtocolBreach: (grpc.StatusCode.INVALID_ARGUMENT, "PROTOCOL"),
    VersionMismatch: (grpc.StatusCode.FAILED_PRECONDITION, "VERSION_MISMATCH"),
    NotFound: (grpc.StatusCode.NOT_FOUND, "NOT_FOUND"),
    UnknownMatch: (grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH"),
    UnknownOffer: (grpc.StatusCode.NOT_FOUND, "UNKNOWN_OFFER"),
    NameTaken: (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN"),
    Limit: (grpc.StatusCode.RESOURCE_EXHAUSTED, "LIMIT"),
    TakeoverLimit: (grpc.StatusCode.RESOURCE_EXHAUSTED, "TAKEOVER_LIMIT"),
    SlowReader: (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER"),
    NotAvailable: (grpc.StatusCode.FAILED_PRECONDITION, "NOT_AVAILABLE"),
    Refused: (grpc.StatusCode.FAILED_PRECONDITION, "INVALID"),
    Illegal: (grpc.StatusCode.FAILED_PRECONDITION, "ILLEGAL"),
    Stale: (grpc.StatusCode.FAILED_PRECONDITION, "STALE"),
    NotYourTurn: (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN"),
    MatchOver: (grpc.StatusCode.FAILED_PRECONDITION, "MATCH_OVER"),
    HoldNotAllowed: (grpc.StatusCode.FAILED_PRECONDITION, "HOLD_NOT_ALLOWED"),
    Replaced: (grpc.StatusCode.ABORTED, "REPLACED"),
    Unavailable: (grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE"),
    Draining: (grpc.StatusCode.UNAVAILABLE, "DRAINING"),
    PlayedElsewhere: (grpc.StatusCode.UNAVAILABLE, "DRAINING"),
    Silent: (grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE"),
    Unimplemented: (grpc.StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED"),
}
"""Status and reason of every error; a test holds it against the tree and against ``targi.v1.Reason``."""


def status_of(error: type[ServerError]) -> tuple[grpc.StatusCode, str]:
    """Status and reason of an error class; a class that is not in the table answers like its parent."""
    return next(STATUS[cls] for cls in error.__mro__ if cls in STATUS)
