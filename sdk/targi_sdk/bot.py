"""What a bot author writes: a `Bot` with `choose`; and what it is given: a `Turn`.

The same objects serve a match over the service, a game of the local arena and a replay, so a bot that is
seeded and bounded by rollouts (not by time) plays the same moves in all three.
"""

from __future__ import annotations

import hashlib
import operator
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import ClassVar, SupportsIndex, TypeAlias

from targi_engine import Observation, State, UnknownAction, action_id, action_name

from targi_sdk.errors import ChoiceError

__all__ = ["Action", "Bot", "Choice", "End", "Start", "Turn", "action_of", "turn_rng"]

Action: TypeAlias = int
"""An id of the action vocabulary; `targi actions` lists them with their notation."""

Choice: TypeAlias = SupportsIndex | str
"""What `choose` may return: an action id (any integer type) or its notation, for example "@7"."""

SHOWN_ACTIONS = 12


@dataclass(frozen=True, slots=True)
class Start:
    """What a bot knows when its match starts, or when it takes over one that runs."""

    match_id: str
    seat: int
    """Own seat, 0 or 1."""
    opponent: str
    """Name of the other bot."""
    ruleset: str
    """"base", "expansion" or "mixed"."""
    variants: str
    """Variants in record notation, "" for none."""
    commitment: bytes
    """SHA-256 of the match seed, 32 bytes."""
    base_ms: int
    """Time at the start, in milliseconds; 0 for a game without clocks."""
    increment_ms: int
    """Time added after each own turn, in milliseconds."""
    ply: int = 0
    """Asked decisions applied so far: above 0 when the process joins a match that runs."""


@dataclass(frozen=True, slots=True)
class End:
    """How a match ended."""

    match_id: str
    seat: int
    """Own seat, 0 or 1."""
    result: str
    """In record notation: "1-0", "0-1", "1/2-1/2", "*"."""
    termination: str
    """The cause in record notation, for example "normal" or "time"."""
    culprit: str
    """Who caused it: "0", "1", "both", "server" or "none"."""
    scores: tuple[int, int] | None
    """Scores of seats 0 and 1, None where there are none."""
    words: str = ""
    """The cause in words."""


