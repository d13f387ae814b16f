"""Ends of matches on their way to a bot.

A stream keeps its order, so the Pong to a Ping that was sent after a MatchEnded says that the bot has it.
Until then the end is kept for the next session.
"""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["Ends"]

_BEFORE_PING = 0


class Ends:
    """Which ends one session was sent, and which of them its bot has."""

    def __init__(self) -> None:
        self._sent: dict[str, int] = {}
        self._known: set[str] = set()

    def __contains__(self, match_id: str) -> bool:
        return match_id in self._sent or match_id in self._known

    def __len__(self) -> int:
        return len(self._sent) + len(self._known)

    def sent(self, match_id: str) -> None:
        """The MatchEnded entered the queue."""
        self._sent[match_id] = _BEFORE_PING

    def pinged(self, token: int) -> None:
        """A Ping entered the queue behind all that was sent so far."""
        self._sent = {match_id: before or token for match_id, before in self._sent.items()}

    def ponged(self, token: int) -> None:
        """The bot answered that Ping: it knows what was sent before."""
        self._move({match_id for match_id, before in self._sent.items() if 0 < before <= token})

    def written(self) -> None:
        """The server ended the stream, well: everything was taken."""
        self._move(set(self._sent))

    def left(self) -> None:
        """The bot ended the stream: it has what was sent, unless a Ping behind that found no answer.

        A bot that nothing reaches any more gives its stream up after some heartbeats, so it missed a Ping.
        """
        self._move({match_id for match_id, before in self._sent.items() if before == _BEFORE_PING})

    def forget(self, match_id: str) -> None:
        """The end was none: the match runs."""
        self._sent.pop(match_id, None)
        self._known.discard(match_id)

    def known(self) -> frozenset[str]:
        """All ends that the bot is known to have."""
        return frozenset(self._known)

    def to_tell(self, kept: Collection[str], running: Collection[str]) -> set[str]:
        """Of the ends that are kept for the bot, those that it knows.

        `running` are matches whose end may still be filed; what is in neither is over and done with.
        """
        self._known.intersection_update({*kept, *running})
        return self._known.intersection(kept)

    def _move(self, known: set[str]) -> None:
        self._known |= known
        for match_id in known:
            del self._sent[match_id]
