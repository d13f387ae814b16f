"""Everything that the SDK raises.

SdkError                       whatever goes wrong in this package
├── UsageError                 the caller asked for something that cannot be done like this
├── CredentialsError           the file with the tokens cannot be read, or a token is missing
├── WireError                  a message holds a value that this SDK cannot read
├── ChoiceError                `choose` returned something that is no legal action of its turn
├── ProcessDiedError           a bot took the process down in which it played
└── ArenaError                 the service and this process do not come together
    ├── UnreachableError       nobody answers at the address, or it is no arena
    └── RefusedError           the service answered, and refused; carries the reason of the wire contract
        ├── BadTokenError      the token is missing, wrong or revoked
        ├── VersionError       rules, vocabulary or card set differ
        └── ReplacedError      a newer session of the same bot took over

Modules with errors of their own derive them from these.
"""

from __future__ import annotations

__all__ = [
    "ArenaError",
    "BadTokenError",
    "ChoiceError",
    "CredentialsError",
    "ProcessDiedError",
    "RefusedError",
    "ReplacedError",
    "SdkError",
    "UnreachableError",
    "UsageError",
    "VersionError",
    "WireError",
]


class SdkError(Exception):
    """Whatever goes wrong in this package. The text says what is wrong and what to do."""


class UsageError(SdkError):
    """The caller asked for something that cannot be done like this."""


class CredentialsError(SdkError):
    """The file with the tokens cannot be read, or a token is missing."""


class WireError(SdkError):
    """A message holds a value that this SDK cannot read."""


class ChoiceError(SdkError):
    """`choose` returned something that is no legal action of its turn."""


class ProcessDiedError(SdkError):
    """A bot took the process down in which it played."""


class ArenaError(SdkError):
    """The service and this process do not come together."""


class UnreachableError(ArenaError):
    """Nobody answers at the address, or it is no arena."""


class RefusedError(ArenaError):
    """The service answered, and refused.

    `reason` is the name of a `Reason` of the wire contract without its prefix, for example "NAME_TAKEN";
    "" where the service gave none.
    """

    def __init__(self, reason: str, words: str) -> None:
        super().__init__(words)
        self.reason = reason

    def __reduce__(self) -> tuple[type[RefusedError], tuple[str, str]]:
        return type(self), (self.reason, str(self))


class BadTokenError(RefusedError):
    """The token is missing, wrong or revoked."""


class VersionError(RefusedError):
    """Rules, vocabulary or card set differ."""


class ReplacedError(RefusedError):
    """A newer session of the same bot took over."""