class Turn:
    """One decision that the bot is asked to make."""

    __slots__ = (
        "_decision",
        "_observation",
        "clock_ms",
        "deadline",
        "legal",
        "match_id",
        "opponent",
        "opponent_clock_ms",
        "ply",
        "rng",
        "seat",
    )

    def __init__(
        self,
        match_id: str,
        seat: int,
        ply: int,
        legal: tuple[Action, ...],
        observation: Observation | bytes | Callable[[], Observation],
        rng: Random,
        *,
        decision: str = "",
        opponent: str = "",
        clock_ms: int = 0,
        opponent_clock_ms: int = 0,
        deadline: float = float("inf"),
    ) -> None:
        """An encoded `observation` is decoded, and a function called, when it is first looked at.

        `decision` saves looking.
        """
        self._observation = observation
        self._decision = decision
        self.match_id = match_id
        self.seat = seat
        """Own seat, 0 or 1."""
        self.ply = ply
        """Decisions applied so far in this match, a count."""
        self.legal = legal
        """Ids of what may be chosen, ascending, two or more."""
        self.rng = rng
        """Random source of this match and seat; it goes on from turn to turn."""
        self.opponent = opponent
        """Name of the other bot."""
        self.clock_ms = clock_ms
        """Own time left when the turn began, in milliseconds; 0 for a game without clocks."""
        self.opponent_clock_ms = opponent_clock_ms
        """The opponent's time left, in milliseconds."""
        self.deadline = deadline
        """When the own clock ends, in seconds of `time.monotonic()`; infinite without clocks."""

    @property
    def decision(self) -> str:
        """Name of the decision, for example "place" or "gain"."""
        return self._decision or self.observation.decision

    @property
    def observation(self) -> Observation:
        """What this seat may know of the position."""
        if not isinstance(self._observation, Observation):
            made = self._observation
            self._observation = Observation.decode(made) if isinstance(made, bytes) else made()
        return self._observation

    @observation.setter
    def observation(self, observation: Observation) -> None:
        self._observation = observation

    def name(self, action: Action) -> str:
        """The notation of an action; raises `UnknownAction`."""
        return action_name(action)

    def state(self) -> State:
        """A full state that fits the observation: what nobody has seen is shuffled with `rng`."""
        return self.observation.determinize(self.rng)

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        # A copy, perhaps in another process, can look no more at the match that the turn is of.
        self._observation = self.observation
        return None, {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return f"Turn({self.match_id!r}, seat={self.seat}, ply={self.ply}, decision={self.decision!r})"


class Bot(ABC):
    """A player. One object plays one seat of one match; its attributes last for that match.

    Subclasses define `choose`, with `async def` or without. A bot of the second kind runs in a worker
    process when it plays over the service, unless `in_process` is set.
    """

    version: ClassVar[str] = "1"
    """Version of the bot, 1 to 64 characters. A new version is a new player on the ladder."""
    rulesets: ClassVar[tuple[str, ...]] = ("base",)
    """Rulesets that it plays."""
    in_process: ClassVar[bool] = False
    """Set it for a bot that answers at once: its matches then need no worker processes."""

    @abstractmethod
    def choose(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """Return one of `turn.legal`, as id or notation."""

    def on_start(self, start: Start) -> None:  # noqa: B027 - a hook that a bot may leave out
        """Called once, before the first turn."""

    def on_end(self, end: End) -> None:  # noqa: B027 - a hook that a bot may leave out
        """Called once, after the match; not when the process stops before."""


def turn_rng(bot_seed: bytes, commitment: bytes, seat: int) -> Random:
    """The random source of one seat of one match: `Random(SHA-256(bot_seed | commitment | seat 00))`.

    `bot_seed` and `commitment` (SHA-256 of the match seed) have 32 bytes, `seat` is a decimal digit in ASCII.
    """
    return Random(hashlib.sha256(bot_seed + commitment + f"{seat}\0".encode("ascii")).digest())


def action_of(legal: tuple[Action, ...], decision: str, choice: object) -> Action:
    """The id of what `choose` returned. Raises `ChoiceError`, in words for the bot's author.

    `legal` and the name of the `decision` are the asker's own: the bot may have written into its turn.
    """
    action = _id_of(legal, choice)
    if action not in legal:
        raise ChoiceError(
            f"{_named(action)} is not legal at this {decision!r} decision; legal are {_list_of(legal)}"
        )
    return action


def _id_of(legal: tuple[Action, ...], choice: object) -> Action:
    if isinstance(choice, str):
        return _id_of_text(legal, choice)
    if hasattr(choice, "__index__") and not isinstance(choice, bool):
        return operator.index(choice)
    raise ChoiceError(
        f"`choose` returned {choice!r:.80} ({type(choice).__name__}); it must return one of turn.legal "
        f"or its notation: {_list_of(legal)}"
    )


def _id_of_text(legal: tuple[Action, ...], text: str) -> Action:
    try:
        return action_id(text)
    except UnknownAction as error:
        raise ChoiceError(
            f"`choose` returned the text {text!r:.80}, which is no action; legal are {_list_of(legal)}"
        ) from error


def _named(action: Action) -> str:
    try:
        return f"action {action} ({action_name(action)})"
    except UnknownAction:
        return f"action {action} (there is none of that number)"


def _list_of(legal: tuple[Action, ...]) -> str:
    shown = ", ".join(f"{action} ({action_name(action)})" for action in legal[:SHOWN_ACTIONS])
    left = len(legal) - SHOWN_ACTIONS
    return f"{shown} and {left} more" if left > 0 else shown
