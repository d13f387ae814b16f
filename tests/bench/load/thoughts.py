"""A bot's own measure of its thinking, held against what the server charged. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["Difference", "Echoes", "Game", "Loss", "Thought", "differences", "loss"]


@dataclass(slots=True)
class Thought:
    """One turn as its bot sees it; times in seconds of the process' monotonic clock."""

    left_ms: float
    """Time on its clock when it was asked, by its own account."""
    told_ms: int
    """The same by the server's word."""
    came: float
    """When it read the turn."""
    written: float | None = None
    """When it handed its answer to gRPC."""
    charged_ms: int | None = None
    """As Applied says; None if the answer was not taken."""

    def own_ms(self, now: float) -> float:
        """What it thought by its own measure; what is not answered yet lasts until now."""
        return ((now if self.written is None else self.written) - self.came) * 1000


@dataclass
class Game:
    """A match as one of its bots sees it."""

    match_id: str
    bot: int
    seat: int
    left_ms: float
    """Its clock by its own account: base and increments less what it measured itself."""
    increment_ms: int
    thoughts: dict[int, Thought] = field(default_factory=dict)
    """By ply."""

    def account(self, ply: int, charged_ms: int, clock_ms: int, now: float) -> None:
        """An answer was taken; the clock that the server tells shows whether the increment came with it."""
        thought = self.thoughts[ply]
        thought.charged_ms = charged_ms
        turn_ended = 2 * (clock_ms + charged_ms - thought.told_ms) > self.increment_ms
        self.left_ms = thought.left_ms - thought.own_ms(now) + self.increment_ms * turn_ended


@dataclass(frozen=True)
class Loss:
    """A game that was lost on time."""

    match_id: str
    ply: int
    own_ms: float
    left_ms: float
    told_ms: int
    echo_ms: float
    """Longest Ping of the same stream meanwhile."""

    @property
    def wrongful(self) -> bool:
        """Whether the bot had answered within its clock by its own measure."""
        return self.own_ms <= self.left_ms


@dataclass(frozen=True)
class Difference:
    """What an answer took by the server's account, lag allowance included, less the bot's own measure."""

    match_id: str
    ply: int
    ms: float
    came_echo_ms: float
    """Longest Ping of the same stream about the time at which the turn was on its way."""
    written_echo_ms: float
    """The same of the answer."""

    @property
    def unexplained_ms(self) -> float:
        """What is left when the way there and back is taken off."""
        return self.ms - self.came_echo_ms - self.written_echo_ms


class Echoes:
    """Pings of one stream with the times at which they left and came back."""

    EVERY_S = 0.01
    KEPT = 12_000

    def __init__(self) -> None:
        self._sent: deque[float] = deque(maxlen=self.KEPT)
        self._back: deque[float] = deque(maxlen=self.KEPT)
        self._waiting: deque[float] = deque()

    def left(self, at: float) -> None:
        """A Ping is on its way."""
        self._waiting.append(at)

    def came(self, at: float) -> None:
        """The oldest Ping on its way is back: a stream keeps the order."""
        self._sent.append(self._waiting.popleft())
        self._back.append(at)

    def longest_ms(self, start: float, end: float) -> float:
        """Of those that were on their way within a time, or just before or after; 0 if there was none."""
        times = self._back
        found = 0.0
        for place in range(bisect_left(times, start - self.EVERY_S), len(times)):
            if self._sent[place] > end + self.EVERY_S:
                break
            found = max(found, times[place] - self._sent[place])
        return found * 1000


def loss(game: Game, now: float, echoes: Echoes) -> Loss:
    """The last turn of a game that its bot lost on time; wrongful if there was none."""
    if not game.thoughts:
        return Loss(game.match_id, -1, 0.0, 0.0, 0, 0.0)
    ply, last = max(game.thoughts.items())
    echo_ms = echoes.longest_ms(last.came, now)
    return Loss(game.match_id, ply, last.own_ms(now), last.left_ms, last.told_ms, echo_ms)


def differences(game: Game, spent_ms: Iterable[tuple[int, int]], echoes: Echoes) -> Iterable[Difference]:
    """Of each answer of a game; `spent_ms` has (ply, charged + lag) by the server's timeline."""
    for ply, spent in spent_ms:
        thought = game.thoughts.get(ply)
        if thought is None or thought.written is None:
            continue
        own_ms = thought.own_ms(thought.written)
        slack_s = max(0.0, spent - own_ms) / 1000
        yield Difference(
            game.match_id,
            ply,
            spent - own_ms,
            echoes.longest_ms(thought.came - slack_s, thought.came),
            echoes.longest_ms(thought.written, thought.written + slack_s),
        )
