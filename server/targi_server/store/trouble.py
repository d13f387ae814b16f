"""What to do about an error of Redis."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from redis import exceptions

from targi_server.store.link import TooFewReplicas

__all__ = ["Trouble", "trouble_of"]


class Trouble(StrEnum):
    """Kinds of errors, also the label of the metric that counts them."""

    LOST = "lost"
    """The connection broke or nobody answers: the outcome is unknown."""
    BUSY = "busy"
    """Nothing was done, and soon it can be: loading, failing over, a slot that moves, a full disk."""
    NO_SCRIPT = "no_script"
    """The server forgot the scripts, or never had them."""
    REFUSED = "refused"
    """It will not be done, however often it is asked: a mistake of ours."""


# The first class that fits decides: some of these are also connection errors.
_BY_CLASS: Final[tuple[tuple[type[Exception], Trouble], ...]] = (
    (exceptions.BusyLoadingError, Trouble.BUSY),
    (exceptions.TryAgainError, Trouble.BUSY),
    (exceptions.ReadOnlyError, Trouble.BUSY),
    (exceptions.AskError, Trouble.BUSY),
    (exceptions.ClusterError, Trouble.BUSY),
    (exceptions.OutOfMemoryError, Trouble.BUSY),
    (exceptions.ConnectionError, Trouble.LOST),
    (exceptions.TimeoutError, Trouble.LOST),
    (exceptions.RedisClusterException, Trouble.LOST),
    (TooFewReplicas, Trouble.LOST),
    (OSError, Trouble.LOST),
)

# Errors that redis-py knows by their text only, and those inside a script, which carry their text on.
_BY_WORD: Final = {
    "BUSY": Trouble.BUSY,
    "Function": Trouble.NO_SCRIPT,  # "Function not found"
    "LOADING": Trouble.BUSY,
    "MISCONF": Trouble.BUSY,
    "NOREPLICAS": Trouble.BUSY,
    "OOM": Trouble.BUSY,
    "READONLY": Trouble.BUSY,
    "TRYAGAIN": Trouble.BUSY,
}


def trouble_of(error: Exception) -> Trouble:
    """What kind of error it is."""
    word = str(error).partition(" ")[0]
    if word in _BY_WORD:
        return _BY_WORD[word]
    return next((trouble for cls, trouble in _BY_CLASS if isinstance(error, cls)), Trouble.REFUSED)
